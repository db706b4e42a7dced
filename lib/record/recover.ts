/**
 * Finishes what a dead recorder left: any reader may, and racing readers write the same bytes. The tape is rebuilt from
 * the journal into a temporary file and renamed; only then does the journal go. A living recorder's session is never
 * touched. Where the store cannot be written, the tape is rebuilt elsewhere for this one reading.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seal } from '../core/frame.ts';
import { JOURNAL, TAPE } from '../store/home.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { tapeOf } from '../store/sessions.ts';
import { parseLine } from '../tape/read.ts';
import { rebuildTape } from '../tape/rebuild.ts';

export type Settled =
  /** The tape is as complete as it will ever be. */
  | { is: 'settled'; tape: string }
  /** Its recorder lives (or cannot be seen from here): the tape is taken as far as it goes. */
  | { is: 'running'; tape: string }
  /** Rebuilt for this reading only; the folder is to be removed afterwards. */
  | { is: 'borrowed'; tape: string; folder: string };

/** `mayWrite` only for a session of our own store: a folder from elsewhere may link its tape to anything. */
export function settle(dir: string, mayWrite: boolean): Settled {
  const tape = tapeOf(dir);
  const journal = join(dir, JOURNAL);
  if (!existsSync(journal)) return { is: 'settled', tape };
  if (lifeOf(readOwner(dir)) !== 'dead') return { is: 'running', tape };
  if (!mayWrite) return finalSeal(tape) ? { is: 'settled', tape } : borrow(journal);
  try {
    if (finalSeal(tape)) syncFile(tape);
    else rebuild(journal, tape);
    rmSync(journal, { force: true });
    return { is: 'settled', tape };
  } catch (error) {
    // Another reader was faster.
    if (!existsSync(journal)) return { is: 'settled', tape };
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return borrow(journal);
  }
}

function borrow(journal: string): Settled {
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-'));
  const tape = join(folder, TAPE);
  rebuild(journal, tape);
  return { is: 'borrowed', tape, folder };
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG']);

function rebuild(journal: string, tape: string): void {
  const draft = `${tape}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const fd = openSync(draft, 'wx', 0o600);
    try {
      rebuildTape(journal, fd);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, tape);
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** The last line, if it is a final seal: what sums up the whole tape. */
export function finalSeal(tape: string): Seal | null {
  try {
    const fd = openSync(tape, 'r');
    try {
      const { size } = fstatSync(fd);
      const tail = Buffer.alloc(Math.min(size, 512));
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
