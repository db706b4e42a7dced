/** Files in a store that are no longer needed. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsDir } from '../store/home.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { filesIn } from '../store/removal.ts';
import { asideBefore } from './aside.ts';
import { PARTS } from './guard.ts';
import { SCHEMA } from './schema.ts';

/**
 * Partial sessions, and drafts of tapes and of the index, of processes that have exited; indexes that were set aside over
 * a week ago; indexes of earlier versions that were not written to for a month.
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

/** Indexes of earlier versions, which only those versions read. */
export function earlierIndexes(home: string): string[] {
  return filesIn(home).filter((name) => Number(/^index-(\d+)\.db$/.exec(name)?.[1] ?? SCHEMA) < SCHEMA);
}

function allOf(home: string, name: string): string[] {
  return [...PARTS, '.lock'].map((part) => join(home, `${name}${part}`)).filter((path) => existsSync(path));
}

const OLD_MS = 3_600_000;
const ASIDE_MS = 7 * 24 * 3_600_000;
const UNUSED_MS = 30 * 24 * 3_600_000;

/** Whether the file was not written to for this long. */
function isOld(path: string, now: number, ms: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now - stat.mtimeMs > ms;
}
