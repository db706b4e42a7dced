/** Single lines of a tape, by their place: what an index points at. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Frame } from '../core/frame.ts';
import { parseLine } from './read.ts';

const FIRST_LOOK = 4096;
const LF = 0x0a;

export class LineAt {
  readonly #path: string;
  #fd: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** The frame whose line begins there; null where there is none (any more). Its bytes are its own. */
  frame(offset: number): Frame | null {
    this.#fd ??= openSync(this.#path, 'r');
    for (let size = FIRST_LOOK; ; size *= 8) {
      const buffer = Buffer.allocUnsafeSlow(size);
      const length = readSync(this.#fd, buffer, 0, size, offset);
      const end = buffer.subarray(0, length).indexOf(LF);
      if (end < 0 && length === size) continue;
      const entry = end < 0 ? null : parseLine(buffer.subarray(0, end));
      return entry?.is === 'frame' ? entry.frame : null;
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
