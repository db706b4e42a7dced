import { describe, expect, it } from 'vitest';
import { AS_RECORDED, AT_ONCE } from '../../../../lib/model/pace.ts';
import { Playhead } from '../../../../lib/output/play/playhead.ts';

/** One that expects a frame of that recorded time. The clock begins at 100. */
function headed(t: number, pace = AS_RECORDED): Playhead {
  const head = new Playhead(pace, 100);
  head.expect(t);
  return head;
}

describe('a playhead', () => {
  it('shows frames as they were recorded', () => {
    const head = headed(3);
    expect([head.due, head.at(100), head.at(101), head.at(200)]).toEqual([103, 0, 1, 3]);
    head.take(3, 103, false);
    head.expect(5);
    expect(head.due).toBe(105);
  });

  it('does not fall behind for frames that were shown late', () => {
    const head = headed(3);
    head.take(3, 104.5, false);
    head.expect(5);
    expect(head.due).toBe(105);
  });

  it('plays faster, slower, and at another speed from now on', () => {
    const head = headed(10, { speed: 2, maxGap: null });
    expect(head.due).toBe(105);
    head.change('faster', 101);
    expect([head.at(101), head.due, head.at(102)]).toEqual([2, 103, 6]);
    for (let n = 0; n < 3; n++) head.change('slower', 102);
    expect([head.pace.speed, head.due]).toEqual([0.5, 110]);
  });

  it('skips what is longer than the limit, and goes on from there', () => {
    const head = headed(60, { speed: 1, maxGap: 2 });
    expect([head.due, head.skips, head.at(101), head.at(150)]).toEqual([102, 58, 1, 2]);
    head.take(60, 102, false);
    head.expect(61);
    expect([head.due, head.skips, head.at(102.5)]).toEqual([103, 0, 60.5]);
  });

  it('stands still while it is paused', () => {
    const head = headed(10);
    head.pause(104);
    expect([head.isPlaying, head.due, head.at(500)]).toEqual([false, null, 4]);
    head.play(500);
    expect([head.due, head.at(501)]).toEqual([506, 5]);
  });

  it('does not run on while nobody played, when it is told so', () => {
    const head = headed(10);
    head.play(5000);
    expect([head.due, head.at(5001)]).toEqual([5010, 1]);
  });

  it('goes on from another place', () => {
    const head = headed(10);
    head.moveTo(50, 101);
    expect(head.due).toBeNull();
    head.expect(51);
    expect([head.at(101.5), head.due]).toEqual([50.5, 102]);
  });

  it('goes no further than what was recorded so far', () => {
    const head = new Playhead({ speed: 4, maxGap: null }, 100);
    head.take(10, 100, false);
    head.edge = 12;
    expect([head.at(100.25), head.at(105), head.due]).toEqual([11, 12, null]);
    head.edge = 13;
    expect(head.at(105)).toBe(13);
  });

  it('shows a frame that was awaited when it comes, and counts from there', () => {
    const head = new Playhead(AS_RECORDED, 100);
    head.take(10, 100, false);
    head.expect(12);
    expect(head.due).toBe(102);
    head.take(12, 105, true);
    head.expect(13);
    expect(head.due).toBe(106);
  });

  it('is everywhere at once', () => {
    const head = headed(60, AT_ONCE);
    expect([head.due, head.skips, head.at(100)]).toEqual([100, 0, 0]);
    head.take(60, 100, false);
    expect(head.at(100)).toBe(60);
  });

  it('is not led astray by times that go back or are none', () => {
    const head = headed(5);
    head.take(5, 105, false);
    for (const t of [2, Number.POSITIVE_INFINITY, Number.NaN]) {
      head.expect(t);
      expect([head.due, head.at(106)]).toEqual([105, 5]);
      head.take(t, 105, false);
      expect(head.at(105)).toBe(5);
    }
  });
});
