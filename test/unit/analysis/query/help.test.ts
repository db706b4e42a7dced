/** The table of qualifiers, and what is made of it. */
import { describe, expect, it } from 'vitest';
import { MARKS } from '../../../../lib/analysis/facts/marks.ts';
import { EXAMPLE_QUERIES, helpQuery } from '../../../../lib/analysis/query/help.ts';
import { distance, nearest } from '../../../../lib/analysis/query/nearest.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { QUALIFIERS, qualifierOf } from '../../../../lib/analysis/query/qualifiers.ts';
import { DIALECTS } from '../../../../lib/dialects/index.ts';

describe('the qualifiers', () => {
  it('have those of the design', () => {
    const frame =
      'from envelope kind is has method type id tool turn step subagent f t at size latency wait gap code status';
    const session = 'session dialect client agent version name tag state exit source cwd';
    const names = QUALIFIERS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(`${frame} approval by mode ran flag ${session}`.split(' ')));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(QUALIFIERS)('$name: has an example that can be read', ({ name, example, of }) => {
    expect(parseQuery(example)).toMatchObject({ is: 'field', name, of });
  });

  it('know every dialect', () => {
    expect([...qualifierOf('dialect')!.words!].sort()).toEqual(DIALECTS.map(({ name }) => name).sort());
  });
});

describe('help', () => {
  const help = helpQuery().join('\n');

  it('fits a terminal', () => {
    expect(helpQuery().filter((line) => line.length > 80)).toEqual([]);
  });

  it('names every qualifier, every word and every example, in lines that fit', () => {
    for (const { name, words } of QUALIFIERS) {
      expect(help).toContain(`${name}:`);
      if (name !== 'exit') for (const word of words ?? []) expect(help).toContain(word);
    }
    for (const { of, word } of MARKS) expect(help).toContain(`${of}:${word}`);
    for (const { query } of EXAMPLE_QUERIES) expect(help).toContain(query);
    expect(EXAMPLE_QUERIES).toHaveLength(12);
    expect(Math.max(...helpQuery().map(({ length }) => length))).toBeLessThanOrEqual(120);
  });
});

describe('nearest', () => {
  it.each([
    ['tol', ['tool']],
    ['lateny', ['latency']],
    ['knid', ['kind']],
    ['http', []],
    ['sess', ['session']],
    ['zzzzzz', []],
    ['a'.repeat(100), []],
  ])('%s', (word, expected) => {
    expect(
      nearest(
        word,
        QUALIFIERS.map(({ name }) => name),
      ),
    ).toEqual(expected);
  });

  it('counts letters to change', () => {
    expect([
      distance('abc', 'abc'),
      distance('abc', 'acb'),
      distance('', 'abc'),
      distance('kitten', 'sitting'),
    ]).toEqual([0, 1, 3, 3]);
  });
});
