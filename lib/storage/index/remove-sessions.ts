/** Removes sessions from the store, except those that are being recorded. */
import { Failure } from '../../model/failure.ts';
import { activeRecorderOf } from '../store/active-recorder.ts';
import type { PruneCandidate } from '../store/prune.ts';
import { type RemovableSession, removeSession, sizeOf } from '../store/removal.ts';
import { placeOf, startOf } from '../store/sessions.ts';
import { type IndexMessages, listSessions } from './catch-up.ts';

/** What is needed to remove a session, even if its tape cannot be read. */
export type StoredSession = RemovableSession & PruneCandidate;

export function listStored(home: string, talk: IndexMessages): StoredSession[] {
  const { sessions, unreadable } = listSessions(home, talk);
  const broken = unreadable.map(({ session }) => ({
    ...{ session, name: null, command: [], started: startOf(session), duration: null, frames: 0, digest: null },
    ...{ state: 'incomplete' as const, probe: false },
  }));
  const all = [...sessions, ...broken].map((one) => ({ ...one, size: sizeOf(placeOf(home, one.session).dir) }));
  return all.sort((a, b) => (a.started < b.started ? -1 : 1));
}

/** False if it is being recorded, or was already removed. */
export function removeStored(home: string, session: StoredSession, by: string): boolean {
  if (activeRecorderOf(home, session.session) === 'alive') return false;
  try {
    return removeSession(home, session, by);
  } catch (error) {
    throw new Failure(`session ${session.session} cannot be removed (${(error as Error).message})`);
  }
}
