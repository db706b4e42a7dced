/** Differences of JSON values, and pointers that leave some of them out. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describePath, PointerPatterns } from '../../../../lib/analysis/diff/pointer.ts';
import type { Change } from '../../../../lib/analysis/diff/result.ts';
import { diffValues } from '../../../../lib/analysis/diff/values.ts';

const same = (text: string) => text;

function all(a: unknown, b: unknown): Change[] {
  return [...diffValues(a, b, '', { a: same, b: same, isIgnored: () => false })];
}

const diff = (a: unknown, b: unknown): unknown[] =>
  all(a, b).map((change) => [change.op, describePath(change), change.a, change.b]);

describe('values', () => {
  it('are told by pointer, with both values', () => {
    const a = { path: 'x', 'a/b': { '~': 1 }, gone: null, list: [1, 2, 3] };
    const b = { path: 'y', 'a/b': { '~': 2 }, list: [1, 9, 3, 4] };
    expect(diff(a, b)).toEqual([
      ['changed', '/path', 'x', 'y'],
      ['changed', '/a~1b/~0', 1, 2],
      ['removed', '/gone', null, null],
      ['changed', '/list/1', 2, 9],
      ['added', '/list/3', null, 4],
    ]);
  });

  it('of lists with names are paired by name', () => {
    const a = [{ name: 'init' }, { name: 'yolo', about: 'x' }, { name: 'old' }];
    const b = [{ name: 'afk' }, { name: 'yolo', about: 'y' }, { name: 'init' }];
    expect(diff(a, b)).toEqual([
      ['changed', '/1/about (yolo)', 'x', 'y'],
      ['removed', '/2', { name: 'old' }, null],
      ['added', '/0', null, { name: 'afk' }],
    ]);
  });

  it('of lists with ids and names are paired by id, then by name', () => {
    const a = [
      { value: 'ask', name: 'Default' },
      { value: 'plan', name: 'Plan' },
      { value: 'auto', name: 'Auto' },
    ];
    const b = [
      { value: 'plan', name: 'Default' },
      { value: 'ask', name: 'Ask' },
      { value: 'auto-edit', name: 'Auto' },
    ];
    expect(diff(a, b)).toEqual([
      ['changed', '/0→1/name (ask)', 'Default', 'Ask'],
      ['changed', '/1→0/name (plan)', 'Plan', 'Default'],
      ['changed', '/2/value (Auto)', 'auto', 'auto-edit'],
    ]);
  });

  it('of lists have the places of their own side', () => {
    const a = [{ id: 'x', parts: [1, 2, { id: 'in' }] }, { id: 'y' }];
    const b = [{ id: 'new' }, { id: 'y' }, { id: 'x', parts: [0, 1, 2, { id: 'in', more: true }] }];
    expect(diff(a, b)).toEqual([
      ['added', '/2/parts/0 (x)', null, 0],
      ['added', '/2/parts/3/more (x)', null, true],
      ['added', '/0', null, { id: 'new' }],
    ]);
    expect(diff(b, a)).toEqual([
      ['removed', '/0', { id: 'new' }, null],
      ['removed', '/2/parts/0 (x)', 0, null],
      ['removed', '/2/parts/3/more (x)', true, null],
    ]);
  });

  it('of lists that have little to do with each other came and went', () => {
    const a = ['read the file', 'run the tests'];
    const b = ['run all the tests', 'commit', 'push'];
    expect(diff(a, b)).toEqual([
      ['removed', '/0', 'read the file', null],
      ['changed', '/1→0', 'run the tests', 'run all the tests'],
      ['added', '/1', null, 'commit'],
      ['added', '/2', null, 'push'],
    ]);
  });

  it('mirror each other', () => {
    const leaf = fc.oneof(fc.constantFrom('one', 'two', 'one two', 'three'), fc.nat(2), fc.constant(null));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.record({ id: fc.constantFrom('x', 'y', 'z'), name: leaf, in: tie('value') }), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('id', 'name', 'value', 'in'), tie('value')),
      ),
    }));
    const flipped: Record<string, string> = { added: 'removed', removed: 'added' };
    const rows = (list: Change[]) => list.map((one) => JSON.stringify(one)).sort();
    fc.assert(
      fc.property(value, value, (a, b) => {
        const back = all(b, a).map(({ op, path, path_b = path, ...change }) => ({
          ...{ op: flipped[op] ?? op, path: op === 'changed' ? path_b : path },
          ...(path_b === path ? {} : { path_b: path }),
          ...{ a: change.b, b: change.a },
          ...(change.element === undefined ? {} : { element: change.element }),
        }));
        expect(rows(back as Change[])).toEqual(rows(all(a, b)));
      }),
    );
  });

  it('of lists in another order are told as such', () => {
    expect(diff([{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }])).toEqual([
      ['changed', '', ['a', 'b'], ['b', 'a']],
    ]);
  });

  it('survive any depth', () => {
    const nested = (value: unknown, depth: number): unknown => {
      let out = value;
      for (let i = 0; i < depth; i++) out = [out];
      return out;
    };
    expect(diff(nested(1, 1000), nested(2, 1000))).toHaveLength(1);
    expect(diff(nested(1, 100_000), nested(2, 100_000))).toEqual([]);
  });
});

describe('pointers', () => {
  it.each([
    ['/result/output', true],
    ['/result', true],
    ['/result/', true],
    ['/*/output', true],
    ['/**/output', true],
    ['/res', false],
    ['/output', false],
    ['/result/output/more', false],
    ['/r.sult/output', false],
  ])('%s: %s', (pattern, has) => {
    expect(new PointerPatterns([pattern]).has('/result/output')).toBe(has);
  });

  it.each([
    ['/**', '', true],
    ['/**/b/**/d', '/a/b/c/d/e', true],
    ['/**/b/**/x', '/a/b/c/d/e', false],
    ['/a*c', '/abc', true],
    ['/a*b*c', '/aXbYc/z', true],
    ['/a*b*c', '/aXcYb', false],
    ['/a*a', '/a', false],
    ['/*', '', false],
    ['/a?', '/ab', false],
  ])('%s of %s: %s', (pattern, pointer, has) => {
    expect(new PointerPatterns([pattern]).has(pointer)).toBe(has);
  });

  it('with many stars take no time that grows with their number', () => {
    const key = `/${'a'.repeat(100_000)}`;
    expect(new PointerPatterns([`/${'*a'.repeat(50)}b`]).has(key)).toBe(false);
    expect(new PointerPatterns([`${'/**'.repeat(50)}/b`]).has('/a'.repeat(1000))).toBe(false);
  });
});
