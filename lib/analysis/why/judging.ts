/** Checks a session and watches what is open in one pass: what the rules find explains what is open. */

import type { Finding } from '../../dialects/rules/rule.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Observer, Pass, PassInfo } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import type { FrameMeter } from '../../session/stats.ts';
import type { Tally } from '../../session/tally.ts';
import type { Audit } from '../audit/audit.ts';
import { Checker } from '../check/checker.ts';
import { type Answer, answerOf } from './answer.ts';
import { Watch } from './watch.ts';

export interface Judged {
  /** As they were found. */
  findings: readonly Finding[];
  answer: Answer;
}

/** A session that was read to its end. Its timeline has all entries. */
export interface WholeSession {
  session: Session;
  pass: Pass;
  tally: Tally;
  meter: FrameMeter;
  watch: Watch;
  judged: Judged;
}

export class Judging implements Observer {
  readonly watch: Watch;
  readonly #session: Session;
  readonly #checker: Checker;
  readonly #findings: Finding[] = [];

  /** `audit`: one that has seen each frame before. */
  constructor(session: Session, { command, dialect }: PassInfo, audit?: Audit) {
    const { source } = session.metadata;
    const about = { command, dialect, source: typeof source === 'string' ? source : 'record' };
    this.#session = session;
    this.#checker = new Checker(about);
    this.watch = new Watch(about, audit);
  }

  take(read: ReadFrame): void {
    const found = this.#checker.take(read);
    if (found.length > 0) for (const finding of found) this.#findings.push(finding);
    this.watch.takeFound(read, found);
  }

  /** `t`: when the session ended, or how far it has come. */
  end(t: number): Judged {
    const { running } = this.#session;
    if (!running) for (const finding of this.#checker.end()) this.#findings.push(finding);
    const answer = answerOf(this.#session, this.watch, { t, running, process: null, unfinished: [] });
    return { findings: this.#findings.filter((finding) => this.#checker.stands(finding)), answer };
  }
}
