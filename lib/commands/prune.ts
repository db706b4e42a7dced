import { rmSync } from 'node:fs';
import { parseDuration, parseSize } from '../core/quantity.ts';
import { humanBytes, visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import { type Io, talkOn } from '../io.ts';
import { forget } from '../record/catch-up.ts';
import { listStored, remove, type Stored } from '../record/remove.ts';
import { type Budget, overBudget, readBudget } from '../record/sweep.ts';
import { holderOf } from '../store/holder.ts';
import { storeHome } from '../store/home.ts';
import { choose, type Limits, type Why } from '../store/prune.ts';
import { findLeftovers } from '../store/removal.ts';
import { list } from '../terminal/list.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Limits may be combined: what any of them takes, goes. Sessions that are being recorded stay, always.
What was removed is noted in the store's log.jsonl. Remains of killed recorders are swept up
as well, and indexes that were set aside a week ago or belong to a version that is no longer used.
  $ wiretape prune --older-than 30d --dry-run
  $ wiretape prune --keep 1000
  $ wiretape prune --max-size 2gb --probes
Without limits, it keeps to the budget of the store (wiretape help config), as recordings do when they start.
Durations: 90m 12h 30d 8w. Sizes: 500mb 2gb.`;

interface Options {
  olderThan?: number;
  keep?: number;
  maxSize?: number;
  probes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .option('--older-than <duration>', 'sessions that ended longer ago', duration)
    .option('--keep <count>', 'all but so many of the newest', count)
    .option('--max-size <size>', 'the oldest, until the rest fits', size)
    .option('--probes', 'probe sessions of editors, which only shake hands')
    .option('-n, --dry-run', 'only say what would be removed')
    .option('--json', 'one object a line: session, name, why, bytes, removed')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      const limits = limitsOf(options);
      const home = storeHome(io.env);
      const budget = limits ? null : budgetOf(home, io.env);
      const stored = listStored(home, talkOn(io, 'reading tapes'));
      // One whose recorder we cannot see from here is not ours to take.
      const free = stored.map((one) => (holderOf(home, one.session) ? { ...one, state: 'running' as const } : one));
      const chosen = limits ? choose(free, limits, Date.now()) : beyond(home, budget!, stored);
      const { done, failure } = take(io, home, chosen, options.dryRun ?? false);
      const leftovers = findLeftovers(home, Date.now());
      if (!options.dryRun) {
        for (const path of leftovers) rmSync(path, { recursive: true, force: true });
        forget(
          home,
          done.map(({ session }) => session.session),
        );
      }
      await print(io, done, options);
      const freed = done.reduce((sum, { session }) => sum + session.size, 0);
      const swept = leftovers.length > 0 ? `, and ${leftovers.length} remains that nobody needs` : '';
      const what = `${done.length} of ${stored.length} sessions, ${humanBytes(freed)}${swept}`;
      io.say(`wiretape: ${options.dryRun ? 'would remove' : 'removed'} ${what}`);
      // Only now: what went before it is said first.
      if (failure) throw failure;
    });
};

interface Row {
  session: Stored;
  why: Why;
  removed: boolean;
}

interface Taken {
  done: Row[];
  failure: unknown;
}

/** Stops at the first that cannot be removed. */
function take(io: Io, home: string, chosen: Omit<Row, 'removed'>[], dryRun: boolean): Taken {
  const done: Row[] = [];
  try {
    for (const { session, why } of chosen) {
      io.progress('removing sessions', done.length, chosen.length);
      const removed = !dryRun && remove(home, session, 'prune');
      // What another clean-up took meanwhile is not our doing.
      if (removed || dryRun) done.push({ session, why, removed });
    }
    return { done, failure: null };
  } catch (failure) {
    return { done, failure };
  } finally {
    io.progress('', 0, 0);
  }
}

async function print(io: Io, rows: Row[], options: Options): Promise<void> {
  if (options.json) {
    for (const { session, why, removed } of rows) {
      const { name, size: bytes } = session;
      if (!(await io.json({ session: session.session, name, why, bytes, removed }))) return;
    }
  } else if (rows.length > 0) {
    const cells = rows.map(({ session, why }) => [
      { text: session.session },
      { text: humanBytes(session.size) },
      { text: why },
      { text: visible(session.name ?? '') },
      { text: visible(session.command.join(' ')) },
    ]);
    for (const line of list(
      ['session', 'size', 'why', 'name', 'command'],
      cells,
      io.columns,
      themeFor(io.color),
      [1],
    )) {
      if (!(await io.write(line))) return;
    }
  }
}

/** What a recorder would remove when it starts. */
function beyond(home: string, budget: Budget, stored: readonly Stored[]): Omit<Row, 'removed'>[] {
  const known = new Map(stored.map((one) => [one.session, one]));
  return overBudget(home, budget, Date.now()).flatMap(({ session, why }) => {
    const one = known.get(session);
    return one ? [{ session: one, why }] : [];
  });
}

function budgetOf(home: string, env: NodeJS.ProcessEnv): Budget {
  const budget = readBudget(home, env);
  const [problem] = budget.problems;
  if (problem !== undefined) throw new Failure(problem, 'wiretape config set mends it');
  if (budget.maxSize !== null || budget.maxAge !== null) return budget;
  const hint = 'one of --older-than 30d, --keep 1000, --max-size 2gb, --probes; or set a budget: wiretape help config';
  throw new Failure('no limit is given', hint);
}

/** Null: by the budget of the store. */
function limitsOf({ olderThan, keep, maxSize, probes }: Options): Limits | null {
  if (olderThan === undefined && keep === undefined && maxSize === undefined && !probes) return null;
  return { olderThan: olderThan ?? null, keep: keep ?? null, maxSize: maxSize ?? null, probes: probes ?? false };
}

function duration(word: string): number {
  const seconds = parseDuration(word);
  if (seconds === null) throw new Failure(`${JSON.stringify(word)} is no duration`, 'such as 90m, 12h, 30d or 8w');
  return seconds;
}

function size(word: string): number {
  const bytes = parseSize(word);
  if (bytes === null) throw new Failure(`${JSON.stringify(word)} is no size`, 'such as 500mb or 2gb');
  return bytes;
}

function count(word: string): number {
  if (!/^\d+$/.test(word)) throw new Failure(`--keep ${JSON.stringify(word)} is no number of sessions`);
  return Number(word);
}
