/**
 * Who owes whom an answer: the open obligations of a session, each with its likely cause. Those to look at come first.
 * Pure: the caller supplies the time and the state of the processes.
 */

import { isAbsent } from '../../dialects/common/fields.ts';
import { isoMicros } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import { micros } from '../../model/interval.ts';
import type { Moment, UnfinishedLine } from '../../model/moment.ts';
import { because, type Cause, firstOf, since } from './cause.ts';
import { isInDoubt } from './doubt.ts';
import { ended } from './ending.ts';
import { UNDER_WAY } from './lines.ts';
import { joined } from './lost.ts';
import { MISUSES } from './misuse.ts';
import { noticed } from './notice.ts';
import { headFor, readyLine } from './send.ts';
import { STATE, toEnd, unfinishedWords } from './state.ts';
import type { Open, Watch } from './watch.ts';

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

const RULES = [noticed, joined, ...MISUSES, ended, ...STATE];

/** `startedAt` in microseconds. */
export function explain(session: string, startedAt: number, watch: Watch, moment: Moment): Obligation[] {
  if (isInDoubt(watch)) return [];
  const at = (t: number) => isoMicros(startedAt + t * 1e6);
  const found = [...watch.open, ...ready(watch)].map((open) => obligation(session, at, open, watch, moment));
  const lines = moment.unfinished.filter((line) => isOwed(line, found, watch, moment));
  found.push(...lines.map((line) => unfinished(session, at, line, moment)));
  found.sort((a, b) => Number(a.follows) - Number(b.follows) || (a.f ?? 0) - (b.f ?? 0));
  return quotedOnce(found);
}

function obligation(session: string, at: (t: number) => string, open: Open, watch: Watch, moment: Moment): Obligation {
  const found: Cause = firstOf(RULES, open, watch, moment) ?? because('unknown', 'the tape does not show why');
  const { f, t, asker, what, id, method, kind } = open;
  const other = asker === 'client' ? 'agent' : 'client';
  const { answer, or } = watch.mending(f);
  const own = method === watch.traits.readySignal && kind === 'handshake' ? readyLine(watch.traits) : answer;
  const send = found.send === undefined ? own : found.send;
  const sender = send === null ? null : found.send === undefined ? other : 'client';
  return {
    ...{ session, owes: other, to: asker, since: at(t), f, what, cause: found.cause },
    hint: found.hint?.replace('SESSION', session) ?? null,
    ...{ send, head: send === null ? null : headFor(send, watch) },
    ...{ sender, or: send === answer ? or : [], open: true },
    waited: micros(Math.max(0, watch.asked(f)?.wait ?? moment.t - t)),
    ...{ rule: found.rule, id, method, kind, follows: found.follows ?? false },
  };
}

/** A line that nobody can read yet, if no open request explains it and it is not just under way. */
function isOwed(
  { from, t }: UnfinishedLine,
  found: Obligation[],
  { process: { ending } }: Watch,
  moment: Moment,
): boolean {
  if (from === 'stderr' || ending || moment.t - t < UNDER_WAY) return false;
  return !found.some(({ owes, rule }) => owes === from && rule === 'no-line-end');
}

function unfinished(session: string, at: (t: number) => string, line: UnfinishedLine, moment: Moment): Obligation {
  const owes = line.from as 'client' | 'agent';
  const { rule, cause, hint } = because('no-line-end', unfinishedWords(line, since(line.t, moment)), toEnd(line));
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
function quotedOnce(found: Obligation[]): Obligation[] {
  const told = new Set<string>();
  return found.map((one) => {
    if (!one.hint?.startsWith('on stderr: ')) return one;
    if (told.has(one.hint)) return { ...one, hint: null };
    told.add(one.hint);
    return one;
  });
}

/** In some dialects the client must say that it is ready after the handshake, although no request asks for it. */
function ready({ traits: { readySignal }, handshake, initialized, lines, process: { ending } }: Watch): Open[] {
  const answer = handshake?.answer;
  if (readySignal === null || initialized || !answer || answer.code !== null || ending) return [];
  if ((lines.last.client?.f ?? 0) > answer.f) return [];
  const { f, t } = answer;
  return [
    {
      ...{ f, t, asker: 'agent', id: null, method: readySignal, kind: 'handshake' },
      ...{ what: readySignal, prompt: null, taken: false, unanswerable: false },
    },
  ];
}
