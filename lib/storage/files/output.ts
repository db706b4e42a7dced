/**
 * Writes what the user wants at a path that the user names: all of it, or nothing. Every command uses this (see
 * `destination.ts` for what it writes to).
 */
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { destinationOf, type FilePlace, fileAt, type StreamPlace } from './destination.ts';
import { Draft } from './draft.ts';
import { scratchFolder } from './scratch.ts';
import { pour } from './stream.ts';
import { writeFailure } from './trouble.ts';

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface OutputOptions {
  /** Replace an existing file. Default: no. */
  force?: boolean;
  /** The permissions of a file. Default: for the user only. */
  mode?: number;
  /** May look at everything before any of it can be seen at the path, and refuse it by throwing. */
  inspect?: (draft: string) => void | Promise<void>;
}

/** Returns how many bytes it has written. */
export async function writeOutput(path: string, pieces: Pieces, options: OutputOptions = {}): Promise<number> {
  const place = destinationOf(path, options.force ?? false);
  return place.is === 'file' ? await toFile(place, pieces, options) : await toStream(place, pieces, options);
}

async function toFile(place: FilePlace, pieces: Pieces, { mode, inspect }: OutputOptions): Promise<number> {
  const draft = new Draft(place, mode);
  try {
    for await (const piece of pieces) draft.add(piece);
    await inspect?.(draft.path);
  } catch (error) {
    draft.drop();
    throw error;
  }
  draft.keep();
  return draft.size;
}

/** It cannot be taken back, so everything is made first. */
async function toStream(place: StreamPlace, pieces: Pieces, options: OutputOptions): Promise<number> {
  const folder = scratchFolder('wiretape-output-');
  try {
    const path = join(folder.path, 'draft');
    const size = await toFile(fileAt(path, false), pieces, options);
    await pour(path, place);
    return size;
  } finally {
    folder.remove();
  }
}

/** The same at once, where only a regular file will do. */
export function writeFileAt(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  { force = false, mode }: Pick<OutputOptions, 'force' | 'mode'> = {},
): void {
  const draft = new Draft(fileAt(path, force), mode);
  try {
    for (const piece of pieces) draft.add(piece);
  } catch (error) {
    draft.drop();
    throw error;
  }
  draft.keep();
}

/** Copies a file. */
export function copyTo(path: string, file: string, options: Pick<OutputOptions, 'force' | 'mode'>): void {
  writeFileAt(path, blocksOf(file), options);
}

const BLOCK = 1 << 20;

function* blocksOf(file: string): Generator<Uint8Array> {
  const fd = openSync(file, 'r');
  try {
    const block = Buffer.alloc(BLOCK);
    for (let length = readSync(fd, block); length > 0; length = readSync(fd, block)) yield block.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

/** Makes the folder and its parents, for files that are written into it. */
export function makeFolderAt(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeFailure(path, error);
  }
}
