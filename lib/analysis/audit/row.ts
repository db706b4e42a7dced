/**
 * A row of the audit: one request to the client, or one call that writes or runs something and was not asked about. The
 * words are those of the model's rules (A1-A11, N1-N4, flags), the same in the index and in JSON.
 */
import type { Block, Cover, Decision, Option } from '../../model/event.ts';
import type { Id } from '../../model/id.ts';
import type { CallSubject } from '../../model/subject.ts';

export type RowKind = 'approval' | 'question' | 'client-call' | 'hook';

/**
 * `none`: there was no decision; `by` and the flags say what happened instead. `unknown`: the tape cannot tell, because the
 * client's side is not on it. A question is never allowed or denied, but answered or dismissed.
 */
export const ROW_DECISIONS = [
  ...(['allow', 'allow-always', 'deny', 'cancelled', 'none', 'unasked', 'unknown', 'answered', 'dismissed'] as const),
] satisfies readonly string[];
export type RowDecision = (typeof ROW_DECISIONS)[number];

export const DECIDERS = [
  ...(['client', 'client-error', 'invalid', 'grant', 'mode', 'hook', 'agent', 'nobody', 'unknown'] as const),
] satisfies readonly string[];
export type Decider = (typeof DECIDERS)[number];

/** `partly`: it began, and was stopped before it ended. */
export const EXECUTED_VALUES = ['yes', 'no', 'partly', 'unknown'] as const;

/** A row is identified by `f` and `n`. A later version replaces an earlier one. */
export interface ApprovalRow {
  /** The frame of the request; for an `unasked` row, the frame that announced the call. */
  f: number;
  /** The index of the event in that frame, because one line may announce several calls. */
  n: number;
  t: number;
  turn: number | null;
  subagent: string | null;
  kind: RowKind;
  /** With its JSON type. */
  request_id: Id;
  tool: string | null;
  tool_call_id: string | null;
  /** The agent's word for it: an action, a kind, the method of a client call, the event of a hook. */
  action: string | null;
  /** What it runs or changes, as far as that is known from elsewhere than its arguments and `displays`. */
  subject: CallSubject | null;
  description: string | null;
  options: Option[];
  displays: Block[];
  /** The arguments in the request, or else those of the call. */
  arguments: unknown;
  /** The arguments that ran, with the client's changes. Null if nothing is known to have run. */
  executed_arguments: unknown;
  /** The arguments as the client or its hook changed them, whether or not they are known to have run; null if it did not. */
  changed_arguments: unknown;
  decision: RowDecision;
  by: Decider;
  /** The mode that was on when it was asked, or when the call was announced; null if none was or none is known. */
  mode: string | null;
  /** The working directory of its conversation; empty if it may be one of several, null if the agent was told none. */
  cwd: string | null;
  /** The frame of the request that was denied, if the same action ran later. */
  deny_f: number | null;
  /** What a standing grant covers, if its answer says so, and the same in words, rule by rule. */
  covers: Cover | null;
  granted: string[];
  /** The id of the chosen option, and the comment that came with it. */
  option: string | null;
  feedback: string | null;
  /** The answers to a question. */
  answers: unknown;
  /** Seconds that the request was open; null while it is open, and if the client was not asked. */
  wait: number | null;
  /** Seconds from the decision to the result. */
  run: number | null;
  /** The deciding answer, the grant's answer, or the client's cancel. */
  answer_f: number | null;
  /** The agent's resolution, and its frame. */
  resolved: Decision | null;
  resolved_f: number | null;
  /** The frame of the request whose standing grant decided. */
  grant_f: number | null;
  executed: (typeof EXECUTED_VALUES)[number];
  result: 'ok' | 'error' | null;
  result_f: number | null;
  /** Frames that sent the same request again. */
  resent: number[];
  /** Sorted. */
  flags: string[];
}

export function makeRow(kind: RowKind, f: number, n: number, t: number): ApprovalRow {
  // One literal for speed: a flood makes many of these.
  return {
    f,
    n,
    t,
    turn: null,
    subagent: null,
    kind,
    request_id: null,
    tool: null,
    tool_call_id: null,
    action: null,
    subject: null,
    description: null,
    options: [],
    displays: [],
    arguments: null,
    executed_arguments: null,
    changed_arguments: null,
    decision: 'none',
    by: 'nobody',
    mode: null,
    cwd: null,
    deny_f: null,
    covers: null,
    granted: [],
    option: null,
    feedback: null,
    answers: null,
    wait: null,
    run: null,
    answer_f: null,
    resolved: null,
    resolved_f: null,
    grant_f: null,
    executed: 'unknown',
    result: null,
    result_f: null,
    resent: [],
    flags: [],
  };
}

/** All of it or a part of it ran, as far as the tape shows. */
export const hasRun = ({ executed }: Pick<ApprovalRow, 'executed'>): boolean =>
  executed === 'yes' || executed === 'partly';

/** The agent's own rules, or a hook, refused it, and nobody was asked. */
export const wasRefusedUnasked = ({ decision, executed }: Pick<ApprovalRow, 'decision' | 'executed'>): boolean =>
  decision === 'unasked' && executed === 'no';

/** What ran although it had been denied. */
const ALARMING_FLAGS = new Set(['ran-although-denied', 'ran-after-deny']);

export function isAlarming(flags: readonly string[]): boolean {
  return flags.some((flag) => ALARMING_FLAGS.has(flag));
}
