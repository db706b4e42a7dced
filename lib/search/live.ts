/**
 * A query on a session that still runs. A frame is told when it matches: at once, or later, when a later frame tells
 * what it lacked (its answer, its decision). So whatever a finished session's query finds was told while it ran, unless
 * it was about what is still open, or how the session ended.
 */
import type { Event } from '../core/event.ts';
import { type Frame, type Metadata, microsOf } from '../core/frame.ts';
import { Listener, type Said, says } from '../core/searchable.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { apply, type Change, FactReader } from '../facts/fact-reader.ts';
import type { Facts } from '../facts/facts.ts';
import { type Expr, scopeOf, termsOf } from '../filter/ast.ts';
import type { FrameFacts, SessionFacts } from '../filter/facts.ts';
import { compile } from '../filter/predicate.ts';
import { readNames, type SessionNames } from '../store/names.ts';
import { type Source, toSummary } from '../store/summary.ts';
import { Tally } from '../store/tally.ts';
import { Misunderstood, Understanding } from '../store/understanding.ts';

export interface LiveHit {
  frame: Frame;
  facts: Facts;
  events: Event[];
}

interface Waiting extends LiveHit {
  said: Said;
  value: unknown;
}

/** So many frames that do not match yet are remembered. */
const REMEMBERED = 1000;
/** Some agents log a lot before they say a word. */
const MOST_EARLY = 10_000;
const isSpoken = ({ from }: Frame) => from === 'client' || from === 'agent';
/** Client and agent tell who they are in their first lines. */
const INTRODUCTION = 100;

export class LiveSearch {
  readonly #source: Source;
  readonly #metadata: Metadata;
  readonly #startedAt: number;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #waiting = new Recent<number, Waiting>(REMEMBERED);
  /** What was taken before it was certain which dialect it is, and what was told of it. */
  #early: Frame[] | null = [];
  readonly #told = new Set<number>();
  #reading: Reading;
  readonly #names: SessionNames;
  /** The query asks for something of the session; for turns. */
  readonly #asksWho: boolean;
  readonly #asksTurn: boolean;
  #who = '';

  constructor(source: Source, metadata: Metadata, expr: Expr | null) {
    this.#source = source;
    this.#metadata = metadata;
    this.#startedAt = microsOf(metadata.started_at);
    this.#matches = compile(expr);
    this.#asksWho = expr !== null && scopeOf(expr) !== 'frame';
    this.#asksTurn = expr !== null && termsOf(expr).some((term) => term.is === 'field' && term.name === 'turn');
    this.#names = source.dir === null ? { name: null, tags: {} } : readNames(source.dir);
    this.#reading = new Reading(metadata, []);
  }

  /** The frames that are known to match by this one: itself, or earlier ones. */
  take(frame: Frame): LiveHit[] {
    if (this.#early && this.#early.push(frame) > MOST_EARLY) this.#early = this.#early.filter(isSpoken);
    try {
      return this.#new(this.#take(frame));
    } catch (error) {
      if (!(error instanceof Misunderstood)) throw error;
      // It is another dialect than it seemed: what came so far is read again, and nothing is told twice.
      const early = this.#early!;
      this.#waiting.clear();
      this.#reading = new Reading(this.#metadata, early);
      return this.#new(early.flatMap((one) => this.#take(one)));
    }
  }

  #new(hits: LiveHit[]): LiveHit[] {
    const fresh = this.#told.size === 0 ? hits : hits.filter(({ frame: { f } }) => !this.#told.has(f));
    if (this.#early) for (const { frame } of fresh) this.#told.add(frame.f);
    return fresh;
  }

  #take(frame: Frame): LiveHit[] {
    const { read, told, said } = this.#reading.take(frame);
    if (this.#reading.understanding.decided) this.#early = null;
    const hits = this.#changed(told.changes);
    if (this.#introduced()) hits.push(...this.#again());
    hits.sort((a, b) => a.frame.f - b.frame.f);
    const now: Waiting = { frame, facts: told.facts, events: read.events, said, value: read.value };
    if (this.#isMatch(now)) hits.push(now);
    else if (this.#mayMatchLater(read, told.facts)) this.#waiting.set(frame.f, now);
    return hits;
  }

  /** Only of what asks something later frames tell more; of what is in no turn, its turn; of the first, who speaks. */
  #mayMatchLater({ frame, pairing, events }: ReadFrame, { turn }: Facts): boolean {
    if (pairing?.role === 'asks' || events.some(({ kind }) => kind === 'tool-call')) return true;
    if (turn === null && this.#asksTurn) return true;
    return this.#asksWho && frame.f <= INTRODUCTION;
  }

  /** The session said more of itself with this frame. */
  #introduced(): boolean {
    if (!this.#asksWho) return false;
    const { dialect, protocol, client, agent, agent_version } = this.#reading.understanding.facts;
    const who = JSON.stringify([dialect, protocol, client, agent, agent_version]);
    if (who === this.#who) return false;
    this.#who = who;
    return true;
  }

  #again(): LiveHit[] {
    const hits = [...this.#waiting.values()].filter((one) => this.#isMatch(one));
    for (const { frame } of hits) this.#waiting.delete(frame.f);
    return hits;
  }

  /** Those that are known to match by the end of the session. */
  end(): LiveHit[] {
    return this.#changed(this.#reading.end());
  }

  #changed(changes: readonly Change[]): LiveHit[] {
    return changes.flatMap((change) => {
      const waiting = this.#waiting.get(change.f);
      if (!waiting) return [];
      apply(waiting.facts, change);
      if (!this.#isMatch(waiting)) return [];
      this.#waiting.delete(change.f);
      return [waiting];
    });
  }

  #isMatch({ facts, said, value }: Waiting): boolean {
    return this.#matches({
      ...facts,
      session: this.#session,
      at: this.#startedAt + Math.round(facts.t * 1e6),
      message: () => value,
      says: (text) => says(said, text),
    });
  }

  get #session(): SessionFacts {
    const { tally, understanding } = this.#reading;
    return toSummary(this.#source, this.#metadata, tally, understanding.facts, this.#names);
  }
}

/** All that reads the frames of one session, in step. */
class Reading {
  readonly understanding: Understanding;
  readonly tally = new Tally();
  readonly #facts: FactReader;
  readonly #listener = new Listener();

  constructor(metadata: Metadata, first: Iterable<Frame>) {
    this.understanding = new Understanding(metadata, first);
    this.#facts = new FactReader({ command: metadata.command, dialect: this.understanding.dialect });
  }

  take(frame: Frame) {
    const read: ReadFrame = this.understanding.take(frame);
    this.tally.frame(read);
    return { read, told: this.#facts.take(read), said: this.#listener.take(read) };
  }

  end(): Change[] {
    return this.#facts.end().changes;
  }
}
