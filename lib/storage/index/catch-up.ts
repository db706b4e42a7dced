/**
 * Brings the index up to date with the session folders, and reads from it. Running sessions are left to their recorder.
 * If the index cannot be used, the tapes are read.
 */
import { existsSync, statSync } from 'node:fs';
import type { Summary } from '../../session/summary.ts';
import { type CurrentSummary, currentSummary, withCurrentDuration } from '../store/current-summary.ts';
import { sessionsDir } from '../store/home.ts';
import { readNames } from '../store/names.ts';
import { openPlace, using } from '../store/open.ts';
import { placeOf, readIds } from '../store/sessions.ts';
import { finalSeal } from '../tape/final-seal.ts';
import { indexPath, inodeOf, openIndex, replaceDamaged, replaceIndex } from './file.ts';
import { forgetSession, indexSession, inTransaction, stampOf } from './indexer.ts';
import { sessionKey } from './session-key.ts';
import {
  isCurrent,
  readRow,
  readRows,
  type SessionListEntry,
  type SessionListing,
  type SessionRow,
  sortListing,
  summaryOf,
} from './session-rows.ts';
import { type Database, IndexUnavailable, isDamage, isIndexError, unavailable } from './sqlite.ts';
import { statementsFor } from './statements.ts';

export interface IndexMessages {
  /** Prints a message, with an optional hint. */
  notice(message: string, hint?: string | null): void;
  progress(done: number, all: number): void;
}

const PATIENCE_MS = 30_000;
/** A transaction takes no longer than this, unless a single session does. */
const TRANSACTION_MS = 200;

/** Every session of the store. */
export function listSessions(home: string, talk: IndexMessages): SessionListing {
  const { sessions, unreadable } = listRows(home, talk);
  return { sessions: sessions.map(summaryOf), unreadable };
}

/** The same, with the summaries as JSON and only the wanted keys in them. */
export function listRows(
  home: string,
  talk: IndexMessages,
  wanted?: readonly (keyof Summary)[],
): SessionListing<SessionListEntry> {
  const ids = readIds(home);
  // The index may still have rows of sessions that were removed.
  if (ids.length === 0 && !existsSync(indexPath(home))) return { sessions: [], unreadable: [] };
  try {
    return sortListing(withIndex(home, talk, (db) => catchUp(home, db, ids, talk, wanted)));
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    talk.notice(`${error.message}; reading the tapes instead`, error.hint);
    return sortListing(readTapes(home, ids, talk));
  }
}

/** Removes the rows of sessions that were removed, without waiting for the next listing. */
export function forget(home: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  try {
    withIndex(home, { notice() {} }, (db) => forgetSessions(db, ids.map(sessionKey)));
  } catch (error) {
    // Without an index there are no rows.
    if (!(error instanceof IndexUnavailable)) throw error;
  }
}

/** Builds a new index from all tapes. Throws if that is not possible. */
export function reindex(home: string, talk: IndexMessages): SessionListing {
  try {
    return replaceIndex(home, PATIENCE_MS, (db) => {
      const { sessions, unreadable } = sortListing(catchUp(home, db, readIds(home), talk));
      return { sessions: sessions.map(summaryOf), unreadable };
    });
  } catch (error) {
    throw isIndexError(error) ? unavailable(error) : error;
  }
}

/** Calls `use` with the index, and again with a new index if it is damaged. */
export function withIndex<T>(home: string, talk: Pick<IndexMessages, 'notice'>, use: (db: Database) => T): T {
  const options = { patienceMs: PATIENCE_MS, notice: talk.notice };
  for (let addToListing = 0; ; addToListing++) {
    let db: Database | null = null;
    try {
      db = openIndex(home, options);
      return use(db);
    } catch (error) {
      if (!isIndexError(error)) throw error;
      if (!db || !isDamage(error) || addToListing > 0) throw unavailable(error);
    } finally {
      db?.close();
    }
    replaceDamaged(home, inodeOf(db), options);
  }
}

/** Updates the rows of these sessions, and removes the rows of sessions that are gone. */
function catchUp(
  home: string,
  db: Database,
  ids: readonly string[],
  talk: IndexMessages,
  wanted?: readonly (keyof Summary)[],
): SessionListing<SessionListEntry> {
  const rows = new Map(readRows(db, home, wanted).map((row) => [row.session, row]));
  const found: SessionListing<SessionListEntry> = { sessions: [], unreadable: [] };
  const behind: string[] = [];
  const parent = sessionsDir(home);
  for (const id of ids) {
    const row = rows.get(id);
    rows.delete(id);
    if (row && isCurrent(row, `${parent}/${id}`)) found.sessions.push(row);
    else behind.push(id);
  }
  // It started after the list was made.
  const gone = [...rows.values()].filter(({ session }) => !existsSync(placeOf(home, session).dir));
  if (gone.length > 0) forgetSessions(db, keysOf(gone));
  const ours = behind.filter((id) => !listIfUnindexed(home, db, id, found));
  for (let done = 0; done < ours.length; talk.progress(done, ours.length)) {
    inTransaction(db, () => {
      const until = performance.now() + TRANSACTION_MS;
      while (done < ours.length && performance.now() < until) {
        const id = ours[done++]!;
        // A failure rolls back the rows of this session only.
        addToListing(home, id, found, () => inTransaction(db, () => updateSession(home, db, id)));
      }
    });
  }
  return found;
}

/** Lists sessions that are running, or whose tape is temporary: they have no rows from a reader. */
function listIfUnindexed(home: string, db: Database, id: string, found: SessionListing<SessionListEntry>): boolean {
  let left = true;
  addToListing(home, id, found, () =>
    using(openPlace(placeOf(home, id)), (session) => {
      left = session.running || session.borrowed;
      if (!left) return null;
      // The row that its recorder has written so far.
      const row = session.running ? readRow(db, home, sessionKey(id)) : undefined;
      const names = readNames(placeOf(home, id).dir);
      // A settled row is from a time when its recorder seemed to be gone.
      if (row?.settled !== 0) return listEntry(currentSummary(session));
      return listEntry({ summary: withCurrentDuration(session, { ...summaryOf(row), ...names, state: 'running' }) });
    }),
  );
  return left;
}

function listEntry({
  summary,
  begun = false,
}: Partial<CurrentSummary> & Pick<CurrentSummary, 'summary'>): SessionListEntry {
  const { session, started, probe } = summary;
  return { session, started, probe: probe ? 1 : 0, summary: JSON.stringify(summary), begun };
}

function forgetSessions(db: Database, keys: readonly number[]): void {
  inTransaction(db, () => {
    for (const key of keys) forgetSession(db, key);
  });
}

function keysOf(rows: readonly SessionRow[]): number[] {
  return rows.map(({ key }) => key);
}

/** Lists the sessions without an index. */
function readTapes(home: string, ids: readonly string[], talk: IndexMessages): SessionListing<SessionListEntry> {
  const found: SessionListing<SessionListEntry> = { sessions: [], unreadable: [] };
  ids.forEach((id, i) => {
    addToListing(home, id, found, () => listEntry(using(openPlace(placeOf(home, id)), currentSummary)));
    talk.progress(i + 1, ids.length);
  });
  return found;
}

function addToListing(
  home: string,
  id: string,
  found: SessionListing<SessionListEntry>,
  summary: () => SessionListEntry | null,
): void {
  try {
    const one = summary();
    if (one) found.sessions.push(one);
  } catch (error) {
    if (isIndexError(error)) throw error;
    // Another process has removed it.
    if (!existsSync(placeOf(home, id).dir)) return;
    found.unreadable.push({ session: id, message: (error as Error).message });
  }
}

/** Updates the session's row, unless another process has done so. */
function updateSession(home: string, db: Database, id: string): SessionListEntry {
  const { dir } = placeOf(home, id);
  return using(openPlace(placeOf(home, id)), (session) => {
    const row = readRow(db, home, sessionKey(id));
    if (row && isCurrent(row, dir)) return row;
    if (row && isOfTape(row, session.tape)) refreshNames(db, row, dir);
    else indexSession(db, { ...session, dir });
    return readRow(db, home, sessionKey(id))!;
  });
}

/** Whether the row was made from all of this tape, and the tape was not replaced. */
function isOfTape(row: SessionRow, tape: string): boolean {
  if (!row.settled || row.indexed !== statSync(tape).size) return false;
  const { digest } = summaryOf(row);
  return digest !== null && digest === finalSeal(tape)?.sha256;
}

function refreshNames(db: Database, { key }: SessionRow, dir: string): void {
  // Take the times first, so that later changes are noticed.
  const { folder_changed, names_changed } = stampOf(dir);
  const { name, tags } = readNames(dir);
  statementsFor(db).refresh.run(name, JSON.stringify(tags), folder_changed, names_changed, key);
}
