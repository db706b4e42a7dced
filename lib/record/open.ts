/** A session, opened for reading: found by what was typed, finished if its recorder is dead, or a clear word why not. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata } from '../core/frame.ts';
import { Failure } from '../failure.ts';
import { JOURNAL, TAPE } from '../store/home.ts';
import { findSession, listIds, placeOf, readIds, type SessionPlace } from '../store/sessions.ts';
import { readMetadata } from '../tape/read.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { type Settled, settle } from './recover.ts';

export interface OpenSession {
  id: string;
  dir: string | null;
  tape: string;
  running: boolean;
  /** The tape was made for this reading only, and goes when it is closed. */
  borrowed: boolean;
  close(): void;
}

/** Calls `use` with the session of that name, and cleans up behind it. */
export async function withSession<T>(
  home: string,
  word: string,
  use: (session: OpenSession) => Promise<T>,
): Promise<T> {
  return withPlace(locate(home, word), use);
}

export async function withPlace<T>(place: SessionPlace, use: (session: OpenSession) => Promise<T>): Promise<T> {
  const session = openPlace(place);
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** The same where nothing is waited for. */
export function using<T>(session: OpenSession, use: (session: OpenSession) => T): T {
  try {
    return use(session);
  } finally {
    session.close();
  }
}

export function openPlace(place: SessionPlace): OpenSession {
  const settled = settleIn(place);
  return {
    id: place.id,
    dir: place.dir,
    tape: settled.tape,
    running: settled.is === 'running',
    borrowed: settled.is === 'borrowed',
    close() {
      if (settled.is === 'borrowed') rmSync(settled.folder, { recursive: true, force: true });
    },
  };
}

function settleIn(place: SessionPlace): Settled {
  if (place.dir === null) return { is: 'settled', tape: place.tape };
  try {
    return settle(place.dir, place.ours);
  } catch (error) {
    throw new Failure(`session ${place.id} cannot be read: ${(error as Error).message}`);
  }
}

export function locate(home: string, word: string): SessionPlace {
  const found = findSession(home, word);
  if (found.is === 'found') return claimed(home, found.place);
  if (found.is === 'many') {
    const some = found.ids.slice(0, 5).join(', ');
    throw new Failure(
      `${found.ids.length} sessions start with ${JSON.stringify(word)}`,
      `one of ${some}${found.ids.length > 5 ? ', …' : ''}`,
    );
  }
  if (listIds(home).length === 0) {
    throw new Failure(`no session ${JSON.stringify(word)}: the store is empty`, 'record one: wiretape record -- AGENT');
  }
  throw new Failure(`no session starts with ${JSON.stringify(word)}`, 'wiretape ls shows what there is');
}

/** A tape written elsewhere with --tape still has its journal in the store until it is complete. */
function claimed(home: string, place: SessionPlace): SessionPlace {
  if (place.dir !== null) return place;
  try {
    const tape = realpathSync(place.tape);
    // Of one that is still empty the store must say whose it is.
    const ids = statSync(tape).size > 0 ? [readMetadata(tape).session] : unfinishedIds(home);
    const stored = ids.map((id) => placeOf(home, id)).find((one) => isTapeAt(one, tape));
    if (stored) return stored;
  } catch {
    // Not a tape, or not of this store: reading it says more.
  }
  return place;
}

function unfinishedIds(home: string): string[] {
  return readIds(home).filter((id) => existsSync(join(placeOf(home, id).dir, JOURNAL)));
}

function isTapeAt({ dir, tape }: SessionPlace, path: string): boolean {
  return existsSync(`${dir}/${TAPE}`) && realpathSync(tape) === path;
}

/** The metadata, where a session that has just begun may not have a line yet. */
export function metadataOf(session: OpenSession): Metadata {
  try {
    return readMetadata(session.tape);
  } catch (error) {
    if (session.running && error instanceof UnreadableTape) {
      throw new Failure(`session ${session.id} has just begun; nothing is on its tape yet`, 'try again in a moment');
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Failure(`the tape of ${session.id} is gone`, `it was at ${session.tape}`);
    }
    if (error instanceof UnreadableTape) throw new Failure(`${session.id}: ${error.message}`, error.hint);
    throw error;
  }
}
