/**
 * Removes sessions, and says so in the store's log: what is gone, when, by whose hand, and the digest that summed it up.
 * A folder leaves the store by one rename; only then are its files deleted. A tape that lies elsewhere stays there.
 */
import { appendFileSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sessionsDir } from './home.ts';
import { lifeOf, readOwner } from './owner.ts';
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

/** What nobody needs: half-made and half-removed sessions, drafts of tapes and of the index, whose makers are gone. */
export function findLeftovers(home: string, now: number): string[] {
  const parent = sessionsDir(home);
  const hidden = filesIn(parent).filter((name) => name.startsWith('.'));
  const drafts = filesIn(home).filter((name) => /^index-\d+\.db\..*\.tmp(-wal|-shm)?$/.test(name));
  return [...hidden.map((name) => join(parent, name)), ...drafts.map((name) => join(home, name))].filter(
    (path) => isOld(path, now) && lifeOf(readOwner(path)) !== 'alive',
  );
}

const OLD_MS = 3_600_000;

/** Whoever made it would have finished long ago. */
function isOld(path: string, now: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && now - stat.mtimeMs > OLD_MS;
}
