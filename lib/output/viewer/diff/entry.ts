/** One entry of a diff: both sides beside each other, and below them what differs. */

import type { DiffEntry, DiffOp } from '../../../analysis/diff/result.ts';
import { visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { h } from '../h.ts';
import { badge, frameButton, recordedText, type Tone } from '../parts/marks.ts';
import { depthOf, labelsOf } from './model.ts';
import { changeOf } from './values.ts';
import type { DiffWords } from './words.ts';

export const SIGNS: Record<DiffOp, string> = { same: '=', changed: '~', added: '+', removed: '−', moved: '⇄' };
export const TONES: Record<DiffOp, Tone> = {
  same: 'quiet',
  changed: 'warn',
  added: 'good',
  removed: 'bad',
  moved: 'warn',
};

/** Deeper ones are not indented further. */
const MAX_INDENT = 8;

export function entryOf(app: App, entry: DiffEntry, words: DiffWords): HTMLElement {
  const { op, masked, kind } = entry;
  const row = h(
    'div',
    { class: 'compare-row' },
    sideOf(app, entry, 'a', words),
    h(
      'span',
      { class: `compare-sign is-${masked ? 'quiet' : TONES[op]}`, title: masked ? words.masked : words.ops[op] },
      masked ? '≈' : SIGNS[op],
    ),
    sideOf(app, entry, 'b', words),
  );
  const root = h(
    'div',
    {
      class: `compare-entry is-${masked ? 'masked' : op} of-${kind}`,
      tabindex: -1,
      role: 'group',
      'aria-label': sentence(entry, words),
    },
    row,
    ...(hasMessageContent(entry) ? [] : entry.changes.map((change) => changeOf(change, entry.section, words))),
  );
  root.style.setProperty('--depth', String(Math.min(MAX_INDENT, depthOf(entry))));
  return root;
}

function sideOf(app: App, entry: DiffEntry, side: 'a' | 'b', words: DiffWords): HTMLElement {
  const { f } = entry[side];
  const isThere = entry[side].path !== null || f !== null || (entry.op !== 'added' && entry.op !== 'removed');
  const lacks = side === 'a' ? entry.op === 'added' : entry.op === 'removed';
  if (lacks || !isThere)
    return h('div', { class: 'compare-side is-absent' }, h('span', { class: 'compare-absent' }, words.absent));
  return h(
    'div',
    { class: `compare-side is-${side}` },
    f === null ? null : frameButton(app, f, { session: side === 'a' ? 0 : 1 }),
    h('span', { class: 'compare-kind' }, kindWords(entry, side)),
    entry.kind === 'step' && entry.op !== 'added' && entry.op !== 'removed'
      ? null
      : recordedText(labelsOf(entry)[side] || entry.kind, { class: 'compare-what' }),
  );
}

/** `turn 2`, `step 1`, else the kind; a tool call speaks for itself. */
function kindWords({ kind, section, a, b }: DiffEntry, side: 'a' | 'b'): string {
  if (section !== 'conversation') return '';
  const path = (side === 'a' ? a.path : b.path) ?? '';
  if (kind === 'turn' || kind === 'step') return `${kind} ${path.slice(path.lastIndexOf('/') + 1)}`;
  return kind === 'tool-call' ? '' : kind;
}

/** What was added or removed is a text that the row shows already. */
function hasMessageContent({ op, what, changes, kind }: DiffEntry): boolean {
  if (op !== 'added' && op !== 'removed') return false;
  const value = op === 'added' ? changes[0]?.b : changes[0]?.a;
  if (typeof value === 'string') return value === what;
  if (typeof value !== 'object' || value === null || kind === 'step') return false;
  const { kind: _, name: __, inside, ...rest } = value as Record<string, unknown>;
  const isEmpty = !Array.isArray(inside) || inside.length === 0;
  return isEmpty && Object.keys(rest).length === 1 && rest.text === what;
}

/** For those who hear it. */
function sentence({ op, masked, what, kind, a, b, section }: DiffEntry, words: DiffWords): string {
  const how = masked ? words.maskedOp : words.ops[op];
  const of = section === 'conversation' ? kind : words.sections[section];
  const both = a.what === undefined || b.what === undefined ? what : `${a.what} → ${b.what}`;
  return `${how}: ${of} ${visible(both)}, ${words.frames(a.f, b.f)}`;
}

export function opBadge(op: DiffOp, words: DiffWords): HTMLElement {
  return badge(TONES[op], SIGNS[op], words.ops[op]);
}
