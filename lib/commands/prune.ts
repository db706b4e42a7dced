import { rmSync } from 'node:fs';
import { Failure } from '../model/failure.ts';
import { parseDuration, parseSize } from '../model/text/quantity.ts';
import { humanBytes, visible } from '../model/text/text.ts';
import { type Io, progressReporter, writeAll } from '../output/terminal/io.ts';
import { list } from '../output/terminal/list.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { plural } from '../output/terminal/words.ts';
import { type Budget, overBudget, readBudget } from '../recording/recorder/apply-budget.ts';
import { forget } from '../storage/index/catch-up.ts';
import { findLeftovers } from '../storage/index/leftovers.ts';
import { listStored, removeStored, type StoredSession } from '../storage/index/remove-sessions.ts';
import { activeRecorderOf } from '../storage/store/active-recorder.ts';
import { storeHome } from '../storage/store/home.ts';
import { choosePruned, type PruneLimits, type PruneReason } from '../storage/store/prune.ts';
import type { Define, Flags } from './index.ts';
import { SHOW_SECRETS, wholeNumber } from './shared/options.ts';

const HELP = `
Removes every session that exceeds any of the given limits. Running sessions
are never removed. Removals are logged in log.jsonl in the store. It also
deletes files left by killed recorders, damaged indexes set aside over a week
ago, and indexes of versions no longer in use.
  $ wiretape prune --older-than 30d --dry-run
  $ wiretape prune --keep 1000
  $ wiretape prune --max-size 2gb --probes
Without limits, it applies those set with wiretape config, as every recording
does when it starts.
Durations: 90m 12h 30d 8w. Sizes: 500mb 2gb.`;

interface PruneOptions extends Flags<'probes' | 'dryRun' | 'json'> {
  olderThan?: number;
  keep?: number;
  maxSize?: number;
}

export const define: Define = (command, { io }) => {
  command
    .option('--older-than <duration>', 'remove sessions that ended longer ago than this', parseDurationOption)
    .option('--keep <count>', 'keep only this many of the newest sessions', wholeNumber('--keep'))
    .option('--max-size <size>', 'remove the oldest until the rest fits', size)
    .option('--probes', 'remove probes: sessions with only a handshake')
    .option('--dry-run', 'show what would be removed, but remove nothing')
    .option('--json', 'print one JSON object per session: session, name, why, bytes, removed')
    .option(...SHOW_SECRETS)
    .addHelpText('after', HELP)
    .action(async (options: PruneOptions) => {
      const limits = limitsOf(options);
      const home = storeHome(io.env);
      const budget = limits ? null : budgetOf(home, io.env);
      const stored = listStored(home, progressReporter(io, 'reading tapes'));
      // A session whose recorder may run on another machine counts as running.
      const free = stored.map((one) =>
        activeRecorderOf(home, one.session) ? { ...one, state: 'running' as const } : one,
      );
      const chosen = limits ? choosePruned(free, limits, Date.now()) : overStoreBudget(home, budget!, stored);
      const { done, failure } = removeChosen(io, home, chosen, options.dryRun ?? false);
      const leftovers = findLeftovers(home, Date.now());
      if (!options.dryRun) {
        for (const path of leftovers) rmSync(path, { recursive: true, force: true });
        const ids = done.map(({ session }) => session.session);
        forget(home, ids);
      }
      await print(io, done, options);
      const freed = done.reduce((sum, { session }) => sum + session.size, 0);
      const swept = leftovers.length > 0 ? `, and ${plural(leftovers.length, 'leftover file')}` : '';
      const what = `${done.length} of ${stored.length} sessions, ${humanBytes(freed)}${swept}`;
      io.say(`wiretape: ${options.dryRun ? 'would remove' : 'removed'} ${what}`);
      // Reported after what was removed before it.
      if (failure) throw failure;
    });
};

interface PruneRow {
  session: StoredSession;
  why: PruneReason;
  removed: boolean;
}

/** Stops at the first session that cannot be removed. */
function removeChosen(io: Io, home: string, chosen: Omit<PruneRow, 'removed'>[], dryRun: boolean) {
  const done: PruneRow[] = [];
  try {
    for (const { session, why } of chosen) {
      io.progress('removing sessions', done.length, chosen.length);
      const removed = !dryRun && removeStored(home, session, 'prune');
      // Another process may have removed it meanwhile.
      if (removed || dryRun) done.push({ session, why, removed });
    }
    return { done, failure: null };
  } catch (failure) {
    return { done, failure };
  } finally {
    io.progress('', 0, 0);
  }
}

async function print(io: Io, rows: PruneRow[], options: PruneOptions): Promise<void> {
  if (options.json) {
    for (const { session, why, removed } of rows) {
      const { name, size: bytes } = session;
      if (!(await io.json({ session: session.session, name, why, bytes, removed }))) return;
    }
  } else if (rows.length > 0) {
    const cells = rows.map(({ session: { session, size, name, command }, why }) => {
      return [session, humanBytes(size), why, visible(name ?? ''), visible(command.join(' '))];
    });
    const head = ['session', 'size', 'why', 'name', 'command'];
    await writeAll(io, list(head, cells, io.columns, themeFor(io.color), [1]));
  }
}

/** What a recorder would remove when it starts. */
function overStoreBudget(home: string, budget: Budget, stored: readonly StoredSession[]): Omit<PruneRow, 'removed'>[] {
  const known = new Map(stored.map((one) => [one.session, one]));
  return overBudget(home, budget, Date.now()).flatMap(({ session, why }) => {
    const one = known.get(session);
    return one ? [{ session: one, why }] : [];
  });
}

function budgetOf(home: string, env: NodeJS.ProcessEnv): Budget {
  const budget = readBudget(home, env);
  const [problem] = budget.problems;
  if (problem !== undefined) throw new Failure(problem, 'fix it with: wiretape config set');
  if (budget.maxSize !== null || budget.maxAge !== null) return budget;
  const hint = 'use --older-than 30d, --keep 1000, --max-size 2gb or --probes, or set limits with: wiretape config';
  throw new Failure('no limit given', hint);
}

/** Null if no option sets a limit: the store's budget applies. */
function limitsOf({ olderThan, keep, maxSize, probes }: PruneOptions): PruneLimits | null {
  if (olderThan === undefined && keep === undefined && maxSize === undefined && !probes) return null;
  return { olderThan: olderThan ?? null, keep: keep ?? null, maxSize: maxSize ?? null, probes: probes ?? false };
}

function parseDurationOption(word: string): number {
  const seconds = parseDuration(word);
  if (seconds === null)
    throw new Failure(`invalid duration ${JSON.stringify(word)}`, 'use a value like 90m, 12h, 30d or 8w');
  return seconds;
}

function size(word: string): number {
  const bytes = parseSize(word);
  if (bytes === null) throw new Failure(`invalid size ${JSON.stringify(word)}`, 'use a value like 500mb or 2gb');
  return bytes;
}
