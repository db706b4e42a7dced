/** Writes a file as a whole, or not at all. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { Failure } from '../failure.ts';

/** Leaves no partial file. Overwrites an existing file only with `force`. */
export function writeFile(path: string, force: boolean, pieces: Iterable<string | Uint8Array>): void {
  const draft = force ? `${path}.${process.pid}.tmp` : path;
  const fd = openNew(draft, path);
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    }
    closeSync(fd);
    if (force) renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function openNew(draft: string, path: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(path);
    throw new Failure(`cannot write ${path}: ${message}`);
  }
}

export function exists(path: string): Failure {
  return new Failure(`${path} already exists`, 'choose another name, or use --force');
}
