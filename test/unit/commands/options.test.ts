import { describe, expect, it } from 'vitest';
import { MAX_GAP, paceOf, SPEED } from '../../../lib/commands/shared/options.ts';
import { AT_ONCE } from '../../../lib/model/pace.ts';

const speed = SPEED[2];
const maxGap = MAX_GAP[2];

describe('the pace options', () => {
  it('take a factor with or without x', () => {
    expect(['10x', '10', '0.5', '.5X', '1.25x'].map(speed)).toEqual([10, 10, 0.5, 0.5, 1.25]);
  });

  it('refuse a factor that is none', () => {
    for (const word of ['0', '-1', 'x', 'fast', '1e9', '10xx', '', '0.0001'])
      expect(() => speed(word)).toThrow(`invalid value ${JSON.stringify(word)} for --speed`);
    expect(() => speed('9999999')).toThrow(expect.objectContaining({ hint: expect.stringContaining('--instant') }));
  });

  it('take a time with its unit', () => {
    expect(['2s', '500ms', '1.5m', '0', '0s'].map(maxGap)).toEqual([2, 0.5, 90, 0, 0]);
    for (const word of ['2', '-2s', 'two seconds', ''])
      expect(() => maxGap(word)).toThrow(`invalid value ${JSON.stringify(word)} for --max-gap`);
  });

  it('are one pace', () => {
    expect(paceOf({})).toEqual({ speed: 1, maxGap: null });
    expect(paceOf({ speed: 4, maxGap: 2 })).toEqual({ speed: 4, maxGap: 2 });
    expect(paceOf({ instant: true })).toBe(AT_ONCE);
    expect(() => paceOf({ instant: true, speed: 2 })).toThrow('--instant and --speed cannot be combined');
    expect(() => paceOf({ instant: true, maxGap: 2 })).toThrow('--instant and --max-gap cannot be combined');
  });
});
