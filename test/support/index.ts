/** The index as anybody with SQLite would read it: with nothing of lib but the number in its name. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SCHEMA } from '../../lib/storage/index/schema.ts';

export type Row = Record<string, string | number | null>;

/** The name of the index file, whatever the number of its schema is. */
export const INDEX = `index-${SCHEMA}.db`;

export function indexOf(home: string): string {
  return join(home, INDEX);
}

export function query(home: string, sql: string, ...values: unknown[]): Row[] {
  const db = new Sqlite(indexOf(home), { fileMustExist: true, timeout: 10_000 });
  try {
    return db.prepare(sql).all(...values) as Row[];
  } finally {
    db.close();
  }
}

/** Does something to the index behind wiretape's back. */
export function tamper(home: string, sql: string): void {
  const db = new Sqlite(indexOf(home), { fileMustExist: true, timeout: 10_000 });
  db.exec(sql);
  db.close();
}

/** Every row of every table, in order; SQLite itself finds nothing wrong with the file. */
export function dump(home: string): Record<string, Row[]> {
  const db = new Sqlite(indexOf(home), { fileMustExist: true, timeout: 10_000 });
  try {
    const problems = db.pragma('integrity_check', { simple: true });
    if (problems !== 'ok') throw new Error(`the index is damaged: ${problems}`);
    const rows = (table: string, order: string) =>
      db.prepare(`SELECT * FROM ${table} ORDER BY ${order}`).all() as Row[];
    return {
      sessions: rows('sessions', 'key'),
      frames: rows('frames', 'session, f'),
      exchanges: rows('exchanges', 'session, f'),
    };
  } finally {
    db.close();
  }
}

/** Names in the store, without the logs that SQLite keeps beside an index in use, and locks. */
export function filesIn(home: string): string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .filter((name) => !/(-wal|-shm|\.lock)$/.test(name))
    .sort();
}
