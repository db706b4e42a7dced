/**
 * Loads better-sqlite3 and interprets its errors. The package is native code: it may be missing, or built for another
 * version of Node, and then the error says how to fix that.
 */
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { installedPath } from '../system/installation.ts';

export type Database = Sqlite.Database;

/** The index cannot be used. Commands continue without it where they can. */
export class IndexUnavailable extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** Whether the error means that the file is damaged. */
export function isDamage(error: unknown): boolean {
  return (
    /^SQLITE_(CORRUPT|NOTADB|SCHEMA|CONSTRAINT_(PRIMARYKEY|UNIQUE))/.test(codeOf(error)) || isUnexpectedContent(error)
  );
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** Checks the whole file; throws if it is damaged. */
export function checkWhole(db: Database): void {
  const found = db.pragma('quick_check', { simple: true });
  if (found !== 'ok') throw damage(String(found).split('\n')[0]!);
}

export function damage(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_CORRUPT_WIRETAPE' });
}

/** Rows have disappeared because another process has replaced the index. */
export function rowsGone(): Error {
  return Object.assign(new Error('its rows were replaced in the meantime'), { code: 'SQLITE_GONE_WIRETAPE' });
}

export function isRowsGone(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_GONE_WIRETAPE';
}

/** Whether the error is about the index. */
export function isIndexError(error: unknown): boolean {
  return error instanceof IndexUnavailable || /^SQLITE_/.test(codeOf(error));
}

/** What every index of ours has is missing, or what every row of ours has is not what it should be. */
function isUnexpectedContent(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_ERROR' && UNEXPECTED_CONTENT.test((error as Error).message);
}

const UNEXPECTED_CONTENT = /^no such (table|column|index)|has no column named|^malformed JSON/;

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

export function unavailable(error: unknown): IndexUnavailable {
  if (error instanceof IndexUnavailable) return error;
  return new IndexUnavailable(
    `the index cannot be used (${(error as Error).message})`,
    'find out more with: wiretape doctor',
  );
}

type Driver = typeof Sqlite;

let loadedDriver: Driver | null = null;
/** A second try would fail for another reason, which is of no use. */
let loadFailure: IndexUnavailable | null = null;

/** The package is native code: it may be missing, or made for another version of Node. */
export function loadDriver(): Driver {
  if (loadedDriver) return loadedDriver;
  if (loadFailure) throw loadFailure;
  try {
    const require = createRequire(import.meta.url);
    const driver = require('better-sqlite3') as Driver;
    // Opening a database loads the native part.
    new driver(':memory:').close();
    loadedDriver = driver;
    return loadedDriver;
  } catch (error) {
    const [why, mend] = loadProblem(error as Error);
    loadFailure = new IndexUnavailable(`the index cannot be used: better-sqlite3 does not load (${why})`, mend);
    throw loadFailure;
  }
}

function loadProblem({ message }: Error): [why: string, mend: string] {
  const mend = `cd ${JSON.stringify(installedPath('.'))} && npm rebuild better-sqlite3`;
  if (/Cannot find module 'better-sqlite3'/.test(message)) return ['it is not installed', 'reinstall wiretape'];
  if (/Could not locate the bindings/.test(message)) return ['its binary is missing', mend];
  if (/NODE_MODULE_VERSION/.test(message)) return ['its binary was built for another version of Node', mend];
  return [message.split('\n')[0]!, mend];
}
