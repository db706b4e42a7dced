/** The sessions that a query is about: those that were named, or all of the store. */
import { existsSync } from 'node:fs';
import type { Talk } from '../record/catch-up.ts';
import { listQuickly } from '../record/listing.ts';
import { fileAt, indexPath, openAsItIs, replaceDamaged } from '../store/index-file.ts';
import { sessionKey } from '../store/key.ts';
import { isCurrent, type Listed, type Listing, readRow, searchableKey, summaryOf } from '../store/rows.ts';
import { placeOf, type SessionPlace } from '../store/sessions.ts';
import { type Database, isDamage, isOfIndex } from '../store/sqlite.ts';
import type { Summary } from '../store/summary.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { loadFor } from './by-tape.ts';

/** What a search looks at of a session. */
const WANTED = [
  ...(['session', 'dialect', 'client', 'agent', 'protocol', 'agent_version', 'name', 'tags', 'state', 'exit'] as const),
  ...(['source', 'cwd', 'command', 'started', 'gaps', 'tape'] as const),
] as const;

export type TargetSummary = Pick<Summary, (typeof WANTED)[number]>;

export interface Target {
  /** Read when somebody asks for it. */
  readonly summary: TargetSummary;
  /** Of its rows in the index, where they are current; null: its tape is read. */
  key: number | null;
  /** Where it lies, where that is not the store. */
  place: SessionPlace | null;
  /** Nothing is on its tape yet: it has no frames. */
  begun: boolean;
}

/** Whether that failed because its folder is gone: removed from the store since it was listed. */
export function isRemoved(home: string, { summary, place }: Target, error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
  const dir = place ? place.dir : placeOf(home, summary.session).dir;
  return dir !== null && !existsSync(dir);
}

/** Oldest first; those that were named, in that order. */
export async function targetsOf(home: string, words: readonly string[], talk: Talk): Promise<Listing<Target>> {
  const found = words.length > 0 ? { sessions: await named(home, words, talk), unreadable: [] } : await all(home, talk);
  await loadFor(found.sessions);
  return found;
}

async function all(home: string, talk: Talk): Promise<Listing<Target>> {
  const { sessions, unreadable } = await listQuickly(home, talk, WANTED);
  return { sessions: sessions.map(targetOf), unreadable };
}

export function targetOf(listed: Listed): Target & { listed: Listed } {
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

async function named(home: string, words: readonly string[], talk: Talk): Promise<Target[]> {
  const { locate } = await import('../record/open.ts');
  // Named twice, it is still one session.
  const places = [...new Map(words.map((word) => locate(home, word)).map((place) => [place.tape, place])).values()];
  const current = places.some(({ ours }) => ours) ? indexed(home, places, talk) : [];
  const targets: Target[] = [];
  for (const [i, place] of places.entries()) targets.push(current[i] ?? (await fromTape(place)));
  return targets;
}

/** Those that have current rows; the others, and all where there is no index to be had, are read from their tapes. */
function indexed(home: string, places: readonly SessionPlace[], talk: Talk): (Target | null)[] {
  const file = fileAt(indexPath(home));
  if (file === 0) return [];
  let db: Database | null = null;
  try {
    db = openAsItIs(home, 1000);
    return places.map((place) => inIndex(db!, home, place));
  } catch (error) {
    if (!isOfIndex(error)) throw error;
    if (isDamage(error)) setAsideQuietly(home, file, talk);
    return [];
  } finally {
    db?.close();
  }
}

function setAsideQuietly(home: string, file: number, { notice }: Talk): void {
  try {
    replaceDamaged(home, file, { patienceMs: 1000, notice });
  } catch {
    // The next reader tries again; nobody needs it now.
  }
}

function inIndex(db: Database, home: string, place: SessionPlace): Target | null {
  if (!place.ours || place.dir === null) return null;
  const row = readRow(db, home, sessionKey(place.id));
  return row && isCurrent(row, place.dir)
    ? { summary: summaryOf(row), key: searchableKey(row), place, begun: false }
    : null;
}

async function fromTape(place: SessionPlace): Promise<Target> {
  // Knows all dialects, which takes time to load.
  const [{ openPlace, using }, { soFar }] = await Promise.all([
    import('../record/open.ts'),
    import('../record/so-far.ts'),
  ]);
  try {
    return { ...using(openPlace(place), soFar), key: null, place };
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    throw new UnreadableTape(`${place.id}: ${error.message}`, error.hint);
  }
}
