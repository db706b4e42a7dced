/** The numbers of the frames of a session that match a query. */
import { Pass } from '../session/pass.ts';
import type { Session } from '../session/session.ts';
import { searchInPass } from './one-pass.ts';
import { readQuery } from './query.ts';

export function framesMatching(session: Session, query: string): ReadonlySet<number> {
  const found = [...searchInPass(session, new Pass(session), readQuery(query))];
  return new Set(found.flatMap((one) => (one === null ? [] : [one.facts.f])));
}
