/** Single lines of a tape, by their place: what an index points at. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Frame } from '../core/frame.ts';
import { parseLine } from './read.ts';

const FIRST_LOOK = 4096;
/** Whoever asks for one line and then the next will go on like that. */
const AHEAD = 1 << 16;
const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

export class LineAt {
  readonly #path: string;
  #fd: number | null = null;
  /** What was read last, and where it begins. Never written to again: lines that were given away lie in it. */
  #read = NOTHING;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The frame whose line begins there; null where there is none (any more). Its bytes are its own. */
  frame(offset: number): Frame | null {
    const line = this.#lineIn(offset) ?? this.#lineAt(offset);
    const entry = line && parseLine(line);
    return entry?.is === 'frame' ? entry.frame : null;
  }

  #lineIn(offset: number): Buffer | null {
    const from = offset - this.#at;
    if (from < 0 || from >= this.#read.length) return null;
    const end = this.#read.indexOf(LF, from);
    return end < 0 ? null : this.#read.subarray(from, end);
  }

  #lineAt(offset: number): Buffer | null {
    this.#fd ??= openSync(this.#path, 'r');
    const isNear = offset >= this.#at && offset <= this.#at + this.#read.length + FIRST_LOOK && this.#read.length > 0;
    for (let size = isNear ? AHEAD : FIRST_LOOK; ; size *= 8) {
      const buffer = Buffer.allocUnsafeSlow(size);
      const length = readSync(this.#fd, buffer, 0, size, offset);
      const end = buffer.subarray(0, length).indexOf(LF);
      if (end < 0 && length === size) continue;
      // A long line is not kept for the sake of what follows it.
      this.#read = size > AHEAD ? NOTHING : buffer.subarray(0, length);
      this.#at = offset;
      return end < 0 ? null : buffer.subarray(0, end);
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#read = NOTHING;
  }
}
