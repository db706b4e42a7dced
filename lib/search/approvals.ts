/** The audit of sessions: rows from the index where they are current, else from the tape. Both give the same rows. */
import { Audit } from '../audit/audit.ts';
import type { Bypassed } from '../audit/bypass.ts';
import type { ApprovalRow } from '../audit/row.ts';
import { readSession } from '../dialects/read.ts';
import { openPlace, using } from '../record/open.ts';
import { readAudit } from '../store/approvals.ts';
import { type Database, openIndex } from '../store/index-file.ts';
import { placeOf } from '../store/sessions.ts';
import { readFrames, readMetadata } from '../tape/read.ts';
import type { Target } from './targets.ts';

export interface SessionAudit {
  rows: ApprovalRow[];
  /** False: what its client said is not on the tape. */
  heard: boolean;
  bypass: readonly Bypassed[];
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
    return readAudit(this.#db, target.key) ?? this.#fromTape(target);
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #fromTape({ summary, place }: Target): SessionAudit {
    return using(openPlace(place ?? placeOf(this.#home, summary.session)), ({ tape }) => auditTape(tape, summary));
  }
}

function auditTape(tape: string, { dialect }: { dialect: string | null }): SessionAudit {
  const { command } = readMetadata(tape);
  const audit = new Audit({ command, dialect: dialect ?? 'lines' });
  const rows = new Map<string, ApprovalRow>();
  const keep = (some: ApprovalRow[]) => {
    for (const row of some) rows.set(`${row.f} ${row.n}`, row);
  };
  for (const read of readSession({ command, dialect, frames: () => readFrames(tape) })) keep(audit.take(read));
  keep(audit.end());
  const inOrder = [...rows.values()].sort((a, b) => a.f - b.f || a.n - b.n);
  return { rows: inOrder, heard: audit.clientHeard, bypass: audit.bypass };
}
