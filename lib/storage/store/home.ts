/** The location of the store, and session ids. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../../model/message.ts';
import { readSmallFile } from '../tape/small-file.ts';

export function storeHome(env: NodeJS.ProcessEnv): string {
  if (env.WIRETAPE_HOME) return env.WIRETAPE_HOME;
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'wiretape');
}

/** Null if the store is a folder, or is not there yet; else the file that is in its place. */
export function fileInPlaceOf(home: string): string | null {
  for (let path = home; ; path = dirname(path)) {
    try {
      return statSync(path).isDirectory() ? null : path;
    } catch {
      // It is not there, or below a file.
    }
    if (dirname(path) === path) return null;
  }
}

export function sessionsDir(home: string): string {
  return join(home, 'sessions');
}

/** Creates a private folder and its parents. (Node's `recursive` hangs if /proc refuses a folder.) */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The result, or `fallback` if it fails. */
export function attempt<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch {
    return fallback;
  }
}

/** Reads a file of a session. A folder from elsewhere may contain a pipe, or a file without an end. */
export function readOwnFile(path: string): string {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
  return readSmallFile(path);
}

/** An object in a file that people may edit; some editors add a byte order mark. */
export function readObject(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readOwnFile(path).replace(/^\ufeff/, ''));
  if (!isObject(value)) throw new Error('it is not a JSON object');
  return value;
}

/** Writes a new file and renames it, so that readers see either the old file or the new one. */
export function replaceFile(folder: string, name: string, text: string): void {
  const draft = join(folder, `.${name}.${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, join(folder, name));
  } finally {
    rmSync(draft, { force: true });
  }
}

export const TAPE = 'wire.jsonl';
export const JOURNAL = 'journal';
/** Records that could not be written to the journal: how the recording ended. */
export const JOURNAL_REST = `${JOURNAL}.rest`;
export const OWNER = 'owner.json';
export const META = 'meta.json';
/** The digest that the tape was first sealed with. */
export const SEAL = 'seal.json';

/** The limit of session ids. */
const LATEST_START = Date.UTC(2129, 11, 31, 23, 59, 59);

/** A possible time, then four characters. */
export const SESSION_ID =
  /^(19[7-9]\d|20\d\d|21[0-2]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])([0-5]\d)([0-5]\d)-([0-9a-z]{4})$/;

// No vowels and no look-alikes: ids are easy to read aloud and never spell a word.
const ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

/** `20261116T022911-k3f9`: the start time (UTC), and random characters for sessions that start in the same second. */
export function newSessionId(startedAt: Date): string {
  // A clock that is wrong by centuries must not stop a recording.
  const time = Math.min(Math.max(startedAt.getTime() || 0, 0), LATEST_START);
  const stamp = new Date(time).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const tail = Array.from({ length: 4 }, () => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]).join('');
  return `${stamp}-${tail}`;
}
