/** The audit for people: the table or the rows in full, then the totals of each session and of all. */
import type { ListedApproval, ListedSession } from '../../analysis/audit/listed-approval.ts';
import { isAlarming } from '../../analysis/audit/row.ts';
import { type ApprovalSum, addSum, emptySum } from '../../analysis/audit/sum.ts';
import { ApprovalTable } from './approvals-table.ts';
import { alarmNotes, approvalsInFull, chainHead, chainNotes, overallTotals, sessionTotals } from './approvals-view.ts';
import type { Theme } from './theme.ts';

/** Counts for the messages after the output. */
export interface ApprovalsReport {
  rows: number;
  /** Calls that a policy would have decided otherwise, or cannot judge. */
  differ: number;
  /** Sessions of which too little was understood to say what was asked or run. */
  unread: number;
  /** What tapes cannot show, and of how many sessions. */
  notes: Map<string, number>;
}

/** A text, or several lines at once: waiting for each line takes longer than making it. */
export type OutputLines = string | Iterable<string>;

interface ListingOptions {
  columns: number;
  theme: Theme;
  /** The number of sessions that were read. */
  count: number;
  full: boolean | undefined;
  summary: boolean | undefined;
  hasQuery: boolean;
}

export async function* listing(
  sessions: AsyncIterable<ListedSession>,
  report: ApprovalsReport,
  options: ListingOptions,
): AsyncGenerator<OutputLines> {
  const { columns, theme, full, summary, hasQuery } = options;
  const several = options.count > 1;
  const table = new ApprovalTable(columns, theme);
  const whole = emptySum();
  const reported: ListedSession[] = [];
  /** Sessions with nothing to report. */
  let silent = 0;
  for await (const one of sessions) {
    const { rows, bypass, unknowns } = one;
    report.rows += rows.length;
    addSum(whole, one.sum);
    if (rows.length + bypass.length + unknowns.length === 0) silent++;
    else if (rows.length > 0 || !hasQuery) reported.push(withNotedRows(one));
    if (full) yield approvalsInFull(rows, several, columns, theme);
    else if (!summary) for (const row of rows) table.add(row);
  }
  if (report.rows > 0 && !summary) {
    if (!full) yield table.print(several);
    yield '\n';
  }
  yield totalLines(reported, whole, silent, options);
}

function* totalLines(
  reported: readonly ListedSession[],
  whole: ApprovalSum,
  silent: number,
  { columns, theme, count, hasQuery }: ListingOptions,
): Generator<string> {
  for (const one of reported) {
    yield* chainHead(one, columns, theme);
    yield* sessionTotals(one, columns, theme);
    yield* alarmNotes(one, columns, theme);
    yield* chainNotes(one, columns);
  }
  // A query's total covers only the sessions that it selects.
  const [all, quiet] = hasQuery ? [reported.length, 0] : [count, silent];
  const unread = reported.filter(({ read }) => read?.enough === false).length;
  if (count > 1 && all > 0) yield* overallTotals(whole, { all, silent: quiet, unread }, columns, theme);
}

/** Without the rows that the totals do not need. */
const withNotedRows = (one: ListedSession): ListedSession => ({ ...one, rows: one.rows.filter(isNoted) });
const isNoted = ({ earlier, row }: ListedApproval): boolean => Boolean(earlier) || isAlarming(row.flags);
