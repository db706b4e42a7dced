/** Recorded text is hostile: nothing of it may move a cursor, set a title or turn a line around. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cells, cellsOf, clip, humanBytes, humanSeconds, pad, visible } from '../../../../lib/model/text/text.ts';

describe('visible', () => {
  it.each([
    ['\x1b[31mred', '␛[31mred'],
    ['\x1b]52;c;cGF3bmVk\x07', '␛]52;c;cGF3bmVk␇'],
    ['\u009b31m', '\\u009b31m'],
    ['a\r\nb\tc', 'a␍␊b␉c'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['\ufeffbom', '\\ufeffbom'],
    ['nul\0', 'nul␀'],
    ['\u2028', '\\u2028'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['中文 👩‍👩‍👧 é', '中文 👩‍👩‍👧 é'],
    // Joined and styled characters stay what they are,
    ...['👩🏽‍💻 🏳️‍🌈 ❤️ 1️⃣ ☎︎', 'می\u200cخواهم', 'क्\u200dष', '葛\u{e0100}城'].map((text) => [text, text]),
    // and the same code points anywhere else are seen.
    ['su\u200ddo', 'su\\u200ddo'],
    ['rm\u200c', 'rm\\u200c'],
    ['क\u0000कx\u200dy', 'क␀कx\\u200dy'],
    ['👩\u200dx', '👩\\u200dx'],
    ['a\ufe0f', 'a\\ufe0f'],
    ['1\ufe0f', '1\\ufe0f'],
    ['❤️\ufe0f', '❤️\\ufe0f'],
    ['x\u{e0100}', 'x\\u{e0100}'],
    ['葛\u{e0100}\u{e0101}', '葛\u{e0100}\\u{e0101}'],
    ['\u3164.js', '\\u3164.js'],
    ['\u115f\u1160\uffa0', '\\u115f\\u1160\\uffa0'],
    ['\u034f\u17b4\u180b\u2800\ufe00\u{1d173}', '\\u034f\\u17b4\\u180b\\u2800\\ufe00\\u{1d173}'],
  ])('%j becomes %j', (raw, shown) => {
    expect(visible(raw)).toBe(shown);
  });

  it('keeps lines and tabs where asked to, and nothing else', () => {
    expect(visible('a\n\tb\x1b\r', true)).toBe('a\n\tb␛␍');
  });

  it('never lets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u3164\u200b]/);
      }),
    );
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['中文', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇨🇳', 2],
    ['한국', 4],
    ['ｱ', 1],
    ['…', 1],
  ])('%j takes %i cells', (text, width) => {
    expect(cells(text)).toBe(width);
  });

  it('are the same for simple characters, which need no segmenter', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const wrong: string[] = [];
    for (let code = 0x20; code < 0x3000; code++) {
      const text = `${String.fromCharCode(code).repeat(2)}e${String.fromCharCode(code)}`;
      const width = [...segmenter.segment(text)].reduce((sum, { segment }) => sum + cellsOf(segment), 0);
      if (cells(text) !== width) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('clips to cells, never in the middle of a character', () => {
    expect(clip('hello', 5)).toBe('hello');
    expect(clip('hello!', 5)).toBe('hell…');
    expect(clip('中文字', 6)).toBe('中文字');
    expect(clip('中文字', 5)).toBe('中文…');
    expect(clip('a👩‍👩‍👧b', 3)).toBe('a…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect(cells(clip(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('pads by cells', () => {
    expect(pad('中', 4)).toBe('中  ');
  });
});

it('says sizes and times as people do', () => {
  expect([0, 999, 1000, 12_345, 1_000_000, 64_000_000].map(humanBytes)).toEqual([
    ...['0 B', '999 B', '1.0 kB', '12 kB', '1.0 MB', '64 MB'],
  ]);
  expect([0, 0.0004, 0.017, 1.239, 59.99, 60, 3599.6, 7800].map(humanSeconds)).toEqual([
    ...['0 ms', '<1 ms', '17 ms', '1.24 s', '59.99 s', '1m 00s', '1h 00m', '2h 10m'],
  ]);
});
