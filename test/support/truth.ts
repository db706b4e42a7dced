/** Rows of a TRUTH.tsv: what a tape holds, counted by hand and by others. */
import { readFileSync } from 'node:fs';

export interface TruthRow {
  tape: string;
  turns: number;
  tools: number;
  approvals: number;
}

export function readTruth(path: string): TruthRow[] {
  const [head, ...rows] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const at = (row: string[], name: string) => Number(row[head!.indexOf(name)]);
  return rows.map((row) => ({
    tape: row[0]!.replace(/\.jsonl$/, ''),
    ...{ turns: at(row, 'turns'), tools: at(row, 'tools'), approvals: at(row, 'approvals') },
  }));
}
