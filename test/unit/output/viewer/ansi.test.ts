import { describe, expect, it } from 'vitest';
import { hasSequences } from '../../../../lib/model/text/sequences.ts';
import { styled } from '../../../../lib/output/viewer/blocks/ansi.ts';

const shown = (text: string) => styled(text).runs.map((run) => [run.text, run.style]);

describe('terminal output', () => {
  it('has colours and emphasis as class names', () => {
    expect(shown('a \x1b[1;31merror\x1b[0m b')).toEqual([
      ['a ', ''],
      ['error', 'ansi-bold ansi-1'],
      [' b', ''],
    ]);
    expect(shown('\x1b[42;97mx\x1b[49;39my')).toEqual([
      ['x', 'ansi-15 ansi-on-2'],
      ['y', ''],
    ]);
    expect(shown('\x1b[3mx\x1b[23my')).toEqual([
      ['x', 'ansi-italic'],
      ['y', ''],
    ]);
  });

  it('maps 256 and 16 million colours to the nearest of sixteen', () => {
    expect(shown('\x1b[38;5;9ma\x1b[38;5;196mb\x1b[38;2;10;10;10mc\x1b[38:2:30:200:40md')).toEqual([
      ['a', 'ansi-9'],
      ['b', 'ansi-9'],
      ['c', 'ansi-0'],
      ['d', 'ansi-10'],
    ]);
    expect(shown('\x1b[48;5;240mx\x1b[38;5;22my')).toEqual([
      ['x', 'ansi-on-8'],
      ['y', 'ansi-2 ansi-on-8'],
    ]);
  });

  it('drops and counts everything else', () => {
    const text = 'a\x1b[2Jb\x1b]0;title\x07c\x1b]8;;http://evil\x1b\\d\x1bPq\x1b\\e\x9b5nf\x1b(Bg\x1b=h';
    const { runs, hidden } = styled(text);
    expect(runs.map((run) => run.text).join('')).toBe('abcdefgh');
    expect(hidden).toBe(7);
    expect(styled('\x1b[>4;2mx').hidden).toBe(1);
  });

  it('shows concealed text, and text after a sequence that never ends', () => {
    expect(shown('\x1b[8msecret')).toEqual([['secret', 'ansi-conceal']]);
    expect(
      styled('\x1b]52;c;payload')
        .runs.map((run) => run.text)
        .join(''),
    ).toContain('52;c;payload');
  });

  it('is quick on a flood of openings', () => {
    const flood = '\x1b]'.repeat(100_000);
    expect(styled(flood).runs.length + styled(flood).hidden).toBeGreaterThan(0);
  });

  it('says whether there is anything to do', () => {
    expect(hasSequences('plain\ttext\n')).toBe(false);
    expect(hasSequences('\x1b[0m')).toBe(true);
  });
});
