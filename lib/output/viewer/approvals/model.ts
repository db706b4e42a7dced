/** What the approvals view knows of its rows, without a page: which are open, how each is to be read, what to filter by. */

import type { SessionTotals } from '../../../analysis/audit/listed-approval.ts';
import { type ApprovalRow, isAlarming } from '../../../analysis/audit/row.ts';

/** A row of `approvals --json`, with what was asked and what ran in one line each; empty if nothing is known to have run. */
export interface AuditRow extends ApprovalRow {
  asked: string;
  ran: string;
  as_asked: boolean;
  caveats: string[];
}

/** As `approvals --summary --json`. */
export type AuditSum = Omit<SessionTotals, 'session'>;

export type Reading = 'allowed' | 'denied' | 'open' | 'unasked' | 'mode' | 'grant' | 'unclear' | 'question';

/** How a row is to be read. */
export function readingOf({ decision, by }: Pick<ApprovalRow, 'decision' | 'by'>): Reading {
  if (decision === 'allow' || decision === 'allow-always') return 'allowed';
  if (decision === 'answered' || decision === 'dismissed') return 'question';
  if (decision === 'deny' || decision === 'cancelled') return 'denied';
  if (by === 'grant') return 'grant';
  if (decision === 'unasked') return by === 'mode' ? 'mode' : 'unasked';
  return decision === 'none' && by === 'nobody' ? 'open' : 'unclear';
}

/** Nobody answered: open until the session, the turn or the client ended. */
export const isOpen = (row: Pick<ApprovalRow, 'decision' | 'by'>): boolean => readingOf(row) === 'open';

/** Seconds that it waited; one that is still open waits until the end of the recording. */
export function waitOf({ wait, t, decision, by }: ApprovalRow, duration: number): number | null {
  if (wait !== null) return wait;
  return isOpen({ decision, by }) ? Math.max(0, duration - t) : null;
}

/** The approval that waited longest; questions and other requests are none. */
export function longestWait(rows: readonly ApprovalRow[], duration: number): { wait: number; f: number } | null {
  let longest: { wait: number; f: number } | null = null;
  for (const row of rows) {
    const wait = row.kind === 'approval' ? waitOf(row, duration) : null;
    if (wait !== null && wait > (longest?.wait ?? -1)) longest = { wait, f: row.f };
  }
  return longest;
}

/** Flags that other columns say already. */
const FLAGS_SHOWN_ELSEWHERE = new Set(['grant', 'under-grant', 'subagent']);

export function flagsToShow({ flags }: Pick<ApprovalRow, 'flags'>): string[] {
  return flags.filter((flag) => !FLAGS_SHOWN_ELSEWHERE.has(flag) && !flag.startsWith('mode:'));
}

export interface Covered {
  /** Indices of rows. */
  given: number;
  rows: number[];
}

/** The rows that each standing grant was given by and decided, by the frame of the grant. */
export function coveredBy(rows: readonly AuditRow[]): Map<number, Covered> {
  const grants = new Map<number, Covered>();
  rows.forEach((row, i) => {
    if (row.kind === 'approval' && (row.decision === 'allow-always' || row.resolved === 'allow-always'))
      grants.set(row.f, { given: i, rows: [] });
  });
  rows.forEach(({ grant_f }, i) => {
    if (grant_f !== null) grants.get(grant_f)?.rows.push(i);
  });
  return grants;
}

/** What needs to be seen first: what ran although it was denied, and what nobody answered. */
export function alarms(rows: readonly AuditRow[]): { ran: number[]; open: number[] } {
  const found = { ran: [] as number[], open: [] as number[] };
  rows.forEach((row, i) => {
    if (isAlarming(row.flags)) found.ran.push(i);
    if (isOpen(row)) found.open.push(i);
  });
  return found;
}

/** Rows that the query of the page leaves. `has`: whether a frame was found. */
export function rowsFor(
  rows: readonly AuditRow[],
  { all, has }: { all: boolean; has: ((f: number) => boolean) | null },
): Uint32Array {
  const left: number[] = [];
  rows.forEach(({ kind, f }, i) => {
    if ((all || kind === 'approval') && (has === null || has(f))) left.push(i);
  });
  return Uint32Array.from(left);
}
