/** The metadata and the frames of a tape. The file is opened once for both. */
import type { Frame, Metadata } from '../../model/frame.ts';
import { LineReader } from './line-reader.ts';
import { readLongFrame } from './long-frame.ts';
import { readPlainFrame } from './plain-frame.ts';
import { firstLine, parseMetadata, parseOther } from './read.ts';
import { type NonFrameLines, Rejoiner } from './rejoin.ts';

export class TapeSource {
  readonly path: string;
  readonly #longest: number | undefined;
  #metadata: Metadata | null = null;
  /** Positioned after the first line, for the first pass. */
  #reader: LineReader | null = null;

  /** `longest`: the frame of a longer line has only its first part. */
  constructor(path: string, longest?: number) {
    this.path = path;
    this.#longest = longest;
  }

  /** Throws `UnreadableTape` if the file is not a tape. */
  get metadata(): Metadata {
    if (this.#metadata === null) this.#reader = this.#open();
    return this.#metadata!;
  }

  /** All frames, from the start each time. The bytes of a frame are valid until the next one. */
  frames(others?: NonFrameLines): IterableIterator<Frame, undefined> {
    return new TapeFrames(() => {
      const reader = this.#reader ?? this.#open();
      this.#reader = null;
      return reader;
    }, others);
  }

  /** Needed only if the metadata were read and the frames were not. */
  close(): void {
    this.#reader?.close();
    this.#reader = null;
  }

  #open(): LineReader {
    const reader = new LineReader(this.path, this.#longest);
    try {
      this.#metadata = parseMetadata(firstLine(reader));
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  }
}

const DONE = { done: true, value: undefined } as const;

/** Opens the tape for the first frame. A generator would take half as long again. */
class TapeFrames implements IterableIterator<Frame, undefined> {
  readonly #open: () => LineReader;
  readonly #others: NonFrameLines | undefined;
  readonly #rejoiner = new Rejoiner();
  readonly #beside: NonFrameLines;
  #reader: LineReader | null = null;
  /** What the rejoiner has made ready, and how many of these were given. */
  #ready: readonly Frame[] = [];
  #given = 0;
  #isRead = false;
  #isOver = false;

  constructor(open: () => LineReader, others: NonFrameLines | undefined) {
    this.#open = open;
    this.#others = others;
    this.#beside = this.#rejoiner.beside(others);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Frame, undefined> {
    try {
      const value = this.#next();
      return value === null ? this.return() : { done: false, value };
    } catch (error) {
      this.return();
      throw error;
    }
  }

  return(): IteratorReturnResult<undefined> {
    this.#reader?.close();
    this.#reader = null;
    this.#isOver = true;
    return DONE;
  }

  #next(): Frame | null {
    while (!this.#isOver) {
      if (this.#given < this.#ready.length) return this.#ready[this.#given++]!;
      if (this.#isRead) return this.#end();
      this.#reader ??= this.#open();
      const frame = this.#reader.advance() ? this.#read(this.#reader) : this.#rejoin(null);
      if (frame !== null) return frame;
    }
    return null;
  }

  /** The frame of the current line; null if it has none, or if the rejoiner takes it. */
  #read({ buffer, start, end, long }: LineReader): Frame | null {
    const frame = long
      ? readLongFrame(buffer.subarray(start, end), long)
      : (readPlainFrame(buffer, start, end) ?? otherLine(buffer.subarray(start, end), this.#beside));
    if (frame !== null) return this.#rejoiner.wants(frame) ? this.#rejoin(frame) : frame;
    if (long) this.#others?.damaged();
    return null;
  }

  /** Null: the tape ends. */
  #rejoin(frame: Frame | null): null {
    this.#ready = frame ? this.#rejoiner.take(frame) : this.#rejoiner.end();
    this.#given = 0;
    this.#isRead = frame === null;
    return null;
  }

  #end(): null {
    const { seal } = this.#rejoiner;
    if (seal) this.#others?.seal(seal);
    return null;
  }
}

function otherLine(line: Buffer, others: NonFrameLines | undefined): Frame | null {
  const entry = parseOther(line);
  if (entry?.is === 'frame') return entry.frame;
  if (entry?.is === 'seal') others?.seal(entry.seal);
  else if (entry === null) others?.damaged();
  return null;
}
