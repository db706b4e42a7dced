/** The numbers of the frames of a session that match a query. */
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { searchInPass } from './one-pass.ts';
import { readQuery } from './query.ts';
import { withTimeLimit } from './time-limit.ts';

export function framesMatching(session: Session, query: string): ReadonlySet<number> {
  const expr = readQuery(query);
  const found = new Set<number>();
  for (const one of withTimeLimit(expr, searchInPass(session, new Pass(session), expr)))
    if (one) found.add(one.facts.f);
  return found;
}
