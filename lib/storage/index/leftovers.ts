/** Files in a store that are no longer needed. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsDir } from '../store/home.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { filesIn } from '../store/removal.ts';
import { damagedIndexesBefore } from './damaged-indexes.ts';
import { INDEX_FILE_SUFFIXES } from './file-checks.ts';
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
    (path) => isOlderThan(path, now, DRAFT_AGE_MS) && lifeOf(readOwner(path)) !== 'alive',
  );
  const unused = earlierIndexes(home).filter((name) => isOlderThan(join(home, name), now, EARLIER_INDEX_AGE_MS));
  const indexes = existsSync(home) ? [...unused, ...damagedIndexesBefore(home, now - DAMAGED_INDEX_AGE_MS)] : [];
  return [...left, ...indexes.flatMap((name) => filesOfIndex(home, name))];
}

/** Indexes of earlier versions, which only those versions read. */
export function earlierIndexes(home: string): string[] {
  return filesIn(home).filter((name) => Number(/^index-(\d+)\.db$/.exec(name)?.[1] ?? SCHEMA) < SCHEMA);
}

function filesOfIndex(home: string, name: string): string[] {
  return [...INDEX_FILE_SUFFIXES, '.lock']
    .map((part) => join(home, `${name}${part}`))
    .filter((path) => existsSync(path));
}

const DRAFT_AGE_MS = 3_600_000;
const DAMAGED_INDEX_AGE_MS = 7 * 24 * 3_600_000;
const EARLIER_INDEX_AGE_MS = 30 * 24 * 3_600_000;

/** Whether the file was not written to for this long. */
function isOlderThan(path: string, now: number, ms: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now - stat.mtimeMs > ms;
}
