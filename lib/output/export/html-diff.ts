/** The comparison in a page of two sessions. */
import { type DiffOptions, diffSessions } from '../../analysis/diff/diff.ts';
import { countsOf, type SessionDiff } from '../../analysis/diff/result.ts';
import type { Session } from '../../session/session.ts';

/**
 * Both sides of the conversation are there, what is usually masked can be shown, and so can the shape of messages, which
 * counts only if it was asked for.
 */
export function diffOfPage(a: Session, b: Session, options: DiffOptions = {}): SessionDiff {
  const diff = diffSessions(a, b, { ...options, showMasked: !options.strict, showSame: true, shape: true });
  if (options.shape) return diff;
  return { ...diff, ...countsOf(diff.entries.filter(({ section }) => section !== 'shape')) };
}
