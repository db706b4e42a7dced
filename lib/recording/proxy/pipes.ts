/**
 * Pipes for the agent's streams. Node would use sockets, which cannot be opened by name: `echo > /dev/stderr` works with
 * a client that uses pipes, so it must work here. Node cannot create a pipe, but `mkfifo` can.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pipe {
  ours: number;
  /** The agent's end. Close it here after the agent was started. */
  theirs: number;
}

/** A pipe for each of our descriptors that is not a socket; null for sockets and if no pipe can be created. */
export function pipesLikeOurs(): (Pipe | null)[] {
  const wanted = [0, 1, 2].filter((fd) => !fstatSync(fd).isSocket());
  const made = makePipes(wanted);
  return [0, 1, 2].map((fd) => made[wanted.indexOf(fd)] ?? null);
}

function makePipes(fds: readonly number[]): Pipe[] {
  if (fds.length === 0) return [];
  const made: Pipe[] = [];
  try {
    const dir = mkdtempSync(join(tmpdir(), 'wiretape-'));
    try {
      const paths = fds.map((fd) => join(dir, String(fd)));
      spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
      fds.forEach((fd, i) => void made.push(openEnds(fd, paths[i]!)));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  } catch {
    for (const pipe of made.splice(0)) closePipe(pipe);
  }
  return made;
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** Our end does not block, the agent's does. The read end is opened first: a FIFO needs a reader before a writer. */
function openEnds(fd: number, path: string): Pipe {
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  if (!fstatSync(reader).isFIFO()) throw new Error('not a pipe');
  if (fd !== 0) return { ours: reader, theirs: openSync(path, O_WRONLY) };
  const pipe = { ours: openSync(path, O_WRONLY | O_NONBLOCK), theirs: openSync(path, O_RDONLY) };
  closeSync(reader);
  return pipe;
}

export function closePipe({ ours, theirs }: Pipe): void {
  closeSync(ours);
  closeSync(theirs);
}
