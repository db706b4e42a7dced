/** Sessions for commands that look at whole ones: those that were named, all of the store, and of these what a query has. */
import type { Expr } from '../filter/ast.ts';
import type { Talk } from '../record/catch-up.ts';
import { placeOf, type SessionPlace } from '../store/sessions.ts';
import { Search } from './search.ts';
import { targetsOf } from './targets.ts';

/** No words: the whole store. */
export async function chooseSessions(
  home: string,
  words: readonly string[],
  query: Expr | null,
  talk: Talk,
): Promise<SessionPlace[]> {
  const { sessions, unreadable } = await targetsOf(home, words, talk);
  for (const { session, message } of unreadable) talk.notice(`${session}: ${message}`);
  const search = new Search(home, query);
  try {
    return [...search.fitting(sessions)].map(({ place, summary }) => place ?? placeOf(home, summary.session));
  } finally {
    search.close();
  }
}
