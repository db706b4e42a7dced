/**
 * Checks a file before it is used as the index: a store may come from anyone. It must be a regular file, without a
 * journal beside it, and its schema must be exactly ours.
 */
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { SCHEMA, SCHEMA_STATEMENTS } from './schema.ts';
import { type Database, damage, IndexUnavailable } from './sqlite.ts';

/** The files of an index. wiretape never leaves a journal, but SQLite would use one that it finds. */
export const INDEX_FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Throws for pipes, devices and links: opening them could hang or reach outside the store. An index with a journal counts
 * as damaged, because SQLite would follow the journal and even delete a file that it names.
 */
export function checkFiles(path: string): void {
  for (const part of INDEX_FILE_SUFFIXES) {
    const stat = lstatSync(`${path}${part}`, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw notRegularFile(`${path}${part}`);
    if (stat && part === '-journal') throw damage('it has a rollback journal, which wiretape never leaves');
  }
}

function notRegularFile(path: string): IndexUnavailable {
  return new IndexUnavailable(
    `the index cannot be used (${basename(path)} is not a regular file)`,
    `remove ${JSON.stringify(path)}`,
  );
}

/** Creates an empty file for the lock. */
export function makeLockFile(path: string): void {
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw notRegularFile(path);
  const fd = openSync(path, O_WRONLY | O_CREAT | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0), 0o600);
  try {
    if (fstatSync(fd).size > 0) ftruncateSync(fd, 0);
  } finally {
    closeSync(fd);
  }
}

const OUR_SCHEMA = SCHEMA_STATEMENTS.join('\n');

/** The schema must have nothing added: a trigger could change rows, and a view could run forever. */
export function checkSchema(db: Database): void {
  const version = db.pragma('user_version', { simple: true });
  if (version !== SCHEMA) throw damage(`its schema is ${version}, not ${SCHEMA}`);
  const found = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid');
  if (found.pluck().all().join('\n') !== OUR_SCHEMA) throw damage('its schema is not the one that wiretape makes');
}
