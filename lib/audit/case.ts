/** What is known so far: of a turn, of a call, and of one thing that was asked. Frames add to it, `judge` makes rows of it. */
import type { Decision } from '../core/event.ts';
import { parseJson } from '../core/message.ts';
import type { Grant } from './grants.ts';
import type { ApprovalRow } from './row.ts';

/** Where in the session something was said. */
export interface Place {
  f: number;
  t: number;
}

export interface Turn {
  n: number;
  /** The answer to its prompt. */
  answer: Place | null;
  over: boolean;
  /** What was asked in it and is not settled. */
  open: Set<Case>;
}

export interface Call extends Place {
  id: string | null;
  n: number;
  turn: number | null;
  subagent: string | null;
  tool: string | null;
  /** What it does, in the dialect's words. */
  action: string | null;
  writes: boolean;
  /** As JSON text, as far as they came; null: too much to be kept. */
  args: string | null;
  /** The frame that last changed them. */
  argsF: number;
  /** False for a call that is known only from a request about it. */
  announced: boolean;
  /** The approval about it, and what else held it up. */
  asked: Case | null;
  asks: ReadonlySet<Case>;
  /** The client runs it itself. */
  clientRuns: boolean;
  /** The latest sign that it runs: progress, or words of an agent that it started. */
  ran: number | null;
  result: (Place & { ok: boolean; text: string }) | null;
  /** What held when it was announced: nobody needs to ask; and flags that say in which mode it was. */
  free: boolean;
  modes: readonly string[];
}

/** An answer of the client. */
export interface Said extends Place {
  decision: Decision | null;
  /** It is an error. */
  failed: boolean;
  /** The client's own word for whether what it was to do worked. */
  ok: boolean;
  option: string | null;
  feedback: string | null;
  edited?: unknown;
  answers: unknown;
  flags: string[];
}

export interface Case {
  /** What was asked; the rest is judged. */
  asked: ApprovalRow;
  call: Call | null;
  turn: Turn | null;
  /** Nobody's turn was open when it was asked; or the one that it belongs to was over. */
  outside: boolean;
  dead: boolean;
  flags: Set<string>;
  /** The first answer in time, and the first of those that is valid. */
  first: Said | null;
  decided: Said | null;
  resolved: (Place & { decision: Decision | null; feedback: string | null }) | null;
  settled: (Place & { how: 'resolved' | 'result' | 'turn' | 'withdrawn' }) | null;
  /** The client cancelled its turn before it was settled. */
  cancel: Place | null;
  /** Nobody was there any more who could answer, or whom the answer could reach. */
  gone: (Place & { how: 'eof' | 'killed' | 'exited'; isLost: boolean }) | null;
  /** It is the agent's own configuration that says no: the client was not asked. */
  own: boolean;
  /** The standing grant by which the agent settled it. */
  grant: Grant | null;
  /** Its row is as the end would have it. */
  final: boolean;
}

export function makeCase(asked: ApprovalRow): Case {
  return {
    asked,
    call: null,
    turn: null,
    outside: false,
    dead: false,
    flags: new Set(),
    first: null,
    decided: null,
    resolved: null,
    settled: null,
    cancel: null,
    gone: null,
    own: false,
    grant: null,
    final: false,
  };
}

/** The arguments of a call as a value; text where they are no JSON. */
export function argumentsOf({ args }: Call): unknown {
  if (args === null || args === '') return null;
  const value = parseJson(args);
  return value === undefined ? args : value;
}
