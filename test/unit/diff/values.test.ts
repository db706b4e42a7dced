/** Differences of JSON values, and pointers that leave some of them out. */
import { describe, expect, it } from 'vitest';
import { Pointers } from '../../../lib/diff/pointer.ts';
import { diffValues } from '../../../lib/diff/values.ts';

const same = (text: string) => text;

function diff(a: unknown, b: unknown, ignored: string[] = []): unknown[] {
  const pointers = new Pointers(ignored);
  const how = { a: same, b: same, isIgnored: (pointer: string) => pointers.has(pointer) };
  return [...diffValues(a, b, '', how)].map(({ op, path, a: was, b: is }) => [op, path, was, is]);
}

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
      ['changed', '/1/about', 'x', 'y'],
      ['removed', '/2', { name: 'old' }, null],
      ['added', '/0', null, { name: 'afk' }],
    ]);
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
    expect(new Pointers([pattern]).has('/result/output')).toBe(has);
  });
});
