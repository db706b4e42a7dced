/** What the system knows about a session at this moment: the time, the agent's process, incomplete lines. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { microsOf } from '../../model/frame.ts';
import type { SessionMoment, UnfinishedLine } from '../../model/moment.ts';
import type { Session } from '../../session/session.ts';
import { unfinishedLines } from '../tape/unfinished.ts';
import { agentProcess } from './agent-process.ts';
import { attempt, JOURNAL } from './home.ts';

/** What the tape says about the agent. */
export interface TapeState {
  /** Of the last frame. */
  now: { t: number };
  process: { ending: unknown; spawn: { pid: number | null } | null };
}

/** The clock of a session: now, if it runs; otherwise `last`, the time of its last frame. In seconds since its start. */
export function clockOf({ running, started }: { running: boolean; started: string }, last: number): number {
  return running ? Math.max(last, (Date.now() * 1000 - microsOf(started)) / 1e6) : last;
}

/** Now, if the session runs; otherwise its end. */
export function momentOf(session: MomentSession, seen: TapeState): SessionMoment {
  return new MomentReader().of(session, seen);
}

type MomentSession = Pick<Session, 'dir' | 'running' | 'metadata'>;

/** Moments of one session, one after the other: its journal is read again only if it has grown. */
export class MomentReader {
  #size = -1;
  #unfinished: UnfinishedLine[] = [];

  of(session: MomentSession, { now, process: seen }: TapeState): SessionMoment {
    const { dir, running } = session;
    if (!running || dir === null) return { t: now.t, running: false, process: null, unfinished: [] };
    const t = clockOf({ running, started: session.metadata.started_at }, now.t);
    const process = seen.ending ? null : agentProcess(dir, seen.spawn?.pid ?? null);
    return { t, running, process, unfinished: this.#unfinishedIn(join(dir, JOURNAL)) };
  }

  #unfinishedIn(journal: string): UnfinishedLine[] {
    // The journal is gone if it has just ended.
    return attempt(() => {
      const { size } = statSync(journal);
      if (size !== this.#size) this.#unfinished = unfinishedLines(journal);
      this.#size = size;
      return this.#unfinished;
    }, []);
  }
}
