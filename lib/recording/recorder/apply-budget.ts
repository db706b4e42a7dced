/**
 * Keeps the store within its budget. The writer process runs it once per recording; `prune` without limits does the same.
 * It never removes sessions that are being recorded. It reads only sizes and times, and the first and last line of the
 * sessions that it removes. The next reader removes their rows from the index.
 */
import { lstatSync, statSync } from 'node:fs';
import { activeRecorderOf } from '../../storage/store/active-recorder.ts';
import { type SettingValue, settingsOf } from '../../storage/store/config.ts';
import { attempt } from '../../storage/store/home.ts';
import { readNames } from '../../storage/store/names.ts';
import { choosePruned, type PruneCandidate, type PruneReason } from '../../storage/store/prune.ts';
import { type RemovableSession, removeSession, sizeOf } from '../../storage/store/removal.ts';
import { placeOf, readIds, startOf } from '../../storage/store/sessions.ts';
import { isElsewhere, otherTapeIn } from '../../storage/store/tape-owner.ts';
import { finalSeal } from '../../storage/tape/final-seal.ts';
import { readMetadata } from '../../storage/tape/read.ts';

export interface Budget {
  /** Bytes; null: no limit. */
  maxSize: number | null;
  /** Seconds. */
  maxAge: number | null;
  /** Why settings were ignored. */
  problems: string[];
}

export function readBudget(home: string, env: NodeJS.ProcessEnv): Budget {
  const given = settingsOf(home, env);
  const limit = (name: SettingValue['setting']['name']) =>
    given.find(({ setting }) => setting.name === name)?.value ?? null;
  const problems = new Set(given.flatMap(({ problem }) => (problem === null ? [] : [problem])));
  return { maxSize: limit('max-size'), maxAge: limit('max-age'), problems: [...problems] };
}

export interface OverBudget {
  session: string;
  why: PruneReason;
  size: number;
}

/** The sessions to remove, the oldest first (by the time of the last write). */
export function overBudget(home: string, { maxSize, maxAge }: Budget, now: number): OverBudget[] {
  if (maxSize === null && maxAge === null) return [];
  const sessions = readIds(home).flatMap((id) => candidate(home, id) ?? []);
  sessions.sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : a.session < b.session ? -1 : 1));
  const limits = { olderThan: maxAge, keep: null, maxSize, probes: false };
  return choosePruned(sessions, limits, now).map(({ session: { session, size }, why }) => ({ session, why, size }));
}

/** Null if it is gone. The age of an imported session counts from the import. */
function candidate(home: string, id: string): PruneCandidate | null {
  const { dir, tape } = placeOf(home, id);
  const own = !isElsewhere(dir) || otherTapeIn(dir) === null ? statSync(tape, { throwIfNoEntry: false }) : undefined;
  const last = own ?? lstatSync(dir, { throwIfNoEntry: false });
  if (!last) return null;
  const state = activeRecorderOf(home, id) === null ? 'ended' : 'running';
  return { session: id, started: last.mtime.toISOString(), duration: 0, state, probe: false, size: sizeOf(dir) };
}

/**
 * Removes the sessions that exceed the budget and returns their number. It never throws: it reports the first problem, or
 * the first setting that is ignored, in one line.
 */
export function applyBudget(home: string, env: NodeJS.ProcessEnv, notify: (message: string) => void): number {
  let removed = 0;
  const wrong: string[] = [];
  try {
    const budget = readBudget(home, env);
    wrong.push(...budget.problems.map((problem) => `${problem}; ignoring it`));
    for (const { session } of overBudget(home, budget, Date.now())) {
      if (removeOne(home, session, wrong)) removed++;
    }
  } catch (error) {
    wrong.push(`cannot keep the store within its budget (${(error as Error).message})`);
  }
  const [first] = wrong;
  if (first !== undefined) notify(first);
  return removed;
}

function removeOne(home: string, id: string, wrong: string[]): boolean {
  try {
    // It may be in use again: an import that continues, or a folder that was restored.
    return activeRecorderOf(home, id) === null && removeSession(home, removalDetails(home, id), 'budget');
  } catch (error) {
    wrong.push(`session ${id} cannot be removed (${(error as Error).message})`);
    return false;
  }
}

/** What the log of removals says about it. */
function removalDetails(home: string, id: string): RemovableSession {
  const { dir, tape } = placeOf(home, id);
  const isTape = otherTapeIn(dir) === null && (statSync(tape, { throwIfNoEntry: false })?.isFile() ?? false);
  const head = isTape ? attempt(() => readMetadata(tape), null) : null;
  const seal = isTape ? finalSeal(tape) : null;
  const { name } = readNames(dir);
  const { command = [], started_at: started = startOf(id) } = head ?? {};
  return { session: id, name, command, started, frames: seal?.f ?? 0, digest: seal?.sha256 ?? null };
}
