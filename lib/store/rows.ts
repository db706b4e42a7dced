/** What the index knows of sessions, as the rows of `ls`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { META, sessionsDir, TAPE } from './home.ts';
import type { Stamp } from './indexer.ts';
import type { Database } from './sqlite.ts';
import type { Summary } from './summary.ts';

export interface SessionRow extends Stamp {
  key: number;
  session: string;
  settled: number;
  indexed: number;
  /** 0: its tape answers, not its rows. */
  in_order: number;
  started: string;
  /** 1 or 0. */
  probe: number;
  /** As JSON: SQLite puts it together in a fifth of the time that a row of thirty values takes to reach us. */
  summary: string;
}

/** How each key of the contract, in its order, comes from the columns; most have the same name. */
const KEYS: [key: keyof Summary, sql?: string][] = [
  ['session'],
  ['name'],
  ['tags', 'json(tags)'],
  ['source'],
  ['dialect'],
  ['protocol'],
  ['client'],
  ['agent'],
  ['agent_version'],
  ['command', 'json(command)'],
  ['cwd'],
  ['user'],
  ['host'],
  ['started'],
  ['ended'],
  ['duration'],
  ['frames'],
  ['bytes'],
  ['turns'],
  ['tools'],
  ['approvals'],
  ['errors'],
  ['state'],
  [
    'exit',
    "iif(coalesce(exit_code, exit_signal) IS NULL, NULL, json_object('code', exit_code, 'signal', exit_signal))",
  ],
  ['gaps'],
  ['probe', "json(iif(probe, 'true', 'false'))"],
  ['tape', `coalesce(tape_elsewhere, @folder || session || '/${TAPE}')`],
  ['digest'],
];

/** `wanted`: the keys of the summary that somebody will look at; each costs time, ten thousand times. */
export function readRows(db: Database, home: string, wanted?: readonly (keyof Summary)[]): SessionRow[] {
  return db.prepare(select(wanted)).all({ folder: join(sessionsDir(home), '/') }) as SessionRow[];
}

export function readRow(db: Database, home: string, key: number): SessionRow | undefined {
  const values = { folder: join(sessionsDir(home), '/'), key };
  return db.prepare(`${select()} WHERE key = @key`).get(values) as SessionRow | undefined;
}

function select(wanted?: readonly (keyof Summary)[]): string {
  const keys = KEYS.filter(([key]) => wanted?.includes(key) ?? true).map(([key, sql]) => `'${key}', ${sql ?? key}`);
  return `SELECT key, session, settled, indexed, in_order, folder_changed, names_changed, started, probe,
    json_object(${keys}) AS summary FROM sessions`;
}

export function summaryOf({ summary }: { summary: string }): Summary {
  return JSON.parse(summary) as Summary;
}

export interface Listing<Session = Summary> {
  /** Oldest first. */
  sessions: Session[];
  unreadable: { session: string; message: string }[];
}

/** A summary that nobody may want to see, as JSON. */
export type Listed = Pick<SessionRow, 'session' | 'started' | 'probe' | 'summary'> & {
  /** Of its rows, where they are current. */
  key?: number;
  in_order?: number;
  /** Nothing is on its tape yet. */
  begun?: boolean;
};

/** The key of rows that may answer for their tape; null: the tape is read. */
export function searchableKey({ key, in_order }: Pick<Listed, 'key' | 'in_order'>): number | null {
  return key !== undefined && in_order === 1 ? key : null;
}

export function inOrder(found: Listing<Listed>): Listing<Listed> {
  found.sessions.sort((a, b) => compare(a.started, b.started) || compare(a.session, b.session));
  return found;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Its rows were made of all of its tape, and nothing of the session's folder has changed since. */
export function isCurrent(row: SessionRow, dir: string): boolean {
  return (
    row.settled === 1 &&
    changed(dir) === row.folder_changed &&
    // A tape elsewhere that is gone is no reason to forget what it said.
    (statSync(`${dir}/${TAPE}`, { throwIfNoEntry: false })?.size ?? row.indexed) === row.indexed &&
    (row.names_changed === null || changed(join(dir, META)) === row.names_changed)
  );
}

function changed(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
