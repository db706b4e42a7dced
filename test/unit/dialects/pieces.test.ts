import { describe, expect, it } from 'vitest';
import { readPieces } from '../../../lib/dialects/pieces.ts';
import { wire } from '../../../lib/dialects/wire/index.ts';

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

describe('pieces of a streamed text', () => {
  it('are parsed as JSON.parse does', () => {
    for (const text of TEXTS) {
      for (const [type, payload] of payloads(text)) {
        const written = line(type, payload);
        const read = wire.piece!(written)?.value;
        expect(read).toEqual(JSON.parse(written));
        // The keys are in the same order.
        expect(JSON.stringify(read)).toBe(written);
      }
    }
  });

  it('may be written with other escapes', () => {
    const written = line('ContentPart', { type: 'text', text: '#' }).replace('#', String.raw`\/\u00e4\uD83D\ude00\b`);
    expect(wire.piece!(written)?.value).toEqual(JSON.parse(written));
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
    expect(wire.piece!(written)).toBeUndefined();
  });

  it('is a new object each time', () => {
    const written = line('ToolCallPart', { arguments_part: 'a' });
    expect(wire.piece!(written)!.value.params).not.toBe(wire.piece!(written)!.value.params);
  });

  it('takes a line as it is, not as a pattern', () => {
    const line = (text: string) => ({ 'a.b': text, 'c+': '(d' });
    const read = readPieces({ line, event: (text) => ({ kind: 'text', text }) });
    expect(read('{"a.b":"x","c+":"(d"}')?.value).toEqual({ 'a.b': 'x', 'c+': '(d' });
    expect(read('{"a-b":"x","c+":"(d"}')).toBeUndefined();
  });
});
