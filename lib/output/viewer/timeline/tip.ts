/** The exact times of a row, at the pointer or at the row with the focus. Waiting stands apart from running. */
import { humanSeconds } from '../../../model/text/text.ts';
import { offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { marksIn, nameOf } from './describe.ts';
import { lacksEnd, stateOf } from './rows.ts';
import { partsOf } from './segments.ts';
import type { Stage } from './stage.ts';

const FAR = 14;

export class Tip {
  readonly root = h('div', { class: 'tl-tip', role: 'tooltip', id: 'tl-tip', hidden: true });
  #row = -1;

  /** Places are in the window. */
  show(stage: Stage, row: number, x: number, y: number): void {
    if (row !== this.#row || this.root.hidden) this.#fill(stage, row);
    this.#row = row;
    this.root.hidden = false;
    const { offsetWidth, offsetHeight } = this.root;
    const left = x + FAR + offsetWidth > innerWidth ? x - FAR - offsetWidth : x + FAR;
    const top = y + FAR + offsetHeight > innerHeight ? y - FAR - offsetHeight : y + FAR;
    this.root.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  hide(): void {
    this.root.hidden = true;
    this.#row = -1;
  }

  get isShown(): boolean {
    return !this.root.hidden;
  }

  #fill(stage: Stage, row: number): void {
    const { rows, words, kinds, duration, source } = stage;
    const label = source.label(row) ?? '';
    const kind = nameOf(stage, row, '') || kinds.other;
    const parts = partsOf(rows, row, duration);
    const end = parts.at(-1)!.to;
    const lines = parts.map(({ is, from, to }) => line(is, words.parts[is], from, to));
    if (parts.length > 1) lines.push(line('total', words.total, rows.t[row]!, end));
    const state = stateOf(rows, row);
    const told = [state === 'done' ? null : words.states[state], ...marksIn(stage, row)].filter(Boolean);
    if (rows.parts[row]! > 1) told.push(words.frames(String(rows.parts[row])));
    if (rows.agent[row]! > 0) told.push(words.subagent(source.head.agents[rows.agent[row]!] ?? ''));
    fill(
      this.root,
      h(
        'div',
        { class: 'tl-tip-head' },
        h('strong', {}, kind),
        ' ',
        h('span', { dir: 'auto' }, label),
        h('span', { class: 'tl-tip-f' }, ` f${rows.f[row]}`),
      ),
      h('table', { class: 'tl-tip-times' }, h('tbody', {}, ...lines)),
      told.length > 0 &&
        h('div', { class: lacksEnd(rows, row) || state === 'error' ? 'tl-bad' : '' }, told.join(' · ')),
    );
  }
}

function line(is: string, name: string, from: number, to: number): HTMLElement {
  return h(
    'tr',
    { 'data-part': is },
    h('td', {}, h('span', { class: 'tl-swatch', 'data-part': is })),
    h('th', { scope: 'row' }, name),
    h('td', {}, to > from ? `${offset(from)} – ${offset(to)}` : offset(from)),
    h('td', { class: 'tl-tip-time' }, to > from ? humanSeconds(to - from) : ''),
  );
}
