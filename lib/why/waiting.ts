/** Causes that follow from the state of the client and the agent: which is gone, which does not read, what runs. */
import { argumentsOf } from '../audit/request.ts';
import { humanSeconds } from '../core/text.ts';
import { ago, because, type Rule } from './cause.ts';
import type { Open } from './watch.ts';
import { about, idWords } from './words.ts';

/** The answer may be in a line that was too large to read. */
export const unreadAnswer: Rule = (open, { unread }) => {
  const other = open.asker === 'client' ? 'agent' : 'client';
  const line = unread[other];
  if (!line || line.f < open.f) return null;
  return because(
    'unread',
    `the ${other} sent a line that is too large to read (f${line.f}): it may be the answer`,
    `wiretape show SESSION#f${line.f} --raw > FILE`,
  );
};

/** The session ended before this was answered. A prompt that itself waited for the client follows from that request. */
const ended: Rule = (open, watch, moment) => {
  const cause = howItEnded(open, watch, moment);
  const waits = open.asker === 'client' && watch.open.some(({ asker, f }) => asker === 'agent' && f > open.f);
  return cause && waits ? { ...cause, follows: true } : cause;
};

const howItEnded: Rule = (open, watch) => {
  const { ending, clientEof, signal } = watch.process;
  if (!ending) return null;
  const { event, code } = ending;
  if (event === 'lost')
    return because('recorder-killed', `the recorder was killed (f${ending.f}): what happened afterwards is unknown`);
  if (event === 'spawn-failed')
    return because('not-started', `the agent could not be started (f${ending.f})`, 'wiretape doctor');
  const hasLeft = clientEof !== null && clientEof.f > open.f;
  if (hasLeft && code === 0 && !signal) {
    const who = open.asker === 'client' ? 'the agent then exits without answering' : 'it had not answered';
    return because(
      'stdin-closed',
      `the client closed stdin (f${clientEof.f}, ${humanSeconds(clientEof.t - open.t)} after the request): ${who}`,
      stdinHint(open),
    );
  }
  const how = ending.signal ? `was killed by ${ending.signal}` : `exited with code ${code}`;
  const why = signal && signal.f > open.f ? `, after ${signal.name} was sent to it (f${signal.f})` : '';
  const said = watch.stderr.complaint ?? watch.stderr.tail.at(-1);
  return because(
    ending.signal ? 'killed' : code === 0 ? 'exited' : 'failed',
    `the agent ${how} (f${ending.f})${why}, before this was answered`,
    code !== 0 && said !== undefined ? `on stderr: ${said.trim()}` : null,
  );
};

/** A prompt that was cancelled: the agent accepted the cancel but never answered the prompt. */
const forgotten: Rule = (open, { cancel, replied, answered, traits, process: { ending } }) => {
  if (!open.taken || !cancel || cancel.f < open.f) return null;
  const wentOn = (answered?.of ?? 0) > cancel.f;
  if (!wentOn && ((replied?.of ?? 0) < cancel.f || (ending && ending.code !== 0))) return null;
  return because(
    'cancelled-unanswered',
    `it was cancelled (f${cancel.f}) and never answered`,
    traits.hints.cancelledUnanswered ?? null,
  );
};

/** The agent answered later requests but never this one. */
const overtaken: Rule = (open, watch) => {
  if (open.asker !== 'client') return null;
  const later = open.prompt === null ? watch.replied : watch.answered;
  if (!later || later.of <= open.f) return null;
  return because(
    'ignored',
    `the agent answered a later request (f${later.f}), but never this one`,
    watch.stderr.complaint
      ? `on stderr: ${watch.stderr.complaint}`
      : `look at the exact line: wiretape show SESSION#f${open.f}`,
  );
};

const stopped: Rule = (open, _, { process: its }) => {
  if (open.asker !== 'client' || !its) return null;
  if (its.state === 'stopped') {
    return because('stopped', `the agent's process (${its.pid}) is stopped`, `kill -CONT ${its.pid}`);
  }
  if (its.state !== 'gone' && its.state !== 'zombie') return null;
  return because('gone', `the agent's process (${its.pid}) is ${its.state === 'gone' ? 'gone' : 'a zombie'}`);
};

const stalled: Rule = (open, { process: { stalled } }, moment) => {
  if (!stalled) return null;
  const client = stalled.whose === 'client';
  // The client's request may wait behind what the agent does not read, and its answer behind what the client does not.
  if (open.asker === 'agent' && !client) return null;
  return because(
    'stalled',
    `the ${stalled.whose} has stopped reading (f${stalled.f}, ${ago(stalled, moment)}): the ${stalled.stream} stream is blocked`,
    client ? "read the agent's stdout while you wait" : null,
  );
};

const unfinished: Rule = (open, _, moment) => {
  const owes = open.asker === 'client' ? 'agent' : 'client';
  const line = moment.unfinished.find(({ from }) => from === owes);
  if (!line || line.t < open.t) return null;
  return because(
    'no-line-end',
    `the ${owes} has written ${line.bytes} bytes without a line feed: the line is incomplete`,
    'end every message with a line feed, and flush it',
  );
};

function stdinHint({ asker }: Open): string {
  return asker === 'client'
    ? 'keep stdin open until the answer arrives'
    : 'answer every request before you close stdin';
}

/** The client has closed stdin, and the agent still runs. */
const closed: Rule = (open, { process: { clientEof } }, moment) => {
  if (!clientEof || clientEof.f < open.f || !moment.running) return null;
  const what =
    open.asker === 'client' ? 'the agent still runs, but will exit without answering' : 'no answer can arrive any more';
  return because(
    'stdin-closed',
    `the client closed stdin (f${clientEof.f}, ${ago(clientEof, moment)}): ${what}`,
    stdinHint(open),
  );
};

const forClient: Rule = (open, watch, moment) => {
  if (open.asker !== 'client') return null;
  const asked = watch.open.findLast(({ asker, f }) => asker === 'agent' && f > open.f);
  if (!asked) return null;
  const cause = because(
    'waits-for-client',
    `the agent is waiting for the client: ${asked.what} (f${asked.f}, ${ago(asked, moment)})`,
  );
  return { ...cause, follows: true };
};

const afterBadAnswer: Rule = (open, watch) => {
  const answer = watch.badAnswers.at(-1);
  if (open.asker !== 'client' || !answer || answer.f < (watch.last.agent?.f ?? 0) || answer.f < open.f) return null;
  const how = answer.of === null ? `matches no request (${idWords(answer.id)})` : `is ${answer.flags.join(', ')}`;
  return because('bad-answer', `the agent has sent nothing since the client's answer f${answer.f}, which ${how}`);
};

const busy: Rule = (open, watch, moment) => {
  if (open.asker !== 'client' || open.prompt === null) return null;
  const calls = watch.running.filter(({ f }) => f > open.f);
  const [longest] = calls;
  if (longest) {
    const what = about(longest.tool, argumentsOf(longest), null);
    const more = calls.length > 1 ? `, and ${calls.length - 1} more` : '';
    return because('in-tool', `the agent is running ${what} (f${longest.f}, called ${ago(longest, moment)})${more}`);
  }
  const { step, output } = watch;
  if (!open.taken && (watch.last.agent?.f ?? 0) < open.f) return silent(open, watch, moment);
  if (output && output.f > Math.max(open.f, step?.f ?? 0)) {
    return because(
      'in-model',
      `the model last sent output ${ago(output, moment)} (f${output.f}), and its answer is incomplete`,
    );
  }
  const since = step && step.f > open.f ? step : open;
  const what = since === step ? `step ${step.n ?? ''} began`.replace('  ', ' ') : 'the prompt arrived';
  return because(
    'in-model',
    `the agent is waiting for its model: ${what} ${ago(since, moment)} (f${since.f}), with no output since`,
  );
};

const silent: Rule = (_, { last, process: { spawn } }, moment) => {
  if (last.agent)
    return because(
      'silent',
      `the agent has sent nothing since; its last line was f${last.agent.f}, ${ago(last.agent, moment)}`,
    );
  const born = spawn ? `; it was started ${ago(spawn, moment)}` : '';
  return because(
    'silent',
    `the agent has not sent anything yet${born}`,
    'does it speak this protocol? check its stderr',
  );
};

const HINTS: Partial<Record<string, string>> = {
  hook: 'the agent continues by itself after a timeout: hooks fail open',
  'client-call': 'the client declared support for this, so it must answer, if only with an error',
};

const nobody: Rule = (open, watch) => {
  if (open.asker !== 'agent') return null;
  const isOutside = watch.traits.hasTurns && watch.asked(open.f)?.outside;
  const outside = isOutside ? '; it was asked outside a turn, which some clients overlook' : '';
  return because(
    'unanswered',
    `the client has not answered it (${idWords(open.id)})${outside}`,
    HINTS[open.kind ?? ''] ?? null,
  );
};

export const WAITING: Rule[] = [
  ...[forgotten, overtaken, ended, stopped, stalled, unfinished, closed, forClient, afterBadAnswer, busy],
  ...[nobody, silent],
];
