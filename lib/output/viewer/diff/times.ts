/** Two bars for the time of both sessions on one scale, with bands between the turns that belong together. */

import type { DiffOp, SessionDiff } from '../../../analysis/diff/result.ts';
import { humanSeconds } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { h } from '../h.ts';
import { doesCount, type TurnSpan, turnPairs } from './model.ts';
import type { DiffWords } from './words.ts';

/** The list of turns says the same. `go`: to a turn of the diff. */
export function timesOf(app: App, diff: SessionDiff, words: DiffWords, go: (turn: number) => void): HTMLElement {
  const [a, b] = [app.sources[0]!.head, app.sources[1]!.head];
  const whole = Math.max(a.duration, b.duration);
  const tracks = { a: trackOf(a.duration, whole), b: trackOf(b.duration, whole) };
  const between = h('div', { class: 'compare-bands' });
  for (const pair of turnPairs(diff, a.turns, b.turns, whole)) {
    const { op, what, a: of, b: to } = diff.turns[pair.turn]!;
    if (pair.a && pair.b) between.append(bandOf(pair.a, pair.b, op));
    for (const side of ['a', 'b'] as const) {
      const span = pair[side];
      if (!span) continue;
      const turn = h('span', {
        class: `compare-turn is-${op}`,
        title: `${words.turn(of, to)}: ${words.ops[op]} · ${what}`,
      });
      place(turn, span);
      turn.addEventListener('click', () => go(pair.turn));
      tracks[side].append(turn);
    }
  }
  void ticks(app, diff, tracks, whole);
  const line = (side: 'a' | 'b', seconds: number) =>
    h(
      'div',
      { class: 'compare-track-line' },
      h('span', { class: 'is-quiet' }, words.sides[side]),
      tracks[side],
      h('span', { class: 'is-quiet' }, humanSeconds(seconds)),
    );
  return h(
    'div',
    { class: 'compare-times', 'aria-hidden': 'true', title: words.timesNote },
    line('a', a.duration),
    h('div', { class: 'compare-track-line' }, h('span'), between, h('span')),
    line('b', b.duration),
  );
}

function trackOf(seconds: number, whole: number): HTMLElement {
  const long = h('span', { class: 'compare-length' });
  place(long, { from: 0, to: whole > 0 ? seconds / whole : 1 });
  return h('div', { class: 'compare-track' }, long);
}

function place(element: HTMLElement, { from, to }: TurnSpan): void {
  element.style.left = `${100 * from}%`;
  element.style.width = `${100 * Math.max(0.002, to - from)}%`;
}

function bandOf(a: TurnSpan, b: TurnSpan, op: DiffOp): HTMLElement {
  const band = h('span', { class: `compare-band is-${op}` });
  const at = (share: number) => `${(100 * share).toFixed(2)}%`;
  const [endA, endB] = [Math.max(a.to, a.from + 0.002), Math.max(b.to, b.from + 0.002)];
  band.style.clipPath = `polygon(${at(a.from)} 0, ${at(endA)} 0, ${at(endB)} 100%, ${at(b.from)} 100%)`;
  return band;
}

/** At each difference, once the times of frames are known. */
async function ticks(
  app: App,
  diff: SessionDiff,
  tracks: Record<'a' | 'b', HTMLElement>,
  whole: number,
): Promise<void> {
  for (const [n, side] of (['a', 'b'] as const).entries()) {
    const { frames } = app.sources[n]!;
    const column = await frames.column('t');
    if (column.is !== 'numbers') return;
    const found = new Set<number>();
    for (const entry of diff.entries) {
      const { f } = entry[side];
      if (f === null || !doesCount(diff, entry)) continue;
      const at = frames.indexOf(f);
      // So many fit beside each other.
      if (at >= 0) found.add(Math.round((1000 * column.numbers[at]!) / Math.max(whole, 1e-9)));
    }
    for (const at of found) {
      const tick = h('i', { class: 'compare-tick' });
      tick.style.left = `${at / 10}%`;
      tracks[side].append(tick);
    }
  }
}
