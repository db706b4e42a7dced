/** Writes a file as a whole, or not at all. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { Pieces } from './index.ts';

/** Leaves no partial file. Overwrites an existing file only with `force`. */
export function writeFile(path: string, force: boolean, pieces: Iterable<string | Uint8Array>): void {
  const file = new Draft(path, force);
  try {
    for (const piece of pieces) file.add(piece);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
}

/** The same for pieces that take time. Returns the size of the file. */
export async function writePieces(path: string, force: boolean, pieces: Pieces): Promise<number> {
  const file = new Draft(path, force);
  try {
    for await (const piece of pieces) file.add(piece);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
  return file.size;
}

class Draft {
  size = 0;
  readonly #path: string;
  readonly #draft: string;
  readonly #fd: number;

  constructor(path: string, force: boolean) {
    this.#path = path;
    this.#draft = force ? `${path}.${process.pid}.tmp` : path;
    this.#fd = openNew(this.#draft, path);
  }

  add(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    this.size += bytes.length;
  }

  keep(): void {
    closeSync(this.#fd);
    if (this.#draft !== this.#path) renameSync(this.#draft, this.#path);
  }

  drop(): void {
    closeSync(this.#fd);
    rmSync(this.#draft, { force: true });
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
