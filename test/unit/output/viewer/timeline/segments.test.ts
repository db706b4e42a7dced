import { describe, expect, it } from 'vitest';
import { lacksEnd } from '../../../../../lib/output/viewer/timeline/rows.ts';
import { partsOf, sumOf } from '../../../../../lib/output/viewer/timeline/segments.ts';
import { rowTable, type Sample } from './row-table.ts';

const parts = (sample: Sample) => partsOf(rowTable([sample]), 0, 100).map(({ is, from, to }) => [is, from, to]);

describe('partsOf', () => {
  it('tells arguments, queue, wait and run apart', () => {
    const call: Sample = { kind: 'tool-call', t: 1, ready: 2, wait: [3, 10], run: 11, t_end: 20 };
    expect(parts(call)).toEqual([
      ['args', 1, 2],
      ['queued', 2, 3],
      ['waiting', 3, 10],
      ['queued', 10, 11],
      ['running', 11, 20],
    ]);
  });

  it('leaves out what took no time', () => {
    expect(parts({ kind: 'tool-call', t: 1, ready: 1, run: 1, t_end: 4 })).toEqual([['running', 1, 4]]);
    expect(parts({ kind: 'tool-call', t: 1, ready: 1, run: 1, t_end: 1 })).toEqual([['running', 1, 1]]);
  });

  it('draws an unfinished call to the end of the recording', () => {
    const call: Sample = { kind: 'tool-call', t: 1, ready: 2, run: 2, t_end: 2, state: 'open' };
    expect(parts(call)).toEqual([
      ['args', 1, 2],
      ['running', 2, 100],
    ]);
  });

  it('draws a call whose approval is open as waiting, not as running', () => {
    const call: Sample = { kind: 'tool-call', t: 1, ready: 2, wait: [2, 100], t_end: 2, state: 'open' };
    expect(parts(call)).toEqual([
      ['args', 1, 2],
      ['waiting', 2, 100],
    ]);
  });

  it('never shows a denied call as running', () => {
    expect(parts({ kind: 'tool-call', t: 1, ready: 1, wait: [1, 5], t_end: 6, state: 'denied' })).toEqual([
      ['waiting', 1, 5],
      ['queued', 5, 6],
    ]);
  });

  it('draws an approval and a question as a wait', () => {
    expect(parts({ kind: 'approval', t: 1, wait: [1, 5], t_end: 5 })).toEqual([['waiting', 1, 5]]);
    expect(parts({ kind: 'question', t: 1, wait: [1, 5], t_end: 6 })).toEqual([
      ['waiting', 1, 5],
      ['after', 5, 6],
    ]);
    expect(parts({ kind: 'approval', t: 1, wait: [1, 100], t_end: 1, state: 'open' })).toEqual([['waiting', 1, 100]]);
  });

  it('draws an approval that was cut off as long as it waited', () => {
    expect(parts({ kind: 'approval', t: 1, wait: [1, 5], t_end: 1, state: 'interrupted' })).toEqual([
      ['waiting', 1, 5],
    ]);
  });

  it('has one part where nothing else is known', () => {
    expect(parts({ kind: 'text', t: 1, t_end: 2 })).toEqual([['whole', 1, 2]]);
  });

  it('stays within the row when times contradict each other', () => {
    const call: Sample = { kind: 'tool-call', t: 5, ready: 2, wait: [3, 50], run: 4, t_end: 10 };
    expect(parts(call)).toEqual([['waiting', 5, 10]]);
  });
});

describe('lacksEnd', () => {
  it('holds for what is open, and for calls and requests that were cut off', () => {
    const rows = rowTable([
      { kind: 'turn', state: 'open' },
      { kind: 'tool-call', state: 'interrupted' },
      { kind: 'approval', state: 'interrupted' },
      { kind: 'text', state: 'interrupted' },
      { kind: 'tool-call', state: 'error' },
    ]);
    expect([0, 1, 2, 3, 4].map((row) => lacksEnd(rows, row))).toEqual([true, true, true, false, false]);
  });
});

describe('sumOf', () => {
  it('adds the parts of a kind', () => {
    const row = rowTable([{ kind: 'tool-call', t: 1, ready: 2, wait: [3, 10], run: 11, t_end: 20 }]);
    const all = partsOf(row, 0, 100);
    expect([sumOf(all, 'queued'), sumOf(all, 'waiting'), sumOf(all, 'whole')]).toEqual([2, 7, 0]);
  });
});
