/**
 * A query over sessions: each is answered from the index where its rows are current, else from its tape. Both give the
 * same frames in the same order.
 */
import { type Frame, microsOf } from '../core/frame.ts';
import { withExactIds } from '../core/id.ts';
import { isObject, parseFrame, textIn } from '../core/message.ts';
import type { Facts } from '../facts/facts.ts';
import { Failure } from '../failure.ts';
import { type Expr, scopeOf } from '../filter/ast.ts';
import { decide } from '../filter/decide.ts';
import { compile, hasRegex } from '../filter/predicate.ts';
import { printQuery } from '../filter/print.ts';
import { type SessionQuery, sessionQueries } from '../filter/sessions.ts';
import type { SearchedSession } from '../store/frame-row.ts';
import { FrameSet } from '../store/frame-set.ts';
import { openAsItIs } from '../store/index-file.ts';
import { IndexSearch } from '../store/search.ts';
import { placeOf } from '../store/sessions.ts';
import { type Database, damage } from '../store/sqlite.ts';
import { LineAt } from '../tape/line-at.ts';
import { bounded, TookTooLong } from './bounded.ts';
import { tapes } from './by-tape.ts';
import { isRemoved, type Target, type TargetSummary } from './targets.ts';

export interface Hit {
  target: Target;
  facts: Facts;
  frame: Frame;
  /** It does not match, but stands beside one that does. */
  beside?: boolean;
}

/** What a search found before it is asked for its line. */
interface Found {
  facts: Facts;
  frame(): Frame;
}

const FEW = 8;

export class Search {
  readonly #home: string;
  readonly expr: Expr | null;
  #db: Database | null = null;
  #queries: SessionQuery[] | null = null;
  readonly #searches = new Map<string, IndexSearch>();
  /** The same, for those that were asked for by the same object. */
  readonly #known = new Map<Expr | null, IndexSearch>();
  /** So many sessions that it is worth looking through the indexes of the whole store first. */
  readonly #many: boolean;

  /** `sessions`: how many will be asked about. */
  constructor(home: string, expr: Expr | null, sessions: number) {
    this.#home = home;
    this.expr = expr;
    this.#many = sessions > FEW;
  }

  /** Frame by frame, in order; null while there is none, so that whoever waits may look up. */
  hits(target: Target): Generator<Hit | null> {
    return this.#asked(target, this.#hits(target));
  }

  /** Lines are read in here, while their file is open. */
  *#hits(target: Target): Generator<Hit | null> {
    for (const found of this.#in(target, this.expr)) {
      yield found && { target, facts: found.facts, frame: found.frame() };
    }
  }

  /** The same with what stands around each, and the other half of its exchange: of the first so many. */
  hitsWith(target: Target, context: number, pairs: boolean, limit: number): Generator<Hit | null> {
    return unlessRemoved(this.#home, target, this.#hitsWith(target, context, pairs, limit));
  }

  *#hitsWith(target: Target, context: number, pairs: boolean, limit: number): Generator<Hit | null> {
    const hits = new FrameSet();
    const wanted = new FrameSet();
    for (const found of this.#asked(target, this.#in(target, this.expr))) {
      if (hits.size === limit) break;
      yield null;
      if (found) hits.add(found.facts.f);
      if (found) addAround(wanted, found.facts, context, pairs);
    }
    if (hits.size === 0) return;
    for (const { facts, frame } of this.#numbered(target, wanted)) {
      yield { target, facts, frame: frame(), beside: !hits.has(facts.f) };
    }
  }

  /** How many frames match, without looking at their lines. */
  count(target: Target): number {
    const known = this.#countIn(target);
    if (known !== null) return known;
    let count = 0;
    for (const found of this.#asked(target, this.#in(target, this.expr))) if (found) count++;
    return count;
  }

  /** The frames that match, by their numbers. */
  numbers(target: Target): FrameSet {
    const numbers = new FrameSet();
    for (const found of this.#asked(target, this.#in(target, this.expr))) if (found) numbers.add(found.facts.f);
    return numbers;
  }

  /** Whether a list of sessions has this one by the query. */
  fits(target: Target): boolean {
    this.#queries ??= sessionQueries(this.expr);
    return this.#queries.some((query) => this.#fits(target, query));
  }

  /** How a target is searched, for people. */
  plan(target: Target): string[] {
    const expr = this.expr;
    const left = expr === null ? true : inTime(expr, () => decide(expr, target.summary));
    if (left === false) return ['nothing: the session is not like that'];
    if (target.key === null) return ['look at every frame of the tape: it has no current rows in the index'];
    return this.#search(left === true ? null : left).plan;
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #asked<T>(target: Target, items: Generator<T>): Generator<T> {
    return limited(this.expr, unlessRemoved(this.#home, target, items));
  }

  #fits(target: Target, { session, some, none }: SessionQuery): boolean {
    if (session && inTime(session, () => decide(session, target.summary)) !== true) return false;
    if (none.some((expr) => this.#has(target, expr))) return false;
    return some === null || this.#has(target, some);
  }

  #has(target: Target, expr: Expr): boolean {
    for (const found of this.#asked(target, this.#in(target, expr))) if (found) return true;
    return false;
  }

  /** Null where each frame must be looked at. */
  #countIn({ key }: Target): number | null {
    if (key === null || (this.expr && scopeOf(this.expr) !== 'frame')) return null;
    const search = this.#search(this.expr);
    return this.#many && !search.mayHave(key) ? 0 : search.count(key);
  }

  /** What is asked of the session is asked in here too: it may be by a regular expression. */
  *#in(target: Target, expr: Expr | null): Generator<Found | null> {
    const left = expr === null ? true : scopeOf(expr) === 'frame' ? expr : decide(expr, target.summary);
    if (left === false) return;
    const rest = left === true ? null : left;
    yield* target.key === null ? this.#inTape(target, rest) : this.#inIndex(target, target.key, rest);
  }

  *#inIndex(target: Target, key: number, expr: Expr | null): Generator<Found | null> {
    const search = this.#search(expr);
    if (this.#many && !search.mayHave(key)) return;
    const session = new Searched(target, key);
    try {
      for (const found of search.frames(session)) {
        yield found && { facts: found.facts, frame: () => session.frame(found.facts.f, found.offset) };
      }
    } finally {
      session.close();
    }
  }

  *#numbered(target: Target, wanted: FrameSet): Generator<Found> {
    const { key } = target;
    if (key === null) {
      for (const found of this.#inTape(target, null)) if (found && wanted.has(found.facts.f)) yield found;
      return;
    }
    const session = new Searched(target, key);
    try {
      for (const found of this.#search(null).numbered(session, wanted)) {
        yield { facts: found.facts, frame: () => session.frame(found.facts.f, found.offset) };
      }
    } finally {
      session.close();
    }
  }

  *#inTape(target: Target, expr: Expr | null): Generator<Found | null> {
    const { summary, begun } = target;
    if (begun) return;
    const { openPlace, searchTape } = tapes();
    const session = openPlace(target.place ?? placeOf(this.#home, summary.session));
    try {
      for (const found of searchTape(session.tape, summary, compile(expr))) {
        yield found && { facts: found.facts, frame: () => found.frame };
      }
    } finally {
      session.close();
    }
  }

  #search(expr: Expr | null): IndexSearch {
    const known = this.#known.get(expr);
    if (known) return known;
    this.#db ??= openForReading(this.#home);
    const key = printQuery(expr);
    const search = this.#searches.get(key) ?? new IndexSearch(this.#db, expr);
    this.#searches.set(key, search);
    this.#known.set(expr, search);
    return search;
  }
}

function openForReading(home: string): Database {
  const db = openAsItIs(home, 1000);
  // Full text is read once, from one end to the other: to keep it costs more than to read it.
  db.pragma('cache_size = -1000');
  return db;
}

/** A session that somebody removes while it is asked about has nothing more to tell. */
function* unlessRemoved<T>(home: string, target: Target, items: Generator<T>): Generator<T> {
  try {
    yield* items;
  } catch (error) {
    if (!isRemoved(home, target, error)) throw error;
  }
}

function addAround(wanted: FrameSet, { f, pair_f }: Facts, context: number, pairs: boolean): void {
  for (let near = Math.max(1, f - context); near <= f + context; near++) wanted.add(near);
  if (pairs && pair_f !== null) wanted.add(pair_f);
}

/** A regular expression may take for ever: where the query has one, each item must come in time. */
export function* limited<T>(expr: Expr | null, items: Generator<T>): Generator<T> {
  if (!hasRegex(expr)) return yield* items;
  try {
    yield* bounded(items);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    throw new Failure(
      'a regular expression of the query takes too long on one of the lines',
      'write it without nested repetition, such as (a+)+',
    );
  }
}

/** The same for work that is done in one go. */
export function inTime<T>(expr: Expr | null, work: () => T): T {
  function* once() {
    yield work();
  }
  return [...limited(expr, once())][0]!;
}

/** A session with rows in the index. Most have nothing that is looked for: what is known of them is not even read. */
class Searched implements SearchedSession {
  readonly key: number;
  readonly #target: Target;
  #startedAt: number | null = null;
  #lines: LineAt | null = null;

  constructor(target: Target, key: number) {
    this.#target = target;
    this.key = key;
  }

  get facts(): TargetSummary {
    return this.#target.summary;
  }

  get startedAt(): number {
    this.#startedAt ??= microsOf(this.facts.started);
    return this.#startedAt;
  }

  /** The frame of that number, whose line begins there. Index and tape must agree on it. */
  frame(f: number, offset: number): Frame {
    this.#lines ??= new LineAt(this.facts.tape);
    const frame = this.#lines.frame(offset);
    if (frame?.f !== f) throw damage('it is not of the tape');
    return frame;
  }

  message(f: number, offset: number): unknown {
    const frame = this.frame(f, offset);
    // What an agent says on stderr is text, even if it looks like a message.
    const isMessage = frame.form !== 'event' && frame.from !== 'stderr';
    if (!isMessage) return undefined;
    const text = textIn(frame);
    const value = parseFrame(frame, text);
    return isObject(value) ? withExactIds(value, text) : value;
  }

  close(): void {
    this.#lines?.close();
  }
}
