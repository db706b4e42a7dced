/** The messages of a stream, however it is cut into chunks, and whatever it never ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageReader, type StreamMessage } from '../../../lib/replay/message-reader.ts';
import { FIRST_PART_BYTES, MAX_LINE_BYTES } from '../../../lib/storage/tape/long-line.ts';

const MB = 1 << 20;

function reader() {
  const messages: StreamMessage[] = [];
  const end = { less: 0 };
  const made = new MessageReader(
    (message) => messages.push(message),
    () => end.less++,
  );
  return { made, messages, end };
}

describe('lines', () => {
  it('are the same in any chunks', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '\r', '{', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(line), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (lines, sizes) => {
        const bytes = Buffer.from(['x', ...lines].map((text) => `${text}\n`).join(''));
        const { made, messages } = reader();
        for (let at = 0; at < bytes.length; ) {
          const next = at + sizes.next().value!;
          made.add(bytes.subarray(at, next));
          at = next;
        }
        made.end();
        expect(messages.map(({ raw, eol }) => `${raw}${eol}`)).toEqual(['x', ...lines].map((text) => `${text}\n`));
      }),
    );
  });

  it('that are too long to keep are cut, and those after them are not', () => {
    for (const size of [64 << 10, 40 * MB]) {
      const { made, messages, end } = reader();
      const long = Buffer.alloc(size, 'A');
      made.add(Buffer.from('first\n'));
      for (let sent = 0; sent < MAX_LINE_BYTES + MB; sent += long.length) made.add(long);
      made.add(Buffer.from('\nlast\n'));
      expect(messages.map(({ raw }) => raw.length)).toEqual([5, FIRST_PART_BYTES, 4]);
      expect(end.less).toBe(0);
    }
  });

  it('that are as long as can be kept are whole', () => {
    const { made, messages } = reader();
    for (let sent = 0; sent < MAX_LINE_BYTES; sent += MB) made.add(Buffer.alloc(MB, 'A'));
    made.add(Buffer.from('\n'));
    expect(messages.map(({ raw }) => raw.length)).toEqual([MAX_LINE_BYTES]);
  });

  it('without an end are given up, and nothing more is read', () => {
    const { made, messages, end } = reader();
    const block = Buffer.alloc(MB, 'A');
    for (let i = 0; i < 600; i++) made.add(block);
    made.add(Buffer.from('\nlast\n'));
    made.end();
    expect([messages, end.less]).toEqual([[], 1]);
  });
});

describe('frames', () => {
  const framed = (length: number) => `Content-Length: ${length}\r\n\r\n`;

  it('that are too long to keep are cut, and those after them are not', () => {
    const { made, messages } = reader();
    const size = MAX_LINE_BYTES + 3 * MB;
    made.add(Buffer.from(`${framed(2)}{}${framed(size)}`));
    for (let sent = 0; sent < size - MB; sent += MB) made.add(Buffer.alloc(MB, 'A'));
    made.add(Buffer.concat([Buffer.alloc(MB, 'A'), Buffer.from(`${framed(2)}[]`)]));
    expect(messages.map(({ raw, head }) => [raw.length, head])).toEqual([
      [2, framed(2)],
      [FIRST_PART_BYTES - framed(size).length, framed(size)],
      [2, framed(2)],
    ]);
    expect(messages[2]!.raw.toString()).toBe('[]');
  });

  it('of an impossible length are given up at once', () => {
    const { made, messages, end } = reader();
    made.add(Buffer.from(`${framed(900_000_000)}{`));
    made.add(Buffer.from('more'));
    expect([messages, end.less]).toEqual([[], 1]);
  });
});
