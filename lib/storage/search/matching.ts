/** The numbers of the frames of a session that match a query. */
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { limited } from './in-time.ts';
import { searchInPass } from './one-pass.ts';
import { readQuery } from './query.ts';

export function framesMatching(session: Session, query: string): ReadonlySet<number> {
  const expr = readQuery(query);
  const found = new Set<number>();
  for (const one of limited(expr, searchInPass(session, new Pass(session), expr))) if (one) found.add(one.facts.f);
  return found;
}
