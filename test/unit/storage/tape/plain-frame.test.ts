import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { textIn } from '../../../../lib/model/message.ts';
import { readPlainFrame } from '../../../../lib/storage/tape/plain-frame.ts';
import { parseLine } from '../../../../lib/storage/tape/read.ts';

const read = (line: string) => readPlainFrame(Buffer.from(line));

/** What the reader that takes everything makes of the line: a blank in front keeps the other one from it. */
function readLoosely(line: string) {
  const entry = parseLine(Buffer.from(` ${line}`));
  return entry?.is === 'frame' ? entry.frame : null;
}

/** All that a frame says, whether it is looked up or worked out. */
function said(frame: Frame | null) {
  if (!frame) return null;
  const { f, t, t0, from, form, raw, eol, event, detail } = frame;
  return { f, t, t0, from, form, raw: Buffer.from(raw), text: textIn(frame), eol, event, detail };
}

describe('readOwnFrame', () => {
  it('reads what the tape writer writes, to the last bit of its times', () => {
    const micros = fc.integer({ min: 0, max: 999_999_999 * 1e6 });
    const seconds = (n: number) => `${Math.floor(n / 1e6)}.${String(n % 1e6).padStart(6, '0')}`;
    const line = fc
      .record({
        f: fc.integer({ min: 1, max: 999_999_999_999_999 }),
        t: micros,
        t0: fc.option(micros),
        from: fc.constantFrom('client', 'agent', 'stderr'),
        eol: fc.constantFrom('', '"eol":"",', '"eol":"\\r\\n",'),
        message: fc.json(),
      })
      .map(({ f, t, t0, from, eol, message }) => {
        const begun = t0 === null ? '' : `"t0":${seconds(t0)},`;
        return `{"f":${f},"t":${seconds(t)},${begun}"from":"${from}",${eol}"message":${message}}`;
      });
    fc.assert(
      fc.property(line, (text) => {
        expect(read(text)).not.toBeNull();
        expect(said(read(text))).toEqual(said(readLoosely(text)));
        const around = Buffer.from(`\n${text}\n{"f":2`);
        expect(said(readPlainFrame(around, 1, around.lastIndexOf('\n')))).toEqual(said(readLoosely(text)));
      }),
    );
  });

  it.each([
    ['UTF-8', '"\u00e9\u4f60\u{1f600}"'],
    ['a replacement character', '"\ufffd"'],
  ])('has the text of %s', (_, message) => {
    const frame = read(`{"f":1,"t":0.000000,"from":"agent","message":${message}}`);
    expect(frame!.text).toBe(message);
  });

  it('has no text where the bytes are none', () => {
    const head = Buffer.from('{"f":1,"t":0.000000,"from":"agent","message":"');
    const line = Buffer.concat([head, Buffer.from([0xff, 0x22, 0x7d])]);
    expect(readPlainFrame(line)!.text).toBeNull();
    expect(readPlainFrame(line)!.raw).toEqual(Buffer.from([0x22, 0xff, 0x22]));
  });

  it.each([
    ['an event', '{"f":1,"t":0.000000,"from":"proc","event":"spawn"}'],
    ['text', '{"f":1,"t":0.000000,"from":"agent","text":"x"}'],
    ['bytes', '{"f":1,"t":0.000000,"from":"agent","bytes":"eA=="}'],
    ['a seal', '{"type":"seal","f":1,"t":0.000000,"at":"","sha256":""}'],
    ['other keys', '{"f":1,"t":0.000000,"from":"agent","more":1,"message":{}}'],
    ['another order', '{"t":0.000000,"f":1,"from":"agent","message":{}}'],
    ['blanks', '{"f": 1,"t":0.000000,"from":"agent","message":{}}'],
    ['a number that is none', '{"f":01,"t":0.000000,"from":"agent","message":{}}'],
    ['no number', '{"f":,"t":0.000000,"from":"agent","message":{}}'],
    ['a number beyond the exact ones', '{"f":9007199254740993,"t":0.000000,"from":"agent","message":{}}'],
    ['a time beyond the exact ones', '{"f":1,"t":9999999999.000000,"from":"agent","message":{}}'],
    ['other decimals', '{"f":1,"t":0.5,"from":"agent","message":{}}'],
    ['an unknown speaker', '{"f":1,"t":0.000000,"from":"nobody","message":{}}'],
    ['an unknown line end', '{"f":1,"t":0.000000,"from":"agent","eol":"\\r","message":{}}'],
    ['a line that is cut off', '{"f":1,"t":0.000000,"from":"agent","message":{}'.slice(0, -2)],
    ['nothing', ''],
  ])('leaves %s to others', (_, line) => expect(read(line)).toBeNull());
});
