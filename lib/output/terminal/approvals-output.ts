/** The audit for programs: JSON and CSV, row by row, as totals, and as sums by a key. */
import { ApprovalGroups, type GroupKey, groupCells, groupHead, groupJson } from '../../analysis/audit/groups.ts';
import type { ListedApproval, ListedSession } from '../../analysis/audit/listed-approval.ts';
import { BYTE_ORDER_MARK, csvHead, rowCsv } from '../../analysis/audit/row-csv.ts';
import { rowJson } from '../../analysis/audit/row-json.ts';
import { toJson } from '../../model/message.ts';
import { csvLine } from '../../model/text/csv.ts';
import type { ApprovalsReport, OutputLines } from './approvals-listing.ts';
import { groupTable } from './groups-view.ts';
import type { Theme } from './theme.ts';

type AuditedSessions = AsyncIterable<ListedSession>;

export async function* jsonLines(sessions: AuditedSessions, report: ApprovalsReport): AsyncGenerator<OutputLines> {
  for await (const one of sessions) {
    countNotes(report, one);
    yield mapLines(one.rows, (row) => jsonOf(row, one));
  }
}

export async function* csvLines(
  sessions: AuditedSessions,
  report: ApprovalsReport,
  chain: boolean,
): AsyncGenerator<OutputLines> {
  yield csvHead(chain);
  for await (const one of sessions) {
    countNotes(report, one);
    yield mapLines(one.rows, rowCsv);
  }
}

export async function* sumLines(sessions: AuditedSessions, report: ApprovalsReport): AsyncGenerator<string> {
  for await (const { rows, link, ...summed } of sessions) {
    report.rows += rows.length;
    yield `${toJson(link ? { ...summed, conversations: link.conversations } : summed)}\n`;
  }
}

export async function* groupLines(
  sessions: AuditedSessions,
  keys: readonly GroupKey[],
  report: ApprovalsReport,
  form: 'json' | 'csv' | { columns: number; theme: Theme },
): AsyncGenerator<OutputLines> {
  const groups = new ApprovalGroups(keys);
  for await (const one of sessions) {
    countNotes(report, one);
    for (const listed of one.rows) groups.add(listed, listed.row);
  }
  const { all } = groups;
  if (form === 'csv') {
    yield `${BYTE_ORDER_MARK}${csvLine(groupHead(keys))}`;
    yield mapLines(all, (group) => csvLine(groupCells(group)));
  } else if (form === 'json') {
    yield mapLines(all, (group) => `${toJson(groupJson(keys, group))}\n`);
  } else if (all.length > 0) yield groupTable(keys, all, form.columns, form.theme);
}

/** The lines of these, made one by one. */
function* mapLines<T>(items: readonly T[], lineOf: (item: T) => string): Generator<string> {
  for (const item of items) yield lineOf(item);
}

/** What the tapes cannot show is reported apart from the output. */
function countNotes(report: ApprovalsReport, { rows, unknowns }: ListedSession): void {
  report.rows += rows.length;
  for (const note of unknowns) report.notes.set(note, (report.notes.get(note) ?? 0) + 1);
}

function jsonOf({ session, startedAt, caveats, row, earlier }: ListedApproval, { link }: ListedSession): string {
  const chained = link ? { conversations: link.conversations, earlier_grant: earlier ?? null } : {};
  const value = { ...rowJson(session, startedAt, row), caveats, ...chained };
  const text = toJson(value);
  // Nested too deeply for JSON.stringify.
  if (text === '…')
    return `${toJson({ ...value, arguments: null, executed_arguments: null, changed_arguments: null, displays: [] })}\n`;
  return `${text}\n`;
}
