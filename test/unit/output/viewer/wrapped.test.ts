import { describe, expect, it } from 'vitest';
import { hexRow, hexText } from '../../../../lib/output/viewer/detail/hex.ts';
import { piecesOf } from '../../../../lib/output/viewer/detail/wrapped.ts';

const pieces = (text: string, columns: number, isJson = false) => {
  const starts = piecesOf(text, 0, text.length, columns, isJson);
  return Array.from(starts, (start, i) => text.slice(start, starts[i + 1] ?? text.length));
};

describe('text in pieces', () => {
  it('breaks at line feeds and at the width', () => {
    expect(pieces('abcdef\ng', 4)).toEqual(['abcd', 'ef\n', 'g']);
    expect(pieces('你好吗', 4)).toEqual(['你好', '吗']);
    expect(pieces('', 4)).toEqual(['']);
  });

  it('keeps escapes and pairs whole', () => {
    expect(pieces('ab\\u00e9c', 4, true)).toEqual(['ab', '\\u00e9', 'c']);
    expect(pieces('a\\nb', 10, true)).toEqual(['a\\n', 'b']);
    expect(pieces('a\\\\nb', 10, true)).toEqual(['a\\\\nb']);
    expect(pieces('abc😀d', 4)).toEqual(['abc', '😀d']);
  });
});

describe('bytes', () => {
  it('are shown with offset, digits and characters', () => {
    const bytes = Uint8Array.from({ length: 18 }, (_, i) => i * 13);
    expect(hexRow(bytes, 0, 8)).toEqual({
      offset: '00000000',
      hex: '00 0d 1a 27 34 41 4e 5b',
      text: "...'4AN[",
    });
    expect(hexText(bytes).split('\n')[1]).toBe(`00000010  d0 dd${' '.repeat(43)}  ..`);
  });
});
