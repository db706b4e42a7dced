import { describe, expect, it } from 'vitest';
import { cells } from '../../../../lib/model/text/text.ts';
import { wrap } from '../../../../lib/output/terminal/wrap.ts';

describe('a line that is too long', () => {
  it('is folded between words, and nothing of it is lost', () => {
    expect(wrap('the quick brown fox jumps over', 20)).toEqual(['the quick brown fox', 'jumps over']);
  });

  it('stays as it is where it fits, and in a pipe', () => {
    expect(wrap('  two  blanks', 80)).toEqual(['  two  blanks']);
    expect(wrap('x'.repeat(500), Number.POSITIVE_INFINITY)).toEqual(['x'.repeat(500)]);
    expect(wrap('', 20)).toEqual(['']);
  });

  it('is broken inside a word only where the word is longer than a line', () => {
    expect(wrap(`see ${'x'.repeat(30)}`, 20)).toEqual(['see', 'x'.repeat(20), 'x'.repeat(10)]);
  });

  it('keeps its indentation, behind the mark of a list or of a diff', () => {
    expect(wrap('- one two three four five', 20)).toEqual(['- one two three four', '  five']);
    expect(wrap('    code that is rather long', 20)).toEqual(['    code that is', '    rather long']);
    expect(wrap('(x) Red and green and blue', 20)).toEqual(['(x) Red and green', '    and blue']);
  });

  it('is measured in cells: Chinese breaks anywhere, clusters never', () => {
    const text = '请检查文档，并用中文总结。潮汐表一切正常👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧';
    const lines = wrap(text, 20);
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(20);
    expect(lines.length).toBe(Math.ceil(cells(text) / 20));
  });

  it('may be a megabyte of one word, whole characters all of it', () => {
    const text = '潮👩x'.repeat(250_000);
    const lines = wrap(text, 80);
    expect(lines.join('')).toBe(text);
    expect(lines.some((line) => /\p{Surrogate}/u.test(line))).toBe(false);
    expect(wrap('x'.repeat(1_000_000), 80)).toHaveLength(12_500);
  });

  it.each([17, 20, 33, 80])('never exceeds %i cells', (width) => {
    const text = 'abc 中文字符 https://example.com/a/very/long/path?with=query é́ x\u200d 🇨🇳🇩🇪 done '.repeat(4).trim();
    for (const line of wrap(text, width)) expect(cells(line)).toBeLessThanOrEqual(width);
    const bare = (s: string) => s.replaceAll(/\s/g, '');
    expect(bare(wrap(text, width).join(''))).toBe(bare(text));
  });
});
