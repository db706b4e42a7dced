/** The text output of `stats`: one session in full, or several as a list with their tools combined. */

import { cells, humanBytes, humanCount, humanSeconds, pad, percent, visible } from '../../model/text/text.ts';
import type { Timeline } from '../../model/timeline/entries.ts';
import { quantile, type Stats, type ToolTimes, type WaitKind } from '../../session/stats.ts';
import { list } from './list.ts';
import { bar, sparkline } from './sparkline.ts';
import type { TableCell } from './table.ts';
import type { Theme } from './theme.ts';
import { plural, tokenWords } from './words.ts';
import { wrap } from './wrap.ts';

export interface Measured {
  session: string;
  timeline: Timeline;
  stats: Stats;
}

const NAME_WIDTH = 10;
const BAR_WIDTH = 40;
const MAX_TOOL_WIDTH = 32;

/** `isKnown`: enough was understood to say that the agent did nothing, if nothing shows that it did. */
export function* oneSession(
  { timeline, stats }: Measured,
  columns: number,
  theme: Theme,
  isKnown = true,
): Generator<string> {
  for (const [name, text] of facts(timeline, stats, columns, isKnown)) {
    const [first = '', ...rest] = wrap(text, columns - NAME_WIDTH - 1);
    yield `${theme.dim(pad(name, NAME_WIDTH))} ${first}\n`;
    for (const line of rest) yield `${' '.repeat(NAME_WIDTH)} ${line}\n`;
  }
  if (stats.tools.length > 0) yield '\n';
  yield* toolList(stats.tools, columns, theme);
}

type StatsFact = [name: string, text: string];

function facts({ counts, usage, context }: Timeline, stats: Stats, columns: number, isKnown: boolean): StatsFact[] {
  const { phases, seconds, traffic, longest, gap } = stats;
  const part = (n: number) => (seconds > 0 ? ` (${percent(n / seconds)})` : '');
  const parts = [
    ['agent busy', phases.busy, '█'],
    ['waiting for an answer', phases.waiting, '▒'],
    ['idle', phases.idle, '·'],
  ] as const;
  const width = Math.min(BAR_WIDTH, columns - NAME_WIDTH - 1);
  const failed = stats.tools.reduce((sum, { errors }) => sum + errors, 0);
  const times: StatsFact[] = [
    [
      '',
      bar(
        parts.map(([, n, cell]) => ({ share: seconds > 0 ? n / seconds : 0, cell })),
        width,
      ),
    ],
    ...parts.map(([name, n, cell]): StatsFact => ['', n > 0 ? `${cell} ${name} ${humanSeconds(n)}${part(n)}` : '']),
  ];
  const rows: StatsFact[] = [
    ['took', humanSeconds(seconds)],
    ...(isKnown || phases.busy + phases.waiting > 0 ? times : []),
    ['turns', stats.turns > 0 ? `${stats.turns} with ${plural(stats.steps, 'step')}` : ''],
    ['tools', counts.tools > 0 ? `${plural(counts.tools, 'call')}${failed > 0 ? `, ${failed} failed` : ''}` : ''],
    ['approvals', waitWords(stats, 'approval', decisionWords(stats))],
    ['questions', waitWords(stats, 'question')],
    ['calls back', waitWords(stats, 'client-call')],
    ['hooks', waitWords(stats, 'hook')],
    ['errors', counts.errors > 0 ? plural(counts.errors, 'error message') : ''],
    ['retries', stats.retries > 0 ? `${plural(stats.retries, 'failed request')} to the model` : ''],
    ['tokens', usageWords(usage)],
    ['context', contextWords(stats, context, columns - NAME_WIDTH - 1)],
    ...(['client', 'agent', 'stderr'] as const).map((from): StatsFact => {
      const { lines, bytes } = traffic[from];
      return [from, lines > 0 ? `${plural(lines, 'line')}, ${humanBytes(bytes)}` : ''];
    }),
    ['longest', longest ? `a line of ${humanBytes(longest.size)} from the ${longest.from} (f${longest.f})` : ''],
    ['silence', gap ? `${humanSeconds(gap.seconds)} after f${gap.f}` : ''],
    ['unread', unreadWords(stats)],
  ];
  return rows.filter(([, text]) => text !== '');
}

/** `5 (4 allow, 1 deny), open p50 300 ms, p95 1.20 s`. */
function waitWords({ waits }: Stats, kind: WaitKind, detail = ''): string {
  const times = waits[kind];
  if (times.length === 0) return '';
  const [half, most] = [quantile(times, 0.5)!, quantile(times, 0.95)!].map(humanSeconds);
  return `${times.length}${detail && ` (${detail})`}, open p50 ${half}, p95 ${most}`;
}

/** Lines that the statistics do not include. */
function unreadWords({ unread: { tape, source, too_large } }: Stats): string {
  const damaged = [
    tape > 0 ? `${plural(tape, 'line')} of the tape` : null,
    source > 0 ? `${plural(source, 'line')} of the imported file` : null,
  ].filter((word) => word !== null);
  return [
    damaged.length > 0 ? `${damaged.join(', ')}: damaged and not counted` : null,
    too_large > 0 ? `${plural(too_large, 'line')} too large to read: counted only as traffic` : null,
  ]
    .filter((words) => words !== null)
    .join('; ');
}

function decisionWords({ decisions }: Stats): string {
  return Object.entries(decisions)
    .filter(([, n]) => n > 0)
    .map(([word, n]) => `${n} ${word === 'none' ? 'without a decision' : word}`)
    .join(', ');
}

function usageWords({ input, cache_read, cache_write, output }: Timeline['usage']): string {
  const all = input + cache_read + cache_write;
  if (all + output === 0) return '';
  const cached = cache_read > 0 ? ` (${Math.round((100 * cache_read) / all)}% cached)` : '';
  return `${humanCount(all)} in${cached}, ${humanCount(output)} out`;
}

function contextWords({ context }: Stats, last: Timeline['context'], room: number): string {
  if (context.length === 0) return '';
  const shares = context.every(({ share }) => share !== null);
  const points = context.map(({ t, used, share }) => ({ t, value: (shares ? share : used) ?? 0 }));
  const top = points.reduce((most, { value }) => Math.max(most, value), 0);
  // A single point is not a chart.
  const line = (width: number) => (points.length > 1 ? `${sparkline(points, width, top)}  ` : '');
  const at = points.at(-1)!.value;
  const size = last?.size ? ` of ${humanCount(last.size)}` : '';
  const words = (value: number) => (shares ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%` : humanCount(value));
  const now = `${words(at)}${shares ? size : ` tokens${size}`}${top > at ? `, maximum ${words(top)}` : ''}`;
  return `${line(Math.min(BAR_WIDTH, room - cells(now) - 2))}${now}`;
}

const TOOL_HEAD = ['calls', 'errors', 'no result', 'run p50', 'run p95', 'wait p50', 'wait p95', 'tool'];

/** Waiting and running times of each tool. */
export function* toolList(tools: ToolTimes[], columns: number, theme: Theme): Generator<string> {
  if (tools.length === 0) return;
  const time = (values: number[], share: number): TableCell => {
    const value = quantile(values, share);
    return { text: value === null ? '' : humanSeconds(value) };
  };
  const few = (n: number): TableCell => ({ text: n > 0 ? String(n) : '' });
  const rows = tools.map(({ tool, calls, errors, unfinished, runs, waits }): TableCell[] => [
    { text: String(calls) },
    { ...few(errors), paint: theme.bad },
    { ...few(unfinished), paint: theme.warn },
    ...[time(runs, 0.5), time(runs, 0.95), time(waits, 0.5), time(waits, 0.95)],
    { text: visible(tool || '(no name)') },
  ]);
  // Drop time columns before shortening tool names.
  const least = rows.reduce((most, row) => Math.min(MAX_TOOL_WIDTH, Math.max(most, cells(row.at(-1)!.text))), 0);
  yield* list(TOOL_HEAD, rows, columns, theme, [0, 1, 2, 3, 4, 5, 6], [5, 3, 6], least);
}

const SESSION_HEAD = [
  ...['session', 'took', 'busy', 'waiting', 'idle', 'turns'],
  ...['steps', 'tools', 'approvals', 'errors', 'tokens'],
];

export function* sessionList(all: Measured[], columns: number, theme: Theme): Generator<string> {
  const rows = all.map(({ session, timeline: { counts, usage }, stats }): TableCell[] => [
    { text: visible(session) },
    ...[stats.seconds, stats.phases.busy, stats.phases.waiting, stats.phases.idle].map((n) => ({
      text: humanSeconds(n),
    })),
    ...[counts.turns, stats.steps, counts.tools, counts.approvals].map((n) => ({ text: String(n) })),
    { text: counts.errors > 0 ? String(counts.errors) : '', paint: theme.bad },
    { text: tokenWords(usage) },
  ]);
  yield* list(SESSION_HEAD, rows, columns, theme, [1, 2, 3, 4, 5, 6, 7, 8, 9], [4, 6, 9, 1, 8]);
}
