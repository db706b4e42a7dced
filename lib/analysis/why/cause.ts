/** The answer of a rule to why something is unanswered: the likely cause, and what to do about it. */
import type { FramePosition } from '../../model/ledger/records.ts';
import type { SessionMoment } from '../../model/moment.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';

export interface Cause {
  /** The id of the rule, for programs. */
  rule: string;
  cause: string;
  hint: string | null;
  /** It only waits for another obligation, which is the one to look at. */
  follows?: boolean;
  /** The agent is working, or has just received the request: if the session ends now, its end is the cause. */
  atWork?: boolean;
  /** A line that the client can send to repair it, instead of an answer; null: nothing can be sent. */
  send?: string | null;
}

export type CauseRule = (open: UnansweredRequest, watch: SessionWatch, moment: SessionMoment) => Cause | null;

export function makeCause(rule: string, cause: string, hint: string | null = null): Cause {
  return { rule, cause, hint };
}

export function firstCause(
  rules: readonly CauseRule[],
  open: UnansweredRequest,
  watch: SessionWatch,
  moment: SessionMoment,
): Cause | null {
  for (const rule of rules) {
    const cause = rule(open, watch, moment);
    if (cause) return cause;
  }
  return null;
}

/** `40 s ago`, or `40 s earlier` if the moment is past. */
export function ago({ t }: FramePosition, moment: SessionMoment): string {
  return `${since(t, moment)} ${moment.running ? 'ago' : 'earlier'}`;
}

export function since(t: number, moment: SessionMoment): string {
  return humanSeconds(Math.max(0, moment.t - t));
}

/** A rule is asked about the present, or about the moment before a session ended. */
export function verbForms({ running }: SessionMoment) {
  return running ? { is: 'is', has: 'has' } : { is: 'was', has: 'had' };
}

/** `f12: -32600, Invalid request`. */
export function formatError({ f, code, text }: { f: number; code: number | null; text: string }): string {
  return `f${f}: ${code ?? 'an error'}${text ? `, ${text}` : ''}`;
}
