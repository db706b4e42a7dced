/**
 * Real pipes between a test and a process. Node gives its children sockets, which behave differently at every edge (they
 * hold more, cannot be opened by name, reset instead of ending), and most clients give pipes: so tests use both.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

export interface Pipe {
  path: string;
  /** A blocking descriptor for the process; to be closed here once it has been handed over. */
  theirs: number;
  ours: number;
}

/** Node cannot make named pipes: they are made by the dozen, because each `mkfifo` blocks this process for a while. */
const DOZENS = 48;
const spare: string[] = [];
let folder: string | null = null;

function newPath(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'wiretape-pipes-'));
  if (spare.length === 0) {
    const batch = Math.random().toString(36).slice(2);
    for (let i = 0; i < DOZENS; i++) spare.push(join(folder, `${batch}-${i}`));
    execFileSync('mkfifo', ['-m', '600', ...spare]);
  }
  return spare.pop()!;
}

/** Pipes by the names given: `stdin` is written by us, all others are read. */
export function makePipes(names: readonly string[]): Pipe[] {
  return names.map((name) => {
    const path = newPath();
    // Without a first reader, opening either end would wait for the other.
    const reader = openSync(path, O_RDONLY | O_NONBLOCK);
    const writer = openSync(path, O_WRONLY);
    if (name !== 'stdin') return { path, theirs: writer, ours: reader };
    const theirs = openSync(path, O_RDONLY);
    closeSync(reader);
    return { path, theirs, ours: writer };
  });
}

/** Whether anybody can still read what is written to the pipe. */
export function hasReader(path: string): boolean {
  try {
    closeSync(openSync(path, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}
