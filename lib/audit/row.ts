/**
 * A row of the audit: one thing that the agent asked its client, or one call that should have been asked about and was
 * not. The words are those of the model's rules (A1-A7, N1-N4, flags), the same in the index, in JSON and on pages.
 */
import type { Block, Decision, Option } from '../core/event.ts';
import type { Id } from '../core/id.ts';

export type RowKind = 'approval' | 'question' | 'client-call' | 'hook';

/** `none`: nobody decided; `by` and the flags say what took the place of a decision. */
export type RowDecision = Decision | 'none' | 'unasked';

export type By = 'client' | 'client-error' | 'invalid' | 'grant' | 'agent' | 'nobody';

/** A row is known by `f` and `n`; a later version takes the place of an earlier one. */
export interface ApprovalRow {
  /** The frame that asked; of an `unasked` row, the one that announced the call. */
  f: number;
  /** Which event of that frame: one line may announce several calls. */
  n: number;
  t: number;
  turn: number | null;
  subagent: string | null;
  kind: RowKind;
  /** With its JSON type. */
  request_id: Id;
  tool: string | null;
  tool_call_id: string | null;
  /** What the agent calls it: an action, a kind, the method of a client call, the event of a hook. */
  action: string | null;
  description: string | null;
  options: Option[];
  displays: Block[];
  /** As they were asked about; where the request does not tell them, those of the call. */
  arguments: unknown;
  /** What ran: the client's own where it changed them. Null where nothing is known to have run. */
  executed_arguments: unknown;
  decision: RowDecision;
  by: By;
  /** The option that was chosen, by its id, and what was said with it. */
  option: string | null;
  feedback: string | null;
  /** Of a question. */
  answers: unknown;
  /** Seconds that the client was waited for; null while it is, and where nobody was asked. */
  wait: number | null;
  /** Seconds from the decision to the result. */
  run: number | null;
  /** The deciding answer, the grant's answer, or the client's cancel. */
  answer_f: number | null;
  /** What the agent said that it made of it, and where. */
  resolved: Decision | null;
  resolved_f: number | null;
  /** The row (its `f`) of the standing grant that decided. */
  grant_f: number | null;
  executed: 'yes' | 'no' | 'unknown';
  result: 'ok' | 'error' | null;
  result_f: number | null;
  /** Frames that sent the same request again. */
  resent: number[];
  /** Sorted. */
  flags: string[];
}

export function makeRow(kind: RowKind, f: number, n: number, t: number): ApprovalRow {
  // One literal: floods make many of these.
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
    description: null,
    options: [],
    displays: [],
    arguments: null,
    executed_arguments: null,
    decision: 'none',
    by: 'nobody',
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
