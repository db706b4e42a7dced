/**
 * Removes sessions, and says so in the store's log: what is gone, when, by whose hand, and the digest that summed it up.
 * A folder leaves the store by one rename; only then are its files deleted. A tape that lies elsewhere stays there.
 */
import { appendFileSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sessionsDir } from './home.ts';
import { asideBefore } from './index-aside.ts';
import { PARTS } from './index-guard.ts';
import { lifeOf, readOwner } from './owner.ts';
import { SCHEMA } from './schema.ts';
import type { Summary } from './summary.ts';

export const LOG = 'log.jsonl';

export type Removable = Pick<Summary, 'session' | 'name' | 'command' | 'started' | 'frames' | 'digest'>;

/** Bytes that removing the session's folder gives back. */
export function sizeOf(dir: string): number {
  return filesIn(dir).reduce(
    (sum, name) => sum + (lstatSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** False if somebody else was faster. */
export function removeSession(home: string, session: Removable, by: string): boolean {
  const { name, command, started, frames, digest } = session;
  const dir = join(sessionsDir(home), session.session);
  const bytes = sizeOf(dir);
  const going = join(sessionsDir(home), `.removed-${session.session}-${process.pid}`);
  try {
    renameSync(dir, going);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const entry = {
    ...{ at: new Date().toISOString(), event: 'removed', by, user: userName() },
    ...{ session: session.session, name, command, started, frames, digest, bytes },
  };
  try {
    appendFileSync(join(home, LOG), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch (error) {
    // Nothing goes without a word.
    renameSync(going, dir);
    throw error;
  }
  rmSync(going, { recursive: true, force: true });
  return true;
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/**
 * What nobody needs: half-made and half-removed sessions, drafts of tapes and of the index, whose makers are gone; an
 * index that was set aside a week ago; those of earlier versions that nobody wrote to for a month.
 */
export function findLeftovers(home: string, now: number): string[] {
  const parent = sessionsDir(home);
  const hidden = filesIn(parent).filter((name) => name.startsWith('.'));
  const drafts = filesIn(home).filter((name) => /^index-\d+\.db\..*\.tmp(-wal|-shm|-journal)?$/.test(name));
  const left = [...hidden.map((name) => join(parent, name)), ...drafts.map((name) => join(home, name))].filter(
    (path) => isOld(path, now, OLD_MS) && lifeOf(readOwner(path)) !== 'alive',
  );
  const unused = earlierIndexes(home).filter((name) => isOld(join(home, name), now, UNUSED_MS));
  const indexes = existsSync(home) ? [...unused, ...asideBefore(home, now - ASIDE_MS)] : [];
  return [...left, ...indexes.flatMap((name) => allOf(home, name))];
}

/** Indexes of earlier versions, which nobody reads any more unless such a version is still in use. */
export function earlierIndexes(home: string): string[] {
  return filesIn(home).filter((name) => Number(/^index-(\d+)\.db$/.exec(name)?.[1] ?? SCHEMA) < SCHEMA);
}

function allOf(home: string, name: string): string[] {
  return [...PARTS, '.lock'].map((part) => join(home, `${name}${part}`)).filter((path) => existsSync(path));
}

const OLD_MS = 3_600_000;
const ASIDE_MS = 7 * 24 * 3_600_000;
const UNUSED_MS = 30 * 24 * 3_600_000;

/** Nobody has written to it for so long. */
function isOld(path: string, now: number, ms: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now - stat.mtimeMs > ms;
}
