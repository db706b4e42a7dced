import { expect, it } from 'vitest';
import type { Frame } from '../../../../../lib/model/frame.ts';
import { firstWords } from '../../../../../lib/output/viewer/frames/first-words.ts';

const bytes = new TextEncoder();

function wordsOf(text: string | Uint8Array, more: Partial<Frame> = {}): string {
  const raw = typeof text === 'string' ? bytes.encode(text) : text;
  const frame: Frame = {
    f: 1,
    t: 0,
    t0: null,
    from: 'agent',
    form: 'message',
    raw,
    eol: '\n',
    event: null,
    detail: {},
    ...more,
  };
  return firstWords({ bytes: raw, frame });
}

it('shows values, texts first, without what other columns say', () => {
  const line = {
    jsonrpc: '2.0',
    id: 7,
    method: 'event',
    params: { type: 'ContentPart', payload: { n: 3, text: 'Hello' } },
  };
  expect(wordsOf(JSON.stringify(line))).toBe('Hello  n=3');
});

it('shows the line itself if it says nothing else, or is no message', () => {
  expect(wordsOf('{"jsonrpc":"2.0","id":7,"result":{}}')).toBe('{"jsonrpc":"2.0","id":7,"result":{}}');
  expect(wordsOf('warning: x', { form: 'text', from: 'stderr' })).toBe('warning: x');
});

it('shows events', () => {
  expect(wordsOf('', { form: 'event', from: 'proc', event: 'exit', detail: { code: 1 } })).toBe('exit with 1');
});

it('disarms what is hostile, and cuts what is long', () => {
  expect(wordsOf('{"text":"a\\u202eb\\u001b[31m"}')).toBe('a\\u202eb␛[31m');
  expect(wordsOf(Uint8Array.of(0xff, 0x41), { form: 'bytes' })).toContain('A');
  expect(wordsOf(JSON.stringify({ text: 'x'.repeat(10_000) })).length).toBeLessThan(300);
});

it('survives nesting that recursion would not', () => {
  const deep = `${'['.repeat(5000)}"end"${']'.repeat(5000)}`;
  expect(wordsOf(deep)).toBe('end');
});
