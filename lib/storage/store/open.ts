/** Opens a session for reading: finds it by the word typed, and finishes its tape if its recorder is dead. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../model/failure.ts';
import type { Frame, Metadata } from '../../model/frame.ts';
import { NO_NAMES, type Session, type SessionNames } from '../../session/session.ts';
import { dialectIn, type OtherLineObserver } from '../../session/source.ts';
import { isPage, takeTape } from '../tape/page.ts';
import { readMetadata } from '../tape/read.ts';
import { TapeSource } from '../tape/tape-source.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { withinMemory } from './bounded-memory.ts';
import { JOURNAL, TAPE } from './home.ts';
import { readNames } from './names.ts';
import { type SettledTape, settleTape } from './recover.ts';
import { findSession, listIds, placeOf, type SessionPlace } from './sessions.ts';
import { goneTapeFailure, otherTapeFailure } from './tape-owner.ts';

export interface OpenSession extends Session {
  /** The tape is temporary, and removed when the session is closed. */
  readonly borrowed: boolean;
  close(): void;
}

/** Calls `use` with the session of that name, and closes it. */
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

/** The same, synchronously. */
export function using<T>(session: OpenSession, use: (session: OpenSession) => T): T {
  try {
    return use(session);
  } finally {
    session.close();
  }
}

/** Throws a `Failure` if its tape is gone, or another session's tape is at its path. */
export function openPlace(place: SessionPlace): OpenSession {
  const settled = settleIn(place);
  if (settled.is === 'gone') throw otherTapeFailure(settled.tape, place.id, settled.other, settled.running);
  if (settled.is === 'settled' && isTapeGone(place.dir, settled.tape)) throw goneTapeFailure(settled.tape, place.id);
  return new TapeSession(place, settled);
}

/** The tape alone: whoever removes a session removes its folder. */
function isTapeGone(dir: string | null, tape: string): boolean {
  return dir !== null && !existsSync(tape) && existsSync(dir);
}

type ReadableTape = Exclude<SettledTape, { is: 'gone' }>;

class TapeSession implements OpenSession {
  readonly id: string;
  readonly dir: string | null;
  readonly tape: string;
  readonly running: boolean;
  readonly borrowed: boolean;
  readonly #settled: ReadableTape;
  readonly #source: TapeSource;
  #names: SessionNames | null = null;

  constructor({ id, dir }: SessionPlace, settled: ReadableTape) {
    this.id = id;
    this.dir = dir;
    this.tape = settled.tape;
    this.running = settled.is === 'running';
    this.borrowed = settled.is === 'borrowed';
    this.#settled = settled;
    this.#source = new TapeSource(settled.tape);
  }

  /** Throws `UnreadableTape` if the file is not a tape, or is still empty. */
  get metadata(): Metadata {
    return this.#source.metadata;
  }

  get command(): readonly string[] {
    return this.metadata.command;
  }

  get dialect(): string | null {
    return dialectIn(this.metadata);
  }

  get names(): SessionNames {
    this.#names ??= this.dir === null ? NO_NAMES : readNames(this.dir);
    return this.#names;
  }

  frames(others?: OtherLineObserver): Iterable<Frame> {
    const frames = this.#source.frames(others);
    return this.borrowed ? withinMemory(frames, this.id) : frames;
  }

  close(): void {
    this.#source.close();
    if (this.#settled.is === 'borrowed') rmSync(this.#settled.folder, { recursive: true, force: true });
  }
}

function settleIn(place: SessionPlace): SettledTape {
  if (place.dir === null) return isPage(place.tape) ? tapeInPage(place) : { is: 'settled', tape: place.tape };
  try {
    return settleTape(place.dir, place.ours);
  } catch (error) {
    const hint = error instanceof Failure ? error.hint : null;
    throw new Failure(`session ${place.id} cannot be read: ${(error as Error).message}`, hint);
  }
}

/** The page stays where it is; its tape is taken out for as long as the session is open. */
function tapeInPage({ id, tape: page, nth }: SessionPlace): SettledTape {
  try {
    const { path: tape, folder } = takeTape(page, nth ?? null);
    return { is: 'borrowed', tape, folder };
  } catch (error) {
    if (error instanceof UnreadableTape) throw new Failure(`${id}: ${error.message}`, error.hint);
    throw error;
  }
}

/** `exceptOurs`: `last` is not the session that records this very process. */
export function locate(home: string, word: string, exceptOurs = false): SessionPlace {
  const found = findSession(home, word, exceptOurs);
  if (found.is === 'found') return placeInStore(home, found.place);
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
  const back = /^last~(\d+)$/.exec(word)?.[1];
  const count = listIds(home).length;
  if (back !== undefined)
    throw new Failure(
      `no session ${word}: the store has ${count === 1 ? 'one session' : `only ${count} sessions`}`,
      'run wiretape ls to list the sessions',
    );
  throw new Failure(`no session starts with ${JSON.stringify(word)}`, 'run wiretape ls to list the sessions');
}

/** A tape written elsewhere with --tape still has its journal in the store until it is complete. */
function placeInStore(home: string, place: SessionPlace): SessionPlace {
  if (place.dir !== null || isPage(place.tape)) return place;
  try {
    const tape = realpathSync(place.tape);
    // An empty tape does not say which session it belongs to.
    const ids = statSync(tape).size > 0 ? [readMetadata(tape).session] : unfinishedIds(home);
    const stored = ids.map((id) => placeOf(home, id)).find((one) => isTapeAt(one, tape));
    if (stored) return stored;
  } catch {
    // It is not a tape, or not of this store: reading it gives a better error.
  }
  return place;
}

/** The newest first: it created the file that is there now. */
function unfinishedIds(home: string): string[] {
  const isUnfinished = (id: string) => existsSync(join(placeOf(home, id).dir, JOURNAL));
  return listIds(home).filter(isUnfinished).reverse();
}

function isTapeAt({ dir, tape }: SessionPlace, path: string): boolean {
  return existsSync(`${dir}/${TAPE}`) && realpathSync(tape) === path;
}

/** The metadata. The tape of a session that has just started may still be empty. */
export function metadataOf(session: OpenSession): Metadata {
  try {
    return session.metadata;
  } catch (error) {
    if (session.running && error instanceof UnreadableTape) {
      throw new Failure(`session ${session.id} has just started; its tape is still empty`, 'try again in a moment');
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw goneTapeFailure(session.tape, session.id);
    }
    if (error instanceof UnreadableTape) throw new Failure(`${session.id}: ${error.message}`, error.hint);
    throw error;
  }
}
