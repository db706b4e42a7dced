/** Figures of a session that are not in `stats --json` but follow from what the page holds. */

import type { RowKind } from '../../../analysis/audit/row.ts';
import type { Usage } from '../../../model/event.ts';
import type { ContextPoint } from '../../../session/stats.ts';
import type { Spread } from '../../../session/stats-json.ts';
import { KIND, type RowBody, type RowTable, STATE } from '../../page/page.ts';
import { sortedBy } from '../parts/sort.ts';
import type { Column } from '../source.ts';

export interface ToolRow {
  tool: string;
  calls: number;
  errors: number;
  unfinished: number;
  run: Spread;
  wait: Spread;
}

/** As `stats --json`, as far as the view shows it. */
export interface StatsJson {
  duration: number;
  frames: number;
  bytes: number;
  turns: number;
  steps: number;
  calls: number;
  errors: number;
  retries: number;
  tools: ToolRow[];
  decisions: Record<string, number>;
  waits: Record<RowKind, Spread> & { total: number };
  phases: { busy: number; waiting: number; idle: number };
  tokens: Usage & {
    context: { used: number | null; size: number | null; share: number | null } | null;
    context_over_time: ContextPoint[];
  };
  traffic: Record<'client' | 'agent' | 'stderr', { lines: number; bytes: number }>;
  longest_line: { f: number; from: string; size: number } | null;
  largest_gap: { f: number; seconds: number } | null;
  unread: { tape: number; source: number; too_large: number };
}

export interface SlowCall {
  row: number;
  f: number;
  /** Seconds. */
  run: number;
  wait: number;
  isOpen: boolean;
}

/**
 * The calls that ran longest. One without a result has run until the end. Frames may follow a result, so how long a call ran
 * is read from its row, but only of those that may be among them.
 */
export async function slowestCalls({ rows, body }: CallSource, most: number): Promise<SlowCall[]> {
  const spans: number[] = [];
  const calls: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (rows.kind[row] !== KIND['tool-call'] || !(rows.t_end[row]! - rows.run[row]! > 0)) continue;
    calls.push(row);
    spans[row] = rows.t_end[row]! - rows.run[row]!;
  }
  const best: SlowCall[] = [];
  for (const row of sortedBy(calls, (one) => spans[one]!, true)) {
    if (best.length === most && spans[row]! <= best.at(-1)!.run) break;
    const isOpen = rows.state[row] === STATE.open;
    const { run } = isOpen ? { run: spans[row]! } : ((await body(row)) as { run: number | null });
    if (run === null) continue;
    // What never waited has no times.
    const waited = rows.wait_end[row]! - rows.wait[row]! || 0;
    const at = best.findIndex((one) => one.run < run);
    const call = { row, f: rows.f[row]!, run, wait: Math.max(0, waited), isOpen };
    best.splice(at < 0 ? best.length : at, 0, call);
    if (best.length > most) best.pop();
  }
  return best;
}

type CallSource = { rows: RowTable; body(row: number): Promise<RowBody> };

export interface TurnTokens extends Usage {
  /** Null: outside of turns, or in turns that are not listed. */
  turn: number | null;
}

const TOKENS = ['input', 'cache_read', 'cache_write', 'output'] as const;

/** What each turn used, and what is left of all. */
export function tokensByTurn(turns: readonly { n: number; usage: Usage }[], all: Usage): TurnTokens[] {
  const byTurn = turns.map(({ n, usage }): TurnTokens => ({ turn: n, ...usage })).filter(hasTokens);
  const rest: TurnTokens = { turn: null, input: 0, cache_read: 0, cache_write: 0, output: 0 };
  for (const key of TOKENS) rest[key] = Math.max(0, all[key] - byTurn.reduce((sum, one) => sum + one[key], 0));
  return hasTokens(rest) ? [...byTurn, rest] : byTurn;
}

const hasTokens = (one: Usage): boolean => TOKENS.some((key) => one[key] > 0);

export interface KindTraffic {
  from: string;
  kind: string;
  lines: number;
  bytes: number;
}

/** Lines by who wrote them and what they mean, the most bytes first. */
export function trafficByKind(
  columns: Record<'from' | 'kind' | 'size' | 'event', Column>,
  count: number,
): KindTraffic[] {
  const sums = new Map<string, KindTraffic>();
  const read = {
    from: valueAt(columns.from),
    kind: valueAt(columns.kind),
    size: valueAt(columns.size),
    event: valueAt(columns.event),
  };
  for (let i = 0; i < count; i++) {
    const from = read.from(i);
    // What the recorder itself noted crossed no pipe.
    if (from === 'proc' || read.event(i) !== null) continue;
    const kind = read.kind(i) ?? '';
    const key = `${from} ${kind}`;
    let sum = sums.get(key);
    if (!sum) {
      sum = { from: String(from), kind: String(kind), lines: 0, bytes: 0 };
      sums.set(key, sum);
    }
    sum.lines++;
    sum.bytes += Number(read.size(i) ?? 0);
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes || (a.kind < b.kind ? -1 : 1));
}

function valueAt(column: Column): (index: number) => unknown {
  if (column.is === 'coded') return (index) => column.values[column.codes[index]!] ?? null;
  return (index) => (Number.isNaN(column.numbers[index]) ? null : column.numbers[index]);
}

export interface ContextBar {
  f: number;
  t: number;
  /** Tokens, or their share of what fits. */
  value: number;
  isShare: boolean;
}

/** At most so many bars, each the highest of its span of points. */
export function contextBars(points: readonly ContextPoint[], most: number): ContextBar[] {
  const isShare = points.length > 0 && points.every(({ share }) => share !== null);
  const bars: ContextBar[] = [];
  const size = Math.max(1, Math.ceil(points.length / most));
  points.forEach(({ f, t, used, share }, i) => {
    const value = (isShare ? share : used) ?? 0;
    const last = bars.at(-1);
    if (i % size === 0 || !last) bars.push({ f, t, value, isShare });
    else if (value > last.value) Object.assign(last, { f, t, value });
  });
  return bars;
}
