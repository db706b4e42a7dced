/**
 * Causes that follow from the state of the client and the agent: which does not read, what runs, who waits for whom. They
 * describe the present, or a moment of the past; they predict nothing.
 */

import { isAbsent } from '../../dialects/common/fields.ts';
import type { TurnRecord } from '../../model/ledger/records.ts';
import type { SessionMoment, UnfinishedLine } from '../../model/moment.ts';
import { humanSeconds } from '../../model/text/text.ts';
import { argumentsOf } from '../audit/request.ts';
import { ago, type Cause, type CauseRule, makeCause, since, verbForms } from './cause.ts';
import { describeCall, formatId } from './describe-request.ts';
import { headOf } from './lines.ts';
import type { ModelActivity } from './model-activity.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';

const stopped: CauseRule = (open, _, { process: agentProcess }) => {
  if (open.asker !== 'client' || !agentProcess) return null;
  if (agentProcess.state === 'stopped') {
    return makeCause(
      'stopped',
      `the agent's process (${agentProcess.pid}) is stopped`,
      `kill -CONT ${agentProcess.pid}`,
    );
  }
  if (agentProcess.state !== 'gone' && agentProcess.state !== 'zombie') return null;
  return makeCause(
    'gone',
    `the agent's process (${agentProcess.pid}) is ${agentProcess.state === 'gone' ? 'gone' : 'a zombie'}`,
  );
};

const stalled: CauseRule = (open, { process: { stalled } }, moment) => {
  if (!stalled) return null;
  const client = stalled.whose === 'client';
  // The client's request may wait behind what the agent does not read, and its answer behind what the client does not.
  if (open.asker === 'agent' && !client) return null;
  const { has, is } = verbForms(moment);
  return makeCause(
    'stalled',
    `the ${stalled.whose} ${has} stopped reading (f${stalled.f}, ${ago(stalled, moment)}): the ${stalled.stream} stream ${is} blocked`,
    client ? "read the agent's stdout while you wait" : null,
  );
};

const unfinished: CauseRule = (open, _, moment) => {
  const owes = open.asker === 'client' ? 'agent' : 'client';
  const line = moment.unfinished.find(({ from }) => from === owes);
  if (!line || line.t < open.t) return null;
  // Another line would only make this one longer.
  return {
    ...makeCause('no-line-end', describeUnfinished(line, since(line.t, moment)), lineEndHint(line)),
    send: null,
  };
};

const LINE_FEED_HINT = 'end every message with a line feed, and flush it';

const BODY_LENGTH_HINT = 'announce the length of the body in bytes, not in characters, and flush it';

/** What ends such a line, or such a body. */
export function lineEndHint({ of }: Pick<UnfinishedLine, 'of'>): string {
  return isAbsent(of) ? LINE_FEED_HINT : BODY_LENGTH_HINT;
}

export function describeUnfinished(line: UnfinishedLine, long: string): string {
  if (!isAbsent(line.of)) {
    const some = `${line.bytes} of the ${line.of} bytes that its header announces`;
    return `the ${line.from} has written ${some} (${headOf(line.head)}): the body has been incomplete for ${long}`;
  }
  return `the ${line.from} has written ${line.bytes} bytes without a line feed (${headOf(line.head)}): the line has been incomplete for ${long}`;
}

export function stdinHint({ asker }: UnansweredRequest): string {
  return asker === 'client'
    ? 'keep stdin open until the answer arrives'
    : 'answer every request before you close stdin';
}

/** The client closed stdin, and the agent still runs, or asked only then. */
const stdinClosed: CauseRule = (open, { process: { clientEof }, traits }, moment) => {
  if (!clientEof || traits.stdinIsPrompt) return null;
  const isLate = clientEof.f < open.f;
  if (open.asker === 'agent' && isLate) {
    const late = humanSeconds(open.t - clientEof.t);
    const can = moment.running ? 'can' : 'could';
    const cause = makeCause(
      'stdin-closed',
      `it was asked ${late} after the client had closed stdin (f${clientEof.f}): no answer ${can} arrive`,
      'keep stdin open for as long as the agent may ask',
    );
    return { ...cause, send: null };
  }
  if (isLate || !moment.running) return null;
  const what =
    open.asker === 'client'
      ? 'the agent still runs, but many agents then exit without answering'
      : 'no answer can arrive any more';
  const cause = makeCause(
    'stdin-closed',
    `the client closed stdin (f${clientEof.f}, ${ago(clientEof, moment)}): ${what}`,
    stdinHint(open),
  );
  return { ...cause, send: null };
};

/** A call waits for what was asked about it. For which of several requests a server without turns asks is not on the wire. */
export function heldUpBy(open: UnansweredRequest, watch: SessionWatch): { asks: UnansweredRequest[]; isSure: boolean } {
  const later = watch.open.filter(({ asker, f }) => asker === 'agent' && f > open.f);
  if (open.prompt !== null)
    return { asks: later.filter(({ f }) => belongsToTurn(open, watch, watch.askAt(f)?.turn)), isSure: true };
  if (open.kind !== 'tool-call' && watch.traits.hasTurns) return { asks: [], isSure: true };
  const own = later.filter(({ f }) => watch.askAt(f)?.call?.f === open.f);
  if (own.length > 0) return { asks: own, isSure: true };
  return { asks: later.filter((ask) => mayHold(open, ask) && !watch.askAt(ask.f)?.call), isSure: false };
}

/** Servers ask for roots on their own, and a call may just run. Nothing waits for the answer to a ping. */
function mayHold(open: UnansweredRequest, { kind }: UnansweredRequest): boolean {
  return kind === 'question' || (open.kind !== 'tool-call' && kind !== 'control');
}

/** Where turns run side by side, what belongs to another one explains nothing. */
function belongsToTurn(
  open: UnansweredRequest,
  { traits }: SessionWatch,
  turn: TurnRecord | null | undefined,
): boolean {
  return !traits.turnsSideBySide || !turn || turn.prompt_f === open.f;
}

const waitsForClient: CauseRule = (open, watch, moment) => {
  if (open.asker !== 'client') return null;
  const { asks, isSure } = heldUpBy(open, watch);
  const [first] = asks;
  if (!first) return null;
  const more = asks.length > 1 ? `, and ${asks.length - 1} more` : '';
  const waits = isSure
    ? `${verbForms(moment).is} waiting`
    : moment.running
      ? 'may be waiting'
      : 'may have been waiting';
  const cause = `the agent ${waits} for the client: ${first.what} (f${first.f}, ${ago(first, moment)})${more}`;
  return { ...makeCause('waits-for-client', cause), follows: true };
};

const afterBadAnswer: CauseRule = (open, watch, moment) => {
  const answer = watch.answers.bad.findLast(({ from }) => from === 'client');
  if (open.asker !== 'client' || !answer || answer.f < (watch.work?.f ?? 0) || answer.f < open.f) return null;
  const mistake = watch.mistakes.findAt(answer.f)?.message;
  const how = answer.of === null ? `matches no request (${formatId(answer.id)})` : `is ${answer.flags.join(', ')}`;
  const reason = mistake ? ` (${mistake})` : '';
  const rule = answer.flags.includes('bad-word') ? 'unknown-option' : 'bad-answer';
  const { agent } = watch.lines.last;
  const nothing = (agent?.f ?? 0) > answer.f ? `only answers to other requests (f${agent!.f})` : 'nothing';
  const cause = `the agent ${verbForms(moment).has} sent ${nothing} since the client's answer f${answer.f}, which ${how}${reason}`;
  const send = answer.of === null ? null : watch.linesToSend(answer.of).answer;
  return { ...makeCause(rule, cause, 'answer again with a valid line, if the agent accepts one'), send };
};

const atWork = (cause: Cause): Cause => ({ ...cause, atWork: true });

/** What an MCP client asks for is the call itself. */
const calling: CauseRule = (open, watch, moment) => {
  if (open.kind !== 'tool-call' || (watch.lines.last.agent?.f ?? 0) === 0) return null;
  const { has } = verbForms(moment);
  return atWork(makeCause('in-tool', `the call ${has} been running for ${since(open.t, moment)}, without a result`));
};

/** The agent says that it needs the user, but nothing is asked: that would have been found before. */
const askedNothing: CauseRule = (open, { needsClient }, moment) => {
  if (open.asker !== 'client' || open.prompt === null || !needsClient || needsClient.f < open.f) return null;
  const { has } = verbForms(moment);
  const cause = `the agent ${has} said for ${since(needsClient.t, moment)} that it needs the user (f${needsClient.f}), but asked for nothing`;
  return makeCause('asked-nothing', cause, 'the agent must send the request that it waits for');
};

/** The answer only accepted it. */
const accepted: CauseRule = (open, _, moment) => {
  if (open.prompt === null || !open.accepted || open.taken) return null;
  const { has } = verbForms(moment);
  const { f } = open.accepted;
  const cause = `the agent accepted the prompt (f${f}, ${ago(open.accepted, moment)}), but ${has} not begun to work on it`;
  return atWork(makeCause('accepted', cause));
};

const busy: CauseRule = (open, watch, moment) => {
  if (open.asker !== 'client' || open.prompt === null) return null;
  const { is, has } = verbForms(moment);
  const calls = watch.running.filter(({ f, turn }) => f > open.f && belongsToTurn(open, watch, turn));
  const [longest] = calls;
  if (longest) {
    const what = describeCall(longest.tool, argumentsOf(longest), null);
    const more = calls.length > 1 ? `, and ${calls.length - 1} more` : '';
    return atWork(
      makeCause('in-tool', `the agent ${is} running ${what} (f${longest.f}, called ${ago(longest, moment)})${more}`),
    );
  }
  const activity = watch.modelOf(open.f);
  const { step, output } = activity;
  if (!open.taken && (watch.traits.turnsSideBySide || (watch.work?.f ?? 0) < open.f))
    return silent(open, watch, moment);
  if (output && output.f > Math.max(open.f, step?.f ?? 0)) {
    return atWork(
      makeCause(
        'in-model',
        `the model ${moment.running ? 'last sent' : 'had last sent'} output ${ago(output, moment)} (f${output.f}), and its answer ${is} incomplete`,
      ),
    );
  }
  const from = step && step.f > open.f ? step : open;
  const what = from === step ? `step ${step.n ?? ''} began`.replace('  ', ' ') : 'the prompt arrived';
  return atWork(
    makeCause(
      'in-model',
      `the agent ${is} waiting for its model: ${what} ${ago(from, moment)} (f${from.f}), and ${describeRetries(activity) ?? `it ${has} sent no output`}`,
    ),
  );
};

/** `5 requests to the model failed, the last in f11: attempt 5 of 10 failed: 429 rate_limit, again in 9.9 s`. */
function describeRetries({ retries }: ModelActivity): string | null {
  if (!retries) return null;
  const { count, f, text } = retries;
  return `${count} request${count === 1 ? '' : 's'} to the model failed, the last in f${f}: ${text}`;
}

/** An agent that is starting uses at least this share of the time since its start; one that waits uses almost none. */
const STARTING_SHARE = 0.25;
/** Every agent may take this long. */
const STARTING_SECONDS = 2;

/** It has sent nothing, and is computing or was started a moment ago. */
export function isStarting(
  { lines: { last }, process: { spawn } }: SessionWatch,
  { running, t, process }: SessionMoment,
): boolean {
  if (!running || last.agent || !spawn) return false;
  const age = Math.max(0, t - spawn.t);
  return age < STARTING_SECONDS || (process?.cpu ?? 0) / age >= STARTING_SHARE;
}

const silent: CauseRule = (open, watch, moment) => {
  const { last } = watch.lines;
  const { spawn } = watch.process;
  const { has } = verbForms(moment);
  if (last.agent) {
    const { f } = last.agent;
    const other = `the agent ${has} sent other lines since (the last is f${f}, ${ago(last.agent, moment)}), but no answer`;
    if (f > open.f) return atWork(makeCause('silent', other));
    return atWork(
      makeCause('silent', `the agent ${has} sent nothing since its line f${f} (${ago(last.agent, moment)})`),
    );
  }
  const cpu = moment.process?.cpu ?? null;
  const used = cpu === null ? '' : ` and has used ${humanSeconds(cpu)} of processor time`;
  const started = spawn ? `it was started ${ago(spawn, moment)}${used}` : '';
  if (isStarting(watch, moment)) return atWork(makeCause('starting', `the agent is still starting: ${started}`));
  return atWork(
    makeCause(
      'silent',
      `the agent ${has} not sent anything${moment.running ? ' yet' : ''}${started && ` (${started})`}`,
      'does it speak this protocol? check its stderr',
    ),
  );
};

const KIND_HINTS: Partial<Record<string, string>> = {
  hook: 'the agent continues by itself after a timeout: hooks fail open',
  'client-call': 'a client answers every request, if only with an error',
};

const unanswered: CauseRule = (open, watch, moment) => {
  if (open.asker !== 'agent') return null;
  const isOutside = watch.traits.hasTurns && watch.askAt(open.f)?.outside;
  const outside = isOutside ? '; it was asked outside a turn, which some clients overlook' : '';
  const words = moment.running ? 'the client has not answered it' : `left unanswered for ${since(open.t, moment)}`;
  return makeCause('unanswered', `${words} (${formatId(open.id)})${outside}`, KIND_HINTS[open.kind ?? ''] ?? null);
};

export const STATE_RULES: readonly CauseRule[] = [
  ...[stopped, stalled, unfinished, stdinClosed, waitsForClient, afterBadAnswer, calling],
  ...[askedNothing, accepted, busy, unanswered, silent],
];
