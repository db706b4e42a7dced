/** Chooses sessions: those that were named or the whole store, and of these the ones that match a query. */
import type { Expr } from '../../analysis/query/ast.ts';
import type { Talk } from '../index/catch-up.ts';
import { placeOf, type SessionPlace } from '../store/sessions.ts';
import { Search } from './search.ts';
import { Sound } from './sound.ts';
import { type Target, targetsOf } from './targets.ts';

/** No words: the whole store. */
export async function chooseSessions(
  home: string,
  words: readonly string[],
  query: Expr | null,
  talk: Talk,
): Promise<SessionPlace[]> {
  const { sessions, unreadable } = await targetsOf(home, words, talk);
  for (const { session, message } of unreadable) talk.notice(`${session}: ${message}`);
  const found = await fitting(home, sessions, query, talk);
  return found.map(({ place, summary }) => place ?? placeOf(home, summary.session));
}

/** The sessions that match the query. */
export async function fitting<T extends Target>(
  home: string,
  targets: readonly T[],
  query: Expr | null,
  talk: Talk,
): Promise<T[]> {
  const search = new Search(home, query, targets.length);
  const sound = new Sound(home, talk);
  const found: T[] = [];
  try {
    for (const target of targets) if (await sound.ask(target, (one) => search.fits(one))) found.push(target);
    return found;
  } finally {
    search.close();
  }
}
