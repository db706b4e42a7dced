/** What the recorded client did: its own lines, and its answers to the agent. */
import type { EventKind } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import type { LineRole } from '../script-step.ts';
import type { RequestMeaning } from './request-meaning.ts';

/** How a request ended: `failed` is a result that reports a failure, such as that of a tool. */
export type ResponseOutcome = 'result' | 'failed' | 'error';

/** What an agent owes to a request or a prompt, on the tape or live. */
export interface StepResponse {
  f: number;
  outcome: ResponseOutcome;
  /** The line as JSON. */
  value: unknown;
}

interface StepResult {
  response: StepResponse | null;
  /** The status of the turn, once it has ended. */
  status: string | null;
}

/** What a step waits for: the answer to an earlier request, or the end of a turn. */
export interface StepNeed {
  step: DriveStep;
  is: 'answer' | 'end';
}

/** Something that the client did without being asked. */
export interface DriveStep {
  f: number;
  t: number;
  /** `handover`: from here on, another client takes over. */
  what: 'request' | 'line' | 'eof' | 'signal' | 'handover';
  frame: Frame;
  value: unknown;
  kind: EventKind | null;
  /** What to call it. */
  label: string;
  isPrompt: boolean;
  role: LineRole;
  /** It is not on the tape. */
  isMadeUp: boolean;
  /** The prompt of the turn in which it was done; null outside a turn. */
  turn: DriveStep | null;
  /**
   * Seconds between the frames since the agent's latest point on the tape: logs and other background lines come in
   * between.
   */
  gaps: readonly number[];
  /** Earlier requests that were answered, and prompts whose turns had ended. */
  needs: StepNeed[];
  /** Requests of the agent that were answered since the step before it. */
  asks: readonly RecordedAsk[];
  /** Where the agent was; null if it had sent nothing. */
  point: { turn: DriveStep | null; key: string; run: number; count: number } | null;
  /** How long the agent may be silent before it counts as not coming to that point. */
  patience: number;
  /** `answersFirst`: the agent answers a prompt before it ends the turn. */
  recorded: StepResult & { answersFirst: boolean };
  live: StepResult;
  /** The two were compared. */
  isCompared: boolean;
  state: 'waiting' | 'done' | 'skipped';
  /** Its frame in the live session, once it is sent. */
  liveF: number | null;
}

/** What the agent asked the client. */
export interface RecordedAsk {
  f: number;
  t: number;
  meaning: RequestMeaning;
  value: unknown;
  /** How often the agent sent it again before it was answered. */
  again: number;
  answer: RecordedAnswer | null;
  state: 'open' | 'asked' | 'answered';
}

export interface RecordedAnswer {
  f: number;
  frame: Frame;
  value: unknown;
  role: LineRole;
  /** Seconds since the question. */
  gap: number;
  /** The latest step before it, if that came after the question. */
  after: DriveStep | null;
  /** The question was settled before. */
  isLate: boolean;
  /** For an approval: the decision, and the option that was chosen. */
  decision: string | null;
  option: string | null;
}

/** The turn of a live prompt has ended, or never began. Any other request ends with its answer. */
export function hasEnded({ isPrompt, live, recorded, state }: DriveStep): boolean {
  if (state === 'skipped' || live.status !== null) return true;
  if (live.response === null) return false;
  const goesOn = isPrompt && recorded.answersFirst && recorded.status !== null;
  return !goesOn || live.response.outcome === 'error';
}

export function isMet({ step, is }: StepNeed): boolean {
  return (is === 'answer' && step.live.response !== null) || hasEnded(step);
}
