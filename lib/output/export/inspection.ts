/** Leak scans of files, beside whatever else is done: those of long ones in a thread of its own. */
import { statSync } from 'node:fs';
import { type Leak, scan } from '../../analysis/redact/scan.ts';
import { startThread, type Thread } from '../../storage/system/thread.ts';
import { type Looking, piecesIn } from './artefact.ts';
import { keepOf } from './user-patterns.ts';

/** What the thread is told. */
export interface Inspected extends Looking {
  path: string;
  /** What was replaced, and what may stay. */
  values: readonly string[];
  keep: readonly string[];
}

/** Bytes. A shorter file has been looked at before a thread has started. */
const LONG = 4 << 20;
const PROGRAM = new URL('./inspection-worker.js', import.meta.url);

/** Looks at one file after the other, in a thread once there is a long one. The files must stay as they are. */
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
