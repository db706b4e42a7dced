/** Makes steps, and reads what belongs to them from frames. */
import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { DriveStep, ResponseOutcome } from './drive-step.ts';

/** An agent that is silent for so many seconds is not coming to the point that the client waited for. */
export const DEFAULT_PATIENCE_SECONDS = 1;

/** A point that no agent reaches. */
export const UNREACHABLE_POINT: DriveStep['point'] = { turn: null, key: 'exit', run: 1, count: 1 };

type StepFields = Pick<DriveStep, 'what' | 'label'> & Partial<DriveStep>;

export function newStep(frame: Pick<Frame, 'f' | 't'>, given: StepFields): DriveStep {
  return {
    ...{ f: frame.f, t: frame.t, frame: frame as Frame, value: undefined, kind: null },
    ...{
      isPrompt: false,
      role: { from: 'client', isAnswer: false },
      isMadeUp: false,
      turn: null,
      gaps: [],
      needs: [],
      asks: [],
      point: null,
    },
    ...{ patience: DEFAULT_PATIENCE_SECONDS, state: 'waiting', liveF: null },
    recorded: { response: null, status: null, answersFirst: false },
    live: { response: null, status: null },
    isCompared: false,
    ...given,
  };
}

export function outcomeOf({ message, events }: Pick<ReadFrame, 'message' | 'events'>): ResponseOutcome {
  if (message.envelope === 'error') return 'error';
  return events.some((event) => event.kind === 'tool-result' && !event.ok) ? 'failed' : 'result';
}

export function decisionIn(event: Event | undefined): { decision: string | null; option: string | null } {
  return event?.kind === 'approval-answer'
    ? { decision: event.decision, option: event.option }
    : { decision: null, option: null };
}

/** What a recorder passes on. */
const SIGNALS = new Set<unknown>(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);

export function isSignal(name: unknown): name is NodeJS.Signals {
  return SIGNALS.has(name);
}
