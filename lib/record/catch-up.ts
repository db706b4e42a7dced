/**
 * The reader's side of the index: brings it up to what the session folders hold, then answers from it. Sessions whose
 * recorder lives are left to their recorder. Where there is no index to be had, the tapes themselves are read.
 */
import { existsSync, statSync } from 'node:fs';
import { sessionsDir } from '../store/home.ts';
import { fileOf, indexPath, openIndex, replaceDamaged, replaceIndex } from '../store/index-file.ts';
import { forgetSession, indexSession, inTransaction, stampOf } from '../store/indexer.ts';
import { sessionKey } from '../store/key.ts';
import { readNames } from '../store/names.ts';
import {
  inOrder,
  isCurrent,
  type Listed,
  type Listing,
  readRow,
  readRows,
  type SessionRow,
  summaryOf,
} from '../store/rows.ts';
import { placeOf, readIds } from '../store/sessions.ts';
import { type Database, IndexUnavailable, isDamage, isOfIndex, unavailable } from '../store/sqlite.ts';
import { statementsFor } from '../store/statements.ts';
import type { Summary } from '../store/summary.ts';
import { openPlace, using } from './open.ts';
import { finalSeal } from './recover.ts';
import { type SoFar, soFar } from './so-far.ts';

export interface Talk {
  /** Said once, with a hint where there is one. */
  notice(message: string, hint?: string | null): void;
  progress(done: number, all: number): void;
}

const PATIENCE_MS = 30_000;
/** So long one transaction may keep other writers waiting, if no single session takes longer. */
const TRANSACTION_MS = 200;

/** Every session of the store. */
export function listSessions(home: string, talk: Talk): Listing {
  const { sessions, unreadable } = listRows(home, talk);
  return { sessions: sessions.map(summaryOf), unreadable };
}

/** The same for those who show only some of them, or only some keys of them. */
export function listRows(home: string, talk: Talk, wanted?: readonly (keyof Summary)[]): Listing<Listed> {
  const ids = readIds(home);
  // An index without sessions may still have rows of the last one.
  if (ids.length === 0 && !existsSync(indexPath(home))) return { sessions: [], unreadable: [] };
  try {
    return inOrder(withIndex(home, talk, (db) => catchUp(home, db, ids, talk, wanted)));
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    talk.notice(`${error.message}; the tapes are read instead`, error.hint);
    return inOrder(readTapes(home, ids, talk));
  }
}

/** Sessions that were removed leave the index now, not when somebody lists the store next. */
export function forget(home: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  try {
    withIndex(home, { notice() {} }, (db) => forgetSessions(db, ids.map(sessionKey)));
  } catch (error) {
    // No index, no rows.
    if (!(error instanceof IndexUnavailable)) throw error;
  }
}

/** Makes a new index with every row made anew. Throws where there is none to be had. */
export function reindex(home: string, talk: Talk): Listing {
  try {
    return replaceIndex(home, PATIENCE_MS, (db) => {
      const { sessions, unreadable } = inOrder(catchUp(home, db, readIds(home), talk));
      return { sessions: sessions.map(summaryOf), unreadable };
    });
  } catch (error) {
    throw isOfIndex(error) ? unavailable(error) : error;
  }
}

/** Calls `use` with the index, once more if it proves damaged. */
export function withIndex<T>(home: string, talk: Pick<Talk, 'notice'>, use: (db: Database) => T): T {
  const options = { patienceMs: PATIENCE_MS, notice: talk.notice };
  for (let attempt = 0; ; attempt++) {
    let db: Database | null = null;
    try {
      db = openIndex(home, options);
      return use(db);
    } catch (error) {
      if (!isOfIndex(error)) throw error;
      if (!db || !isDamage(error) || attempt > 0) throw unavailable(error);
    } finally {
      db?.close();
    }
    replaceDamaged(home, fileOf(db), options);
  }
}

/** Makes the rows of those sessions current, and forgets those of sessions that are gone. */
function catchUp(
  home: string,
  db: Database,
  ids: readonly string[],
  talk: Talk,
  wanted?: readonly (keyof Summary)[],
): Listing<Listed> {
  const rows = new Map(readRows(db, home, wanted).map((row) => [row.session, row]));
  const found: Listing<Listed> = { sessions: [], unreadable: [] };
  const behind: string[] = [];
  const parent = sessionsDir(home);
  for (const id of ids) {
    const row = rows.get(id);
    rows.delete(id);
    if (row && isCurrent(row, `${parent}/${id}`)) found.sessions.push(row);
    else behind.push(id);
  }
  // Not in the list we were given, but there: begun since.
  const gone = [...rows.values()].filter(({ session }) => !existsSync(placeOf(home, session).dir));
  if (gone.length > 0) forgetSessions(db, keysOf(gone));
  const ours = behind.filter((id) => !isLeftToOthers(home, db, id, found));
  for (let done = 0; done < ours.length; talk.progress(done, ours.length)) {
    inTransaction(db, () => {
      const until = performance.now() + TRANSACTION_MS;
      while (done < ours.length && performance.now() < until) {
        const id = ours[done++]!;
        // One that fails takes its own rows back, not those of the others.
        attempt(home, id, found, () => inTransaction(db, () => current(home, db, id)));
      }
    });
  }
  return found;
}

/** Sessions that run, or whose tape we could only borrow, have no row of ours: what there is of them is listed now. */
function isLeftToOthers(home: string, db: Database, id: string, found: Listing<Listed>): boolean {
  let left = true;
  attempt(home, id, found, () =>
    using(openPlace(placeOf(home, id)), (session) => {
      left = session.running || session.borrowed;
      if (!left) return null;
      // How far its recorder has come.
      const row = session.running ? readRow(db, home, sessionKey(id)) : undefined;
      const names = readNames(placeOf(home, id).dir);
      // One that is settled was made when nobody had heard of its recorder for long.
      if (row?.settled !== 0) return listed(soFar(session));
      return listed({ summary: { ...summaryOf(row), ...names, state: 'running' } });
    }),
  );
  return left;
}

function listed({ summary, begun = false }: Partial<SoFar> & Pick<SoFar, 'summary'>): Listed {
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

/** Without an index. */
function readTapes(home: string, ids: readonly string[], talk: Talk): Listing<Listed> {
  const found: Listing<Listed> = { sessions: [], unreadable: [] };
  ids.forEach((id, i) => {
    attempt(home, id, found, () => listed(using(openPlace(placeOf(home, id)), soFar)));
    talk.progress(i + 1, ids.length);
  });
  return found;
}

function attempt(home: string, id: string, found: Listing<Listed>, summary: () => Listed | null): void {
  try {
    const one = summary();
    if (one) found.sessions.push(one);
  } catch (error) {
    if (isOfIndex(error)) throw error;
    // Removed by somebody else, meanwhile.
    if (!existsSync(placeOf(home, id).dir)) return;
    found.unreadable.push({ session: id, message: (error as Error).message });
  }
}

/** The session's row, made current, unless somebody else has done it meanwhile. */
function current(home: string, db: Database, id: string): Listed {
  const { dir } = placeOf(home, id);
  return using(openPlace(placeOf(home, id)), (session) => {
    const row = readRow(db, home, sessionKey(id));
    if (row && isCurrent(row, dir)) return row;
    if (row && isOfTape(row, session.tape)) refreshNames(db, row, dir);
    else indexSession(db, { ...session, dir });
    return readRow(db, home, sessionKey(id))!;
  });
}

/** The row was made of this very tape: of all of it, and nobody has put another in its place. */
function isOfTape(row: SessionRow, tape: string): boolean {
  if (!row.settled || row.indexed !== statSync(tape).size) return false;
  const { digest } = summaryOf(row);
  return digest !== null && digest === finalSeal(tape)?.sha256;
}

function refreshNames(db: Database, { key }: SessionRow, dir: string): void {
  // First the times: what changes meanwhile must be seen later.
  const { folder_changed, names_changed } = stampOf(dir);
  const { name, tags } = readNames(dir);
  statementsFor(db).refresh.run(name, JSON.stringify(tags), folder_changed, names_changed, key);
}
