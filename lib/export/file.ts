/** Writes a file as a whole, or not at all. */
import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import type { Pieces } from './index.ts';
import { keepAtSignal, removeAtSignal, scratchFolder } from './passing.ts';

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

/**
 * The same for pieces that take time. Returns the size of the file. `inspect` may look at the draft, and refuse it by
 * throwing.
 */
export async function writePieces(
  path: string,
  force: boolean,
  pieces: Pieces,
  inspect: (draft: string) => void | Promise<void> = () => {},
): Promise<number> {
  const file = new Draft(path, force);
  try {
    for await (const piece of pieces) file.add(piece);
    await inspect(file.draft);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
  return file.size;
}

/** Nothing is printed before everything has been looked at. */
export async function* inspected(pieces: Pieces, inspect: (draft: string) => void): AsyncGenerator<Uint8Array> {
  const folder = scratchFolder('wiretape-export-');
  try {
    const draft = join(folder.path, 'draft');
    await writePieces(draft, false, pieces, inspect);
    for await (const piece of createReadStream(draft)) yield piece as Uint8Array;
  } finally {
    folder.remove();
  }
}

class Draft {
  size = 0;
  readonly #path: string;
  readonly draft: string;
  readonly #fd: number;

  constructor(path: string, force: boolean) {
    this.#path = path;
    this.draft = force ? `${path}.${process.pid}.tmp` : path;
    this.#fd = openNew(this.draft, path);
    removeAtSignal(this.draft);
  }

  add(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    this.size += bytes.length;
  }

  keep(): void {
    closeSync(this.#fd);
    if (this.draft !== this.#path) renameSync(this.draft, this.#path);
    keepAtSignal(this.draft);
  }

  drop(): void {
    closeSync(this.#fd);
    rmSync(this.draft, { force: true });
    keepAtSignal(this.draft);
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
