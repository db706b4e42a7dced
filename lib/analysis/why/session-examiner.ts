/** Checks a session and watches what is open in one pass: what the rules find explains what is open. */

import type { Finding } from '../../dialects/rules/rule.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Observer, Pass, PassInfo } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import type { FrameMeter } from '../../session/stats.ts';
import type { SessionTally } from '../../session/tally.ts';
import type { Audit } from '../audit/audit.ts';
import { Checker } from '../check/checker.ts';
import { SessionWatch } from './session-watch.ts';
import { makeWhyReport, type WhyReport } from './why-report.ts';

export interface Examination {
  /** As they were found. */
  findings: readonly Finding[];
  answer: WhyReport;
}

/** A session that was read to its end. Its timeline has all entries. */
export interface WholeSession {
  session: Session;
  pass: Pass;
  tally: SessionTally;
  meter: FrameMeter;
  watch: SessionWatch;
  judged: Examination;
}

export class SessionExaminer implements Observer {
  readonly watch: SessionWatch;
  readonly #session: Session;
  readonly #checker: Checker;
  readonly #findings: Finding[] = [];

  /** `audit`: one that has seen each frame before. */
  constructor(session: Session, { command, dialect }: PassInfo, audit?: Audit) {
    const { source } = session.metadata;
    const about = { command, dialect, source: typeof source === 'string' ? source : 'record' };
    this.#session = session;
    this.#checker = new Checker(about);
    this.watch = new SessionWatch(about, audit);
  }

  take(read: ReadFrame): void {
    const found = this.#checker.take(read);
    if (found.length > 0) for (const finding of found) this.#findings.push(finding);
    this.watch.takeFound(read, found);
  }

  /** `t`: when the session ended, or how far it has come. */
  end(t: number): Examination {
    const { running } = this.#session;
    if (!running) for (const finding of this.#checker.end()) this.#findings.push(finding);
    const answer = makeWhyReport(this.#session, this.watch, { t, running, process: null, unfinished: [] });
    return { findings: this.#findings.filter((finding) => this.#checker.isHeldTo(finding)), answer };
  }
}
