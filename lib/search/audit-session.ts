/** The audit of one session in one pass, without the index. */
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { isUnread } from '../core/too-large.ts';
import { Pass, type PassInfo } from '../session/pass.ts';
import type { ReadFrame } from '../session/read.ts';
import type { Source } from '../session/source.ts';
import type { SessionAudit } from './approvals.ts';

export function auditSession(session: Source): SessionAudit {
  const pass = new Pass(session);
  const rows = new AuditRows(pass);
  pass.run(rows);
  return rows.end();
}

/** Keeps the latest version of each row. */
export class AuditRows {
  readonly #audit: Audit;
  readonly #rows = new Map<string, ApprovalRow>();
  #unread = 0;

  constructor(info: PassInfo) {
    this.#audit = new Audit(info);
  }

  take(read: ReadFrame): void {
    this.#keep(this.#audit.take(read));
    if (read.frame.from !== 'stderr' && isUnread(read.events)) this.#unread++;
  }

  end(): SessionAudit {
    this.#keep(this.#audit.end());
    const rows = [...this.#rows.values()].sort((a, b) => a.f - b.f || a.n - b.n);
    return { rows, heard: this.#audit.clientHeard, bypass: this.#audit.bypass, unread: this.#unread };
  }

  #keep(rows: readonly ApprovalRow[]): void {
    for (const row of rows) this.#rows.set(`${row.f} ${row.n}`, row);
  }
}
