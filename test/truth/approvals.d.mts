import type { Audit } from '../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../lib/analysis/audit/row.ts';
import type { Frame } from '../../lib/model/frame.ts';
import type { ReadFrame } from '../../lib/model/read-frame.ts';

export type TableRow = Record<string, string>;
export function readApprovals(path: string): Map<string, TableRow[]>;
export function auditOf(audit: Audit, reads: Iterable<ReadFrame>, live?: boolean): ApprovalRow[];
export function asTable(rows: ApprovalRow[], frames: Frame[]): TableRow[];
export function compare(tape: string, expected: TableRow[], found: TableRow[]): [string, string, string, string][];
