/** Any text is a query or a QueryError, at a place that exists, and soon. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryExpr } from '../../../../lib/analysis/query/ast.ts';
import { markError, QueryError } from '../../../../lib/analysis/query/error.ts';
import { explainQuery } from '../../../../lib/analysis/query/explain.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { compileFrame } from '../../../../lib/analysis/query/predicate.ts';
import { printQuery } from '../../../../lib/analysis/query/print.ts';
import { QUALIFIERS } from '../../../../lib/analysis/query/qualifiers.ts';
import { sessionQueries } from '../../../../lib/analysis/query/sessions.ts';
import { globMatches } from '../../../../lib/model/text/glob.ts';
import { frameFacts } from '../../../support/facts.ts';
import { randomOf, randomQuery } from '../../../support/random-query.ts';
import { cases } from '../../../support/scale.ts';

/** All that can be done with a query; what it throws is a QueryError that can be shown. */
function use(query: string): void {
  try {
    const expr: QueryExpr | null = parseQuery(query);
    explainQuery(expr);
    // What is printed reads again; `-0` is where the text may differ.
    expect(printQuery(parseQuery(printQuery(expr)))).toBe(printQuery(expr));
    compileFrame(expr)(frameFacts({ message: { a: [1, { b: 'x' }] }, text: 'some text' }));
    sessionQueries(expr);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    expect(error.at).toBeGreaterThanOrEqual(0);
    expect(error.at + error.length).toBeLessThanOrEqual(query.length);
    const [line, mark] = markError(query, error);
    expect(line).not.toMatch(/[\u0000-\u001f]/);
    expect(mark).toMatch(/^ *\^+$/);
  }
}

const piece = fc.oneof(
  fc.constantFrom(
    ...['(', ')', '-', '"', ':', ',', '/', '\\', '*', '?', '..', '@', '[', ']', '.', ' ', '>', '<=', '\n'],
  ),
  fc.constantFrom(
    ...['OR', 'AND', 'NOT', '[*]', '[0]', '/i', '\u001b', '\u2028', '\ud800', '🙂', '错', '\0', '%', "'", ';--'],
  ),
  fc.constantFrom(...QUALIFIERS.map(({ name }) => `${name}:`)),
  fc.constantFrom(...QUALIFIERS.map(({ example }) => example)),
  fc.constantFrom(
    ...['1', '-1', '1e999', '0x1', '30s', '1mb', 'f1', '2026-11-16', '__proto__', 'constructor', '{20}', '+'],
  ),
);

describe('any text', () => {
  it('of pieces of the language', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => use(pieces.join(''))),
      { numRuns: cases(3000) },
    );
  });

  it('of whatever characters', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x10ffff), { maxLength: 60 }), (points) => use(String.fromCodePoint(...points))),
      { numRuns: cases(500) },
    );
  });

  it('that was a query before a character was changed', () => {
    const random = randomOf(6);
    for (let i = 0; i < 2000; i++) {
      const query = randomQuery(random);
      const at = Math.floor(random() * (query.length + 1));
      use(
        query.slice(0, at) +
          '():"/\\-*@,.[] \u0000'[Math.floor(random() * 15)] +
          query.slice(at + Math.floor(random() * 2)),
      );
    }
  });

  it.each([
    ...[
      '(',
      ')',
      '-',
      '"',
      '/',
      '\\',
      'tool:/',
      '@a[',
      '@a."',
      'NOT ',
      'a OR ',
      '(a OR ',
      '-(',
      'tool:a,',
      '@*.',
      '\ud83d',
    ],
    ...['错', 'f:1..', '*', 'kind:*', '@a:/(', '(client:a OR tool:b) ', 'NOT (client:a tool:b) ', '""', '\\"'],
  ])('%j, as often as fits and more', (part) => {
    use(part.repeat(Math.floor(8192 / part.length)));
    use(part.repeat(20_000));
  });
});

describe('a glob', () => {
  it.each([
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abcd', false],
    ['*', '', true],
    ['?', '', false],
    ['?', '🙂', true],
    ['??', '🙂', false],
    ['*🙂', 'a🙂', true],
    ['a**b?', 'axxbc', true],
    ['*.env', 'x/.env', true],
    ['[a]*', '[a]b', true],
    ['[a]*', 'ab', false],
    ['a.c', 'abc', false],
  ])('%s fits %s: %s', (pattern, text, fits) => {
    expect(globMatches(pattern, text)).toBe(fits);
  });

  it('agrees with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(letters, text, (pattern, text) => {
        const regex = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(globMatches(pattern, text)).toBe(regex.test(text));
      }),
      { numRuns: cases(3000) },
    );
  });

  it('with many stars ends on a long text', () => {
    expect(globMatches(`${'*a'.repeat(100)}*b`, 'a'.repeat(100_000))).toBe(false);
  });
});
