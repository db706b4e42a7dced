import { describe, expect, it } from 'vitest';
import { readPieces } from '../../../lib/dialects/pieces.ts';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { readOwnFrame } from '../../../lib/tape/own-frame.ts';

const TEXTS = [
  '',
  'a word',
  'über 😀 \u2028',
  'line\nline\t"quoted" \\ /',
  '\u0000\u001f\ud800',
  '"}}}',
  '…',
  'x'.repeat(3000),
];
const payloads = (text: string): [type: string, payload: object][] => [
  ['ContentPart', { type: 'text', text }],
  ['ContentPart', { type: 'think', think: text, encrypted: null }],
  ['ToolCallPart', { arguments_part: text }],
];
const line = (type: string, payload: object) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } });

/** As a frame in memory, and as one that was read from a tape: both give the same. */
function pieceOf(written: string, piece = wire.piece!) {
  const plain = { f: 1, t: 0, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} } as const;
  const own = readOwnFrame(Buffer.from(`{"f":1,"t":0.000000,"from":"agent","message":${written}}`))!;
  const read = piece({ ...plain, raw: Buffer.from(written) });
  expect(piece(own)).toEqual(read);
  expect(own.text).toBe(Buffer.from(written).toString());
  // Once more, now that the form is known.
  expect(piece(own)).toEqual(read);
  return read;
}

describe('pieces of a streamed text', () => {
  it('are parsed as JSON.parse does', () => {
    for (const text of TEXTS) {
      for (const [type, payload] of payloads(text)) {
        const written = line(type, payload);
        const read = pieceOf(written)?.value;
        expect(read).toEqual(JSON.parse(written));
        // The keys are in the same order.
        expect(JSON.stringify(read)).toBe(written);
      }
    }
  });

  it('may be written with other escapes', () => {
    const written = line('ContentPart', { type: 'text', text: '#' }).replace('#', String.raw`\/\u00e4\uD83D\ude00\b`);
    expect(pieceOf(written)?.value).toEqual(JSON.parse(written));
  });

  it.each([
    ['another type', line('TurnEnd', {})],
    ['a further key', line('ContentPart', { type: 'text', text: 'a', more: 'b' })],
    ['another order of keys', line('ContentPart', { text: 'a', type: 'text' })],
    ['an encrypted thought', line('ContentPart', { type: 'think', think: 'a', encrypted: 'b' })],
    ['no string', line('ToolCallPart', { arguments_part: null })],
    ['spaces', line('ToolCallPart', { arguments_part: 'a' }).replaceAll(':', ': ')],
    ['text after it', `${line('ToolCallPart', { arguments_part: 'a' })}}`],
    ['a raw control character', line('ToolCallPart', { arguments_part: 'a\n' }).replace('\\n', '\n')],
    ['an escape that JSON does not have', line('ToolCallPart', { arguments_part: '#' }).replace('#', String.raw`\x41`)],
    ['half an escape', line('ToolCallPart', { arguments_part: '#' }).replace('#', String.raw`\u12`)],
    ['a very long text', line('ToolCallPart', { arguments_part: 'a'.repeat(100_000) })],
  ])('leaves the rest to others: %s', (_, written) => {
    expect(pieceOf(written)).toBeUndefined();
  });

  it('is a new object each time', () => {
    const written = line('ToolCallPart', { arguments_part: 'a' });
    expect(pieceOf(written)!.value.params).not.toBe(pieceOf(written)!.value.params);
  });

  it('takes a line as it is, not as a pattern', () => {
    const line = (text: string) => ({ 'a.b': text, 'c+': '(d' });
    const read = readPieces({ line, event: (text) => ({ kind: 'text', text }) });
    expect(pieceOf('{"a.b":"x","c+":"(d"}', read)?.value).toEqual({ 'a.b': 'x', 'c+': '(d' });
    expect(pieceOf('{"a-b":"x","c+":"(d"}', read)).toBeUndefined();
  });
});
