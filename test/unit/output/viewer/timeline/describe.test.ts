import { describe, expect, it } from 'vitest';
import { barTexts } from '../../../../../lib/output/viewer/timeline/describe.ts';
import type { TimelineModel } from '../../../../../lib/output/viewer/timeline/model.ts';
import { partsOf } from '../../../../../lib/output/viewer/timeline/segments.ts';
import { WORDS } from '../../../../../lib/output/viewer/timeline/words.ts';
import { rowTable, type Sample } from './row-table.ts';

function texts(sample: Sample): string[] {
  const rows = rowTable([sample]);
  return barTexts({ rows, words: WORDS.en, duration: 100 } as TimelineModel, 0, partsOf(rows, 0, 100));
}

describe('what stands at a bar', () => {
  it('is how long a call ran, and how long it waited before', () => {
    expect(texts({ kind: 'tool-call', t: 1, ready: 1, wait: [1, 3], run: 3, t_end: 7 })[0]).toBe(
      '4.00 s · waited 2.00 s',
    );
    expect(texts({ kind: 'tool-call', t: 1, ready: 1, run: 1, t_end: 4 })[0]).toBe('3.00 s');
    expect(texts({ kind: 'tool-call', t: 1, ready: 3, run: 3, t_end: 4 })[0]).toBe('1.00 s');
  });

  it('is how long a request waited for its answer, not for what followed', () => {
    expect(texts({ kind: 'approval', t: 1, wait: [1, 3], t_end: 9 })[0]).toBe('2.00 s');
    expect(texts({ kind: 'approval', t: 1, wait: [1, 1], t_end: 9 })).toEqual(['']);
    expect(texts({ kind: 'approval', t: 1, wait: [1, 1], t_end: 9, state: 'denied' })).toEqual(['denied']);
  });

  it('says of a call that took no time how long its arguments took', () => {
    expect(texts({ kind: 'tool-call', t: 1, ready: 3, run: 3, t_end: 3 })[0]).toBe('2.00 s · arguments');
  });
});
