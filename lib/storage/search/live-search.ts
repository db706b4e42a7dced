/**
 * A query on a session that is being recorded. A frame is reported as soon as it matches, which may be when its answer or
 * its decision comes. Everything that the query finds in the finished session is reported while it runs, except for
 * queries about open requests or the end of the session.
 */

import { applyChange, type FactChange, FactReader, type FactsRead } from '../../analysis/facts/fact-reader.ts';
import type { Facts } from '../../analysis/facts/facts.ts';
import { type QueryExpr, scopeOf, termsOf } from '../../analysis/query/ast.ts';
import type { FrameFacts, SessionFacts } from '../../analysis/query/facts.ts';
import { compileFrame } from '../../analysis/query/predicate.ts';
import type { Event } from '../../model/event.ts';
import { type Frame, microsOf } from '../../model/frame.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { type FrameText, TextCollector } from '../../model/text/searchable.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import type { PassInfo } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { dialectIn } from '../../session/source.ts';
import { introductionIn, toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { predicateInput } from './predicate-input.ts';

/** A matching frame of a running session. */
export interface LiveMatch {
  frame: Frame;
  facts: Facts;
  events: Event[];
}

/** A frame that does not match yet. */
interface LiveCandidate extends LiveMatch {
  text: FrameText;
  value: unknown;
}

/** How many frames that do not match yet are remembered. */
const MAX_REMEMBERED_FRAMES = 1000;
/** Client and agent identify themselves in the first frames. */
const INTRODUCTION_FRAMES = 100;

/** What is known about a session before its first frame. */
type LiveSession = Pick<Session, 'id' | 'dir' | 'tape' | 'running' | 'metadata' | 'names'>;

export class LiveSearch {
  readonly #session: LiveSession;
  readonly #startedAt: number;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #waiting = new LimitedMap<number, LiveCandidate>(MAX_REMEMBERED_FRAMES);
  /** Matches found with the current frame. */
  #found: LiveMatch[] = [];
  /** Frames reported before the dialect was certain, so that none is reported twice. */
  readonly #reported = new Set<number>();
  readonly #pass: GrowingPass<LiveFacts>;
  /** Whether the query has terms about the session, and about turns. */
  readonly #hasSessionTerms: boolean;
  readonly #hasTurnTerms: boolean;
  #introduction = '';

  constructor(session: LiveSession, expr: QueryExpr | null) {
    const { metadata } = session;
    this.#session = session;
    this.#startedAt = microsOf(metadata.started_at);
    this.#matches = compileFrame(expr);
    this.#hasSessionTerms = expr !== null && scopeOf(expr) !== 'frame';
    this.#hasTurnTerms = expr !== null && termsOf(expr).some((term) => term.is === 'field' && term.name === 'turn');
    const source = { command: metadata.command, dialect: dialectIn(metadata) };
    this.#pass = new GrowingPass(source, (info) => this.#observe(info));
  }

  /** The frames that match now: this one, or earlier ones. */
  take(frame: Frame): LiveMatch[] {
    this.#found = [];
    this.#pass.take(frame);
    this.#pass.flush();
    return this.#unreported(this.#found);
  }

  /** The frames that match now that the session has ended. */
  end(): LiveMatch[] {
    this.#pass.flush();
    return this.#unreported(this.#changed(this.#pass.observer.facts.end().changes));
  }

  /** Called again if the dialect turns out to be another one; the new observer gets every frame so far. */
  #observe(info: PassInfo): LiveFacts {
    this.#waiting.clear();
    this.#found = [];
    return new LiveFacts(info, (read, facts, text) => this.#take(read, facts, text));
  }

  #unreported(matches: LiveMatch[]): LiveMatch[] {
    const fresh = this.#reported.size === 0 ? matches : matches.filter(({ frame: { f } }) => !this.#reported.has(f));
    if (!this.#pass.isDecided) for (const { frame } of fresh) this.#reported.add(frame.f);
    return fresh;
  }

  #take(read: ReadFrame, { facts, changes }: FactsRead, text: FrameText): void {
    const { frame, events, value } = read;
    const earlier = this.#changed(changes);
    if (this.#isIntroduced()) earlier.push(...this.#recheck());
    earlier.sort((a, b) => a.frame.f - b.frame.f);
    this.#found.push(...earlier);
    const candidate: LiveCandidate = { frame, facts, events, text, value };
    if (this.#isMatch(candidate)) this.#found.push(candidate);
    else if (this.#mayMatchLater(read, facts)) this.#waiting.set(frame.f, candidate);
  }

  /** Later frames change only requests, calls, frames outside a turn, and what the first frames say about the session. */
  #mayMatchLater({ frame, pairing, events }: ReadFrame, { turn }: Facts): boolean {
    if (pairing?.role === 'asks' || events.some(({ kind }) => kind === 'tool-call')) return true;
    if (turn === null && this.#hasTurnTerms) return true;
    return this.#hasSessionTerms && frame.f <= INTRODUCTION_FRAMES;
  }

  /** Whether this frame says more about the session itself. */
  #isIntroduced(): boolean {
    if (!this.#hasSessionTerms) return false;
    const { dialect, timeline } = this.#pass;
    const introduction = JSON.stringify([dialect, introductionIn(timeline)]);
    if (introduction === this.#introduction) return false;
    this.#introduction = introduction;
    return true;
  }

  #recheck(): LiveMatch[] {
    const matches = [...this.#waiting.values()].filter((one) => this.#isMatch(one));
    for (const { frame } of matches) this.#waiting.delete(frame.f);
    return matches;
  }

  #changed(changes: readonly FactChange[]): LiveMatch[] {
    return changes.flatMap((change) => {
      const candidate = this.#waiting.get(change.f);
      if (!candidate) return [];
      applyChange(candidate.facts, change);
      if (!this.#isMatch(candidate)) return [];
      this.#waiting.delete(change.f);
      return [candidate];
    });
  }

  #isMatch({ facts, text, value }: LiveCandidate): boolean {
    return this.#matches(predicateInput(facts, { session: this.#summary, startedAt: this.#startedAt, value, text }));
  }

  get #summary(): SessionFacts {
    const { dialect, timeline, observer } = this.#pass;
    return toSummary(this.#session, observer.tally, { dialect, timeline, seal: null });
  }
}

/** Collects the facts that a query needs, frame by frame. */
class LiveFacts {
  readonly tally = new SessionTally();
  readonly facts: FactReader;
  readonly #texts = new TextCollector();
  readonly #onFrame: (read: ReadFrame, facts: FactsRead, text: FrameText) => void;

  constructor(info: PassInfo, onFrame: (read: ReadFrame, facts: FactsRead, text: FrameText) => void) {
    this.facts = new FactReader(info);
    this.#onFrame = onFrame;
  }

  take(read: ReadFrame): void {
    this.tally.take(read);
    this.#onFrame(read, this.facts.take(read), this.#texts.take(read));
  }
}
