/** The audit of sessions: rows from the index where they are current, else from the tape. Both give the same rows. */
import type { Bypassed } from '../audit/bypass.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { readAudit } from '../store/approvals.ts';
import { openAsItIs } from '../store/index-file.ts';
import { placeOf } from '../store/sessions.ts';
import type { Database } from '../store/sqlite.ts';
import { tapes } from './by-tape.ts';
import { isRemoved, type Target } from './targets.ts';

export interface SessionAudit {
  rows: ApprovalRow[];
  /** False: what its client said is not on the tape. */
  heard: boolean;
  bypass: readonly Bypassed[];
  /** Lines that were too large to be read. */
  unread: number;
}

const NOTHING: SessionAudit = { rows: [], heard: true, bypass: [], unread: 0 };

export class Audits {
  readonly #home: string;
  #db: Database | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  of(target: Target): SessionAudit {
    if (target.key === null) return this.#fromTape(target);
    this.#db ??= openAsItIs(this.#home, 1000);
    return readAudit(this.#db, target.key);
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #fromTape(target: Target): SessionAudit {
    const { summary, place, begun } = target;
    if (begun) return NOTHING;
    const { openPlace, auditTape } = tapes();
    const session = openPlace(place ?? placeOf(this.#home, summary.session));
    try {
      return auditTape(session.tape, summary.dialect);
    } catch (error) {
      if (!isRemoved(this.#home, target, error)) throw error;
      return NOTHING;
    } finally {
      session.close();
    }
  }
}
