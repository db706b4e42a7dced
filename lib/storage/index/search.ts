/**
 * Finds the frames of a session that match a query, in the index: SQL selects, the predicate decides. Rows are read in
 * small groups, so that no read transaction stays open while the caller works.
 */
import type { Statement } from 'better-sqlite3';
import { type Expr, join, termsOf } from '../../analysis/query/ast.ts';
import { type FrameFacts, frameFacts } from '../../analysis/query/facts.ts';
import { compile } from '../../analysis/query/predicate.ts';
import {
  type FrameRow,
  type IndexedFrame,
  indexedFrame,
  SELECTED,
  SELECTED_COUNT,
  type SearchedSession,
} from './frame-row.ts';
import { FrameSet } from './frame-set.ts';
import {
  type AccessPath,
  ANYTHING,
  accessPaths,
  type Condition,
  conditionOf,
  type IndexPath,
  indexed,
} from './narrow.ts';
import { PROOF_SQL, PROOFS_SQL, Proof, type ProofRow } from './proof.ts';
import { type Coverage, RowsAhead } from './rows-ahead.ts';
import { type Database, damage, rowsGone } from './sqlite.ts';
import { SessionTexts, TextSearch } from './text-search.ts';

const GROUP = 512;
const SELECT = `SELECT ${SELECTED} FROM frames WHERE session = ?`;
const THESE = 'f IN (SELECT value FROM json_each(?))';

/** One query on one index, for any number of sessions. */
export class IndexSearch {
  readonly #db: Database;
  readonly #condition: Condition;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #paths: AccessPath[] | null;
  readonly #prepared = new Map<string, Statement>();
  /** The SQL is exact. */
  readonly #isExact: boolean;
  readonly #exact: Exact | null;
  /** Regular expressions on the text. */
  readonly #patterns: RegExp[];
  readonly #proofs = new Map<number, Proof>();
  #coverage: Map<AccessPath, Coverage> | null = null;
  #ahead: RowsAhead | null = null;
  #textSearch: TextSearch | null = null;

  /** `expr` without session terms; null: every frame. */
  constructor(db: Database, expr: Expr | null) {
    this.#db = db;
    this.#condition = expr ? conditionOf(expr) : ANYTHING;
    this.#matches = compile(expr);
    this.#paths = expr ? accessPaths(expr) : null;
    this.#isExact = expr === null || this.#condition.exact;
    this.#exact = exactOf(expr, this.#condition);
    this.#patterns = expr ? termsOf(expr).flatMap((term) => (term.is === 'pattern' ? [term.regex] : [])) : [];
  }

  /** Whether the session may have matching frames. The first call reads the indexes of the whole store. */
  mayHave(key: number): boolean {
    this.#coverage ??= this.#lookThrough(this.#paths ?? []);
    if (!this.#paths) return true;
    let has = false;
    for (const path of this.#paths) {
      if (path.is === 'index') {
        const { entries, matching } = this.#coverage.get(path)!;
        this.#mustBe(key, entries.get(key) ?? 0, this.#proof(key).inIndex(path.name), 'entries in an index');
        if (matching.has(key)) has = true;
      } else if (typeof path.text !== 'string' || this.#texts.mayHave(key, path.text)) has = true;
    }
    return has;
  }

  /** The number of matching frames, if it can be found without reading each of them; otherwise null. */
  count(key: number): number | null {
    if (!this.#exact) return null;
    const { text, condition } = this.#exact;
    const { sql, values } = condition;
    if (text === null) {
      const [path, other] = this.#paths ?? [];
      const only = path?.is === 'index' && !other ? path : null;
      const counted = only?.condition.sql === sql ? this.#coverage?.get(only) : null;
      if (counted) return counted.matching.get(key) ?? 0;
      const index = only ? indexed(only) : { from: 'frames', where: '1' };
      const some = this.#prepare(`${counting(sql)} FROM ${index.from} WHERE session = ? AND ${index.where}`).raw();
      const [matching, all] = some.get(...values, key) as [number, number];
      const proof = this.#proof(key);
      this.#mustBe(key, all, only ? proof.inIndex(only.name) : proof.frames, 'rows');
      return matching;
    }
    const found = new FrameSet();
    this.#texts.find(key, text, found);
    if (sql === '1') return found.size;
    const some = this.#prepare(`${counting(sql)} FROM frames WHERE session = ? AND ${THESE}`).raw();
    let count = 0;
    for (const group of found.groups(GROUP)) {
      const [matching, all] = some.get(...values, key, JSON.stringify(group)) as [number, number];
      this.#mustBe(key, all, group.length, 'frames with text');
      count += matching;
    }
    return count;
  }

  /** Yields null for each frame that was read and does not match, so that the caller can pause. */
  *frames(session: SearchedSession): Generator<IndexedFrame | null> {
    const texts = new SessionTexts(this.#texts, session.key);
    const says = (f: number, text: string | RegExp) => texts.framesWith(text).has(f);
    for (const regex of this.#patterns) yield* texts.look(regex, this.#proof(session.key).texts);
    for (const rows of this.#rows(session.key, texts)) {
      for (const row of rows) {
        const found = decode(row);
        yield this.#isExact || this.#matches(asked(found, session, says)) ? found : null;
      }
    }
  }

  /** The frames with these numbers. */
  *numbered(session: SearchedSession, frames: FrameSet): Generator<IndexedFrame> {
    const some = this.#prepare(`${SELECT} AND ${THESE} ORDER BY f`);
    for (const group of frames.groups(GROUP)) {
      for (const row of some.raw().all(session.key, JSON.stringify(group)) as FrameRow[]) yield decode(row);
    }
  }

  /** The query plan, for `--explain`. */
  get plan(): string[] {
    const where = inPlace(this.#condition);
    if (!this.#paths) return [`scan every frame${where === '1' ? '' : ` where ${where}`}`];
    const paths = this.#paths.map((path) =>
      path.is === 'text'
        ? `frames where the text ${typeof path.text === 'string' ? JSON.stringify(path.text) : path.text} ends`
        : `index frames_by_${path.name}${inPlace(path.condition) === '1' ? '' : ` where ${inPlace(path.condition)}`}`,
    );
    return where === '1' ? paths : [...paths, `of these, where ${where}`];
  }

  #rows(key: number, texts: SessionTexts): Iterable<FrameRow[]> {
    if (!this.#paths) return this.#scan(key);
    const ahead = this.#ahead?.take(key);
    return ahead ? [ahead] : this.#reachedBy(this.#paths, key, texts);
  }

  *#scan(key: number): Generator<FrameRow[]> {
    const { sql, values } = this.#condition;
    const all = this.#prepare('SELECT count(*) FROM frames WHERE session = ?').pluck();
    this.#mustBe(key, all.get(key) as number, this.#proof(key).frames, 'frames');
    const page = this.#prepare(`${SELECT} AND f > ? AND ${sql} ORDER BY f LIMIT ${GROUP}`);
    for (let after = 0; ; ) {
      const rows = page.raw().all(key, after, ...values) as FrameRow[];
      yield rows;
      if (rows.length < GROUP) return;
      after = decode(rows.at(-1)!).facts.f;
    }
  }

  *#reachedBy(paths: readonly AccessPath[], key: number, texts: SessionTexts): Generator<FrameRow[]> {
    const reached = new FrameSet();
    for (const path of paths) {
      if (path.is === 'text') reached.addAll(texts.framesWith(path.text));
      else this.#reach(path, key, reached);
    }
    if (reached.size === 0) return;
    const { sql, values } = this.#condition;
    const some = this.#prepare(`SELECT ${SELECTED}, ${sql} FROM frames WHERE session = ? AND ${THESE} ORDER BY f`);
    for (const group of reached.groups(GROUP)) {
      const rows = some.raw().all(...values, key, JSON.stringify(group)) as FrameRow[];
      this.#mustBe(key, rows.length, group.length, 'of the frames that an index lists');
      yield rows.filter((row) => row[SELECTED_COUNT]);
    }
  }

  /** Adds the frames that an index selects. */
  #reach(path: IndexPath, key: number, reached: FrameSet): void {
    const { from, where } = indexed(path);
    const { sql, values } = path.condition;
    // The entries were counted when the index of the whole store was read.
    if (!this.#coverage) {
      const all = this.#prepare(`SELECT count(*) FROM ${from} WHERE session = ? AND ${where}`).pluck();
      this.#mustBe(key, all.get(key) as number, this.#proof(key).inIndex(path.name), 'entries in an index');
    }
    const some = this.#prepare(`SELECT f FROM ${from} WHERE session = ? AND ${where} AND ${sql}`).pluck();
    for (const f of some.all(key, ...values) as number[]) reached.add(f);
  }

  /** The entries of all sessions in the indexes. */
  #lookThrough(paths: readonly AccessPath[]): Map<AccessPath, Coverage> {
    for (const row of this.#prepare(PROOFS_SQL).all() as ProofRow[]) {
      if (row.index_rows !== null) this.#proofs.set(row.key, new Proof(row));
    }
    const indexes = paths.filter((path) => path.is === 'index');
    const coverage = new Map(indexes.map((path) => [path, this.#coverageOf(path)]));
    if (indexes.length > 0 && indexes.length === paths.length) {
      this.#ahead = new RowsAhead(this.#db, this.#condition, indexes, [...coverage.values()]);
    }
    return coverage;
  }

  #coverageOf(path: IndexPath): Coverage {
    const { from, where } = indexed(path);
    const { sql, values } = path.condition;
    const all = this.#prepare(`${counting(sql)}, session FROM ${from} WHERE ${where} GROUP BY session`);
    const found = all.raw().all(...values) as [number, number, number][];
    return {
      entries: new Map(found.map(([, all, key]) => [key, all])),
      matching: new Map(found.flatMap(([some, , key]) => (some > 0 ? [[key, some]] : []))),
    };
  }

  #proof(key: number): Proof {
    const known = this.#proofs.get(key) ?? new Proof(this.#prepare(PROOF_SQL).get(key) as ProofRow | undefined);
    this.#proofs.set(key, known);
    return known;
  }

  /** A wrong number of rows means damage, unless the rows were replaced or removed in the meantime. */
  #mustBe(key: number, found: number, expected: number, what: string): void {
    if (found === expected) return;
    if (!this.#proof(key).isStill(this.#prepare(PROOF_SQL).get(key) as ProofRow | undefined)) throw rowsGone();
    throw damage(`it has ${found} ${what}, expected ${expected}`);
  }

  get #texts(): TextSearch {
    this.#textSearch ??= new TextSearch(this.#db, (key, blocks) =>
      this.#mustBe(key, blocks, this.#proof(key).texts, 'blocks of full text'),
    );
    return this.#textSearch;
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

/** Counts the matching rows and all rows. */
function counting(condition: string): string {
  return `SELECT count(CASE WHEN ${condition} THEN 1 END), count(*)`;
}

/** The form that the predicate takes. `says`: whether the text of the frame contains a term. */
function asked(
  { facts, offset }: IndexedFrame,
  session: SearchedSession,
  says: (f: number, text: string | RegExp) => boolean,
): FrameFacts {
  const { f } = facts;
  return frameFacts(facts, session.startedAt, {
    session: session.facts,
    message: () => session.message(f, offset),
    says: (text) => says(f, text),
  });
}

function decode(row: FrameRow): IndexedFrame {
  try {
    return indexedFrame(row);
  } catch {
    throw damage('one of its rows cannot be decoded');
  }
}

/** A query that SQL and the full text can answer without the predicate. */
interface Exact {
  text: string | null;
  condition: Condition;
}

function exactOf(expr: Expr | null, whole: Condition): Exact | null {
  if (expr === null || whole.exact) return { text: null, condition: whole };
  const parts = expr.is === 'and' ? expr.of : [expr];
  const [text, other] = parts.filter((part) => part.is === 'text');
  const rest = join(
    'and',
    parts.filter((part) => part !== text),
  );
  const condition = rest ? conditionOf(rest) : ANYTHING;
  return text && !other && (rest === null || condition.exact) ? { text: text.text, condition } : null;
}

/** SQL with its values inserted, for display only. */
function inPlace({ sql, values }: Condition): string {
  let n = 0;
  return sql.replaceAll('?', () => JSON.stringify(values[n++]));
}
