import { expect, it } from 'vitest';
import { completionsOf, lastTerm, seenValues } from '../../../../../lib/output/viewer/shell/completions.ts';
import type { Column, FrameSource } from '../../../../../lib/output/viewer/source.ts';

const tools: Column = {
  is: 'coded',
  codes: new Uint8Array([0, 1, 1, 2, 3, 3, 3]),
  values: [null, 'Shell', 'Read file', 'Grep'],
};
const source = { frames: { column: async () => tools } } as unknown as FrameSource;
const textsOf = async (typed: string) => (await completionsOf(typed, source, 'en')).map(({ text }) => text);

it('offers qualifiers and their words as the commands do', async () => {
  expect(await textsOf('is:error met')).toEqual(['is:error method:']);
  expect(await textsOf('-from:st')).toEqual(['-from:stderr']);
  expect(await textsOf('is:error')).toEqual([]);
});

it('offers values that were seen, the most frequent first, quoted where needed', async () => {
  expect(await textsOf('tool:')).toEqual(['tool:Grep', 'tool:Shell', 'tool:"Read file"']);
  expect(await textsOf('x tool:Shell,re')).toEqual(['x tool:Shell,Grep', 'x tool:Shell,"Read file"']);
  expect(await textsOf('latency:')).toEqual([]);
});

it('explains them in both languages', async () => {
  expect((await completionsOf('is:pend', source, 'en'))[0]!.note).toBe('a request without an answer');
  expect((await completionsOf('is:pend', source, 'zh'))[0]!.note).toBe('没有应答的请求');
  expect((await completionsOf('tool:She', source, 'en'))[0]!.note).toBe('×2');
});

it('finds the term that is being typed', () => {
  expect(lastTerm('(a OR tool:X,"y')).toEqual({ name: 'tool', before: '(a OR tool:X,', value: 'y' });
  expect(lastTerm('no term')).toBeNull();
});

it('counts each word of a list', () => {
  const flags: Column = { is: 'coded', codes: new Uint8Array([0, 1, 2]), values: [null, ['a', 'b'], ['a']] };
  expect(seenValues(flags, '')).toEqual([
    { value: 'a', times: 2 },
    { value: 'b', times: 1 },
  ]);
});
