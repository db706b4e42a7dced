/** Leak scans of files. Long files are scanned in a thread. */
import { statSync } from 'node:fs';
import { type Leak, scan } from '../../analysis/redact/scan.ts';
import { startThread, type Thread } from '../../storage/system/thread.ts';
import { type Looking, piecesIn } from './artefact.ts';
import { keepOf } from './user-patterns.ts';

/** A message to the thread. */
export interface Inspected extends Looking {
  path: string;
  /** What was replaced, and what may stay. */
  values: readonly string[];
  keep: readonly string[];
}

/** A shorter file is scanned before a thread has started. */
const LONG = 4 << 20;
const PROGRAM = new URL('./inspection-worker.js', import.meta.url);

/** Scans one file after the other, in a thread from the first long one. The files must not change. */
export class Inspector {
  #thread: Thread<Inspected, Leak[]> | null = null;

  async inspect(about: Inspected): Promise<Leak[]> {
    if (!this.#thread && statSync(about.path).size >= LONG) this.#thread = startThread(PROGRAM);
    return this.#thread ? this.#thread.ask(about) : leaksIn(about);
  }

  /** To be called in any case. */
  async stop(): Promise<void> {
    await this.#thread?.stop();
  }
}

export function leaksIn({ path, values, keep, ...looking }: Inspected): Leak[] {
  const keeps = keep.map(keepOf);
  return scan(piecesIn(path, looking), { values, keeps: (value) => keeps.some((one) => one(value)) });
}
