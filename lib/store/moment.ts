/** What the system knows about a session at this moment: the time, the agent's process, incomplete lines. */
import { join } from 'node:path';
import { microsOf } from '../core/frame.ts';
import type { Moment } from '../core/moment.ts';
import type { Session } from '../session/session.ts';
import { unfinishedLines } from '../tape/unfinished.ts';
import { agentProcess } from './agent-process.ts';
import { attempt, JOURNAL } from './home.ts';

/** What the tape says about the agent. */
export interface SeenOnTape {
  /** Of the last frame. */
  now: { t: number };
  process: { ending: unknown; spawn: { pid: number | null } | null };
}

/** Now, if the session runs; otherwise its end. */
export function momentOf({ dir, running, metadata }: Session, { now, process: seen }: SeenOnTape): Moment {
  if (!running || dir === null) return { t: now.t, running: false, process: null, unfinished: [] };
  const t = Math.max(now.t, (Date.now() * 1000 - microsOf(metadata.started_at)) / 1e6);
  const process = seen.ending ? null : agentProcess(dir, seen.spawn?.pid ?? null);
  // The journal is gone if it has just ended.
  return { t, running, process, unfinished: attempt(() => unfinishedLines(join(dir, JOURNAL)), []) };
}
