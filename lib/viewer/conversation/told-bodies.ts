/** Loads what the conversation tells of rows. */
import type { ApprovalRow } from '../../audit/row.ts';
import { bodyOf } from '../blocks/body.ts';
import type { FrameSource } from '../source.ts';
import type { Told } from './entry.ts';

/** The audit by the frame that asked. */
export async function auditByFrame(source: FrameSource): Promise<ReadonlyMap<number, ApprovalRow>> {
  const rows = (await source.approvals()) as unknown as ApprovalRow[];
  return new Map(rows.filter(({ decision }) => decision !== 'unasked').map((row) => [row.f, row]));
}

const ASKS = new Set(['approval', 'question', 'hook', 'client-call']);

export async function toldBody(
  source: FrameSource,
  row: number,
  audit: ReadonlyMap<number, ApprovalRow>,
): Promise<Told> {
  if (source.label(row) === null) await source.loadLabels(row, row + 1);
  const body = bodyOf(await source.body(row));
  const found = ASKS.has(body.kind ?? '') ? (audit.get(body.f) ?? null) : null;
  return { row, body, audit: found?.kind === body.kind ? found : null, label: source.label(row) ?? '' };
}
