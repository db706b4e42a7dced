/**
 * What lies under the index's name may come from anywhere: a store that was sent, a backup, a prank. It is used only if
 * it is a plain file, no more than ours lies beside it, and its schema is ours to the letter.
 */
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { SCHEMA, SCHEMA_STATEMENTS } from './schema.ts';
import { type Database, damage, IndexUnavailable } from './sqlite.ts';

/** All that belongs to an index. We never leave a journal, but SQLite would take one that it finds for ours. */
export const PARTS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Throws where opening would never return, or reach beyond the store: a pipe, a device, a link. Of a journal SQLite
 * would do what it says, down to deleting a file that it names: an index with one is as good as damaged.
 */
export function checkFiles(path: string): void {
  for (const part of PARTS) {
    const stat = lstatSync(`${path}${part}`, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw oddFile(`${path}${part}`);
    if (stat && part === '-journal') throw damage('it has a journal that is not ours');
  }
}

function oddFile(path: string): IndexUnavailable {
  return new IndexUnavailable(
    `the index cannot be used (${basename(path)} is no regular file)`,
    `remove ${JSON.stringify(path)}`,
  );
}

/** An empty file at that path: the lock is on the file, whatever was in it. It is never waited for. */
export function makeLockFile(path: string): void {
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw oddFile(path);
  const fd = openSync(path, O_WRONLY | O_CREAT | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0), 0o600);
  try {
    if (fstatSync(fd).size > 0) ftruncateSync(fd, 0);
  } finally {
    closeSync(fd);
  }
}

const OURS = SCHEMA_STATEMENTS.join('\n');

/** Nothing is in it that we did not put there: a trigger would change rows as they are written, a view never end. */
export function checkSchema(db: Database): void {
  const version = db.pragma('user_version', { simple: true });
  if (version !== SCHEMA) throw damage(`its schema is ${version}, not ${SCHEMA}`);
  const found = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid');
  if (found.pluck().all().join('\n') !== OURS) throw damage('its schema is not the one that wiretape makes');
}
