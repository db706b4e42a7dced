/** Converts a frame that was read from a session to the form that the predicate of a query takes. */

import type { Facts } from '../../analysis/facts/facts.ts';
import { type FrameFacts, frameFacts, type SessionFacts } from '../../analysis/query/facts.ts';
import { containsTerm, type FrameText } from '../../model/text/searchable.ts';

interface PredicateContext {
  session: SessionFacts;
  /** Microseconds since the epoch. */
  startedAt: number;
  /** The line as JSON. */
  value: unknown;
  text: FrameText;
}

export function predicateInput(facts: Facts, { session, startedAt, value, text }: PredicateContext): FrameFacts {
  return frameFacts(facts, startedAt, { session, message: () => value, says: (term) => containsTerm(text, term) });
}
