/** The audit of sessions, from the index if its rows are current, otherwise from the tape. Both give the same rows. */
import type { BypassPeriod } from '../../analysis/audit/bypass.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { sumOf } from '../../analysis/audit/sum.ts';
import { openAsItIs } from '../index/file.ts';
import type { Database } from '../index/sqlite.ts';
import { StoredAudits } from '../index/stored-audits.ts';
import { placeOf } from '../store/sessions.ts';
import { tapeReaders } from './tape-readers.ts';
import { isRemoved, type Target } from './targets.ts';

export interface SessionAudit {
  rows: ApprovalRow[];
  /** False if the client's side is not on the tape. */
  heard: boolean;
  bypass: readonly BypassPeriod[];
  /** Lines that were too large to parse. */
  unread: number;
}

const NO_AUDIT: SessionAudit = { rows: [], heard: true, bypass: [], unread: 0 };

export class SessionAudits {
  readonly #home: string;
  #db: Database | null = null;
  #stored: StoredAudits | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  of(target: Target): SessionAudit {
    return target.key === null ? this.#fromTape(target) : this.#inIndex.of(target.key);
  }

  /** How many calls ran unasked in each mode. */
  byMode(target: Target): Record<string, number> {
    return target.key === null ? sumOf(this.#fromTape(target).rows).by_mode : this.#inIndex.byMode(target.key);
  }

  get #inIndex(): StoredAudits {
    this.#db ??= openAsItIs(this.#home, 1000);
    this.#stored ??= new StoredAudits(this.#db);
    return this.#stored;
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
    this.#stored = null;
  }

  #fromTape(target: Target): SessionAudit {
    const { summary, place, begun } = target;
    if (begun) return NO_AUDIT;
    const { openPlace, auditSession, readAs } = tapeReaders();
    const session = openPlace(place ?? placeOf(this.#home, summary.session));
    try {
      return auditSession(summary.dialect === null ? session : readAs(session, summary.dialect));
    } catch (error) {
      if (!isRemoved(this.#home, target, error)) throw error;
      return NO_AUDIT;
    } finally {
      session.close();
    }
  }
}
