import { describe, expect, it } from 'vitest';
import { jsonLines, pathOf, prettyText, valueAt } from '../../../../lib/output/viewer/detail/json-lines.ts';

const pretty = (text: string) => {
  const lines = jsonLines(text);
  return lines && prettyText(lines);
};

describe('lines of JSON', () => {
  it('look as JSON.stringify makes them', () => {
    for (const value of [{ a: 1, b: [true, null, { c: 'd' }], e: {}, f: [] }, [], {}, 'x', 3, [[[]]], [{}, {}]])
      expect(pretty(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it('keep what was sent: numbers, keys, order, escapes', () => {
    const text = '{"id":12345678901234567890,"x":1e400,"x":-0.10,"__proto__":{"a":1},"s":"\\u00e9\\/\\ud83d"}';
    expect(pretty(text)).toBe(
      [
        '{',
        '  "id": 12345678901234567890,',
        '  "x": 1e400,',
        '  "x": -0.10,',
        '  "__proto__": {',
        '    "a": 1',
        '  },',
        '  "s": "\\u00e9\\/\\ud83d"',
        '}',
      ].join('\n'),
    );
  });

  it('are none if it is not JSON', () => {
    for (const text of [
      '',
      '{',
      '{"a"}',
      '{"a":}',
      '[1,]',
      '{"a":1,}',
      'nope',
      '01',
      '{"a":1}x',
      '"open',
      '[1 2]',
      '{]',
      'tru',
    ])
      expect(jsonLines(text), text).toBeNull();
  });

  it('of a text that was cut off go as far as it does', () => {
    const lines = jsonLines('{"a":[1,2],"b":"half of', true)!;
    expect(prettyText(lines)).toBe('{\n  "a": [\n    1,\n    2\n  ],\n  "b": "half of');
    expect(lines.isWhole).toBe(false);
    expect(lines.match[0]).toBe(-1);
    expect(jsonLines('not json at all, and long enough to tell', true)).toBeNull();
  });

  it('know their path and value', () => {
    const lines = jsonLines('{"a":[{"b c":1},{"d":[2, 3]}],"e":{}}')!;
    const paths = Array.from({ length: lines.count }, (_, i) => pathOf(lines, i));
    expect(paths).toEqual([
      ...['$', '$.a', '$.a[0]', '$.a[0]["b c"]', '$.a[0]', '$.a[1]', '$.a[1].d', '$.a[1].d[0]', '$.a[1].d[1]'],
      ...['$.a[1].d', '$.a[1]', '$.a', '$.e', '$'],
    ]);
    expect(valueAt(lines, 6)).toBe('[2, 3]');
    expect(valueAt(lines, 9)).toBe('[2, 3]');
    expect(valueAt(lines, 3)).toBe('1');
  });

  it('nest as deep as they like', () => {
    const deep = 100_000;
    const lines = jsonLines('['.repeat(deep) + ']'.repeat(deep))!;
    expect(lines.count).toBe(2 * deep - 1);
    expect(lines.depth[deep - 1]).toBe(deep - 1);
    expect(lines.match[0]).toBe(2 * deep - 2);
    expect(prettyText(lines).length).toBeLessThan(50_000_000);
  });
});
