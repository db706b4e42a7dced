/** The timeline as rows of JSON. */
import { expect, it } from 'vitest';
import { timelineRows } from '../../../../lib/core/timeline/json.ts';
import { buildFixture } from '../../../support/timeline.ts';

const rowsOf = (tape: string) => [...timelineRows('s', 0, buildFixture(tape).timeline.entries)];

it('an error that answers nothing has its code, as an answer has', () => {
  const rows = rowsOf('wire-1.49.0/errors');
  const at = (f: number) => rows.find((row) => row.f === f);
  expect(at(11)).toMatchObject({ kind: 'error', code: -32700, pair_f: null, text: 'Invalid JSON format' });
  expect(at(4)).toMatchObject({ kind: 'other', code: -32601, pair_f: 5 });
  expect(at(10)).toMatchObject({ kind: 'noise', code: null });
});
