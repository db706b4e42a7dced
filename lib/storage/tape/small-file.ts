/** Files that are read as a whole: settings, names, rules. They are small, or they are not what they should be. */
import { closeSync, openSync, readSync } from 'node:fs';
import { humanBytes } from '../../model/text/text.ts';

const BLOCK_BYTES = 1 << 16;
/** What programs write beside a session, and what people write by hand. */
const SMALL_FILE_BYTES = 1 << 20;
/** Files of other programs, and lists. */
export const LARGER_FILE_BYTES = 1 << 24;

/** The text of a file. Its size does not matter before it is read: a pipe has none, and a sparse file claims any. */
export function readSmallFile(path: string, maxBytes = SMALL_FILE_BYTES): string {
  const fd = openSync(path, 'r');
  try {
    const blocks: Buffer[] = [];
    for (let size = 0; ; ) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const n = readSync(fd, block);
      if (n === 0) return Buffer.concat(blocks).toString('utf8');
      size += n;
      if (size > maxBytes) throw new Error(`it is larger than ${humanBytes(maxBytes)}`);
      blocks.push(block.subarray(0, n));
    }
  } finally {
    closeSync(fd);
  }
}
