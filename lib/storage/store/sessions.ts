/**
 * The sessions of a store, found by what people type: an id, any unique prefix of it, the part after the dash, `last`,
 * `last~1`, a name, or a path to a tape, a page or a session's folder. `PAGE@2` is the second session of a page.
 */
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt, JOURNAL, OWNER, SESSION_ID, sessionsDir, TAPE } from './home.ts';
import { readNames } from './names.ts';
import { ancestors, lifeOf, readOwner } from './owner.ts';

/** The location of a session: a folder of the store, or a tape. */
export interface SessionPlace {
  /** In this store. Sessions from elsewhere are read, but never changed. */
  ours: boolean;
  /** Null for a tape outside a store. */
  dir: string | null;
  /** The tape, or the page that it is in. */
  tape: string;
  /** Which of the sessions of a page, from 1, if it was given. */
  nth?: number;
  /** Its name until its tape is read. */
  id: string;
}

export type SessionLookup = { is: 'found'; place: SessionPlace } | { is: 'none' } | { is: 'many'; ids: string[] };

/** Ids of all sessions, unsorted. */
export function readIds(home: string): string[] {
  return readIdsIn(sessionsDir(home));
}

export function readIdsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => SESSION_ID.test(name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Ids of all sessions, oldest first. */
export function listIds(home: string): string[] {
  const createdTimes = new Map<string, bigint>();
  const age = (id: string): bigint => {
    if (!createdTimes.has(id)) createdTimes.set(id, createdAt(join(sessionsDir(home), id)));
    return createdTimes.get(id)!;
  };
  // Ids have a resolution of a second; within it, the age of the folder decides.
  return readIds(home).sort((a, b) => (a.slice(0, 15) === b.slice(0, 15) ? Number(age(a) - age(b)) : a < b ? -1 : 1));
}

/** The start time in an id, as ISO 8601. */
export function startOf(id: string): string {
  return id.replace(/^(....)(..)(..)T(..)(..)(..)-.*$/, '$1-$2-$3T$4:$5:$6.000000Z');
}

function createdAt(dir: string): bigint {
  // The owner's file is written once, at the start of the session.
  return attempt(() => statSync(join(dir, OWNER), { bigint: true }).mtimeNs, 0n);
}

export function placeOf(home: string, id: string): SessionPlace & { dir: string } {
  const dir = join(sessionsDir(home), id);
  return { ours: true, dir, tape: join(dir, TAPE), id };
}

/** The tape itself: in the session's folder, or the target of the link there. */
export function tapeOf(dir: string): string {
  const path = join(dir, TAPE);
  return attempt(() => resolve(dir, readlinkSync(path)), path);
}

/** `exceptOurs`: the newest session is not the one that records this very process. */
export function findSession(home: string, word: string, exceptOurs = false): SessionLookup {
  // An empty shell variable must not match, although every id starts with it.
  if (word === '') return { is: 'none' };
  const ids = listIds(home);
  const lastMatch = /^last(?:~(\d+))?$/.exec(word);
  if (lastMatch) {
    const id = (exceptOurs ? withoutOurs(home, ids) : ids).at(-1 - Number(lastMatch[1] ?? 0));
    return id ? { is: 'found', place: placeOf(home, id) } : { is: 'none' };
  }
  const byId = ids.filter((id) => id.startsWith(word) || id.slice(16) === word);
  if (byId.length === 1 || ids.includes(word)) return { is: 'found', place: placeOf(home, byId[0]!) };
  if (byId.length > 1) return { is: 'many', ids: byId };
  // If a session has this name, only a word with a slash is a path.
  const byPath = placeAt(home, word);
  if (byPath && word.includes('/')) return { is: 'found', place: byPath };
  const byName = ids.filter((id) => readNames(join(sessionsDir(home), id)).name === word);
  if (byName.length === 0) return byPath ? { is: 'found', place: byPath } : { is: 'none' };
  // The newest session of that name.
  return { is: 'found', place: placeOf(home, byName.at(-1)!) };
}

/** Without sessions that record this process: a replay in place of an agent would find itself. */
function withoutOurs(home: string, ids: string[]): string[] {
  const isOpen = (id: string) => existsSync(join(sessionsDir(home), id, JOURNAL));
  const open = ids.slice(-MAX_NEWER_SESSIONS).filter(isOpen);
  if (open.length === 0) return ids;
  const above = ancestors();
  const ours = open.filter((id) => {
    const owner = readOwner(join(sessionsDir(home), id));
    return owner !== null && above.has(owner.pid) && lifeOf(owner) === 'alive';
  });
  return ours.length === 0 ? ids : ids.filter((id) => !ours.includes(id));
}

/** A session that records us was begun lately. */
const MAX_NEWER_SESSIONS = 50;

function placeAt(home: string, word: string): SessionPlace | null {
  const [, page, nth] = /^(.+\.html?)@([1-9])$/i.exec(word) ?? [];
  if (page !== undefined && !existsSync(word) && existsSync(page))
    return { ours: false, dir: null, tape: resolve(page), id: basename(word), nth: Number(nth) };
  const path = resolve(word);
  const isOurs = (dir: string) => dirname(dir) === resolve(sessionsDir(home)) && SESSION_ID.test(basename(dir));
  if (!existsSync(path)) return null;
  if (statSync(path).isDirectory()) {
    return existsSync(join(path, TAPE))
      ? { ours: isOurs(path), dir: path, tape: join(path, TAPE), id: basename(path) }
      : null;
  }
  const dir = dirname(path);
  const inStore = basename(path) === TAPE && SESSION_ID.test(basename(dir));
  if (!inStore) return { ours: false, dir: null, tape: path, id: basename(path) };
  return { ours: isOurs(dir), dir, tape: path, id: basename(dir) };
}
