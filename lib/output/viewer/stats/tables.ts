/** The tables of the stats view. Times that were waited stand apart from times that were run. */
import { humanBytes, humanCount, humanSeconds, percent, visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { h } from '../h.ts';
import { badge, frameButton, recordedText, shareBar } from '../parts/marks.ts';
import { type PlainColumn, plainTable } from '../parts/plain-table.ts';
import type { KindTraffic, SlowCall, StatsJson, ToolRow, TurnTokens } from './model.ts';
import type { StatsWords } from './words.ts';

const seconds = (n: number | null): string => (n === null ? '' : humanSeconds(n));
const few = (n: number, tone: 'bad' | 'warn', glyph: string): Node | string =>
  n === 0 ? '' : badge(tone, glyph, String(n));

export function toolTable({ tools }: StatsJson, words: StatsWords): HTMLElement | null {
  if (tools.length === 0) return null;
  const top = tools.reduce((most, { run }) => Math.max(most, run.total), 0);
  const { tool: head, toolTitle: title } = words;
  const time = (
    id: string,
    name: string,
    of: (row: ToolRow) => number | null,
    about?: string,
  ): PlainColumn<ToolRow> => ({
    ...{ id, head: name, isNumber: true, value: of, cell: (row) => seconds(of(row)) },
    ...(about && { title: about }),
  });
  return plainTable<ToolRow>({
    label: words.tools,
    rows: tools,
    more: words.more,
    mark: ({ tool }) => ({ 'data-tool': tool }),
    columns: [
      {
        id: 'tool',
        head: head.tool,
        value: ({ tool }) => tool,
        cell: ({ tool }) => recordedText(tool || words.noName),
      },
      {
        id: 'calls',
        head: head.calls,
        isNumber: true,
        value: ({ calls }) => calls,
        cell: ({ calls }) => String(calls),
      },
      {
        id: 'errors',
        head: head.errors,
        isNumber: true,
        value: ({ errors }) => errors,
        cell: ({ errors }) => few(errors, 'bad', '!'),
      },
      {
        id: 'unfinished',
        head: head.unfinished,
        isNumber: true,
        value: ({ unfinished }) => unfinished,
        cell: ({ unfinished }) => few(unfinished, 'warn', '◌'),
      },
      {
        ...{ id: 'share', head: head.share, title: title.share, value: ({ run }) => run.total },
        cell: ({ run }) =>
          run.count === 0
            ? ''
            : h(
                'span',
                { class: 'stats-bar' },
                shareBar([{ share: run.total / Math.max(top, 1e-9), kind: 'run' }]),
                seconds(run.total),
              ),
      },
      time('p50', head.p50, ({ run }) => run.p50),
      time('p95', head.p95, ({ run }) => run.p95, title.p95),
      time('max', head.max, ({ run }) => run.max),
      time('wait50', head.wait50, ({ wait }) => wait.p50, title.wait),
      time('wait95', head.wait95, ({ wait }) => wait.p95, title.wait),
      time('waitMax', head.waitMax, ({ wait }) => wait.max, title.wait),
    ],
  });
}

export function slowTable(app: App, calls: readonly SlowCall[], words: StatsWords): HTMLElement | null {
  if (calls.length === 0) return null;
  const top = calls.reduce((most, { run, wait }) => Math.max(most, run + wait), 0);
  return plainTable<SlowCall>({
    label: words.slowest,
    rows: calls,
    more: words.more,
    mark: ({ f }) => ({ 'data-f': f }),
    columns: [
      {
        id: 'f',
        head: words.slow.frame,
        value: ({ f }) => f,
        cell: ({ f }) => frameButton(app, f, { view: 'timeline' }),
      },
      {
        id: 'call',
        head: words.slow.call,
        cell: ({ row }) => recordedText(app.source.label(row) ?? '', { class: 'stats-call' }),
      },
      {
        id: 'bar',
        head: words.slow.bar,
        cell: ({ run, wait }) =>
          shareBar([
            { share: wait / top, kind: 'wait' },
            { share: run / top, kind: 'run' },
          ]),
      },
      {
        id: 'wait',
        head: words.slow.waited,
        isNumber: true,
        value: ({ wait }) => wait,
        cell: ({ wait }) => (wait > 0 ? humanSeconds(wait) : ''),
      },
      {
        ...{ id: 'run', head: words.slow.ran, isNumber: true, value: ({ run }) => run },
        cell: ({ run, isOpen }) =>
          isOpen ? badge('warn', '◌', `${humanSeconds(run)}, ${words.noResult}`) : humanSeconds(run),
      },
    ],
  });
}

const ASKING = ['approval', 'question', 'client-call', 'hook'] as const;

export function waitTable({ waits }: StatsJson, words: StatsWords): HTMLElement | null {
  const rows = ASKING.filter((kind) => waits[kind].count > 0);
  if (rows.length === 0) return null;
  const { wait: head } = words;
  const time = (id: 'total' | 'p50' | 'p95' | 'max'): PlainColumn<(typeof ASKING)[number]> => ({
    ...{
      id,
      head: head[id],
      isNumber: true,
      value: (kind) => waits[kind][id],
      cell: (kind) => seconds(waits[kind][id]),
    },
  });
  return plainTable({
    label: words.waits,
    rows,
    more: words.more,
    mark: (kind) => ({ 'data-waits': kind }),
    columns: [
      { id: 'kind', head: head.kind, cell: (kind) => words.asking[kind] },
      {
        id: 'count',
        head: head.count,
        isNumber: true,
        value: (kind) => waits[kind].count,
        cell: (kind) => String(waits[kind].count),
      },
      ...[time('total'), time('p50'), time('p95'), time('max')],
    ],
  });
}

const TOKENS = ['input', 'cache_read', 'cache_write', 'output'] as const;

export function tokenTable(turns: readonly TurnTokens[], words: StatsWords): HTMLElement | null {
  if (turns.length === 0) return null;
  const sum = (one: TurnTokens) => TOKENS.reduce((all, key) => all + one[key], 0);
  const top = turns.reduce((most, one) => Math.max(most, sum(one)), 1);
  const { token: head } = words;
  const names = { input: head.input, cache_read: head.read, cache_write: head.write, output: head.output };
  return plainTable<TurnTokens>({
    label: words.tokens,
    rows: turns,
    more: words.more,
    mark: ({ turn }) => ({ 'data-turn': turn ?? 0 }),
    columns: [
      {
        id: 'turn',
        head: head.turn,
        value: ({ turn }) => turn,
        cell: ({ turn }) => (turn === null ? words.outside : String(turn)),
      },
      {
        id: 'share',
        head: head.share,
        cell: (one) => shareBar(TOKENS.map((kind) => ({ share: one[kind] / top, kind }))),
      },
      ...TOKENS.map((key): PlainColumn<TurnTokens> => {
        return {
          id: key,
          head: names[key],
          isNumber: true,
          value: (one) => one[key],
          cell: (one) => (one[key] === 0 ? '' : humanCount(one[key])),
        };
      }),
    ],
  });
}

const FROM = ['client', 'agent', 'stderr'] as const;

export function trafficTable({ traffic }: StatsJson, words: StatsWords): HTMLElement {
  const rows = FROM.filter((from) => traffic[from].lines > 0);
  const all = rows.reduce((sum, from) => sum + traffic[from].bytes, 0);
  const { trafficHead: head } = words;
  return plainTable({
    label: words.traffic,
    rows,
    more: words.more,
    mark: (from) => ({ 'data-traffic': from }),
    columns: [
      { id: 'from', head: head.from, cell: (from) => words.from[from] },
      {
        id: 'count',
        head: head.count,
        isNumber: true,
        value: (from) => traffic[from].lines,
        cell: (from) => String(traffic[from].lines),
      },
      {
        id: 'bytes',
        head: head.bytes,
        isNumber: true,
        value: (from) => traffic[from].bytes,
        cell: (from) => humanBytes(traffic[from].bytes),
      },
      {
        id: 'share',
        head: head.share,
        cell: (from) => shareBar([{ share: traffic[from].bytes / Math.max(all, 1), kind: from }]),
      },
    ],
  });
}

export function kindTable(rows: readonly KindTraffic[], words: StatsWords): HTMLElement {
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const { trafficHead: head } = words;
  return plainTable<KindTraffic>({
    label: words.byKind,
    rows,
    more: words.more,
    sorting: { column: 'bytes', descending: true },
    columns: [
      { id: 'kind', head: head.kind, value: ({ kind }) => kind, cell: ({ kind }) => visible(kind || words.noKind) },
      {
        id: 'from',
        head: head.from,
        value: ({ from }) => from,
        cell: ({ from }) => words.from[from as 'client'] ?? from,
      },
      {
        id: 'count',
        head: head.count,
        isNumber: true,
        value: ({ lines }) => lines,
        cell: ({ lines }) => String(lines),
      },
      {
        id: 'bytes',
        head: head.bytes,
        title: words.withoutEnds,
        isNumber: true,
        value: ({ bytes }) => bytes,
        cell: ({ bytes }) => humanBytes(bytes),
      },
      {
        id: 'share',
        head: head.share,
        cell: ({ bytes, from }) =>
          h(
            'span',
            { class: 'stats-bar' },
            shareBar([{ share: bytes / Math.max(all, 1), kind: from }]),
            percent(bytes / Math.max(all, 1)),
          ),
      },
    ],
  });
}
