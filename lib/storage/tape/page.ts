/**
 * The tapes in a page of `export --format html` or an archive of `report`, taken out again byte for byte. Both may come
 * from anybody: what is unpacked is bounded, never held as a whole, and must be what the file declares.
 */
import { closeSync, openSync, readSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { humanBytes } from '../../model/text/text.ts';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { PageBlocks } from './page-blocks.ts';
import { UnreadableTape } from './unreadable.ts';
import { ZipReader } from './zip-reader.ts';

const DOCTYPE = /^\ufeff?\s*<!doctype html/i;
const ARCHIVE = /^PK\x03\x04/;
const HEAD_BYTES = 64;
/** The tape in an archive of `report`. */
const TAPE_IN_ARCHIVE = 'wire.jsonl';

/** Whether the file holds tapes: HTML, which can only be a page, or a zip archive, which can only be a report. */
export function isPage(path: string): boolean {
  return beginsWith(path, DOCTYPE) || beginsWith(path, ARCHIVE);
}

function beginsWith(path: string, form: RegExp): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return form.test(head.toString('utf8', 0, readSync(fd, head, 0, HEAD_BYTES, 0)));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

export interface TakenTape {
  path: string;
  /** The folder that it is in, to be removed afterwards. */
  folder: string;
}

/** `nth`: which of its sessions, from 1; null if it should have only one. */
export function takeTape(page: string, nth: number | null): TakenTape {
  const opened = openContainer(page);
  const { count } = opened;
  const name = basename(page);
  if (nth === null && count > 1)
    throw new UnreadableTape(`the page has ${count} sessions`, `name one of them: ${name}@1 or ${name}@2`);
  if (nth !== null && nth > count)
    throw new UnreadableTape(`the page has ${count === 1 ? 'one session' : `only ${count} sessions`}`);
  const packed = opened.tape((nth ?? 1) - 1);
  refuseBomb(packed.bytes, statSync(page).size);
  const folder = makeTemporaryFolder('wiretape-');
  const path = join(folder, 'wire.jsonl');
  try {
    refuseWithoutSpace(packed.bytes, folder);
    writeAll(path, packed.pieces);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { path, folder };
}

/** How many sessions a page has. */
export function sessionsIn(page: string): number {
  return openContainer(page).count;
}

/** A tape that is not taken out yet. */
export interface EmbeddedTape {
  /** As declared; the pieces are as many bytes, or reading them fails. */
  bytes: number;
  /** Each is valid until the next one. */
  pieces: Iterable<Buffer>;
}

interface TapeContainer {
  readonly count: number;
  tape(session: number): EmbeddedTape;
}

const openContainer = (path: string): TapeContainer =>
  beginsWith(path, ARCHIVE) ? openArchive(path) : new PageBlocks(path);

/** A report: its tape is a file in it. */
function openArchive(path: string): TapeContainer {
  const zip = new ZipReader(path);
  if (!zip.has(TAPE_IN_ARCHIVE))
    throw new UnreadableTape(
      `it is a zip archive without a ${TAPE_IN_ARCHIVE}`,
      'wiretape report makes archives with one',
    );
  return { count: 1, tape: () => ({ bytes: zip.sizeOf(TAPE_IN_ARCHIVE), pieces: zip.pieces(TAPE_IN_ARCHIVE) }) };
}

/** A tape of this size may be in a file of any size. Streamed texts are packed to a twentieth, and repetitions to less. */
const ALWAYS_ALLOWED_BYTES = 512e6;
/** A larger tape may be so many times as large as its file. */
const MAX_COMPRESSION = 10;

function refuseBomb(tape: number, file: number): void {
  if (tape <= Math.max(ALWAYS_ALLOWED_BYTES, MAX_COMPRESSION * file)) return;
  throw new UnreadableTape(
    `its tape has ${humanBytes(tape)}: more than ${humanBytes(ALWAYS_ALLOWED_BYTES)}, and more than ${MAX_COMPRESSION} times the file`,
    'ask for the tape itself',
  );
}

function refuseWithoutSpace(bytes: number, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bytes <= bavail * bsize) return;
  throw new UnreadableTape(
    `its tape has ${humanBytes(bytes)}, more than the free space in ${tmpdir()}`,
    'name another folder in TMPDIR',
  );
}

function writeAll(path: string, pieces: Iterable<Buffer>): void {
  const out = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) for (let done = 0; done < piece.length; ) done += writeSync(out, piece, done);
  } finally {
    closeSync(out);
  }
}
