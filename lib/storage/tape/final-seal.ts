/** The final seal of a tape, without reading the rest of it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Seal } from '../../model/frame.ts';
import { parseLine } from './read.ts';

/** No final seal that a recorder writes is longer. */
const MAX_SEAL_BYTES = 512;

/** The last line, if it is a final seal. */
export function finalSeal(tape: string): Seal | null {
  try {
    const fd = openSync(tape, 'r');
    try {
      const { size } = fstatSync(fd);
      const tail = Buffer.alloc(Math.min(size, MAX_SEAL_BYTES));
      readSync(fd, tail, 0, tail.length, size - tail.length);
      if (tail.at(-1) !== 0x0a) return null;
      const line = tail.subarray(tail.lastIndexOf(0x0a, -2) + 1, -1);
      const entry = parseLine(line);
      return entry?.is === 'seal' && entry.seal.final ? entry.seal : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
