/**
 * Runs a query on a session in one pass, for callers that use the same pass for something else. It holds the matches and
 * the frames that may still match: those that later frames may change, or all frames if the query has terms about the
 * session, which are decided at its end.
 */

import { applyChange, type FactChange, FactReader, type FactsRead } from '../../analysis/facts/fact-reader.ts';
import { type QueryExpr, scopeOf, termsOf } from '../../analysis/query/ast.ts';
import type { FrameFacts, SessionFacts } from '../../analysis/query/facts.ts';
import { compileFrame } from '../../analysis/query/predicate.ts';
import { microsOf } from '../../model/frame.ts';
import { keepFrame } from '../../model/kept-frame.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { type FrameText, NO_TEXT, TextCollector } from '../../model/text/searchable.ts';
import type { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import type { FoundFrame } from './frames.ts';
import { predicateInput } from './predicate-input.ts';

interface HeldMatch extends FoundFrame {
  /** The line as JSON, and its text, if the query needs them. */
  value: unknown;
  text: FrameText;
}

/** Yields null for each frame that is read, so that the caller can pause, and all matches at the end. */
export function* searchInPass(session: Session, pass: Pass, expr: QueryExpr | null): Generator<FoundFrame | null> {
  const tally = new SessionTally();
  const reader = new FactReader(pass);
  const search = new HeldSearch(expr, microsOf(session.metadata.started_at), toSummary(session, tally, pass));
  for (const read of pass) {
    tally.take(read);
    search.take(read, reader.take(read));
    yield null;
  }
  search.learn(reader.end().changes);
  yield* search.end(toSummary(session, tally, pass));
}

class HeldSearch {
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #startedAt: number;
  readonly #summary: SessionFacts;
  /** The query has terms about frames only. */
  readonly #isAboutFrames: boolean;
  readonly #needsValue: boolean;
  readonly #texts: TextCollector | null;
  readonly #held: HeldMatch[] = [];
  readonly #byNumber = new Map<number, HeldMatch[]>();

  /** `summary`: the summary before the first frame. */
  constructor(expr: QueryExpr | null, startedAt: number, summary: SessionFacts) {
    const terms = expr === null ? [] : termsOf(expr);
    this.#matches = compileFrame(expr);
    this.#startedAt = startedAt;
    this.#summary = summary;
    this.#isAboutFrames = expr === null || scopeOf(expr) === 'frame';
    this.#needsValue = terms.some(({ is }) => is === 'path');
    this.#texts = terms.some(({ is }) => is === 'text' || is === 'pattern') ? new TextCollector() : null;
  }

  take(read: ReadFrame, newFacts: FactsRead): void {
    this.learn(newFacts.changes);
    const value = this.#needsValue ? read.value : undefined;
    const candidate = { facts: newFacts.facts, frame: read.frame, value, text: this.#texts?.take(read) ?? NO_TEXT };
    const isOpen = !this.#isAboutFrames || mayChange(read, newFacts);
    if (isOpen || this.#isMatch(candidate, this.#summary)) this.#hold(candidate);
  }

  learn(changes: readonly FactChange[]): void {
    for (const change of changes) {
      for (const { facts } of this.#byNumber.get(change.f) ?? []) applyChange(facts, change);
    }
  }

  *end(summary: SessionFacts): Generator<FoundFrame | null> {
    for (const candidate of this.#held) yield this.#isMatch(candidate, summary) ? candidate : null;
  }

  #hold(candidate: HeldMatch): void {
    const { frame } = candidate;
    // The buffer of a line is used again for the next line.
    candidate.frame = keepFrame(frame, textIn(frame));
    this.#held.push(candidate);
    const same = this.#byNumber.get(frame.f);
    if (same) same.push(candidate);
    else this.#byNumber.set(frame.f, [candidate]);
  }

  #isMatch({ facts, value, text }: HeldMatch, session: SessionFacts): boolean {
    return this.#matches(predicateInput(facts, { session, startedAt: this.#startedAt, value, text }));
  }
}

/** The frames with these numbers, with their final facts. A damaged tape may have several with one number. */
export function framesNumbered(pass: Pass, first: number, last: number): FoundFrame[] {
  const reader = new FactReader(pass);
  const found: FoundFrame[] = [];
  const change = (changes: readonly FactChange[]) => {
    for (const one of changes) for (const { facts } of found) if (one.f === facts.f) applyChange(facts, one);
  };
  for (const read of pass) {
    const { facts, changes } = reader.take(read);
    change(changes);
    const isWanted = facts.f >= first && facts.f <= last;
    if (isWanted) found.push({ facts, frame: keepFrame(read.frame, textIn(read.frame)) });
  }
  change(reader.end().changes);
  return found;
}

/** Whether later frames may change this one: a request, a call, or a frame outside a turn. */
export function mayChange({ frame, pairing, events }: ReadFrame, { facts, rows }: FactsRead): boolean {
  if (pairing?.role === 'asks' || (facts.turn === null && facts.subagent === null)) return true;
  return events.some(({ kind }) => kind === 'tool-call' || kind === 'tool-args') || rows.some(({ f }) => f === frame.f);
}
