/** The exact times of a row, at the pointer or at the row with the focus. Waiting stands apart from running. */
import { humanSeconds } from '../../../model/text/text.ts';
import { offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { marksIn, nameOf } from './describe.ts';
import type { TimelineModel } from './model.ts';
import { lacksEnd, stateOf } from './rows.ts';
import { partsOf } from './segments.ts';

const POINTER_DISTANCE = 14;

export class Tip {
  readonly root = h('div', { class: 'tl-tip', role: 'tooltip', id: 'tl-tip', hidden: true });
  #row = -1;

  /** Places are in the window. */
  show(model: TimelineModel, row: number, x: number, y: number): void {
    if (row !== this.#row || this.root.hidden) this.#fill(model, row);
    this.#row = row;
    this.root.hidden = false;
    const { offsetWidth, offsetHeight } = this.root;
    const left =
      x + POINTER_DISTANCE + offsetWidth > innerWidth ? x - POINTER_DISTANCE - offsetWidth : x + POINTER_DISTANCE;
    const top =
      y + POINTER_DISTANCE + offsetHeight > innerHeight ? y - POINTER_DISTANCE - offsetHeight : y + POINTER_DISTANCE;
    this.root.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  hide(): void {
    this.root.hidden = true;
    this.#row = -1;
  }

  get isShown(): boolean {
    return !this.root.hidden;
  }

  #fill(model: TimelineModel, row: number): void {
    const { rows, words, kinds, duration, source } = model;
    const label = source.label(row) ?? '';
    const kind = nameOf(model, row, '') || kinds.other;
    const parts = partsOf(rows, row, duration);
    const end = parts.at(-1)!.to;
    const lines = parts.map(({ is, from, to }) => line(is, words.parts[is], from, to));
    if (parts.length > 1) lines.push(line('total', words.total, rows.t[row]!, end));
    const state = stateOf(rows, row);
    const notes = [state === 'done' ? null : words.states[state], ...marksIn(model, row)].filter(Boolean);
    if (rows.parts[row]! > 1) notes.push(words.frames(String(rows.parts[row])));
    if (rows.agent[row]! > 0) notes.push(words.subagent(source.head.agents[rows.agent[row]!] ?? ''));
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
      notes.length > 0 &&
        h('div', { class: lacksEnd(rows, row) || state === 'error' ? 'tl-bad' : '' }, notes.join(' · ')),
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
