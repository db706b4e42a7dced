import { describe, expect, it } from 'vitest';
import { makeScale } from '../../../../../lib/output/viewer/timeline/scale.ts';
import { tickLabel, tickStep, ticksOf } from '../../../../../lib/output/viewer/timeline/ticks.ts';

describe('tickStep', () => {
  it('is the shortest round time of at least 64 pixels', () => {
    const steps = [100_000, 64_000, 700, 64, 63, 10, 3.2, 2.2, 1.1, 0.02, 0.00001].map(tickStep);
    expect(steps).toEqual([0.001, 0.001, 0.1, 1, 2, 10, 20, 30, 60, 3600, 864_000]);
  });
});

describe('ticksOf', () => {
  it('puts round moments at even distances', () => {
    expect(ticksOf(makeScale(0, 3.04, 1000, [])).map(({ t }) => t)).toEqual(
      [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3].map((t) => expect.closeTo(t)),
    );
  });

  it('begins with the first round moment of the window', () => {
    expect(ticksOf(makeScale(12.3, 15, 300, [])).map(({ t }) => t)).toEqual([13, 14, 15]);
  });

  it('leaves out folds, and keeps its distance on both sides of them', () => {
    const scale = makeScale(0, 3640, 1000, [{ from: 20, to: 3620 }]);
    const ticks = ticksOf(scale);
    expect(ticks.every(({ t }) => t <= 20 || t >= 3620)).toBe(true);
    for (const [n, { x }] of ticks.entries()) if (n > 0) expect(x - ticks[n - 1].x).toBeGreaterThanOrEqual(63);
    expect(ticks.some(({ t }) => t > 3620)).toBe(true);
  });

  it('stays small for a session of a year of folds', () => {
    const folds = Array.from({ length: 1000 }, (_, n) => ({ from: n * 30_000 + 10, to: (n + 1) * 30_000 }));
    expect(ticksOf(makeScale(0, 3e7, 1000, folds)).length).toBeLessThan(17);
  });
});

describe('tickLabel', () => {
  it.each([
    [0, 1, '0'],
    [0.25, 0.05, '250 ms'],
    [1.5, 0.5, '1.5 s'],
    [2, 0.5, '2.0 s'],
    [14, 1, '14 s'],
    [65, 5, '1:05'],
    [65.25, 0.05, '1:05.25'],
    [59.9999999, 1, '1:00'],
    [7260, 60, '2:01:00'],
    [0.00025, 0.00005, '0.00025 s'],
  ])('%d at steps of %d is %s', (t, step, label) => {
    expect(tickLabel(t, step)).toBe(label);
  });
});
