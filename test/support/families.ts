/** What agents of each family were asked for, and the rows of the audit, read by eye from the lines of their tapes. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { policyCallOf } from '../../lib/analysis/audit/policy/apply.ts';
import type { ApprovalRow } from '../../lib/analysis/audit/row.ts';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

export const COLUMNS = [
  ...['f', 'kind', 'tool', 'asked', 'ran', 'decision', 'by', 'mode', 'executed', 'answer_f', 'result', 'result_f'],
  'flags',
] as const;
export type Cells = Record<(typeof COLUMNS)[number], string>;

/** A line of the table. `tape` null: nothing can be asked for, or no tape has it, and `note` says why. */
export interface Pinned {
  family: string;
  thing: string;
  tape: string | null;
  /** Null if the line is about the tape as a whole. */
  cells: Cells | null;
  note: string;
}

export function readFamilies(): Pinned[] {
  const [head, ...lines] = readFileSync(`${fixtures}families/ROWS.tsv`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((values) => {
    const row = Object.fromEntries(head!.map((name, i) => [name, values[i] ?? ''])) as Record<string, string>;
    const { family, thing, tape, note } = row as Record<'family' | 'thing' | 'tape' | 'note', string>;
    const cells = Object.fromEntries(COLUMNS.map((name) => [name, row[name]])) as Cells;
    return { family, thing, tape: tape === 'n/a' ? null : tape, cells: row.f === '-' ? null : cells, note };
  });
}

/** Where a tape is: most are with those of other tests. */
export function tapePath(tape: string): string {
  const [path] = ['tapes', 'families'].map((folder) => `${fixtures}${folder}/${tape}.jsonl`).filter(existsSync);
  if (path === undefined) throw new Error(`no tape ${tape}`);
  return path;
}

/** A row in the words of the table. */
export function cellsOf(row: ApprovalRow): Cells {
  const unchanged = { executed_arguments: null, changed_arguments: null, flags: [] };
  const asked = row.kind === 'approval' ? subjectOf({ ...row, ...unchanged }) : row.action;
  const hasRun = row.executed !== 'no' && row.executed !== 'unknown';
  const ran = row.kind === 'approval' ? subjectOf(row) : asked;
  const cells = {
    ...{
      f: row.f,
      kind: row.kind,
      tool: row.tool,
      asked,
      ran: hasRun ? (ran !== null && ran === asked ? '=' : ran) : null,
    },
    ...{ decision: row.decision, by: row.by, mode: row.mode, executed: row.executed, answer_f: row.answer_f },
    ...{ result: row.result, result_f: row.result_f, flags: row.flags.join(' ') },
  };
  const texts = COLUMNS.map((name) => [name, cells[name] === null || cells[name] === '' ? '-' : String(cells[name])]);
  return Object.fromEntries(texts) as Cells;
}

/** The command, or else the paths. */
function subjectOf(row: ApprovalRow): string | null {
  const { command, paths } = policyCallOf(row, '');
  return command ?? (paths.length > 0 ? paths.join(' ') : null);
}
