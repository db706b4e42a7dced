/** Chooses the sessions that `prune` removes. Running sessions are never among them. */
import type { Summary } from '../../session/summary.ts';

export interface PruneLimits {
  /** Seconds since the session ended, or since its last frame. */
  olderThan: number | null;
  /** How many of the newest sessions to keep. */
  keep: number | null;
  /** Total size in bytes; the oldest sessions are removed first. */
  maxSize: number | null;
  /** Remove probe sessions, whatever the other limits are. */
  probes: boolean;
}

export interface PruneCandidate extends Pick<Summary, 'session' | 'started' | 'duration' | 'state' | 'probe'> {
  /** On disk. */
  size: number;
}

export type PruneReason = 'age' | 'number' | 'size' | 'probe';

/** The sessions to remove, each with its reason. `sessions` and the result are oldest first. */
export function choosePruned<T extends PruneCandidate>(
  sessions: T[],
  limits: PruneLimits,
  now: number,
): { session: T; why: PruneReason }[] {
  const chosen = new Map<T, PruneReason>();
  const left = () => sessions.filter((session) => !chosen.has(session));
  const take = (some: T[], why: PruneReason) => {
    for (const session of some) if (session.state !== 'running') chosen.set(session, why);
  };
  const probes = sessions.filter(({ probe }) => probe);
  if (limits.probes) take(probes, 'probe');
  const since = now - (limits.olderThan ?? 0) * 1000;
  const old = left().filter((session) => endOf(session) < since);
  if (limits.olderThan !== null) take(old, 'age');
  if (limits.keep !== null) take(left().slice(0, Math.max(0, left().length - limits.keep)), 'number');
  if (limits.maxSize !== null) take(beyondSize(left(), limits.maxSize), 'size');
  return sessions.flatMap((session) => (chosen.has(session) ? [{ session, why: chosen.get(session)! }] : []));
}

/** The oldest sessions, until the rest fits. */
function beyondSize<T extends PruneCandidate>(sessions: T[], maxSize: number): T[] {
  let total = sessions.reduce((sum, { size }) => sum + size, 0);
  return sessions.filter(({ state, size }) => {
    if (total <= maxSize || state === 'running') return false;
    total -= size;
    return true;
  });
}

function endOf({ started, duration }: PruneCandidate): number {
  return Date.parse(started) + (duration ?? 0) * 1000;
}
