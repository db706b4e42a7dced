/** A rehearsal of a tape, beside whatever else is done: a long one in a thread of its own. */
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Session } from '../session/session.ts';
import { replaysTheSame, type Sameness } from './same.ts';

/** What the thread is told. */
export type Rehearsed = Pick<Session, 'id' | 'tape' | 'command' | 'dialect'>;

export interface Rehearsal {
  sameness(): Promise<Sameness>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Bytes. A shorter tape is rehearsed before a thread has started. */
const LONG = 4 << 20;

/** The session's tape must be a file that stays as it is. */
export function rehearse(session: Session): Rehearsal {
  const program = fileURLToPath(new URL('./rehearsal-worker.js', import.meta.url));
  // From its sources, the program has no compiled thread.
  if (statSync(session.tape).size < LONG || !existsSync(program))
    return { sameness: () => replaysTheSame(session), stop: async () => {} };
  const { id, tape, command, dialect = null } = session;
  const worker = new Worker(program, { workerData: { id, tape, command, dialect } satisfies Rehearsed });
  const done = new Promise<Sameness>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // Somebody will ask for it later, or nobody.
  done.catch(() => {});
  return {
    sameness: () => done,
    stop: async () => {
      await worker.terminate();
    },
  };
}
