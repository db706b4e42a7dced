/**
 * better-sqlite3, and what its errors mean. The package is native code: it may be missing, or made for another version
 * of Node, and whoever asks for it is told how to mend that.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;

/** There is no index to be had here: what can be done without it, is. */
export class IndexUnavailable extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** The file is not what it should be, as SQLite or a look at its schema tells. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|SCHEMA|CONSTRAINT_(PRIMARYKEY|UNIQUE))/.test(codeOf(error)) || isOddContent(error);
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

/** Rows that were there a moment ago are gone: somebody has put a new index in the place of the one they were in. */
export function rowsGone(): Error {
  return Object.assign(new Error('its rows were replaced meanwhile'), { code: 'SQLITE_GONE_WIRETAPE' });
}

export function isGone(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_GONE_WIRETAPE';
}

/** The index's own trouble, not the caller's. */
export function isOfIndex(error: unknown): boolean {
  return error instanceof IndexUnavailable || /^SQLITE_/.test(codeOf(error));
}

/** What every index of ours has is missing, or what every row of ours has is not what it should be. */
function isOddContent(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_ERROR' && ODD.test((error as Error).message);
}

const ODD = /^no such (table|column|index)|has no column named|^malformed JSON/;

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
