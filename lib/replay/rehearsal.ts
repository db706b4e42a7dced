/** A rehearsal of a tape while other work goes on: a long one in its own thread. */
import { statSync } from 'node:fs';
import type { Session } from '../session/session.ts';
import { startWorkerThread } from '../storage/system/worker-thread.ts';
import { replaysTheSame, type Sameness } from './rehearse-session.ts';

/** The input of the thread. */
export type RehearsalInput = Pick<Session, 'id' | 'tape' | 'command' | 'dialect'>;

export interface Rehearsal {
  sameness(): Promise<Sameness>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Bytes. A shorter tape is rehearsed before a thread has started. */
const LARGE_TAPE_BYTES = 4 << 20;
const PROGRAM = new URL('./rehearsal-worker.js', import.meta.url);

/** The session's tape must be a file that stays as it is. */
export function rehearse(session: Session): Rehearsal {
  const { id, tape, command, dialect = null } = session;
  const about: RehearsalInput = { id, tape, command, dialect };
  const thread = statSync(tape).size < LARGE_TAPE_BYTES ? null : startWorkerThread<RehearsalInput, Sameness>(PROGRAM);
  if (!thread) return { sameness: () => replaysTheSame(session), stop: async () => {} };
  const answer = thread.ask(about);
  return { sameness: () => answer, stop: thread.stop };
}
