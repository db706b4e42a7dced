/**
 * Follows the tape of a session until the session has ended. It does not use the index, which may lag behind. If the
 * recorder is killed, the tape is finished first, as by any reader, and then read to its end.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Frame, Metadata } from '../../model/frame.ts';
import { openPlace } from '../store/open.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { listIds, placeOf, readIds, type SessionPlace } from '../store/sessions.ts';
import { LineReader } from '../tape/line-reader.ts';
import { parseLine, parseMetadata } from '../tape/read.ts';
import { Rejoiner } from '../tape/rejoin.ts';

export interface FollowedFrame {
  metadata: Metadata;
  frame: Frame;
  /** It was already on the tape at the start. */
  past: boolean;
}

/** Too short to notice, and long enough to use little CPU. */
const PAUSE_MS = 40;
/** After so many frames of a long tape, signals and timers get their turn. */
const FRAMES_AT_ONCE = 1000;

/** Yields null at each pause, so that the caller can print what it held back. */
export async function* follow(place: SessionPlace, stop: AbortSignal): AsyncGenerator<FollowedFrame | null> {
  const tape = new GrowingTape();
  let past = true;
  for (let running = true; running && !stop.aborted; ) {
    const session = openPlace(place);
    running = session.running;
    try {
      tape.open(session.tape);
      do {
        let count = 0;
        for (const { metadata, frame } of tape.frames(!running)) {
          yield { metadata, frame, past };
          if (++count % FRAMES_AT_ONCE === 0) await turn();
          if (stop.aborted) return;
        }
        if (!running) break;
        past = false;
        yield null;
        await pause(stop);
        // While the recorder runs, the tape is this file.
      } while (isAlive(place) && tape.isOpen && !stop.aborted);
    } finally {
      tape.close();
      session.close();
    }
  }
}

/** A tape that is read repeatedly, as far as it goes. */
class GrowingTape {
  #lines: LineReader | null = null;
  #metadata: Metadata | null = null;
  #rejoiner = new Rejoiner();
  #last = 0;

  get isOpen(): boolean {
    return this.#lines !== null;
  }

  /** The file may not exist yet. A tape finished by a reader is a new file that starts with the same frames. */
  open(path: string): void {
    this.#lines = readerOf(path);
    this.#metadata = null;
    this.#rejoiner = new Rejoiner();
  }

  /** `all`: it will not grow. */
  *frames(all: boolean): Generator<Pick<FollowedFrame, 'metadata' | 'frame'>> {
    for (const { line, long } of this.#lines?.lines() ?? []) {
      if (this.#metadata === null) {
        this.#metadata = parseMetadata(line);
        continue;
      }
      const entry = parseLine(line, long);
      if (entry?.is !== 'frame') continue;
      const { frame } = entry;
      yield* this.#fresh(this.#rejoiner.wants(frame) ? this.#rejoiner.take(frame) : [frame]);
    }
    if (all) yield* this.#fresh(this.#rejoiner.end());
  }

  *#fresh(frames: readonly Frame[]): Generator<Pick<FollowedFrame, 'metadata' | 'frame'>> {
    for (const frame of frames) {
      if (frame.f <= this.#last) continue;
      this.#last = frame.f;
      yield { metadata: this.#metadata!, frame: { ...frame, raw: Uint8Array.from(frame.raw) } };
    }
  }

  close(): void {
    this.#lines?.close();
    this.#lines = null;
  }
}

/** Null if the first line is not there yet. */
function readerOf(tape: string): LineReader | null {
  try {
    return new LineReader(tape);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A session whose folder was removed does not grow any more. */
function isAlive({ dir }: SessionPlace): boolean {
  return dir !== null && existsSync(dir) && lifeOf(readOwner(dir)) !== 'dead';
}

/** The newest running session. */
export function newestRunning(home: string): SessionPlace | null {
  for (const id of listIds(home).reverse()) {
    const place = placeOf(home, id);
    if (lifeOf(readOwner(place.dir)) === 'alive' && openPlace(place).running) return place;
  }
  return null;
}

/** The next session that starts, or has started since the ids in `known` were read. */
export async function nextStarted(
  home: string,
  known: ReadonlySet<string>,
  stop: AbortSignal,
): Promise<SessionPlace | null> {
  while (!stop.aborted) {
    const id = readIds(home).find((id) => !known.has(id));
    if (id) return placeOf(home, id);
    await pause(stop);
  }
  return null;
}

async function pause(stop: AbortSignal): Promise<void> {
  await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => {});
}
