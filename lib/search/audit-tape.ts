/** The audit of one session, from its tape: for sessions that still run, that are in no store, or where there is no index. */
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { isUnread } from '../core/too-large.ts';
import { readSession } from '../dialects/read.ts';
import { readFrames, readMetadata } from '../tape/read.ts';
import type { SessionAudit } from './approvals.ts';

export function auditTape(tape: string, dialect: string | null): SessionAudit {
  const { command } = readMetadata(tape);
  const audit = new Audit({ command, dialect: dialect ?? 'lines' });
  const rows = new Map<string, ApprovalRow>();
  const keep = (some: ApprovalRow[]) => {
    for (const row of some) rows.set(`${row.f} ${row.n}`, row);
  };
  let unread = 0;
  for (const read of readSession({ command, dialect, frames: () => readFrames(tape) })) {
    keep(audit.take(read));
    if (read.frame.from !== 'stderr' && isUnread(read.events)) unread++;
  }
  keep(audit.end());
  const inOrder = [...rows.values()].sort((a, b) => a.f - b.f || a.n - b.n);
  return { rows: inOrder, heard: audit.clientHeard, bypass: audit.bypass, unread };
}
