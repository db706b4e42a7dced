/** The audit of one session in one pass, without the index. */
import { Audit } from '../../analysis/audit/audit.ts';
import { LatestRows } from '../../analysis/audit/latest-rows.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass, type PassInfo } from '../../session/pass.ts';
import type { Source } from '../../session/source.ts';
import type { SessionAudit } from './session-audits.ts';

export function auditSession(session: Source): SessionAudit {
  const pass = new Pass(session);
  const rows = new AuditRows(pass);
  pass.run(rows);
  return rows.end();
}

export class AuditRows {
  readonly #audit: Audit;
  readonly #rows = new LatestRows();
  #unread = 0;

  constructor(info: PassInfo) {
    this.#audit = new Audit(info);
  }

  take(read: ReadFrame): void {
    this.#rows.keep(this.#audit.take(read));
    if (read.frame.from !== 'stderr' && isTooLargeToRead(read.events)) this.#unread++;
  }

  end(): SessionAudit {
    this.#rows.keep(this.#audit.end());
    return {
      rows: this.#rows.inOrder,
      heard: this.#audit.hasClientSide,
      bypass: this.#audit.bypass,
      unread: this.#unread,
    };
  }
}
