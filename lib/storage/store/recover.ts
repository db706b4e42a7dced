/**
 * Finishes the session of a dead recorder. Any reader may do this, and concurrent readers write the same bytes. The tape
 * is rebuilt from the journal into a temporary file and renamed; then the journal is removed. The session of a running
 * recorder is never changed. If the store is not writable, the tape is rebuilt in a temporary folder.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeTemporaryFolder } from '../files/temporary-folder.ts';
import { finalSeal } from '../tape/final-seal.ts';
import { readLines, readMetadata } from '../tape/read.ts';
import { rebuildTape } from '../tape/rebuild.ts';
import { firstSealOf, rememberFirstSeal } from './first-seal.ts';
import { attempt, JOURNAL, TAPE } from './home.ts';
import { isAbandoned, lifeOf, readOwner } from './owner.ts';
import { tapeOf } from './sessions.ts';
import { isAwaitedByAnother, isElsewhere, type OtherTape, otherTapeIn } from './tape-owner.ts';

export type SettledTape =
  /** The tape will not change any more. */
  | { is: 'settled'; tape: string }
  /** Its recorder runs (or cannot be seen, but wrote recently): the tape is read as far as it goes. */
  | { is: 'running'; tape: string }
  /** Rebuilt in a temporary folder, to be removed afterwards. */
  | { is: 'borrowed'; tape: string; folder: string }
  /** Another tape is in its place. A recorder that runs puts its own into the store in the end. */
  | { is: 'gone'; tape: string; other: OtherTape; running: boolean };

/** `mayWrite` only for a session of our own store: a folder from elsewhere may link its tape to anything. */
export function settleTape(dir: string, mayWrite: boolean): SettledTape {
  const tape = tapeOf(dir);
  const journal = join(dir, JOURNAL);
  for (const path of [tape, journal]) refuseIrregularFile(path);
  const other = otherTapeIn(dir);
  const asItIs: SettledTape = other === null ? { is: 'settled', tape } : { is: 'gone', tape, other, running: false };
  if (!existsSync(journal)) return asItIs;
  const life = lifeOf(readOwner(dir));
  if (life === 'unknown' && isAbandoned([journal, tape])) return asItIs;
  if (life !== 'dead') return other === null ? { is: 'running', tape } : { is: 'gone', tape, other, running: true };
  return finishTape(dir, { isOwn: other === null, mayWrite, asItIs });
}

/** What a dead recorder left. `isOwn`: the tape at its path is its own, or there is none. */
function finishTape(
  dir: string,
  { isOwn, mayWrite, asItIs }: { isOwn: boolean; mayWrite: boolean; asItIs: SettledTape },
): SettledTape {
  const tape = tapeOf(dir);
  const journal = join(dir, JOURNAL);
  const seal = isOwn ? finalSeal(tape) : null;
  // Where others can write, a final seal proves nothing that the session does not remember: the journal decides.
  const isComplete = seal !== null && (!isElsewhere(dir) || firstSealOf(dir) !== null);
  if (!mayWrite) return isComplete ? asItIs : rebuildElsewhere(journal, asItIs);
  try {
    if (isComplete) {
      syncFile(tape);
      rememberFirstSeal(dir, seal.sha256);
      removeJournal(journal);
      return { is: 'settled', tape };
    }
    const target = isOwn && isOurTape(dir, tape) ? tape : join(dir, TAPE);
    const digest = rebuild(journal, target);
    // The start of the journal was lost in a power failure: the tape and the journal stay as they are.
    if (digest === null) return asItIs;
    rememberFirstSeal(dir, digest);
    removeJournal(journal);
    return { is: 'settled', tape: target };
  } catch (error) {
    // Another reader has finished it.
    if (!existsSync(journal)) return { is: 'settled', tape: tapeOf(dir) };
    if (!UNWRITABLE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return rebuildElsewhere(journal, asItIs);
  }
}

function removeJournal(journal: string): void {
  rmSync(journal, { force: true });
  rmSync(`${journal}.rest`, { force: true });
}

/** A folder from elsewhere may contain a pipe or a device, and reading that would never end. */
function refuseIrregularFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a regular file`);
}

/**
 * The file that a recorder created for this session with --tape. A link to anything else was not made by a recorder: the
 * tape replaces the link, and its target is not touched.
 */
function isOurTape(dir: string, tape: string): boolean {
  if (attempt(() => statSync(tape).size, null) === 0) return !isAwaitedByAnother(dir, tape);
  return attempt(() => readMetadata(tape).session === basename(dir), false);
}

/** `asItIs`: what is there if the journal cannot be used. */
function rebuildElsewhere(journal: string, asItIs: SettledTape): SettledTape {
  const folder = makeTemporaryFolder('wiretape-');
  const tape = join(folder, TAPE);
  if (rebuild(journal, tape) !== null) return { is: 'borrowed', tape, folder };
  rmSync(folder, { recursive: true, force: true });
  return asItIs;
}

const UNWRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG']);

/** Returns the digest of the final seal; null if the journal cannot be used. */
function rebuild(journal: string, tape: string): string | null {
  const draft = `${tape}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const fd = openSync(draft, 'wx', 0o600);
    let digest: string | null;
    try {
      digest = rebuildTape(journal, fd);
      if (digest === null) return null;
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (!beginsLike(draft, tape)) keepAside(tape);
    renameSync(draft, tape);
    return digest;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Whether the new tape begins with what the old one has. If it does not, the tape was changed or a part of the journal was
 * lost in a power failure, and both are kept.
 */
function beginsLike(draft: string, tape: string): boolean {
  // No recorder made this link: it is just replaced.
  if (!lstatSync(tape, { throwIfNoEntry: false })?.isFile()) return true;
  // Ignore a last line that is cut off.
  let end = 0;
  for (const { line, long, whole } of readLines(tape)) if (whole) end += (long?.length ?? line.length) + 1;
  return sameBytes(draft, tape, end);
}

function sameBytes(one: string, other: string, length: number): boolean {
  const fds = [openSync(one, 'r'), openSync(other, 'r')] as const;
  const blocks = [Buffer.allocUnsafe(COMPARED_BYTES), Buffer.allocUnsafe(COMPARED_BYTES)] as const;
  try {
    for (let at = 0; at < length; at += COMPARED_BYTES) {
      const size = Math.min(COMPARED_BYTES, length - at);
      const [a, b] = fds.map((fd, i) => blocks[i]!.subarray(0, readSync(fd, blocks[i]!, 0, size, at)));
      if (a!.length < size || !a!.equals(b!)) return false;
    }
    return true;
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

const COMPARED_BYTES = 1 << 18;

function keepAside(tape: string): void {
  renameSync(tape, `${tape}.before-${randomBytes(4).toString('hex')}`);
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
