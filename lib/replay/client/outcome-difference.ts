/** How what the live agent made of a request differs from the tape. */
import { errorText, objectOf } from '../../dialects/common/fields.ts';
import type { DriveStep, ResponseOutcome, StepResponse } from './drive-step.ts';

const OUTCOME_TEXTS: Record<ResponseOutcome, string> = { result: 'a result', failed: 'a failure', error: 'an error' };

/** The difference as text; null if there is none. What is not on the tape is not compared. */
export function outcomeDifference({ label, isPrompt, recorded, live }: DriveStep): string | null {
  const isTurn = isPrompt && recorded.status !== null && recorded.status !== 'unanswered';
  if (isTurn && live.status !== null && live.status !== recorded.status)
    return `${label}: the turn ended with ${live.status}, not ${recorded.status}`;
  const [recordedResponse, liveResponse] = [recorded.response, live.response];
  // The end of a turn is more precise than the answer to its prompt.
  if (isTurn && live.status !== null) return null;
  if (!recordedResponse || !liveResponse || recordedResponse.outcome === liveResponse.outcome) return null;
  return `${label}: answered with ${OUTCOME_TEXTS[liveResponse.outcome]}${reasonIn(liveResponse)}, not with ${OUTCOME_TEXTS[recordedResponse.outcome]}`;
}

function reasonIn({ outcome, value }: StepResponse): string {
  const { error, response } = objectOf(value);
  const text = outcome === 'error' ? errorText(error ?? objectOf(response).error) : null;
  return text === null ? '' : ` (${text})`;
}
