import { expect, it } from 'vitest';
import { ROW_MARK } from '../../../../../lib/output/page/page.ts';
import { isFailed, severityOf, stepNumbers } from '../../../../../lib/output/viewer/timeline/rows.ts';
import { rowTable } from './row-table.ts';

it('numbers the steps of each turn', () => {
  const rows = rowTable([
    { kind: 'turn' },
    { kind: 'prompt', depth: 1 },
    { kind: 'step', depth: 1 },
    { kind: 'tool-call', depth: 2 },
    { kind: 'step', depth: 3 },
    { kind: 'step', depth: 1 },
    { kind: 'turn' },
    { kind: 'step', depth: 1 },
  ]);
  expect([...stepNumbers(rows)]).toEqual([0, 0, 1, 0, 1, 2, 0, 1]);
});

it('knows what failed and the worst finding', () => {
  const rows = rowTable([
    { kind: 'tool-call', state: 'error', marks: ROW_MARK.info | ROW_MARK.warning },
    { kind: 'error', marks: ROW_MARK.error | ROW_MARK.info },
    { kind: 'text', marks: ROW_MARK.unasked },
  ]);
  expect([0, 1, 2].map((row) => isFailed(rows, row))).toEqual([true, true, false]);
  expect([0, 1, 2].map((row) => severityOf(rows, row))).toEqual(['warning', 'error', null]);
});
