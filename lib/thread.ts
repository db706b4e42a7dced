/** Programs in threads of their own, beside whatever else is done. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface Thread<T> {
  result: Promise<T>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** `program` gets `data` and posts its result. Null: it is not compiled, as in a run from the sources. */
export function startThread<T>(program: URL, data: unknown): Thread<T> | null {
  const path = fileURLToPath(program);
  if (!existsSync(path)) return null;
  const worker = new Worker(path, { workerData: data });
  const result = new Promise<T>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // Somebody will ask for it later, or nobody.
  result.catch(() => {});
  return {
    result,
    stop: async () => {
      await worker.terminate();
    },
  };
}
