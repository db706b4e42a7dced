/** Causes that the state of the two tells: who is gone, who does not read, what runs. */

import { parseJson } from '../core/message.ts';
import { humanSeconds } from '../core/text.ts';
import { ago, because, type Rule } from './cause.ts';
import { about, idWords } from './words.ts';

/** How the session ended, before this was answered. What waited for the client, itself, follows from that. */
const ended: Rule = (open, watch, moment) => {
  const cause = howItEnded(open, watch, moment);
  const waits = open.asker === 'client' && watch.open.some(({ asker, f }) => asker === 'agent' && f > open.f);
  return cause && waits ? { ...cause, follows: true } : cause;
};

const howItEnded: Rule = (open, watch) => {
  const { ending, clientEof, signal } = watch.fate;
  if (!ending) return null;
  const { event, code } = ending;
  if (event === 'lost')
    return because('recorder-killed', `the recorder was killed (f${ending.f}): what came after is not known`);
  if (event === 'spawn-failed')
    return because('not-started', `the agent could not be started (f${ending.f})`, 'wiretape doctor');
  const hasLeft = clientEof !== null && clientEof.f > open.f;
  if (hasLeft && code === 0 && !signal) {
    const who = open.asker === 'client' ? 'the agent ends then without an answer' : 'it had not answered';
    return because(
      'stdin-closed',
      `the client closed stdin (f${clientEof.f}, ${humanSeconds(clientEof.t - open.t)} after it was asked): ${who}`,
      'keep stdin open until the answer has come',
    );
  }
  const how = ending.signal ? `died by ${ending.signal}` : `exited with ${code}`;
  const why = signal && signal.f > open.f ? `, after ${signal.name} was sent to it (f${signal.f})` : '';
  const said = watch.stderr.complaint ?? watch.stderr.tail.at(-1);
  return because(
    ending.signal ? 'killed' : code === 0 ? 'exited' : 'failed',
    `the agent ${how} (f${ending.f})${why}, before there was an answer`,
    code !== 0 && said !== undefined ? `on stderr: ${said.trim()}` : null,
  );
};

/** A prompt that was cancelled: the agent took the cancel, and has never answered the prompt. */
const forgotten: Rule = (open, { cancel, replied, answered, dialect, fate: { ending } }) => {
  if (!open.taken || !cancel || cancel.f < open.f) return null;
  const wentOn = (answered?.of ?? 0) > cancel.f;
  if (!wentOn && ((replied?.of ?? 0) < cancel.f || (ending && ending.code !== 0))) return null;
  return because(
    'cancelled-unanswered',
    `it was cancelled (f${cancel.f}) and never answered`,
    dialect === 'wire' ? 'kimi-cli before 1.12 forgets a prompt that is cancelled while it asks its client' : null,
  );
};

/** The agent has gone on: it answers what came later, and this never. */
const overtaken: Rule = (open, watch) => {
  if (open.asker !== 'client') return null;
  const later = open.prompt === null ? watch.replied : watch.answered;
  if (!later || later.of <= open.f) return null;
  return because(
    'ignored',
    `the agent answered what was asked later (f${later.f}), and never this`,
    watch.stderr.complaint
      ? `on stderr: ${watch.stderr.complaint}`
      : `look at the exact line: wiretape show SESSION#f${open.f}`,
  );
};

const stopped: Rule = (open, _, { process: its }) => {
  if (open.asker !== 'client' || !its) return null;
  if (its.state === 'stopped') {
    return because('stopped', `the process of the agent (${its.pid}) is stopped`, `kill -CONT ${its.pid}`);
  }
  if (its.state !== 'gone' && its.state !== 'zombie') return null;
  return because('gone', `the process of the agent (${its.pid}) is ${its.state}`);
};

const stalled: Rule = (open, { fate: { stalled } }, moment) => {
  if (!stalled) return null;
  const client = stalled.whose === 'client';
  // A request of the client's may wait behind what the agent does not read, or its answer behind what the client does not.
  if (open.asker === 'agent' && !client) return null;
  return because(
    'stalled',
    `the ${stalled.whose} has stopped reading (f${stalled.f}, ${ago(stalled, moment)}): what the ${stalled.stream} writes is held back`,
    client ? 'read the stdout of the agent while you wait' : null,
  );
};

const unfinished: Rule = (open, _, moment) => {
  const owes = open.asker === 'client' ? 'agent' : 'client';
  const line = moment.unfinished.find(({ from }) => from === owes);
  if (!line || line.t < open.t) return null;
  return because(
    'no-line-end',
    `the ${owes} has written ${line.bytes} bytes without a line feed: the line is not over`,
    'end every message with a line feed, and flush it',
  );
};

/** The client has closed its side, and the agent goes on. */
const closed: Rule = (open, { fate: { clientEof } }, moment) => {
  if (!clientEof || clientEof.f < open.f || !moment.running) return null;
  const what =
    open.asker === 'client' ? 'the agent still runs, but ends without an answer' : 'no answer can come any more';
  return because(
    'stdin-closed',
    `the client closed stdin (f${clientEof.f}, ${ago(clientEof, moment)}): ${what}`,
    'keep stdin open until the answer has come',
  );
};

const forClient: Rule = (open, watch, moment) => {
  if (open.asker !== 'client') return null;
  const asked = watch.open.findLast(({ asker, f }) => asker === 'agent' && f > open.f);
  if (!asked) return null;
  const cause = because(
    'waits-for-client',
    `the agent waits for the client: ${asked.what} (f${asked.f}, ${ago(asked, moment)})`,
  );
  return { ...cause, follows: true };
};

const afterBadAnswer: Rule = (open, watch) => {
  const answer = watch.badAnswers.at(-1);
  if (open.asker !== 'client' || !answer || answer.f < (watch.last.agent?.f ?? 0) || answer.f < open.f) return null;
  const how = answer.of === null ? `names ${idWords(answer.id)}, which nobody asked` : `is ${answer.flags.join(', ')}`;
  return because('bad-answer', `the agent has said nothing since the client's answer f${answer.f}, which ${how}`);
};

const busy: Rule = (open, watch, moment) => {
  if (open.asker !== 'client' || open.prompt === null) return null;
  const calls = watch.running().filter(({ f }) => f > open.f);
  const [longest] = calls;
  if (longest) {
    const what = about(longest.tool, parseJson(longest.args), null);
    const more = calls.length > 1 ? `, and ${calls.length - 1} more` : '';
    return because('in-tool', `the agent runs ${what} since f${longest.f}, called ${ago(longest, moment)}${more}`);
  }
  const { step, output } = watch;
  if (!open.taken && (watch.last.agent?.f ?? 0) < open.f) return silent(open, watch, moment);
  if (output && output.f > Math.max(open.f, step?.f ?? 0)) {
    return because(
      'in-model',
      `the model spoke last ${ago(output, moment)} (f${output.f}), and its answer is not over`,
    );
  }
  const since = step && step.f > open.f ? step : open;
  const what = since === step ? `step ${step.n ?? ''} began`.replace('  ', ' ') : 'the prompt came';
  return because(
    'in-model',
    `the agent waits for its model: ${what} ${ago(since, moment)} (f${since.f}), and nothing has come of it`,
  );
};

const silent: Rule = (_, { last, fate: { spawn } }, moment) => {
  if (last.agent)
    return because(
      'silent',
      `the agent has said nothing since; its last line was f${last.agent.f}, ${ago(last.agent, moment)}`,
    );
  const born = spawn ? `, and it was started ${ago(spawn, moment)}` : '';
  return because(
    'silent',
    `the agent has not said anything yet${born}`,
    'does it speak this protocol? look at its stderr',
  );
};

const HINTS: Partial<Record<string, string>> = {
  hook: 'an agent goes on by itself when its time is over: hooks fail open',
  'client-call': 'the client said that it can do this, and must answer, with an error if need be',
};

const nobody: Rule = (open, watch) => {
  if (open.asker !== 'agent') return null;
  const row = watch.row(open.f);
  const outside = row?.flags.includes('outside-turn')
    ? '; it was asked outside of any turn, which some clients overlook'
    : '';
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
