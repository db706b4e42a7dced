/**
 * Real pipes between a test and a process. Node gives its children sockets, which behave differently at every edge (they
 * hold more, cannot be opened by name, reset instead of ending), and most clients give pipes: so tests use both.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

export interface Pipe {
  path: string;
  /** A blocking descriptor for the process; to be closed here once it has been handed over. */
  theirs: number;
  ours: number;
}

/** Pipes by the names given: `stdin` is written by us, all others are read. */
export function makePipes(dir: string, names: readonly string[]): Pipe[] {
  const paths = names.map((name) => join(dir, `${name}-${Math.random().toString(36).slice(2)}`));
  execFileSync('mkfifo', ['-m', '600', ...paths]);
  return names.map((name, i) => {
    const path = paths[i]!;
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
