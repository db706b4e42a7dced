/** Rehearses a tape in a thread of its own: a program, started by `rehearsal.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { TapeSource } from '../tape/tape-source.ts';
import type { Rehearsed } from './rehearsal.ts';
import { replaysTheSame } from './same.ts';

const about = workerData as Rehearsed;
const source = new TapeSource(about.tape);
const beside = { dir: null, running: false, names: { name: null, tags: {} }, metadata: source.metadata };
// What it throws is an error of the thread.
void replaysTheSame({ ...about, ...beside, frames: (others) => source.frames(others) }).then((sameness) =>
  parentPort?.postMessage(sameness),
);
