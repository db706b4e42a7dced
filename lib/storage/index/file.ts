/**
 * Opens the index. It gets its name only when it is complete, and only its owner can read it. A file that is not a valid
 * index is set aside and replaced. No data is lost: the index is derived from the tapes.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { moveAll, randomDigits, removeAll, setAside } from './damaged-indexes.ts';
import { checkFiles, checkSchema, makeLockFile } from './file-checks.ts';
import { SCHEMA, SCHEMA_SQL } from './schema.ts';
import { type Database, isBusy, isDamage, loadDriver, rowsGone, unavailable } from './sqlite.ts';

export function indexPath(home: string): string {
  return join(home, `index-${SCHEMA}.db`);
}

export interface OpenIndexOptions {
  /** How long to wait for other writers. */
  patienceMs: number;
  /** Called when a file was set aside. */
  notice: (message: string) => void;
}

/** Opens the index, or creates it. Replaces a damaged one. */
export function openIndex(home: string, { patienceMs, notice }: OpenIndexOptions): Database {
  loadDriver();
  const path = indexPath(home);
  for (let attempt = 0; ; attempt++) {
    let file = 0;
    try {
      if (!existsSync(path)) withLock(home, patienceMs, () => create(path));
      // Identify the file before it is opened, so that a replacement is noticed.
      file = inodeAt(path);
      return open(path, patienceMs, file);
    } catch (error) {
      if (isBusy(error)) throw error;
      // It was deleted or replaced while it was being opened.
      if (inodeAt(path) !== file && attempt <= 2) continue;
      if (!isDamage(error) || attempt > 2) throw unavailable(error);
      replaceDamaged(home, file, { patienceMs, notice });
    }
  }
}

/** Opens the index without changing anything; throws if it is missing or damaged. */
export function openAsItIs(home: string, patienceMs: number): Database {
  const path = indexPath(home);
  const file = inodeAt(path);
  if (file === 0) throw rowsGone();
  return open(path, patienceMs, file);
}

const inodes = new WeakMap<Database, number>();

/** The inode of the file that a connection has open. */
export function inodeOf(db: Database): number {
  return inodes.get(db)!;
}

/** The inode of a file; 0 if it does not exist. */
export function inodeAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** Sets the damaged file aside and reports it, unless another process has done so. */
export function replaceDamaged(home: string, file: number, { patienceMs, notice }: OpenIndexOptions): void {
  const path = indexPath(home);
  const aside = withLock(home, patienceMs, () => (inodeAt(path) === file ? setAside(path) : null));
  if (aside) notice(`the index was damaged; it was set aside as ${aside} and rebuilt`);
}

/**
 * Fills a new index and then replaces the old one with it, without reading the old one. Processes that have the old one
 * open notice at their next query.
 */
export function replaceIndex<T>(home: string, patienceMs: number, fill: (db: Database) => T): T {
  const path = indexPath(home);
  try {
    checkFiles(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return withDraft(path, (draft) => {
    const db = new (loadDriver())(draft);
    let filled: T;
    try {
      db.pragma('synchronous = OFF');
      filled = fill(db);
    } finally {
      db.close();
    }
    syncToDisk(draft);
    withLock(home, patienceMs, () => {
      const old = `${path}.${process.pid}-${randomDigits(8)}.tmp`;
      try {
        moveAll(path, old);
        putInPlace(draft, path);
      } finally {
        removeAll(old);
      }
    });
    return filled;
  });
}

/**
 * Lets only one process at a time replace the index file. The lock is a SQLite lock on an empty file beside the index, so
 * the system releases it however the process ends.
 */
function withLock<T>(home: string, patienceMs: number, work: () => T): T {
  const path = `${indexPath(home)}.lock`;
  makeLockFile(path);
  const lock = new (loadDriver())(path, { timeout: patienceMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}

function create(path: string): void {
  if (!existsSync(path)) withDraft(path, (draft) => putInPlace(draft, path));
}

/** Creates it under another name and links it into place, so that no process opens a partial index. */
function withDraft<T>(path: string, use: (draft: string) => T): T {
  const draft = `${path}.${process.pid}-${randomDigits(8)}.tmp`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const db = new (loadDriver())(draft);
    // A power failure loses no data here, and recorders wait for this.
    db.pragma('synchronous = OFF');
    db.exec(SCHEMA_SQL);
    db.pragma('journal_mode = WAL');
    db.close();
    return use(draft);
  } finally {
    removeAll(draft);
  }
}

function putInPlace(draft: string, path: string): void {
  // SQLite would apply the log of a deleted index to the new one.
  for (const part of ['-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
  linkSync(draft, path);
}

function syncToDisk(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function open(path: string, patienceMs: number, file: number): Database {
  checkFiles(path);
  const db = new (loadDriver())(path, { timeout: patienceMs, fileMustExist: true });
  inodes.set(db, file);
  try {
    // The file may be hostile: run no code from its schema, and check every page.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    checkSchema(db);
    // A power failure may lose the last rows, which are rebuilt, but does not damage the file.
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
