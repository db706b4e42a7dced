import { locate } from '../../storage/store/open.ts';
import { listIds, placeOf, type SessionPlace } from '../../storage/store/sessions.ts';
import { cannotCombine, noSessions } from './options.ts';

/** The sessions that a command line selects: all of the store, or those given, of which the newest is the default. */
export function selectedPlaces(home: string, words: readonly string[], all = false): SessionPlace[] {
  if (all && words.length > 0) throw cannotCombine('--all', 'sessions');
  if (!all) return (words.length > 0 ? words : ['last']).map((word) => locate(home, word));
  const ids = listIds(home);
  if (ids.length === 0) throw noSessions(home);
  return ids.map((id) => placeOf(home, id));
}
