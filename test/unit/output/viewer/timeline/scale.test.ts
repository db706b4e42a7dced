import { describe, expect, it } from 'vitest';
import { foldsOf, makeScale, moved, windowOf, zoomed } from '../../../../../lib/output/viewer/timeline/scale.ts';
import { rowTable } from './row-table.ts';

describe('foldsOf', () => {
  it('folds gaps of more than 30 s in which nothing is open', () => {
    const rows = rowTable([
      { kind: 'turn', t: 1, t_end: 5 },
      { kind: 'text', depth: 1, t: 2, t_end: 3 },
      { kind: 'turn', t: 100, t_end: 110 },
      { kind: 'log', t: 135 },
    ]);
    expect(foldsOf(rows, 136)).toEqual([{ from: 5, to: 100 }]);
  });

  it('does not fold the silence of an open turn, nor a call that outlives its turn', () => {
    const rows = rowTable([
      { kind: 'turn', t: 0, t_end: 60 },
      { kind: 'tool-call', depth: 1, t: 1, t_end: 200 },
      { kind: 'log', t: 220 },
    ]);
    expect(foldsOf(rows, 221)).toEqual([]);
  });

  it('folds what comes before the first row and after the last, whatever the order of rows', () => {
    const rows = rowTable([
      { kind: 'log', t: 200 },
      { kind: 'log', t: 100, t_end: 150 },
    ]);
    expect(foldsOf(rows, 300)).toEqual([
      { from: 0, to: 100 },
      { from: 150, to: 200 },
      { from: 200, to: 300 },
    ]);
  });

  it('has nothing to fold in an empty session', () => {
    expect(foldsOf(rowTable([]), 10)).toEqual([]);
  });
});

describe('makeScale', () => {
  it('is even without folds, inside of the window and outside', () => {
    const scale = makeScale(10, 20, 1000, []);
    expect([9, 10, 15, 20, 21].map(scale.x)).toEqual([-100, 0, 500, 1000, 1100]);
    expect([-100, 0, 500, 1000, 1100].map(scale.t)).toEqual([9, 10, 15, 20, 21]);
  });

  it('gives every fold the same few pixels and the rest to what happened', () => {
    const scale = makeScale(0, 1120, 1000, [
      { from: 10, to: 610 },
      { from: 620, to: 1110 },
    ]);
    expect(scale.x(610) - scale.x(10)).toBeCloseTo(76);
    expect(scale.x(1110) - scale.x(620)).toBeCloseTo(76);
    expect(scale.x(10)).toBeCloseTo(scale.x(620) - scale.x(610));
    expect(scale.x(1120)).toBe(1000);
    expect(scale.perSecond).toBeCloseTo((1000 - 2 * 76) / 30);
  });

  it('maps every place back, within folds too', () => {
    const scale = makeScale(0, 1000, 800, [{ from: 100, to: 900 }]);
    for (let x = 0; x <= 800; x += 7) expect(scale.x(scale.t(x))).toBeCloseTo(x, 6);
    for (let t = 1; t < 1000; t += 3) expect(scale.x(t)).toBeGreaterThan(scale.x(t - 1));
  });

  it('never gives more than two fifths of the width to folds', () => {
    const folds = Array.from({ length: 100 }, (_, n) => ({ from: n * 100 + 10, to: n * 100 + 90 }));
    const scale = makeScale(0, 10_000, 1000, folds);
    expect(scale.x(10_000)).toBeCloseTo(1000);
    expect(scale.x(90) - scale.x(10)).toBeCloseTo(4);
  });

  it('shows a window within a fold as it is, and one that begins in a fold from there', () => {
    const folds = [{ from: 100, to: 900 }];
    expect(makeScale(200, 300, 100, folds).x(250)).toBe(50);
    const scale = makeScale(500, 1000, 500, folds);
    expect(scale.x(500)).toBe(0);
    expect(scale.x(900)).toBeCloseTo(76);
    expect(scale.x(950)).toBeCloseTo(76 + 212);
  });

  it('shows a session of one moment', () => {
    const scale = makeScale(0, 0, 100, []);
    expect(scale.x(0)).toBe(0);
    expect(Number.isFinite(scale.t(50))).toBe(true);
  });
});

describe('windows', () => {
  const whole = makeScale(0, 100, 1000, []);

  it('zooms around a moment, and out to everything', () => {
    expect(zoomed(whole, null, 0.5, 0)).toEqual([0, 50]);
    expect(zoomed(whole, [20, 40], 0.5, 30)).toEqual([25, 35]);
    expect(zoomed(whole, [20, 40], 10, 30)).toBeNull();
  });

  it('never gets shorter than a moment that can be drawn', () => {
    const [from, to] = zoomed(whole, [10, 10.0006], 0.001, 10)!;
    expect(to - from).toBeCloseTo(0.0005, 9);
  });

  it('moves, and stops at both ends with its length kept', () => {
    expect(moved(whole, [20, 40], 0.5)).toEqual([30, 50]);
    expect(moved(whole, [20, 40], 9)).toEqual([80, 100]);
    expect(moved(whole, [20, 40], -9)).toEqual([0, 20]);
    expect(moved(whole, null, 1)).toBeNull();
  });

  it('lies between two moments in either order', () => {
    expect(windowOf(whole, 30, 10)).toEqual([10, 30]);
    expect(windowOf(whole, -5, 200)).toBeNull();
  });
});
