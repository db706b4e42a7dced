/** The head of a diff: the two sessions, how much differs, and the list of turns. */

import type { DiffSide, SessionDiff, TurnDiff } from '../../../analysis/diff/result.ts';
import { formatTolerance } from '../../../analysis/diff/tolerance.ts';
import { visible } from '../../../model/text/text.ts';
import { h } from '../h.ts';
import { badge, recordedText } from '../parts/marks.ts';
import { plainTable } from '../parts/plain-table.ts';
import { opBadge } from './entry.ts';
import { doesCount, sectionSums } from './model.ts';
import type { DiffWords } from './words.ts';

export function headOf({ a, b }: SessionDiff, words: DiffWords): HTMLElement {
  return h('div', { class: 'compare-head' }, sideOf(a, 'a', words), sideOf(b, 'b', words));
}

function sideOf(side: DiffSide, which: 'a' | 'b', words: DiffWords): HTMLElement {
  const { session, name, agent, agent_version, dialect, client, command, started, turns, frames } = side;
  const program = [agent, agent_version].filter((word) => word !== null).join(' ');
  return h(
    'section',
    { class: `compare-card is-${which}`, 'aria-label': words.sides[which] },
    h(
      'h2',
      {},
      h('span', { class: 'compare-letter', 'aria-hidden': 'true' }, which === 'a' ? '−' : '+'),
      recordedText(name ?? session),
    ),
    h(
      'p',
      {},
      recordedText(program),
      ' ',
      h(
        'span',
        { class: 'is-quiet' },
        [dialect, client]
          .filter((word) => word !== null)
          .map((word) => visible(word!))
          .join(' · '),
      ),
    ),
    h(
      'p',
      { class: 'is-quiet' },
      `${name === null ? '' : `${visible(session)} · `}${started.slice(0, 19).replace('T', ' ')} UTC · ${words.facts(turns, frames)}`,
    ),
    h('p', { class: 'compare-command', dir: 'auto' }, visible(command.join(' '))),
  );
}

/** `go`: to a section. */
export function sumOf(diff: SessionDiff, words: DiffWords, go: (section: string) => void): HTMLElement {
  const count = diff.entries.filter((entry) => doesCount(diff, entry)).length;
  const chips = sectionSums(diff)
    .filter(({ count: n }) => n > 0)
    .map(({ section, count: n, informal }) => {
      const chip = h(
        'button',
        { type: 'button', class: 'compare-chip', title: informal ? words.doesNotCount : null },
        words.sections[section],
        ' ',
        h('b', { class: informal ? 'is-quiet' : '' }, String(n)),
      );
      chip.addEventListener('click', () => go(section));
      return chip;
    });
  return h(
    'div',
    { class: 'compare-sum', role: 'status' },
    count === 0 ? badge('good', '✓', words.same) : badge('warn', '≠', words.sum(count)),
    ...chips,
    diff.tolerance && !diff.counts.timing
      ? h('span', { class: 'is-quiet' }, words.within(formatTolerance(diff.tolerance)))
      : null,
  );
}

export function turnTable(diff: SessionDiff, words: DiffWords, go: (turn: number) => void): HTMLElement | null {
  if (diff.turns.length === 0) return null;
  const rows = diff.turns.map((turn, at) => ({ ...turn, at }));
  const number = (n: number | null) => (n === null ? '–' : String(n));
  return plainTable<TurnDiff & { at: number }>({
    label: words.turns,
    rows,
    more: words.more,
    mark: ({ at }) => ({ 'data-turn': at }),
    columns: [
      { id: 'a', head: words.turnHead.a, isNumber: true, value: ({ a }) => a, cell: ({ a }) => number(a) },
      { id: 'b', head: words.turnHead.b, isNumber: true, value: ({ b }) => b, cell: ({ b }) => number(b) },
      {
        ...{ id: 'differences', head: words.turnHead.differences, value: ({ differences }) => differences },
        cell: ({ op, differences }) => h('span', {}, opBadge(op, words), op === 'changed' ? ` ${differences}` : ''),
      },
      {
        id: 'what',
        head: words.turnHead.what,
        value: ({ what }) => what,
        cell: ({ what, at }) => {
          const jump = h('button', { type: 'button', class: 'compare-jump', dir: 'auto' }, visible(what));
          jump.addEventListener('click', () => go(at));
          return jump;
        },
      },
    ],
  });
}
