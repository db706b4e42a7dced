/** Where the store is, and what a session's folder is called. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export function storeHome(env: NodeJS.ProcessEnv): string {
  if (env.WIRETAPE_HOME) return env.WIRETAPE_HOME;
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'wiretape');
}

export function sessionsDir(home: string): string {
  return join(home, 'sessions');
}

/** A folder with its parents, for us alone. (Node's own `recursive` never returns where /proc refuses a folder.) */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The text of a session's own file. A folder from anywhere may have a pipe in its place, which would never end. */
export function readOwnFile(path: string): string {
  if (!statSync(path).isFile()) throw new Error(`${path} is no regular file`);
  return readFileSync(path, 'utf8');
}

export const TAPE = 'wire.jsonl';
export const JOURNAL = 'journal';
/** What could not be written into the journal itself: how the recording ended. */
export const JOURNAL_REST = `${JOURNAL}.rest`;
export const OWNER = 'owner.json';
export const META = 'meta.json';

/** A moment that can be, from a clock that was never set to far beyond us, then four characters. */
export const SESSION_ID =
  /^(19[7-9]\d|20\d\d|21[0-2]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])([0-5]\d)([0-5]\d)-([0-9a-z]{4})$/;

// No vowels and no look-alikes: an id is read aloud, and never spells a word.
const ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

/** `20261116T022911-k3f9`: when it started (UTC), and enough chance to tell apart what starts in the same second. */
export function newSessionId(startedAt: Date): string {
  const stamp = startedAt.toISOString().replace(/[-:]/g, '').slice(0, 15);
  const tail = Array.from({ length: 4 }, () => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]).join('');
  return `${stamp}-${tail}`;
}
