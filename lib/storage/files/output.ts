/**
 * Writes what the user wants at a path that the user names: all of it, or nothing. Every command uses this (see
 * `destination.ts` for what it writes to).
 */
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { destinationOf, type FileDestination, fileAt, type StreamDestination } from './destination.ts';
import { DraftFile } from './draft.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeFailure } from './write-failure.ts';
import { copyToStream } from './write-stream.ts';

export type OutputPieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface OutputOptions {
  /** Replace an existing file. Default: no. */
  force?: boolean;
  /** The permissions of a file. Default: for the user only. */
  mode?: number;
  /** May look at everything before any of it can be seen at the path, and refuse it by throwing. */
  inspect?: (draft: string) => void | Promise<void>;
}

/** Returns how many bytes it has written. */
export async function writeOutput(path: string, pieces: OutputPieces, options: OutputOptions = {}): Promise<number> {
  const place = destinationOf(path, options.force ?? false);
  return place.is === 'file' ? await toFile(place, pieces, options) : await toStream(place, pieces, options);
}

async function toFile(place: FileDestination, pieces: OutputPieces, { mode, inspect }: OutputOptions): Promise<number> {
  const draft = new DraftFile(place, mode);
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
async function toStream(place: StreamDestination, pieces: OutputPieces, options: OutputOptions): Promise<number> {
  const folder = temporaryFolder('wiretape-output-');
  try {
    const path = join(folder.path, 'draft');
    const size = await toFile(fileAt(path, false), pieces, options);
    await copyToStream(path, place);
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
  const draft = new DraftFile(fileAt(path, force), mode);
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

const BLOCK_BYTES = 1 << 20;

function* blocksOf(file: string): Generator<Uint8Array> {
  const fd = openSync(file, 'r');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
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
