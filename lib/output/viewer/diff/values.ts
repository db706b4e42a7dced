/** The two values of a change beside each other, with the words that differ marked. */

import { diffLines } from '../../../analysis/diff/line-diff.ts';
import { describePath } from '../../../analysis/diff/pointer.ts';
import type { Change, DiffSection } from '../../../analysis/diff/result.ts';
import { type LinePair, rowsOf } from '../../../analysis/diff/value-lines.ts';
import { type WordPart, wordDiff } from '../../../analysis/diff/word-diff.ts';
import type { Block } from '../../../model/event.ts';
import { toJson } from '../../../model/message.ts';
import { humanSeconds, textLines, visible } from '../../../model/text/text.ts';
import { h } from '../h.ts';
import { button } from '../parts/marks.ts';
import type { DiffWords } from './words.ts';

/** Lines of one change that are shown at first. */
const MAX_FIRST_LINES = 24;

export function changeOf(change: Change, section: DiffSection, words: DiffWords): HTMLElement {
  const isTime = section === 'timing';
  const [a, b] = [change.masked?.a ?? change.a, change.masked?.b ?? change.b].map((one) =>
    isTime && typeof one === 'number' ? humanSeconds(one) : one,
  );
  const rows = rowsOf(change.op, a, b, blockText);
  const body = h('div', { class: 'compare-values' });
  const paint = (most: number) => {
    body.textContent = '';
    for (const row of rows.slice(0, most)) body.append(...cellsOf(row));
    if (rows.length > most)
      body.append(
        h(
          'div',
          { class: 'compare-rest' },
          button(words.all(rows.length), () => paint(rows.length)),
        ),
      );
  };
  paint(rows.length <= MAX_FIRST_LINES + 4 ? rows.length : MAX_FIRST_LINES);
  return h(
    'div',
    { class: 'compare-change' },
    change.path === ''
      ? null
      : h('div', { class: 'compare-path' }, h('code', { dir: 'auto' }, visible(describePath(change)))),
    body,
  );
}

function cellsOf({ left, right }: LinePair): HTMLElement[] {
  const isSame = left === right;
  const marks = left !== null && right !== null && !isSame ? wordDiff(left, right) : null;
  const kindOf = (text: string | null, kind: string) => (text === null ? 'is-absent' : isSame ? 'is-same' : kind);
  return [
    cellOf(kindOf(left, 'is-removed'), left ?? '', marks, '-'),
    cellOf(kindOf(right, 'is-added'), right ?? '', marks, '+'),
  ];
}

/** `marks`: the words of both sides, of which this side has those with its sign. */
function cellOf(kind: string, text: string, marks: readonly WordPart[] | null, sign: '-' | '+'): HTMLElement {
  const own = (marks ?? []).filter((part) => part.sign === ' ' || part.sign === sign);
  const words = own.map((part) => (part.sign === ' ' ? part.text : h(sign === '-' ? 'del' : 'ins', {}, part.text)));
  return h('div', { class: `compare-cell ${kind}`, dir: 'auto' }, ...(marks ? words : [text]));
}

const BOX: Record<string, string> = { done: '[x]', completed: '[x]', in_progress: '[>]' };

/** Content as lines that are harmless. */
function blockText(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return textLines(block.text);
    case 'shell':
      return textLines(block.command).map((line, i) => `${i === 0 ? '$' : '>'} ${line}`);
    case 'diff':
      return [
        visible(block.path),
        ...diffLines(block.before, block.after, block.lines).map(({ sign, text }) => `${sign} ${visible(text)}`),
      ];
    case 'todo':
      return block.items.map(({ title, status }) => `${BOX[status] ?? '[ ]'} ${visible(title)}`);
    case 'resource':
      return [visible(block.uri), ...textLines(block.text ?? '')];
    case 'unknown':
      return [`${visible(block.name)} ${visible(toJson(block.value))}`];
    default:
      return [`[${block.type}${block.mime === null ? '' : ` ${visible(block.mime)}`}]`];
  }
}
