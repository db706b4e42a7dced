/** The audit for programs: JSON and CSV, row by row, as totals, and as sums by a key. */
import { type GroupKey, Groups, groupCells, groupHead, groupJson } from '../../analysis/audit/groups.ts';
import type { Audited, Listed } from '../../analysis/audit/listed.ts';
import { BOM, csvHead, rowCsv } from '../../analysis/audit/row-csv.ts';
import { rowJson } from '../../analysis/audit/row-json.ts';
import { toJson } from '../../model/message.ts';
import { csvLine } from '../../model/text/csv.ts';
import type { Lines, Report } from './approvals-listing.ts';
import { groupTable } from './groups-view.ts';
import type { Theme } from './theme.ts';

type Sessions = AsyncIterable<Audited>;

export async function* jsonLines(sessions: Sessions, report: Report): AsyncGenerator<Lines> {
  for await (const one of sessions) {
    noted(report, one);
    yield each(one.rows, (row) => jsonOf(row, one));
  }
}

export async function* csvLines(sessions: Sessions, report: Report, chain: boolean): AsyncGenerator<Lines> {
  yield csvHead(chain);
  for await (const one of sessions) {
    noted(report, one);
    yield each(one.rows, rowCsv);
  }
}

export async function* sumLines(sessions: Sessions, report: Report): AsyncGenerator<string> {
  for await (const { rows, link, ...summed } of sessions) {
    report.rows += rows.length;
    yield `${toJson(link ? { ...summed, conversations: link.conversations } : summed)}\n`;
  }
}

export async function* groupLines(
  sessions: Sessions,
  keys: readonly GroupKey[],
  report: Report,
  form: 'json' | 'csv' | { columns: number; theme: Theme },
): AsyncGenerator<Lines> {
  const groups = new Groups(keys);
  for await (const one of sessions) {
    noted(report, one);
    for (const listed of one.rows) groups.add(listed, listed.row);
  }
  const { all } = groups;
  if (form === 'csv') {
    yield `${BOM}${csvLine(groupHead(keys))}`;
    yield each(all, (group) => csvLine(groupCells(group)));
  } else if (form === 'json') {
    yield each(all, (group) => `${toJson(groupJson(keys, group))}\n`);
  } else if (all.length > 0) yield groupTable(keys, all, form.columns, form.theme);
}

/** The lines of these, made one by one. */
function* each<T>(items: readonly T[], lineOf: (item: T) => string): Generator<string> {
  for (const item of items) yield lineOf(item);
}

/** What the tapes cannot show is reported apart from the output. */
function noted(report: Report, { rows, unknowns }: Audited): void {
  report.rows += rows.length;
  for (const note of unknowns) report.notes.set(note, (report.notes.get(note) ?? 0) + 1);
}

function jsonOf({ session, startedAt, caveats, row, earlier }: Listed, { link }: Audited): string {
  const chained = link ? { conversations: link.conversations, earlier_grant: earlier ?? null } : {};
  const value = { ...rowJson(session, startedAt, row), caveats, ...chained };
  const text = toJson(value);
  // Nested too deeply for JSON.stringify.
  if (text === '…') return `${toJson({ ...value, arguments: null, executed_arguments: null, displays: [] })}\n`;
  return `${text}\n`;
}
