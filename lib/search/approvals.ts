/** The audit of sessions: rows from the index where they are current, else from the tape. Both give the same rows. */
import type { Bypassed } from '../audit/bypass.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { readAudit } from '../store/approvals.ts';
import { type Database, openIndex } from '../store/index-file.ts';
import { placeOf } from '../store/sessions.ts';
import { tapes } from './by-tape.ts';
import type { Target } from './targets.ts';

export interface SessionAudit {
  rows: ApprovalRow[];
  /** False: what its client said is not on the tape. */
  heard: boolean;
  bypass: readonly Bypassed[];
  /** Lines that were too large to be read. */
  unread: number;
}

export class Audits {
  readonly #home: string;
  #db: Database | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  of(target: Target): SessionAudit {
    if (target.key === null) return this.#fromTape(target);
    this.#db ??= openIndex(this.#home, { patienceMs: 1000, notice() {} });
    return readAudit(this.#db, target.key);
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #fromTape({ summary, place }: Target): SessionAudit {
    const { openPlace, auditTape } = tapes();
    const session = openPlace(place ?? placeOf(this.#home, summary.session));
    try {
      return auditTape(session.tape, summary.dialect);
    } finally {
      session.close();
    }
  }
}
