/**
 * Where tests keep their files: a folder in memory, where there is one with room that may hold programs, else the
 * system's temporary folder. Nothing that a test proves needs a disk (slow, full and broken ones are made by hand), and
 * what a disk takes to sync and to forget thousands of small stores is most of what some tests would wait for.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ROOM = 4 << 30;

/** A new folder there; null if it cannot be used. */
function inMemory(): string | null {
  let made: string | null = null;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize < ROOM) return null;
    made = mkdtempSync(join(IN_MEMORY, 'wiretape-suite-'));
    const program = join(made, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return made;
  } catch {
    if (made !== null) rmSync(made, { recursive: true, force: true });
    return null;
  }
}

/** For vitest: all workers find it as their temporary folder, and whatever they leave there goes with it. */
export function setup(): () => void {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), 'wiretape-suite-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
