/** The metadata and the frames of a tape. The file is opened once for both. */
import type { Frame, Metadata } from '../core/frame.ts';
import { LineReader } from './line-reader.ts';
import { readLongFrame } from './long-frame.ts';
import { readOwnFrame } from './own-frame.ts';
import { firstLine, parseMetadata, parseOther } from './read.ts';
import { type OtherLines, Rejoiner } from './rejoin.ts';

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
  *frames(others?: OtherLines): Generator<Frame> {
    const reader = this.#reader ?? this.#open();
    const rejoiner = new Rejoiner();
    this.#reader = null;
    try {
      const beside = rejoiner.beside(others);
      while (reader.advance()) {
        const { buffer, start, end, long } = reader;
        const frame = long
          ? readLongFrame(buffer.subarray(start, end), long)
          : (readOwnFrame(buffer, start, end) ?? otherLine(buffer.subarray(start, end), beside));
        if (frame && rejoiner.wants(frame)) yield* rejoiner.take(frame);
        else if (frame) yield frame;
        else if (long) others?.damaged();
      }
      yield* rejoiner.end();
      if (rejoiner.seal) others?.seal(rejoiner.seal);
    } finally {
      reader.close();
    }
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

function otherLine(line: Buffer, others: OtherLines | undefined): Frame | null {
  const entry = parseOther(line);
  if (entry?.is === 'frame') return entry.frame;
  if (entry?.is === 'seal') others?.seal(entry.seal);
  else if (entry === null) others?.damaged();
  return null;
}
