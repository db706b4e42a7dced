/** A leak scan of a file, beside whatever else is done: that of a long one in a thread of its own. */
import { statSync } from 'node:fs';
import { parseKeep } from '../redact/options.ts';
import { type Leak, scan } from '../redact/scan.ts';
import { startThread } from '../thread.ts';
import { type Looking, piecesIn } from './artefact.ts';

/** What the thread is told. */
export interface Inspected extends Looking {
  path: string;
  /** What was replaced, and what may stay. */
  values: readonly string[];
  keep: readonly string[];
}

export interface Inspection {
  leaks(): Promise<Leak[]>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Bytes. A shorter file has been looked at before a thread has started. */
const LONG = 4 << 20;
const PROGRAM = new URL('./inspection-worker.js', import.meta.url);

/** The file must stay as it is. */
export function inspect(about: Inspected): Inspection {
  const thread = statSync(about.path).size < LONG ? null : startThread<Leak[]>(PROGRAM, about);
  if (!thread) return { leaks: async () => leaksIn(about), stop: async () => {} };
  return { leaks: () => thread.result, stop: thread.stop };
}

export function leaksIn({ path, values, keep, ...looking }: Inspected): Leak[] {
  const keeps = keep.map(parseKeep);
  return scan(piecesIn(path, looking), { values, keeps: (value) => keeps.some((one) => one(value)) });
}
