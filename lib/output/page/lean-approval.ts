/** A row of the audit as a page stores it: without what is empty, what all rows have, and what follows from others. */

import { describeAsked, describeRan, ranAsAsked } from '../../analysis/audit/describe-row.ts';
import { type ApprovalRow, makeRow } from '../../analysis/audit/row.ts';
import { rowJson } from '../../analysis/audit/row-json.ts';

/** `asAsked`: what ran is what was asked. */
export type LeanApproval = Partial<ApprovalRow> & { asAsked?: true };

const BLANK: Record<string, unknown> = { ...makeRow('approval', 0, 0, 0) };

/** Arguments that are an empty list are something. */
function isEmpty(key: string, value: unknown): boolean {
  return value === null || (Array.isArray(BLANK[key]) && (value as unknown[]).length === 0);
}

export function leanApproval(row: ApprovalRow): LeanApproval {
  const lean: Record<string, unknown> = {};
  const isAsAsked = row.executed_arguments !== null && row.executed_arguments === row.arguments;
  if (isAsAsked) lean.asAsked = true;
  for (const key in row) {
    const value = row[key as keyof ApprovalRow];
    if (!isEmpty(key, value) && !(isAsAsked && key === 'executed_arguments')) lean[key] = value;
  }
  return lean as LeanApproval;
}

/** As `approvals --all --json`, with what was `asked` and what `ran` in one line each. `startedAt` in microseconds; `caveats`: the unknowns of the session. */
export function wholeApproval(
  { asAsked, ...row }: LeanApproval,
  session: string,
  startedAt: number,
  caveats: readonly string[],
): Record<string, unknown> {
  const whole = { ...makeRow('approval', 0, 0, 0), ...row };
  if (asAsked) whole.executed_arguments = whole.arguments;
  return Object.assign(rowJson(session, startedAt, whole), {
    caveats,
    asked: describeAsked(whole),
    ran: describeRan(whole),
    as_asked: ranAsAsked(whole),
  });
}
