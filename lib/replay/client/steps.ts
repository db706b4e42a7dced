/** What the recorded client did: lines of its own, and answers to what the agent asked. */
import type { Kind } from '../../core/event.ts';
import type { Frame } from '../../core/frame.ts';
import type { Meaning } from './meaning.ts';

/** How a request went: `failed` is a result that says so, such as that of a tool. */
export type Outcome = 'result' | 'failed' | 'error';

/** What an agent owes to a request or a prompt, on the tape or live. */
export interface Response {
  f: number;
  outcome: Outcome;
  /** The line as JSON. */
  value: unknown;
}

interface Account {
  response: Response | null;
  /** The status of the turn, once it has ended. */
  status: string | null;
}

/** Something that the client did without being asked. */
export interface Step {
  f: number;
  t: number;
  /** `handover`: from here on, somebody else is the client. */
  what: 'request' | 'line' | 'eof' | 'signal' | 'handover';
  frame: Frame;
  value: unknown;
  kind: Kind | null;
  /** What to call it. */
  label: string;
  isPrompt: boolean;
  /** It answers something, although nothing is known that it could answer. */
  isAnswer: boolean;
  /** It is not on the tape. */
  isMadeUp: boolean;
  /** The prompt of the turn in which it was done; null outside a turn. */
  turn: Step | null;
  /** Seconds since the frame before it. */
  gap: number;
  /** Earlier requests that were answered, and prompts whose turns had ended. */
  needs: Step[];
  /** Requests of the agent that were answered since the step before it. */
  asks: readonly Ask[];
  /** Where the agent was; null if it had said nothing. */
  point: { turn: Step | null; key: string; run: number; count: number } | null;
  /** How long the agent may be silent before it counts as not coming to that point. */
  patience: number;
  recorded: Account;
  live: Account;
  state: 'waiting' | 'done' | 'skipped';
  /** Its frame in the live session, once it is sent. */
  liveF: number | null;
}

/** What the agent asked the client. */
export interface Ask {
  f: number;
  t: number;
  meaning: Meaning;
  value: unknown;
  /** How often the agent sent it again before it was answered. */
  again: number;
  answer: Answer | null;
  state: 'open' | 'asked' | 'answered';
}

export interface Answer {
  f: number;
  frame: Frame;
  value: unknown;
  /** Seconds since the question. */
  gap: number;
  /** The latest step before it, if that came after the question. */
  after: Step | null;
  /** For an approval: the decision, and the option that was chosen. */
  decision: string | null;
  option: string | null;
}

/** The live agent has given what it owes, or can owe nothing. */
export const isSettled = ({ live, state }: Step): boolean =>
  live.response !== null || live.status !== null || state === 'skipped';
