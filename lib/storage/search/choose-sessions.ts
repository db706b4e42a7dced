/** Chooses sessions: those that were named or the whole store, and of these the ones that match a query. */
import type { QueryExpr } from '../../analysis/query/ast.ts';
import type { IndexMessages } from '../index/catch-up.ts';
import { placeOf, type SessionPlace } from '../store/sessions.ts';
import { IndexFallback } from './index-fallback.ts';
import { Search } from './search.ts';
import { type Target, targetsOf } from './targets.ts';

/** No words: the whole store. */
export async function chooseSessions(
  home: string,
  words: readonly string[],
  query: QueryExpr | null,
  talk: IndexMessages,
): Promise<SessionPlace[]> {
  const { sessions, unreadable } = await targetsOf(home, words, talk);
  for (const { session, message } of unreadable) talk.notice(`${session}: ${message}`);
  const found = await matchingSessions(home, sessions, query, talk);
  return found.map(({ place, summary }) => place ?? placeOf(home, summary.session));
}

/** The sessions that match the query. */
export async function matchingSessions<T extends Target>(
  home: string,
  targets: readonly T[],
  query: QueryExpr | null,
  talk: IndexMessages,
): Promise<T[]> {
  const search = new Search(home, query, targets.length);
  const fallback = new IndexFallback(home, talk);
  const found: T[] = [];
  try {
    for (const target of targets) if (await fallback.run(target, (one) => search.matches(one))) found.push(target);
    return found;
  } finally {
    search.close();
  }
}
