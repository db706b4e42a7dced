/** Bars for the eye: how the time was spent, and the context over time. What they show is also there in numbers. */
import { humanCount, humanSeconds, percent } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { frameButton } from '../parts/marks.ts';
import { plainTable } from '../parts/plain-table.ts';
import { contextBars, type StatsJson } from './model.ts';
import type { StatsWords } from './words.ts';

const PHASES = ['busy', 'waiting', 'idle'] as const;

export function phasesOf({ phases, duration }: StatsJson, words: StatsWords): HTMLElement {
  const bar = h('div', { class: 'stats-phases', 'aria-hidden': 'true' });
  for (const name of PHASES) {
    if (phases[name] <= 0) continue;
    const part = h('span', { class: `stats-phase is-${name}` });
    part.style.flexGrow = String(Math.max(0.004, phases[name] / Math.max(duration, 1e-9)));
    bar.append(part);
  }
  const legend = PHASES.map((name) =>
    h(
      'li',
      { title: words.phaseTitle[name], 'data-stat': `phases.${name}`, 'data-value': phases[name] },
      h('i', { class: `stats-key is-${name}`, 'aria-hidden': 'true' }),
      h('b', {}, humanSeconds(phases[name])),
      ` ${words.phase[name]}`,
      h('span', { class: 'is-quiet' }, duration > 0 ? ` ${percent(phases[name] / duration)}` : ''),
    ),
  );
  return h('div', {}, bar, h('ul', { class: 'stats-legend' }, ...legend));
}

const MAX_BARS = 160;

export function contextOf(app: App, { tokens }: StatsJson, words: StatsWords): HTMLElement | null {
  const points = tokens.context_over_time;
  const bars = contextBars(points, MAX_BARS);
  const [first] = bars;
  if (!first) return null;
  const top = bars.reduce((most, { value }) => Math.max(most, value), 0);
  const shown = (value: number) =>
    first.isShare ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%` : humanCount(value);
  const chart = h('div', {
    class: 'stats-chart',
    role: 'img',
    'aria-label': words.contextLabel(points.length, shown(top), shown(bars.at(-1)!.value)),
  });
  for (const { f, t, value } of bars) {
    const bar = h('span', { class: 'stats-column', title: `f${f} · ${offset(t)} · ${shown(value)}`, 'data-f': f });
    bar.style.height = `${top > 0 ? Math.max(1, (100 * value) / top) : 1}%`;
    chart.append(bar);
  }
  chart.addEventListener('click', (event) => {
    const f = (event.target as Element).getAttribute('data-f');
    if (f !== null) app.select({ f: Number(f) }, { jump: true, view: 'timeline', focus: true });
  });
  const table = plainTable({
    label: words.contextOver,
    rows: points,
    more: words.more,
    columns: [
      {
        id: 'f',
        head: words.point.frame,
        value: ({ f }) => f,
        cell: ({ f }) => frameButton(app, f, { view: 'timeline' }),
      },
      { id: 't', head: words.point.time, isNumber: true, value: ({ t }) => t, cell: ({ t }) => offset(t) },
      {
        id: 'used',
        head: words.point.used,
        isNumber: true,
        value: ({ used }) => used,
        cell: ({ used }) => (used === null ? '' : String(used)),
      },
      {
        id: 'share',
        head: words.point.share,
        isNumber: true,
        value: ({ share }) => share,
        cell: ({ share }) => (share === null ? '' : `${(100 * share).toFixed(1)}%`),
      },
    ],
  });
  const scale = h('div', { class: 'stats-scale is-quiet' }, shown(top));
  return h(
    'div',
    {},
    h('div', { class: 'stats-plot' }, scale, chart),
    h('details', {}, h('summary', {}, words.asTable), table),
  );
}
