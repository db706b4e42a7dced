import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../../lib/output/viewer/detail/json-lines.ts';
import { JsonRows } from '../../../../lib/output/viewer/detail/json-rows.ts';

const rowsOf = (text: string, columns = 80) => new JsonRows(jsonLines(text)!, columns);
const shown = (rows: JsonRows) =>
  Array.from({ length: rows.count }, (_, i) => {
    const { depth, spans, more } = rows.row(i);
    return `${'  '.repeat(depth)}${spans.map(({ text }) => text).join('')}${more > 0 ? ` +${more}` : ''}`;
  });

describe('rows of JSON', () => {
  it('fold and unfold, and say how much is folded', () => {
    const rows = rowsOf('{"a":[1,2,3],"b":{"c":4}}');
    rows.toggle(1, 'fold');
    expect(shown(rows)).toEqual(['{', '  "a": [ … 3 ],', '  "b": {', '    "c": 4', '  }', '}']);
    rows.toggle(1, 'fold');
    expect(rows.count).toBe(10);
    rows.foldAll(1);
    expect(shown(rows)).toEqual(['{', '  "a": [ … 3 ],', '  "b": { … 1 }', '}']);
    rows.foldAll(null);
    expect(rows.count).toBe(10);
  });

  it('unwrap JSON in strings, in place and again inside', () => {
    const inner = JSON.stringify({ x: JSON.stringify([1, 2]) });
    const rows = rowsOf(JSON.stringify({ arguments: inner, plain: '{not json' }));
    expect(rows.row(1).unwrapped).toBe(false);
    expect(rows.row(2).unwrapped).toBeNull();
    rows.toggle(1, 'inner');
    expect(rows.row(1).unwrapped).toBe(true);
    expect(rows.row(3)).toMatchObject({ isInner: true, unwrapped: false, depth: 3 });
    rows.toggle(3, 'inner');
    expect(rows.path(5)).toBe('$.arguments ▸ $.x ▸ $[0]');
    expect(rows.value(5)).toBe('1');
    rows.toggle(1, 'inner');
    expect(rows.count).toBe(4);
  });

  it('show the beginning of a long string, and all of it in lines when it is opened', () => {
    const long = `${'字'.repeat(300)}\n${'y'.repeat(300)}`;
    const rows = rowsOf(JSON.stringify({ long }));
    const text = JSON.stringify(long);
    const { spans, more } = rows.row(1);
    expect(spans.at(-1)!.text.length + more).toBe(text.length);
    expect(more).toBeGreaterThan(0);
    rows.toggle(1, 'string');
    const pieces = Array.from({ length: rows.count - 3 }, (_, i) =>
      rows
        .row(i + 2)
        .spans.map((span) => span.text)
        .join(''),
    );
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(80);
    expect(pieces.some((piece) => piece.endsWith('\\n'))).toBe(true);
    rows.columns = 40;
    expect(rows.count).toBeGreaterThan(pieces.length + 3);
    rows.toggle(1, 'string');
    expect(rows.count).toBe(3);
  });
});
