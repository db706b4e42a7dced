/** Looks for leaks in a file in a thread of its own: a program, started by `inspection.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Inspected, leaksIn } from './inspection.ts';

parentPort?.postMessage(leaksIn(workerData as Inspected));
