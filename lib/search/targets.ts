/** The sessions that a query is about: those that were named, or all of the store. */

import type { Talk } from '../record/catch-up.ts';
import { listQuickly } from '../record/listing.ts';
import { type Database, IndexUnavailable, openIndex } from '../store/index-file.ts';
import { sessionKey } from '../store/key.ts';
import { isCurrent, type Listed, type Listing, readRow, summaryOf } from '../store/rows.ts';
import type { SessionPlace } from '../store/sessions.ts';
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
}

/** Oldest first; those that were named, in that order. */
export async function targetsOf(home: string, words: readonly string[], talk: Talk): Promise<Listing<Target>> {
  const found = words.length > 0 ? { sessions: await named(home, words), unreadable: [] } : await all(home, talk);
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
    key: listed.key ?? null,
    place: null,
    listed,
  };
}

async function named(home: string, words: readonly string[]): Promise<Target[]> {
  const { locate } = await import('../record/open.ts');
  // Named twice, it is still one session.
  const places = [...new Map(words.map((word) => locate(home, word)).map((place) => [place.tape, place])).values()];
  const db = places.some(({ ours }) => ours) ? indexOf(home) : null;
  try {
    const targets: Target[] = [];
    for (const place of places) targets.push((db && indexed(db, home, place)) ?? (await fromTape(place)));
    return targets;
  } finally {
    db?.close();
  }
}

function indexOf(home: string): Database | null {
  try {
    return openIndex(home, { patienceMs: 1000, notice() {} });
  } catch (error) {
    // The tapes are there.
    if (error instanceof IndexUnavailable) return null;
    throw error;
  }
}

function indexed(db: Database, home: string, place: SessionPlace): Target | null {
  if (!place.ours || place.dir === null) return null;
  const row = readRow(db, home, sessionKey(place.id));
  return row && isCurrent(row, place.dir) ? { summary: summaryOf(row), key: row.key, place } : null;
}

async function fromTape(place: SessionPlace): Promise<Target> {
  // Knows all dialects, which takes time to load.
  const [{ openPlace, using }, { summarise }] = await Promise.all([
    import('../record/open.ts'),
    import('../store/summary.ts'),
  ]);
  try {
    return { summary: using(openPlace(place), summarise), key: null, place };
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    throw new UnreadableTape(`${place.id}: ${error.message}`, error.hint);
  }
}
