/** How what the live agent made of a request differs from the tape. */
import { errorText, objectOf } from '../../dialects/common/fields.ts';
import type { Outcome, Response, Step } from './steps.ts';

const WORDS: Record<Outcome, string> = { result: 'a result', failed: 'a failure', error: 'an error' };

/** The difference as text; null if there is none. What is not on the tape is not compared. */
export function differenceIn({ label, isPrompt, recorded, live }: Step): string | null {
  const isTurn = isPrompt && recorded.status !== null && recorded.status !== 'unanswered';
  if (isTurn && live.status !== null && live.status !== recorded.status)
    return `${label}: the turn ended with ${live.status}, not ${recorded.status}`;
  const [was, is] = [recorded.response, live.response];
  // The end of a turn is more precise than the answer to its prompt.
  if (isTurn && live.status !== null) return null;
  if (!was || !is || was.outcome === is.outcome) return null;
  return `${label}: answered with ${WORDS[is.outcome]}${reasonIn(is)}, not with ${WORDS[was.outcome]}`;
}

function reasonIn({ outcome, value }: Response): string {
  const { error, response } = objectOf(value);
  const text = outcome === 'error' ? errorText(error ?? objectOf(response).error) : null;
  return text === null ? '' : ` (${text})`;
}
