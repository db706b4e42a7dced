/** Loads what the conversation shows of a row. */
import type { ApprovalRow } from '../../../analysis/audit/row.ts';
import { type Body, bodyOf } from '../blocks/body.ts';
import type { FrameSource } from '../source.ts';
import type { ConversationEntry } from './entry.ts';

/** The audit by the frame that asked, or that announced a call which nobody was asked about. */
export async function auditByFrame(source: FrameSource): Promise<ReadonlyMap<number, ApprovalRow[]>> {
  const byFrame = new Map<number, ApprovalRow[]>();
  for (const row of (await source.approvals()) as unknown as ApprovalRow[]) {
    const known = byFrame.get(row.f);
    if (known) known.push(row);
    else byFrame.set(row.f, [row]);
  }
  return byFrame;
}

export type AuditByFrame = Awaited<ReturnType<typeof auditByFrame>>;

/** The row of the audit that is about this row of the tree. */
export function auditOf(audit: AuditByFrame, { kind, f, tool_call_id }: Body): ApprovalRow | null {
  const isAbout = (row: ApprovalRow) =>
    kind === 'tool-call'
      ? row.decision === 'unasked' && row.tool_call_id === tool_call_id
      : row.kind === kind && row.decision !== 'unasked';
  return audit.get(f)?.find(isAbout) ?? null;
}

export async function loadEntry(source: FrameSource, row: number, audit: AuditByFrame): Promise<ConversationEntry> {
  if (source.label(row) === null) await source.loadLabels(row, row + 1);
  const body = bodyOf(await source.body(row));
  return { row, body, audit: auditOf(audit, body), label: source.label(row) ?? '' };
}
