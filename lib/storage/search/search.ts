/**
 * A query over sessions. A session is searched in the index if its rows are current, otherwise on its tape. Both give the
 * same frames in the same order.
 */

import type { Facts } from '../../analysis/facts/facts.ts';
import { type QueryExpr, scopeOf } from '../../analysis/query/ast.ts';
import { decideForSession } from '../../analysis/query/decide.ts';
import { compileFrame } from '../../analysis/query/predicate.ts';
import { printQuery } from '../../analysis/query/print.ts';
import { type SessionQuery, sessionQueries } from '../../analysis/query/sessions.ts';
import { type Frame, microsOf } from '../../model/frame.ts';
import { withExactIds } from '../../model/id.ts';
import { isObject, parseFrame, textIn } from '../../model/message.ts';
import { openAsItIs } from '../index/file.ts';
import type { SearchedSession } from '../index/frame-row.ts';
import { FrameSet } from '../index/frame-set.ts';
import { IndexSearch } from '../index/index-search.ts';
import { type Database, damage } from '../index/sqlite.ts';
import { placeOf } from '../store/sessions.ts';
import { missingTapeFailure } from '../store/tape-owner.ts';
import { OffsetLineReader } from '../tape/offset-line-reader.ts';
import { tapeReaders } from './tape-readers.ts';
import { isRemoved, type Target, type TargetSummary } from './targets.ts';
import { resultInTime, withTimeLimit } from './time-limit.ts';

/** A frame that a query selects. */
export interface QueryMatch {
  target: Target;
  facts: Facts;
  frame: Frame;
  /** It does not match, but is near a frame that does. */
  beside?: boolean;
}

/** A match whose line was not read from the tape yet. */
interface UnreadMatch {
  facts: Facts;
  frame(): Frame;
}

const FEW_SESSIONS = 8;

export class Search {
  readonly #home: string;
  readonly expr: QueryExpr | null;
  #db: Database | null = null;
  #queries: SessionQuery[] | null = null;
  readonly #searches = new Map<string | null, IndexSearch>();
  /** The same by object, to avoid printing the query again. */
  readonly #searchByExpr = new Map<QueryExpr | null, IndexSearch>();
  /** There are enough sessions to read the indexes of the whole store first. */
  readonly #hasManySessions: boolean;
  /** The query has no session terms. */
  readonly #hasNoSessionTerms: boolean;

  /** `sessions`: how many will be searched. */
  constructor(home: string, expr: QueryExpr | null, sessions: number) {
    this.#home = home;
    this.expr = expr;
    this.#hasManySessions = sessions > FEW_SESSIONS;
    this.#hasNoSessionTerms = expr === null || scopeOf(expr) === 'frame';
  }

  /** Whether the index says, without a look at its frames, that a session has no match. Most sessions have none. */
  rulesOut({ key }: Target): boolean {
    return this.#hasManySessions && key !== null && this.#hasNoSessionTerms && !this.#search(this.expr).mayHave(key);
  }

  /** The matching frames in order; null for other frames, so that the caller can pause. */
  matchesOf(target: Target): Generator<QueryMatch | null> {
    return this.#guarded(target, this.#readMatches(target));
  }

  /** Reads the lines while their file is open. */
  *#readMatches(target: Target): Generator<QueryMatch | null> {
    for (const found of this.#matchesIn(target, this.expr)) {
      yield found && { target, facts: found.facts, frame: found.frame() };
    }
  }

  /** The first `limit` matches with the frames around them and, with `pairs`, their requests or answers. */
  matchesWithContext(target: Target, context: number, pairs: boolean, limit: number): Generator<QueryMatch | null> {
    return untilRemoved(this.#home, target, this.#readMatchesWithContext(target, context, pairs, limit));
  }

  *#readMatchesWithContext(
    target: Target,
    context: number,
    pairs: boolean,
    limit: number,
  ): Generator<QueryMatch | null> {
    const matching = new FrameSet();
    const wanted = new FrameSet();
    for (const found of this.#guarded(target, this.#matchesIn(target, this.expr))) {
      if (matching.size === limit) break;
      yield null;
      if (found) matching.add(found.facts.f);
      if (found) addAround(wanted, found.facts, context, pairs);
    }
    if (matching.size === 0) return;
    for (const { facts, frame } of this.#numbered(target, wanted)) {
      yield { target, facts, frame: frame(), beside: !matching.has(facts.f) };
    }
  }

  /** The number of matching frames. Does not read their lines. */
  count(target: Target): number {
    if (this.rulesOut(target)) return 0;
    const known = this.#countIn(target);
    if (known !== null) return known;
    let count = 0;
    for (const found of this.#guarded(target, this.#matchesIn(target, this.expr))) if (found) count++;
    return count;
  }

  /** The numbers of the matching frames. */
  numbers(target: Target): FrameSet {
    const numbers = new FrameSet();
    if (this.rulesOut(target)) return numbers;
    for (const found of this.#guarded(target, this.#matchesIn(target, this.expr)))
      if (found) numbers.add(found.facts.f);
    return numbers;
  }

  /** Whether the session matches the query. */
  matches(target: Target): boolean {
    this.#queries ??= sessionQueries(this.expr);
    return this.#queries.some((query) => this.#matchesQuery(target, query));
  }

  /** False if the query excludes the session by what it says about sessions. */
  mayConcern({ summary }: Target): boolean {
    const { expr } = this;
    return expr === null || resultInTime(expr, () => decideForSession(expr, summary)) !== false;
  }

  /** The query plan, for `--explain`. */
  plan(target: Target): string[] {
    const expr = this.expr;
    const left = expr === null ? true : resultInTime(expr, () => decideForSession(expr, target.summary));
    if (left === false) return ['nothing: the session does not match'];
    if (target.key === null) return ['scan every frame of the tape: it has no current rows in the index'];
    return this.#search(left === true ? null : left).plan;
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #guarded<T>(target: Target, items: Generator<T>): Generator<T> {
    return withTimeLimit(this.expr, untilRemoved(this.#home, target, items));
  }

  #matchesQuery(target: Target, { session, some, none }: SessionQuery): boolean {
    if (session && resultInTime(session, () => decideForSession(session, target.summary)) !== true) return false;
    if (none.some((expr) => this.#has(target, expr))) return false;
    return some === null || this.#has(target, some);
  }

  #has(target: Target, expr: QueryExpr): boolean {
    for (const found of this.#guarded(target, this.#matchesIn(target, expr))) if (found) return true;
    return false;
  }

  /** Null if each frame must be read. */
  #countIn({ key }: Target): number | null {
    return key === null || !this.#hasNoSessionTerms ? null : this.#search(this.expr).count(key);
  }

  /** Also decides the session terms, so that the time limit applies to their regular expressions. */
  *#matchesIn(target: Target, expr: QueryExpr | null): Generator<UnreadMatch | null> {
    const left = expr === null ? true : scopeOf(expr) === 'frame' ? expr : decideForSession(expr, target.summary);
    if (left === false) return;
    const rest = left === true ? null : left;
    yield* target.key === null ? this.#inTape(target, rest) : this.#inIndex(target, target.key, rest);
  }

  *#inIndex(target: Target, key: number, expr: QueryExpr | null): Generator<UnreadMatch | null> {
    const search = this.#search(expr);
    if (this.#hasManySessions && !search.mayHave(key)) return;
    const session = new IndexedSession(this.#home, target, key);
    try {
      for (const found of search.frames(session)) {
        yield found && {
          facts: found.facts,
          frame: () => session.frame(found.facts.f, found.offset, found.facts.size),
        };
      }
    } finally {
      session.close();
    }
  }

  *#numbered(target: Target, wanted: FrameSet): Generator<UnreadMatch> {
    const { key } = target;
    if (key === null) {
      for (const found of this.#inTape(target, null)) if (found && wanted.has(found.facts.f)) yield found;
      return;
    }
    const session = new IndexedSession(this.#home, target, key);
    try {
      for (const found of this.#search(null).numbered(session, wanted)) {
        yield { facts: found.facts, frame: () => session.frame(found.facts.f, found.offset, found.facts.size) };
      }
    } finally {
      session.close();
    }
  }

  *#inTape(target: Target, expr: QueryExpr | null): Generator<UnreadMatch | null> {
    const { summary, begun } = target;
    if (begun) return;
    const { openPlace, readAs, searchFrames } = tapeReaders();
    const opened = openPlace(target.place ?? placeOf(this.#home, summary.session));
    try {
      const session = summary.dialect === null ? opened : readAs(opened, summary.dialect);
      for (const found of searchFrames(session, summary, compileFrame(expr))) {
        yield found && { facts: found.facts, frame: () => found.frame };
      }
    } finally {
      opened.close();
    }
  }

  #search(expr: QueryExpr | null): IndexSearch {
    const known = this.#searchByExpr.get(expr);
    if (known) return known;
    this.#db ??= openForReading(this.#home);
    // What is left of a query after its session terms is another object for each session.
    const key = expr === this.expr ? null : printQuery(expr);
    const search = this.#searches.get(key) ?? new IndexSearch(this.#db, expr);
    this.#searches.set(key, search);
    this.#searchByExpr.set(expr, search);
    return search;
  }
}

function openForReading(home: string): Database {
  const db = openAsItIs(home, 1000);
  // The full text is read once, in order: caching it costs more than it saves.
  db.pragma('cache_size = -1000');
  return db;
}

/** Stops silently if the session is removed during the search. */
function* untilRemoved<T>(home: string, target: Target, items: Generator<T>): Generator<T> {
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

/** A session with rows in the index. Everything is read on demand, because most sessions have no match. */
class IndexedSession implements SearchedSession {
  readonly key: number;
  readonly #home: string;
  readonly #target: Target;
  #startedAt: number | null = null;
  #lines: OffsetLineReader | null = null;

  constructor(home: string, target: Target, key: number) {
    this.#home = home;
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

  /** Reads the line at this offset. Throws if it is not the frame with this number. */
  frame(f: number, offset: number, size?: number): Frame {
    this.#lines ??= this.#open();
    const frame = this.#lines.frame(offset, size);
    if (frame?.f !== f) throw damage('it does not match the tape');
    return frame;
  }

  #open(): OffsetLineReader {
    const gone = missingTapeFailure(this.#home, this.facts);
    if (gone) throw gone;
    return new OffsetLineReader(this.facts.tape);
  }

  message(f: number, offset: number): unknown {
    const frame = this.frame(f, offset);
    // Lines on stderr are text, even if they look like messages.
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
