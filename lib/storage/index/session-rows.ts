/** The sessions in the index, as `ls` shows them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from '../../session/summary.ts';
import { META, sessionsDir, TAPE } from '../store/home.ts';
import { otherTapeIn } from '../store/tape-owner.ts';
import type { Stamp } from './indexer.ts';
import type { Database } from './sqlite.ts';
import { SESSION_COLUMNS } from './tables.ts';

export interface SessionRow extends Stamp {
  key: number;
  session: string;
  settled: number;
  indexed: number;
  /** 0 if the tape must be searched instead of the rows. */
  in_order: number;
  started: string;
  /** 1 or 0. */
  probe: number;
  /** As JSON, which SQLite builds in a fifth of the time that it takes to return thirty columns. */
  summary: string;
}

/** `wanted`: the keys of the summary that are needed. Each key takes time for every session. */
export function readRows(db: Database, home: string, wanted?: readonly (keyof Summary)[]): SessionRow[] {
  return db.prepare(select(wanted)).all({ folder: join(sessionsDir(home), '/') }) as SessionRow[];
}

export function readRow(db: Database, home: string, key: number): SessionRow | undefined {
  const values = { folder: join(sessionsDir(home), '/'), key };
  return db.prepare(`${select()} WHERE key = @key`).get(values) as SessionRow | undefined;
}

function select(wanted?: readonly (keyof Summary)[]): string {
  const keys = SESSION_COLUMNS.filter(({ key }) => key !== null && (wanted?.includes(key) ?? true));
  return `SELECT key, session, settled, indexed, in_order, folder_changed, names_changed, started, probe,
    json_object(${keys.map(({ key, value }) => `'${key}', ${value}`)}) AS summary FROM sessions`;
}

export function summaryOf({ summary }: { summary: string }): Summary {
  return JSON.parse(summary) as Summary;
}

export interface SessionListing<Session = Summary> {
  /** Oldest first. */
  sessions: Session[];
  unreadable: { session: string; message: string }[];
}

/** A session with its summary as JSON, which is parsed only if needed. */
export type SessionListEntry = Pick<SessionRow, 'session' | 'started' | 'probe' | 'summary'> & {
  /** The key of its rows, if they are current. */
  key?: number;
  in_order?: number;
  /** Its tape is still empty. */
  begun?: boolean;
};

/** The key of rows that can be searched; null if the tape must be read. */
export function searchableKey({ key, in_order }: Pick<SessionListEntry, 'key' | 'in_order'>): number | null {
  return key !== undefined && in_order === 1 ? key : null;
}

export function sortListing(found: SessionListing<SessionListEntry>): SessionListing<SessionListEntry> {
  found.sessions.sort((a, b) => compareText(a.started, b.started) || compareText(a.session, b.session));
  return found;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the rows were made from the whole tape, and the session's folder has not changed since. */
export function isCurrent(row: SessionRow, dir: string): boolean {
  return (
    row.settled === 1 &&
    mtimeOf(dir) === row.folder_changed &&
    isTapeAsIndexed(row, dir) &&
    (row.names_changed === null || mtimeOf(join(dir, META)) === row.names_changed)
  );
}

/** The rows stay valid if a tape outside the store is gone, and if another is in the place of the session's own. */
function isTapeAsIndexed({ indexed }: SessionRow, dir: string): boolean {
  const size = statSync(`${dir}/${TAPE}`, { throwIfNoEntry: false })?.size ?? indexed;
  return size === indexed || otherTapeIn(dir) !== null;
}

function mtimeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
