/** The library's view of a session. Everything is synchronous, because tapes are local files. */

import { type DiffOptions, diffSessions } from './analysis/diff/diff.ts';
import type { SessionDiff } from './analysis/diff/result.ts';
import { scopeOf } from './analysis/query/ast.ts';
import { compileFrame } from './analysis/query/predicate.ts';
import { type Answers, answersOf, type Question } from './answers.ts';
import { dialectNamed } from './dialects/index.ts';
import { Failure } from './model/failure.ts';
import type { Frame, Metadata } from './model/frame.ts';
import { readAs, type Session, type SessionNames } from './session/session.ts';
import { toSummary } from './session/summary.ts';
import { SessionTally } from './session/tally.ts';
import { type FoundFrame, searchFrames } from './storage/search/frames.ts';
import { readQuery } from './storage/search/query.ts';
import { withTimeLimit } from './storage/search/time-limit.ts';
import { storeHome } from './storage/store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace } from './storage/store/open.ts';

export interface OpenOptions {
  /** The store. Default: the one that the command line uses, `$WIRETAPE_HOME` or `~/.local/share/wiretape`. */
  home?: string;
  /** The protocol, if detection is wrong. */
  dialect?: string;
}

/**
 * Opens a session as the command line does: by id or a unique prefix of it, `last`, `last~1`, a name, or the path of a
 * tape. Throws `Failure` with a message and a hint if the session does not exist or cannot be read. Close it after use.
 */
export function openSession(session: string, options: OpenOptions = {}): RecordedSession {
  const { home = storeHome(process.env), dialect } = options;
  if (dialect !== undefined && !dialectNamed(dialect)) throw new Failure(`unknown dialect ${JSON.stringify(dialect)}`);
  const opened = openPlace(locate(home, session));
  try {
    metadataOf(opened);
    return new RecordedSession(opened, dialect === undefined ? opened : readAs(opened, dialect));
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Each method reads the tape from its start, so a running session returns everything recorded so far. */
export class RecordedSession {
  readonly #opened: OpenSession;
  readonly #session: Session;

  constructor(opened: OpenSession, session: Session) {
    this.#opened = opened;
    this.#session = session;
  }

  /** Its id in the store, or the file name of a tape outside a store. */
  get id(): string {
    return this.#session.id;
  }

  /** The first line of the tape. */
  get metadata(): Metadata {
    return this.#session.metadata;
  }

  get names(): SessionNames {
    return this.#session.names;
  }

  /** Whether it was being recorded when it was opened. */
  get running(): boolean {
    return this.#session.running;
  }

  /** The path of the tape. */
  get tape(): string {
    return this.#session.tape;
  }

  /** Several answers from one pass over the tape. */
  ask<Q extends Question>(...questions: Q[]): Pick<Answers, Q> {
    return answersOf(this.#session, questions);
  }

  summary(): Answers['summary'] {
    return this.ask('summary').summary;
  }

  timeline(): Answers['timeline'] {
    return this.ask('timeline').timeline;
  }

  stats(): Answers['stats'] {
    return this.ask('stats').stats;
  }

  approvals(): Answers['approvals'] {
    return this.ask('approvals').approvals;
  }

  findings(): Answers['findings'] {
    return this.ask('findings').findings;
  }

  obligations(): Answers['obligations'] {
    return this.ask('obligations').obligations;
  }

  /** Every frame with its exact bytes, in order. Memory does not grow with the session. */
  *frames(): Generator<Frame> {
    for (const frame of this.#session.frames()) yield { ...frame, raw: Uint8Array.from(frame.raw) };
  }

  /**
   * The frames that match a query, in order, with all facts about each. The query language is that of `wiretape filter`;
   * an empty query matches every frame. Throws `Failure` if the query is invalid.
   */
  *query(query: string): Generator<FoundFrame> {
    const expr = readQuery(query);
    const session = this.#session;
    // Facts about the session need a pass of their own, so they are read only if the query uses them.
    const isAboutFrames = expr === null || scopeOf(expr) === 'frame';
    const summary = isAboutFrames ? toSummary(session, new SessionTally(), null) : this.summary();
    for (const found of withTimeLimit(expr, searchFrames(session, summary, compileFrame(expr)))) if (found) yield found;
  }

  /** Compares it with another session by meaning, as `wiretape diff` does. */
  diff(other: RecordedSession, options: DiffOptions = {}): SessionDiff {
    return diffSessions(this.#session, other.#session, options);
  }

  close(): void {
    this.#opened.close();
  }
}
