/** The sessions to search: those that were named, or the whole store. */
import { existsSync } from 'node:fs';
import type { Summary } from '../../session/summary.ts';
import type { IndexMessages } from '../index/catch-up.ts';
import { indexPath, inodeAt, openAsItIs, replaceDamaged } from '../index/file.ts';
import { listQuickly } from '../index/listing.ts';
import { sessionKey } from '../index/session-key.ts';
import {
  isCurrent,
  readRow,
  type SessionListEntry,
  type SessionListing,
  searchableKey,
  summaryOf,
} from '../index/session-rows.ts';
import { type Database, isDamage, isIndexError } from '../index/sqlite.ts';
import { placeOf, type SessionPlace } from '../store/sessions.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { loadTapeReadersFor } from './tape-readers.ts';

/** The keys of a summary that a search needs. */
const WANTED_KEYS = [
  ...(['session', 'dialect', 'client', 'agent', 'protocol', 'agent_version', 'name', 'tags', 'state', 'exit'] as const),
  ...(['source', 'cwd', 'command', 'started', 'gaps', 'tape', 'conversations', 'read'] as const),
] as const;

export type TargetSummary = Pick<Summary, (typeof WANTED_KEYS)[number]>;

export interface Target {
  /** Read on demand. */
  readonly summary: TargetSummary;
  /** The key of its rows in the index; null if its tape must be read, as while it runs: rows lag behind. */
  key: number | null;
  /** Its location, if it was named. */
  place: SessionPlace | null;
  /** Its tape is still empty. */
  begun: boolean;
}

/** Whether the error means that the session was removed from the store after it was listed. */
export function isRemoved(home: string, { summary, place }: Target, error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
  const dir = place ? place.dir : placeOf(home, summary.session).dir;
  return dir !== null && !existsSync(dir);
}

/** Named sessions in the given order, or all sessions, oldest first. */
export async function targetsOf(
  home: string,
  words: readonly string[],
  talk: IndexMessages,
): Promise<SessionListing<Target>> {
  const found =
    words.length > 0
      ? { sessions: await namedTargets(home, words, talk), unreadable: [] }
      : await allTargets(home, talk);
  await loadTapeReadersFor(found.sessions);
  return found;
}

async function allTargets(home: string, talk: IndexMessages): Promise<SessionListing<Target>> {
  const { sessions, unreadable } = await listQuickly(home, talk, WANTED_KEYS);
  return { sessions: sessions.map(targetOf), unreadable };
}

export function targetOf(listed: SessionListEntry): Target & { listed: SessionListEntry } {
  let known: Summary | null = null;
  return {
    get summary() {
      known ??= summaryOf(listed);
      return known;
    },
    key: searchableKey(listed),
    place: null,
    begun: listed.begun ?? false,
    listed,
  };
}

async function namedTargets(home: string, words: readonly string[], talk: IndexMessages): Promise<Target[]> {
  const { locate } = await import('../store/open.ts');
  // A session that is named twice is searched once.
  const places = [
    ...new Map(
      words.map((word) => locate(home, word)).map((place) => [`${place.tape}@${place.nth ?? ''}`, place]),
    ).values(),
  ];
  const current = places.some(({ ours }) => ours) ? indexedTargets(home, places, talk) : [];
  const targets: Target[] = [];
  for (const [i, place] of places.entries()) targets.push(current[i] ?? (await targetFromTape(place)));
  return targets;
}

/** The sessions with current rows; null for those whose tape must be read. */
function indexedTargets(home: string, places: readonly SessionPlace[], talk: IndexMessages): (Target | null)[] {
  const file = inodeAt(indexPath(home));
  if (file === 0) return [];
  let db: Database | null = null;
  try {
    db = openAsItIs(home, 1000);
    return places.map((place) => targetInIndex(db!, home, place));
  } catch (error) {
    if (!isIndexError(error)) throw error;
    if (isDamage(error)) setAsideQuietly(home, file, talk);
    return [];
  } finally {
    db?.close();
  }
}

function setAsideQuietly(home: string, file: number, { notice }: IndexMessages): void {
  try {
    replaceDamaged(home, file, { patienceMs: 1000, notice });
  } catch {
    // The next reader tries again.
  }
}

function targetInIndex(db: Database, home: string, place: SessionPlace): Target | null {
  if (!place.ours || place.dir === null) return null;
  const row = readRow(db, home, sessionKey(place.id));
  return row && isCurrent(row, place.dir)
    ? { summary: summaryOf(row), key: searchableKey(row), place, begun: false }
    : null;
}

async function targetFromTape(place: SessionPlace): Promise<Target> {
  // These load all dialects, which takes time.
  const [{ openPlace, using }, { currentSummary: soFar }] = await Promise.all([
    import('../store/open.ts'),
    import('../store/current-summary.ts'),
  ]);
  try {
    return { ...using(openPlace(place), soFar), key: null, place };
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    throw new UnreadableTape(`${place.id}: ${error.message}`, error.hint);
  }
}
