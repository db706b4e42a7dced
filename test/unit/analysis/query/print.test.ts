/** A query that was read and written again is the same query. */
import { describe, expect, it } from 'vitest';
import type { QueryExpr } from '../../../../lib/analysis/query/ast.ts';
import { explainQuery } from '../../../../lib/analysis/query/explain.ts';
import { EXAMPLE_QUERIES } from '../../../../lib/analysis/query/help.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { printQuery } from '../../../../lib/analysis/query/print.ts';
import { randomOf, randomQuery } from '../../../support/random-query.ts';

/** Without places, and with patterns that can be compared. */
function bare(expr: QueryExpr | null): unknown {
  const plain = (key: string, value: unknown) =>
    key === 'at' ? undefined : value instanceof RegExp ? `${value}` : value;
  return JSON.parse(JSON.stringify(expr, plain));
}

describe('printQuery', () => {
  it.each([
    ['a b', 'a b'],
    ['a AND (b c)', 'a b c'],
    ['a OR b c', 'a OR b c'],
    ['(a OR b) c', '(a OR b) c'],
    ['-a', 'NOT a'],
    ['-(a b)', 'NOT (a b)'],
    ['NOT NOT a', 'NOT NOT a'],
    ['"a b"', '"a b"'],
    ['"say \\"hi\\""', '"say \\"hi\\""'],
    ['latency:>500ms', 'latency:>0.5s'],
    ['latency:500ms..*', 'latency:0.5s..*'],
    ['size:*..1kb', 'size:*..1024'],
    ['at:2026-11-16', 'at:2026-11-16T00:00:00.000000Z..2026-11-16T23:59:59.999999Z'],
    ['@a."b c"[*].d:x', '@a."b c"[*].d:x'],
    ['@a:"1"', '@a:"1"'],
    ['@a:1', '@a:1'],
    ['cwd:/home/me/*', 'cwd:/home/me/*'],
    ['exit:TERM,1', 'exit:sigterm,1'],
    ['tool:/a\\/b/', 'tool:/a\\/b/'],
    ['/(a|aa)+c/', '/(a|aa)+c/'],
    ['x -/a b/i', 'x NOT /a b/'],
    ['/usr/bin', '"/usr/bin"'],
  ])('%s is %s', (query, printed) => {
    expect(printQuery(parseQuery(query))).toBe(printed);
  });

  it('gives what reads as the same query', () => {
    const random = randomOf(1);
    for (let i = 0; i < 3000; i++) {
      const query = randomQuery(random);
      const parsed = parseQuery(query);
      const printed = printQuery(parsed);
      expect(bare(parseQuery(printed)), `${query}\n${printed}`).toEqual(bare(parsed));
    }
  });
});

describe('explainQuery', () => {
  it('says in words how a query was understood', () => {
    expect(
      explainQuery(parseQuery('(code:-32099..-32000 OR is:inv*) client:zed* NOT status:finished,end_turn')),
    ).toEqual([
      'all of',
      '  any of',
      '    the code is from -32099 to -32000',
      '    the frame is invalid',
      "  the session's client matches zed*",
      '  not: the status is "finished", or is "end_turn"',
    ]);
    expect(explainQuery(parseQuery('-(a latency:2s)'))).toEqual([
      'not',
      '  all of',
      '    the text contains "a"',
      '    the latency is 2 s',
    ]);
    expect(explainQuery(null)).toEqual(['matches every frame']);
  });

  it('obeys no control character', () => {
    expect(explainQuery(parseQuery('"\u001b[31m"')).join('')).not.toContain('\u001b');
  });

  it('has words for every query', () => {
    const random = randomOf(2);
    for (let i = 0; i < 1000; i++)
      expect(explainQuery(parseQuery(randomQuery(random))).join('\n')).not.toMatch(/undefined|NaN|null in/);
    for (const { query } of EXAMPLE_QUERIES) expect(explainQuery(parseQuery(query)).length).toBeGreaterThan(1);
  });
});
