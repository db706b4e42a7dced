/**
 * Who owes whom an answer: the open obligations of a session, each with its likely cause. Those to look at come first.
 * Pure: the caller supplies the time and the state of the processes.
 */

import { isAbsent } from '../../dialects/common/fields.ts';
import { isoMicros } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import { micros } from '../../model/interval.ts';
import type { SessionMoment, UnfinishedLine } from '../../model/moment.ts';
import { type Cause, firstCause, makeCause, since } from './cause.ts';
import { isInDoubt } from './doubt.ts';
import { afterEnd } from './ending.ts';
import { MAX_SECONDS_UNDER_WAY } from './lines.ts';
import { joinedLines } from './lost-messages.ts';
import { MISUSE_RULES } from './misuse.ts';
import { noticeRule } from './notice.ts';
import { headFor, readyLine } from './send.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';
import { describeUnfinished, lineEndHint, STATE_RULES } from './state.ts';

/** Printed as JSON: keys are added, never renamed. */
export interface Obligation {
  session: string;
  owes: 'client' | 'agent';
  to: 'client' | 'agent';
  /** When it was asked, ISO 8601. */
  since: string;
  /** Null for a line that is not finished: it has no frame yet. */
  f: number | null;
  what: string;
  cause: string;
  hint: string | null;
  /** The line that would answer or repair it, without its line feed, and who would send it; null if not known. */
  send: string | null;
  /** The header to send before it, if the session has Content-Length frames. */
  head: string | null;
  sender: 'client' | 'agent' | null;
  /** What can replace the decision in that line. */
  or: readonly string[];
  /** False for a mistake that keeps nobody waiting. */
  open: boolean;
  /** Seconds that it has been, or was, open. */
  waited: number;
  rule: string;
  id: Id;
  method: string | null;
  kind: string | null;
  /** It only waits for another obligation. */
  follows: boolean;
}

const CAUSE_RULES = [noticeRule, joinedLines, ...MISUSE_RULES, afterEnd, ...STATE_RULES];

/** `startedAt` in microseconds. */
export function explain(session: string, startedAt: number, watch: SessionWatch, moment: SessionMoment): Obligation[] {
  if (isInDoubt(watch)) return [];
  const at = (t: number) => isoMicros(startedAt + t * 1e6);
  const found = [...watch.open, ...pendingReadySignal(watch)].map((open) =>
    makeObligation(session, at, open, watch, moment),
  );
  const lines = moment.unfinished.filter((line) => needsExplaining(line, found, watch, moment));
  found.push(...lines.map((line) => unfinishedObligation(session, at, line, moment)));
  found.sort((a, b) => Number(a.follows) - Number(b.follows) || (a.f ?? 0) - (b.f ?? 0));
  return quoteStderrOnce(found);
}

function makeObligation(
  session: string,
  at: (t: number) => string,
  open: UnansweredRequest,
  watch: SessionWatch,
  moment: SessionMoment,
): Obligation {
  const found: Cause =
    firstCause(CAUSE_RULES, open, watch, moment) ?? makeCause('unknown', 'the tape does not show why');
  const { f, t, asker, what, id, method, kind } = open;
  const other = asker === 'client' ? 'agent' : 'client';
  const { answer, or } = watch.linesToSend(f);
  const own = method === watch.traits.readySignal && kind === 'handshake' ? readyLine(watch.traits) : answer;
  const send = found.send === undefined ? own : found.send;
  const sender = send === null ? null : found.send === undefined ? other : 'client';
  return {
    ...{ session, owes: other, to: asker, since: at(t), f, what, cause: found.cause },
    hint: found.hint?.replace('SESSION', session) ?? null,
    ...{ send, head: send === null ? null : headFor(send, watch) },
    ...{ sender, or: send === answer ? or : [], open: true },
    waited: micros(Math.max(0, watch.askAt(f)?.wait ?? moment.t - t)),
    ...{ rule: found.rule, id, method, kind, follows: found.follows ?? false },
  };
}

/** A line that nobody can read yet, if no open request explains it and it is not just under way. */
function needsExplaining(
  { from, t }: UnfinishedLine,
  found: Obligation[],
  { process: { ending } }: SessionWatch,
  moment: SessionMoment,
): boolean {
  if (from === 'stderr' || ending || moment.t - t < MAX_SECONDS_UNDER_WAY) return false;
  return !found.some(({ owes, rule }) => owes === from && rule === 'no-line-end');
}

function unfinishedObligation(
  session: string,
  at: (t: number) => string,
  line: UnfinishedLine,
  moment: SessionMoment,
): Obligation {
  const owes = line.from as 'client' | 'agent';
  const { rule, cause, hint } = makeCause(
    'no-line-end',
    describeUnfinished(line, since(line.t, moment)),
    lineEndHint(line),
  );
  return {
    ...{ session, owes, to: owes === 'client' ? 'agent' : 'client', since: at(line.t), f: null },
    ...{
      what: isAbsent(line.of) ? 'the end of a line' : 'the rest of a body',
      cause,
      hint,
      send: null,
      head: null,
      sender: null,
      or: [],
      open: true,
    },
    ...{ waited: micros(moment.t - line.t), rule, id: null, method: null, kind: null, follows: false },
  };
}

/** What the agent wrote to stderr is quoted once. */
function quoteStderrOnce(found: Obligation[]): Obligation[] {
  const seenHints = new Set<string>();
  return found.map((one) => {
    if (!one.hint?.startsWith('on stderr: ')) return one;
    if (seenHints.has(one.hint)) return { ...one, hint: null };
    seenHints.add(one.hint);
    return one;
  });
}

/** In some dialects the client must say that it is ready after the handshake, although no request asks for it. */
function pendingReadySignal({
  traits: { readySignal },
  handshake,
  initialized,
  lines,
  process: { ending },
}: SessionWatch): UnansweredRequest[] {
  const answer = handshake?.answer;
  if (readySignal === null || initialized || !answer || answer.code !== null || ending) return [];
  if ((lines.last.client?.f ?? 0) > answer.f) return [];
  const { f, t } = answer;
  return [
    {
      ...{ f, t, asker: 'agent', id: null, method: readySignal, kind: 'handshake' },
      ...{ what: readySignal, prompt: null, taken: false, accepted: null, unanswerable: false },
    },
  ];
}
