/** Tables for spreadsheets: RFC 4180, and nothing in them that a spreadsheet would run. */
import { expect, it } from 'vitest';
import { csvLine } from '../../../../lib/model/text/csv.ts';

it.each([
  [['a', 1, null, ''], 'a,1,,'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [['=1+1', '+1', '-1', '@x', '＝1'], "'=1+1,'+1,'-1,'@x,'＝1"],
  [['  =cmd|x', '\t=1', 'a=b', '5-3'], "'  =cmd|x,'\t=1,a=b,5-3"],
  [['=1,2'], '"\'=1,2"'],
  [[-1.5, 0.25], '-1.5,0.25'],
  [['\x1b[31mred', 'cr\rlf', '文件'], '␛[31mred,cr␍lf,文件'],
])('%j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});
