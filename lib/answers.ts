/** The answers that the library gives about a session. Each comes from an observer; one pass serves all of them. */

import type { ApprovalRow } from './analysis/audit/row.ts';
import { Checker } from './analysis/check/checker.ts';
import { explain, type Obligation } from './analysis/why/explain.ts';
import { SessionWatch } from './analysis/why/session-watch.ts';
import type { Finding } from './dialects/rules/rule.ts';
import { type Metadata, microsOf } from './model/frame.ts';
import type { Timeline } from './model/timeline/entries.ts';
import { type Observer, Pass } from './session/pass.ts';
import { idOf, type Session } from './session/session.ts';
import { FrameMeter, type Stats, statsOf } from './session/stats.ts';
import { type Summary, toSummary } from './session/summary.ts';
import { SessionTally } from './session/tally.ts';
import { AuditRows } from './storage/search/audit-session.ts';
import { withCurrentDuration } from './storage/store/current-summary.ts';
import { clockOf, momentOf } from './storage/store/moment.ts';

export interface Answers {
  /** The row of `wiretape ls --json`. */
  summary: Summary;
  /** Turns, steps and items. */
  timeline: Timeline;
  /** Times, waits, traffic and tools in numbers. */
  stats: Stats;
  /** The rows of `wiretape approvals --all`: what was asked, decided and run, and what ran without being asked. */
  approvals: ApprovalRow[];
  /** Violations of the protocol, as `wiretape check` finds them. */
  findings: Finding[];
  /** Requests that are still open, as `wiretape why` explains them. */
  obligations: Obligation[];
}

export type Question = keyof Answers;

interface AnswerObserver<T> extends Observer {
  answer(): T;
}

const OBSERVERS: { [Q in Question]: (pass: Pass, session: Session) => AnswerObserver<Answers[Q]> } = {
  summary(pass, session) {
    const tally = new SessionTally();
    return {
      take: (read) => tally.take(read),
      answer: () => withCurrentDuration(session, toSummary(session, tally, pass)),
    };
  },
  timeline: (pass) => ({ take() {}, answer: () => pass.timeline }),
  stats(pass, { running, metadata }) {
    const meter = new FrameMeter();
    const clock = () => clockOf({ running, started: metadata.started_at }, meter.seconds);
    return { take: (read) => meter.take(read), answer: () => statsOf(pass.timeline, meter, pass.damaged, clock()) };
  },
  approvals(pass) {
    const rows = new AuditRows(pass);
    return { take: (read) => rows.take(read), answer: () => rows.end().rows };
  },
  findings({ command, dialect }, { metadata, running }) {
    const checker = new Checker({ command, dialect, source: sourceOf(metadata) });
    const found: Finding[] = [];
    return {
      take: (read) => void found.push(...checker.take(read)),
      // Missing messages are not reported while the session is running.
      answer: () =>
        [...found, ...(running ? [] : checker.end())]
          .filter((finding) => checker.isHeldTo(finding))
          .sort((a, b) => a.f - b.f),
    };
  },
  obligations({ command, dialect }, session) {
    const watch = new SessionWatch({ command, dialect, source: sourceOf(session.metadata) });
    const startedAt = microsOf(session.metadata.started_at);
    return {
      take: (read) => watch.take(read),
      answer: () => explain(idOf(session), startedAt, watch, momentOf(session, watch)),
    };
  },
};

function sourceOf({ source }: Metadata): string {
  return typeof source === 'string' ? source : 'record';
}

/** Answers all questions in one pass. */
export function answersOf<Q extends Question>(session: Session, questions: readonly Q[]): Pick<Answers, Q> {
  const needsTree = questions.some((question) => question === 'timeline' || question === 'stats');
  const pass = new Pass(session, { tree: needsTree });
  const observers = questions.map((question) => OBSERVERS[question](pass, session));
  pass.run(...observers);
  return Object.fromEntries(questions.map((question, i) => [question, observers[i]!.answer()])) as Pick<Answers, Q>;
}
