/**
 * Opens the index. It appears under its name only when it is complete, readable by us alone; a file that is no index of
 * ours is set aside, with what belongs to it, and a new one takes its place. Losing it loses nothing.
 */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digits, moveAll, removeAll, setAside } from './index-aside.ts';
import { checkFiles, checkSchema, makeLockFile } from './index-guard.ts';
import { SCHEMA, SCHEMA_SQL } from './schema.ts';
import { type Database, isBusy, isDamage, loadDriver, rowsGone, unavailable } from './sqlite.ts';

export function indexPath(home: string): string {
  return join(home, `index-${SCHEMA}.db`);
}

export interface OpenOptions {
  /** How long to wait for other writers. */
  patienceMs: number;
  /** Told when a file was set aside. */
  notice: (message: string) => void;
}

/** Opens it, or makes it; one that is damaged is replaced. */
export function openIndex(home: string, { patienceMs, notice }: OpenOptions): Database {
  loadDriver();
  const path = indexPath(home);
  for (let attempt = 0; ; attempt++) {
    let file = 0;
    try {
      if (!existsSync(path)) exclusively(home, patienceMs, () => create(path));
      // Looked at first: if another takes its place now, we are seen to have the old one.
      file = fileAt(path);
      return open(path, patienceMs, file);
    } catch (error) {
      if (isBusy(error)) throw error;
      // Deleted or replaced while we opened it.
      if (fileAt(path) !== file && attempt <= 2) continue;
      if (!isDamage(error) || attempt > 2) throw unavailable(error);
      replaceDamaged(home, file, { patienceMs, notice });
    }
  }
}

/** The same for those whose rows are in it already: where it is not as it was, that is thrown, and nothing is changed. */
export function openAsItIs(home: string, patienceMs: number): Database {
  const path = indexPath(home);
  const file = fileAt(path);
  if (file === 0) throw rowsGone();
  return open(path, patienceMs, file);
}

const files = new WeakMap<Database, number>();

/** Which file a connection has open, to be compared with what lies under the index's name now. */
export function fileOf(db: Database): number {
  return files.get(db)!;
}

/** Which file lies there; 0 if none does. */
export function fileAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** Sets the damaged file aside and says so, unless somebody else has done it already. */
export function replaceDamaged(home: string, file: number, { patienceMs, notice }: OpenOptions): void {
  const path = indexPath(home);
  const aside = exclusively(home, patienceMs, () => (fileAt(path) === file ? setAside(path) : null));
  if (aside) notice(`the index was damaged; it is set aside as ${aside} and built anew`);
}

/**
 * A new index, filled before anybody sees it, takes the place of the old one, of which nothing is read. Whoever has that
 * open finds it gone at the next look.
 */
export function replaceIndex<T>(home: string, patienceMs: number, fill: (db: Database) => T): T {
  const path = indexPath(home);
  try {
    checkFiles(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return drafted(path, (draft) => {
    const db = new (loadDriver())(draft);
    let filled: T;
    try {
      db.pragma('synchronous = OFF');
      filled = fill(db);
    } finally {
      db.close();
    }
    sync(draft);
    exclusively(home, patienceMs, () => {
      const old = `${path}.${process.pid}-${digits(8)}.tmp`;
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
 * What changes which file is the index is done by one process at a time. SQLite's own lock, on an empty file beside it:
 * the system frees it however its holder ends.
 */
function exclusively<T>(home: string, patienceMs: number, work: () => T): T {
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
  if (!existsSync(path)) drafted(path, (draft) => putInPlace(draft, path));
}

/** Made under another name and linked into place: nobody ever opens half of it. */
function drafted<T>(path: string, use: (draft: string) => T): T {
  const draft = `${path}.${process.pid}-${digits(8)}.tmp`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const db = new (loadDriver())(draft);
    // Nothing is lost if a power cut spoils it, and recorders wait for this.
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
  // The log of an index that was deleted would be taken for the new one's.
  for (const part of ['-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
  linkSync(draft, path);
}

function sync(path: string): void {
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
  files.set(db, file);
  try {
    // Whatever is in the file runs nothing, and no cell of a page reaches beyond it.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    checkSchema(db);
    // A power cut may take the last rows, which are rebuilt; the file stays whole.
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
