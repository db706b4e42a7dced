/** The spreadsheet has what the JSON has. */
import { expect, it } from 'vitest';
import { makeRow } from '../../../../lib/analysis/audit/row.ts';
import { csvHead, rowCsv } from '../../../../lib/analysis/audit/row-csv.ts';
import { rowJson } from '../../../../lib/analysis/audit/row-json.ts';

const row = { ...makeRow('question', 7, 0, 1), options: [{ id: 'yes', decision: null, label: 'Yes' }], option: 'yes' };

it('a column for every key of a row', () => {
  const columns = csvHead(false).replace('\ufeff', '').trim().split(',');
  expect(Object.keys(rowJson('s', 0, row)).filter((key) => !columns.includes(key))).toEqual([]);
  expect(new Set(columns).size).toBe(columns.length);
});

it('values of any kind', () => {
  const about = { session: 's', startedAt: 0, cwd: '/w', client: null, agent: null, command: ['kimi'], caveats: [] };
  const line = rowCsv({ ...about, row });
  expect(line).toContain('"[{""id"":""yes"",""decision"":null,""label"":""Yes""}]"');
});
