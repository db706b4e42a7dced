/**
 * Opens the index. It appears under its name only when it is complete, readable by us alone; a file that is no index of
 * this schema is set aside, with what belongs to it, and a new one takes its place. Losing it loses nothing.
 */
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Sqlite from 'better-sqlite3';
import { SCHEMA, SCHEMA_SQL } from './schema.ts';

export type Database = Sqlite.Database;

export function indexPath(home: string): string {
  return join(home, `index-${SCHEMA}.db`);
}

/** There is no index to be had here: what can be done without it, is. */
export class IndexUnavailable extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

export interface OpenOptions {
  /** How long to wait for other writers. */
  patienceMs: number;
  /** Told when a file was set aside. */
  notice: (message: string) => void;
}

export function openIndex(home: string, { patienceMs, notice }: OpenOptions): Database {
  const driver = loadDriver();
  const path = indexPath(home);
  for (let attempt = 0; ; attempt++) {
    let file = 0;
    try {
      if (!existsSync(path)) exclusively(home, patienceMs, () => create(driver, path));
      // Looked at first: if another takes its place now, we are seen to have the old one.
      file = fileAt(path);
      return open(driver, path, patienceMs, file);
    } catch (error) {
      if (isBusy(error)) throw error;
      // Deleted or replaced while we opened it.
      if (fileAt(path) !== file && attempt <= 2) continue;
      if (!isDamage(error) || attempt > 2) throw unavailable(error);
      replaceDamaged(home, file, { patienceMs, notice });
    }
  }
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
  const aside = exclusively(home, patienceMs, () => (fileAt(indexPath(home)) === file ? setAside(home) : null));
  if (aside) notice(`the index was damaged; it is set aside as ${aside} and built anew`);
}

/** Moves the index out of the way, with what belongs to it; returns its new name, or null if there is none. */
function setAside(home: string): string | null {
  const path = indexPath(home);
  const aside = `${path}.damaged-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${digits(4)}`;
  // The file first: nobody opens it any more, and only we may make a new one.
  for (const part of ['', '-wal', '-shm']) {
    try {
      renameSync(`${path}${part}`, `${aside}${part}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (part === '') return null;
    }
  }
  return aside;
}

/** Hexadecimal digits for a name. What has that name already is not touched. */
function digits(count: number): string {
  return Math.floor(Math.random() * 16 ** count)
    .toString(16)
    .padStart(count, '0');
}

/**
 * What changes which file is the index is done by one process at a time. SQLite's own lock, on an empty file beside it:
 * the system frees it however its holder ends.
 */
function exclusively<T>(home: string, patienceMs: number, work: () => T): T {
  const path = `${indexPath(home)}.lock`;
  closeSync(openSync(path, 'a', 0o600));
  const lock = new (loadDriver())(path, { timeout: patienceMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}

/** The file is not what it should be, as SQLite or a look at its schema tells. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|SCHEMA)/.test(codeOf(error)) || isMissingTable(error);
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** Reads the whole file; throws where it is damaged. */
export function checkWhole(db: Database): void {
  const found = db.pragma('quick_check', { simple: true });
  if (found !== 'ok') throw damage(String(found).split('\n')[0]!);
}

export function damage(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_CORRUPT_WIRETAPE' });
}

/** The index's own trouble, not the caller's. */
export function isOfIndex(error: unknown): boolean {
  return error instanceof IndexUnavailable || /^SQLITE_/.test(codeOf(error));
}

function isMissingTable(error: unknown): boolean {
  return (
    codeOf(error) === 'SQLITE_ERROR' && /^no such (table|column)|has no column named/.test((error as Error).message)
  );
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

export function unavailable(error: unknown): IndexUnavailable {
  if (error instanceof IndexUnavailable) return error;
  return new IndexUnavailable(
    `the index cannot be used (${(error as Error).message})`,
    'wiretape doctor looks into it',
  );
}

type Driver = typeof Sqlite;

let loaded: Driver | null = null;
/** A second try would fail for another reason, which tells nothing. */
let failed: IndexUnavailable | null = null;

/** The package is native code: it may be missing, or made for another version of Node. */
export function loadDriver(): Driver {
  if (loaded) return loaded;
  if (failed) throw failed;
  try {
    const require = createRequire(import.meta.url);
    const driver = require('better-sqlite3') as Driver;
    const native = nativePart(require);
    // Only now is its native part certainly loaded.
    if (!native) new driver(':memory:').close();
    loaded = native ? withNative(driver, native) : driver;
    return loaded;
  } catch (error) {
    const [why, mend] = whyNot(error as Error);
    failed = new IndexUnavailable(`the index cannot be used: better-sqlite3 does not load (${why})`, mend);
    throw failed;
  }
}

/** Where it always lies. The package would look for it in many places, which takes longer than to load it. */
function nativePart(require: NodeJS.Require): object | null {
  try {
    return require('better-sqlite3/build/Release/better_sqlite3.node') as object;
  } catch (error) {
    // A second try would fail for another reason, which tells nothing.
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

function withNative(driver: Driver, nativeBinding: object): Driver {
  return new Proxy(driver, {
    construct: (_, [path, options]) => new driver(path, { ...options, nativeBinding }),
  });
}

function whyNot({ message }: Error): [why: string, mend: string] {
  const mend = `cd ${JSON.stringify(fileURLToPath(new URL('../../..', import.meta.url)))} && npm rebuild better-sqlite3`;
  if (/Cannot find module 'better-sqlite3'/.test(message)) return ['it is not there', 'install wiretape again'];
  if (/Could not locate the bindings/.test(message)) return ['its binary is missing', mend];
  if (/NODE_MODULE_VERSION/.test(message)) return ['its binary was made for another version of Node', mend];
  return [message.split('\n')[0]!, mend];
}

/** Made under another name and linked into place: nobody ever opens half of it. */
function create(driver: Driver, path: string): void {
  if (existsSync(path)) return;
  const draft = `${path}.${process.pid}-${digits(8)}.tmp`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const db = new driver(draft);
    // Nothing is lost if a power cut spoils it, and recorders wait for this.
    db.pragma('synchronous = OFF');
    db.exec(SCHEMA_SQL);
    db.pragma('journal_mode = WAL');
    db.close();
    // The log of an index that was deleted would be taken for the new one's.
    for (const part of ['-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
    linkSync(draft, path);
  } finally {
    for (const part of ['', '-wal', '-shm']) rmSync(`${draft}${part}`, { force: true });
  }
}

function open(driver: Driver, path: string, patienceMs: number, file: number): Database {
  const db = new driver(path, { timeout: patienceMs, fileMustExist: true });
  files.set(db, file);
  try {
    const version = db.pragma('user_version', { simple: true });
    if (version !== SCHEMA) {
      throw damage(`its schema is ${version}, not ${SCHEMA}`);
    }
    // A power cut may take the last rows, which are rebuilt; the file stays whole.
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
