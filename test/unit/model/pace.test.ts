import { describe, expect, it } from 'vitest';
import { AS_RECORDED, AT_ONCE, Schedule, waitFor } from '../../../lib/model/pace.ts';

describe('a wait', () => {
  it('is the recorded gap, scaled', () => {
    expect(waitFor(3, AS_RECORDED)).toEqual({ seconds: 3, skipped: 0 });
    expect(waitFor(3, { speed: 10, maxGap: null }).seconds).toBeCloseTo(0.3, 9);
    expect(waitFor(3, { speed: 0.5, maxGap: null }).seconds).toBe(6);
  });

  it('is never longer than the limit, and says how much of the recording that leaves out', () => {
    expect(waitFor(60, { speed: 1, maxGap: 2 })).toEqual({ seconds: 2, skipped: 58 });
    expect(waitFor(60, { speed: 10, maxGap: 2 })).toEqual({ seconds: 2, skipped: 40 });
    expect(waitFor(60, { speed: 60, maxGap: 2 })).toEqual({ seconds: 1, skipped: 0 });
    expect(waitFor(60, { speed: 1, maxGap: 0 })).toEqual({ seconds: 0, skipped: 60 });
  });

  it('is nothing at once, and for times that go back or make no sense', () => {
    for (const gap of [60, 0]) expect(waitFor(gap, AT_ONCE)).toEqual({ seconds: 0, skipped: 0 });
    for (const gap of [-5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(waitFor(gap, AS_RECORDED)).toEqual({ seconds: 0, skipped: 0 });
  });
});

describe('a schedule', () => {
  const dues = (times: number[], schedule: Schedule) => times.map((t) => schedule.next(t));

  it('counts from the first recorded time', () => {
    const schedule = new Schedule({ speed: 2, maxGap: null }, 10);
    expect(dues([10, 11, 14], schedule).map(({ at }) => at)).toEqual([0, 0.5, 2]);
  });

  it('goes on after a gap that was cut short', () => {
    const schedule = new Schedule({ speed: 1, maxGap: 2 }, 0);
    expect(dues([1, 61, 62], schedule)).toEqual([
      { at: 1, skipped: 0 },
      { at: 3, skipped: 58 },
      { at: 4, skipped: 0 },
    ]);
  });

  it('does not wait twice for time that went back', () => {
    const schedule = new Schedule(AS_RECORDED, 0);
    expect(dues([5, 3, 6], schedule).map(({ at }) => at)).toEqual([5, 5, 6]);
  });

  it('is not stopped by a time that is not a number', () => {
    const schedule = new Schedule(AS_RECORDED, 0);
    expect(dues([1, Number.POSITIVE_INFINITY, Number.NaN, 2], schedule).map(({ at }) => at)).toEqual([1, 1, 1, 2]);
  });
});
