/**
 * Removes sessions, and writes to the store's log what was removed, when, by which command, and its final digest. A
 * folder is first renamed out of the store and then deleted. A tape outside the store stays.
 */
import { appendFileSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Summary } from '../../session/summary.ts';
import { attempt, sessionsDir } from './home.ts';

export const LOG_FILE = 'log.jsonl';

export type RemovableSession = Pick<Summary, 'session' | 'name' | 'command' | 'started' | 'frames' | 'digest'>;

/** The size of a session's folder in bytes. */
export function sizeOf(dir: string): number {
  return filesIn(dir).reduce(
    (sum, name) => sum + (lstatSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

export function filesIn(dir: string): string[] {
  return attempt(() => readdirSync(dir), []);
}

/** False if another process has removed it. */
export function removeSession(home: string, session: RemovableSession, by: string): boolean {
  const { name, command, started, frames, digest } = session;
  const dir = join(sessionsDir(home), session.session);
  const bytes = sizeOf(dir);
  const removedPath = join(sessionsDir(home), `.removed-${session.session}-${process.pid}`);
  try {
    renameSync(dir, removedPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const entry = {
    ...{ at: new Date().toISOString(), event: 'removed', by, user: attempt(() => userInfo().username, null) },
    ...{ session: session.session, name, command, started, frames, digest, bytes },
  };
  try {
    appendFileSync(join(home, LOG_FILE), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch (error) {
    // Do not remove anything that cannot be logged.
    renameSync(removedPath, dir);
    throw error;
  }
  rmSync(removedPath, { recursive: true, force: true });
  return true;
}
