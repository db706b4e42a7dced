/** Leak scans of files. Long files are scanned in a thread. */
import { statSync } from 'node:fs';
import { type Leak, scanForLeaks } from '../../analysis/redact/leak-scan.ts';
import { startWorkerThread, type WorkerThread } from '../../storage/system/worker-thread.ts';
import { type InspectOptions, piecesIn } from './artefact.ts';
import { parseUserKeep } from './user-patterns.ts';

/** A message to the thread. */
export interface InspectionTask extends InspectOptions {
  path: string;
  /** What was replaced, and what may stay. */
  values: readonly string[];
  keep: readonly string[];
}

/** A shorter file is scanned before a thread has started. */
const MIN_THREAD_BYTES = 4 << 20;
const WORKER = new URL('./inspection-worker.js', import.meta.url);

/** Scans one file after the other, in a thread from the first long one. The files must not change. */
export class Inspector {
  #thread: WorkerThread<InspectionTask, Leak[]> | null = null;

  async inspect(task: InspectionTask): Promise<Leak[]> {
    if (!this.#thread && statSync(task.path).size >= MIN_THREAD_BYTES) this.#thread = startWorkerThread(WORKER);
    return this.#thread ? this.#thread.ask(task) : findLeaks(task);
  }

  /** To be called in any case. */
  async stop(): Promise<void> {
    await this.#thread?.stop();
  }
}

export function findLeaks({ path, values, keep, ...looking }: InspectionTask): Leak[] {
  const keeps = keep.map(parseUserKeep);
  return scanForLeaks(piecesIn(path, looking), { values, keeps: (value) => keeps.some((one) => one(value)) });
}
