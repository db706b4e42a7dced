/**
 * Finds the frames of a session that match a query, in the index: SQL selects, the predicate decides. Rows are read in
 * small groups, so that no read transaction stays open while the caller works.
 */
import type { Statement } from 'better-sqlite3';
import { joinExprs, type QueryExpr, termsOf } from '../../analysis/query/ast.ts';
import { type FrameFacts, frameFacts } from '../../analysis/query/facts.ts';
import { compileFrame } from '../../analysis/query/predicate.ts';
import {
  type FrameRow,
  type IndexedFrame,
  indexedFrame,
  SELECTED_COLUMNS,
  SELECTED_COUNT,
  type SearchedSession,
} from './frame-row.ts';
import { FrameSet } from './frame-set.ts';
import { ROW_COUNTS_SQL, RowCounts, type RowCountsRow, SESSION_ROW_COUNTS_SQL } from './row-counts.ts';
import { type Coverage, RowsAhead } from './rows-ahead.ts';
import {
  type AccessPath,
  ANY_FRAME,
  accessPaths,
  conditionOf,
  type IndexPath,
  type SqlCondition,
  sqlOfIndex,
} from './sql-conditions.ts';
import { type Database, damage, rowsGone } from './sqlite.ts';
import { SessionTexts, TextSearch } from './text-search.ts';

const FRAMES_PER_QUERY = 512;
const SELECT_FRAMES = `SELECT ${SELECTED_COLUMNS} FROM frames WHERE session = ?`;
const IN_LIST = 'f IN (SELECT value FROM json_each(?))';

/** One query on one index, for any number of sessions. */
export class IndexSearch {
  readonly #db: Database;
  readonly #condition: SqlCondition;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #paths: AccessPath[] | null;
  readonly #prepared = new Map<string, Statement>();
  /** The SQL is exact. */
  readonly #isExact: boolean;
  readonly #exact: ExactQuery | null;
  /** Regular expressions on the text. */
  readonly #patterns: RegExp[];
  readonly #rowCounts = new Map<number, RowCounts>();
  #coverage: Map<AccessPath, Coverage> | null = null;
  #rowsAhead: RowsAhead | null = null;
  #textSearch: TextSearch | null = null;

  /** `expr` without session terms; null: every frame. */
  constructor(db: Database, expr: QueryExpr | null) {
    this.#db = db;
    this.#condition = expr ? conditionOf(expr) : ANY_FRAME;
    this.#matches = compileFrame(expr);
    this.#paths = expr ? accessPaths(expr) : null;
    this.#isExact = expr === null || this.#condition.exact;
    this.#exact = exactQueryOf(expr, this.#condition);
    this.#patterns = expr ? termsOf(expr).flatMap((term) => (term.is === 'pattern' ? [term.regex] : [])) : [];
  }

  /** Whether the session may have matching frames. The first call reads the indexes of the whole store. */
  mayHave(key: number): boolean {
    this.#coverage ??= this.#readCoverage(this.#paths ?? []);
    if (!this.#paths) return true;
    let has = false;
    for (const path of this.#paths) {
      if (path.is === 'index') {
        const { entries, matching } = this.#coverage.get(path)!;
        this.#checkCount(key, entries.get(key) ?? 0, this.#countsOf(key).inIndex(path.name), 'entries in an index');
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
      const index = only ? sqlOfIndex(only) : { from: 'frames', where: '1' };
      const some = this.#prepare(`${countColumns(sql)} FROM ${index.from} WHERE session = ? AND ${index.where}`).raw();
      const [matching, all] = some.get(...values, key) as [number, number];
      const counts = this.#countsOf(key);
      this.#checkCount(key, all, only ? counts.inIndex(only.name) : counts.frames, 'rows');
      return matching;
    }
    const found = new FrameSet();
    this.#texts.find(key, text, found);
    if (sql === '1') return found.size;
    const some = this.#prepare(`${countColumns(sql)} FROM frames WHERE session = ? AND ${IN_LIST}`).raw();
    let count = 0;
    for (const group of found.groups(FRAMES_PER_QUERY)) {
      const [matching, all] = some.get(...values, key, JSON.stringify(group)) as [number, number];
      this.#checkCount(key, all, group.length, 'frames with text');
      count += matching;
    }
    return count;
  }

  /** Yields null for each frame that was read and does not match, so that the caller can pause. */
  *frames(session: SearchedSession): Generator<IndexedFrame | null> {
    const texts = new SessionTexts(this.#texts, session.key);
    const textMatches = (f: number, text: string | RegExp) => texts.framesWith(text).has(f);
    for (const regex of this.#patterns) yield* texts.look(regex, this.#countsOf(session.key).texts);
    for (const rows of this.#rows(session.key, texts)) {
      for (const row of rows) {
        const found = decodeRow(row);
        yield this.#isExact || this.#matches(predicateInput(found, session, textMatches)) ? found : null;
      }
    }
  }

  /** The frames with these numbers. */
  *numbered(session: SearchedSession, frames: FrameSet): Generator<IndexedFrame> {
    const some = this.#prepare(`${SELECT_FRAMES} AND ${IN_LIST} ORDER BY f`);
    for (const group of frames.groups(FRAMES_PER_QUERY)) {
      for (const row of some.raw().all(session.key, JSON.stringify(group)) as FrameRow[]) yield decodeRow(row);
    }
  }

  /** The query plan, for `--explain`. */
  get plan(): string[] {
    const where = withValues(this.#condition);
    if (!this.#paths) return [`scan every frame${where === '1' ? '' : ` where ${where}`}`];
    const paths = this.#paths.map((path) =>
      path.is === 'text'
        ? `frames where the text ${typeof path.text === 'string' ? JSON.stringify(path.text) : path.text} ends`
        : `index frames_by_${path.name}${withValues(path.condition) === '1' ? '' : ` where ${withValues(path.condition)}`}`,
    );
    return where === '1' ? paths : [...paths, `of these, where ${where}`];
  }

  #rows(key: number, texts: SessionTexts): Iterable<FrameRow[]> {
    if (!this.#paths) return this.#scan(key);
    const ahead = this.#rowsAhead?.take(key);
    return ahead ? [ahead] : this.#rowsByPaths(this.#paths, key, texts);
  }

  *#scan(key: number): Generator<FrameRow[]> {
    const { sql, values } = this.#condition;
    const all = this.#prepare('SELECT count(*) FROM frames WHERE session = ?').pluck();
    this.#checkCount(key, all.get(key) as number, this.#countsOf(key).frames, 'frames');
    const page = this.#prepare(`${SELECT_FRAMES} AND f > ? AND ${sql} ORDER BY f LIMIT ${FRAMES_PER_QUERY}`);
    for (let after = 0; ; ) {
      const rows = page.raw().all(key, after, ...values) as FrameRow[];
      yield rows;
      if (rows.length < FRAMES_PER_QUERY) return;
      after = decodeRow(rows.at(-1)!).facts.f;
    }
  }

  *#rowsByPaths(paths: readonly AccessPath[], key: number, texts: SessionTexts): Generator<FrameRow[]> {
    const reached = new FrameSet();
    for (const path of paths) {
      if (path.is === 'text') reached.addAll(texts.framesWith(path.text));
      else this.#addFrames(path, key, reached);
    }
    if (reached.size === 0) return;
    const { sql, values } = this.#condition;
    const some = this.#prepare(
      `SELECT ${SELECTED_COLUMNS}, ${sql} FROM frames WHERE session = ? AND ${IN_LIST} ORDER BY f`,
    );
    for (const group of reached.groups(FRAMES_PER_QUERY)) {
      const rows = some.raw().all(...values, key, JSON.stringify(group)) as FrameRow[];
      this.#checkCount(key, rows.length, group.length, 'of the frames that an index lists');
      yield rows.filter((row) => row[SELECTED_COUNT]);
    }
  }

  /** Adds the frames that an index selects. */
  #addFrames(path: IndexPath, key: number, reached: FrameSet): void {
    const { from, where } = sqlOfIndex(path);
    const { sql, values } = path.condition;
    // The entries were counted when the index of the whole store was read.
    if (!this.#coverage) {
      const all = this.#prepare(`SELECT count(*) FROM ${from} WHERE session = ? AND ${where}`).pluck();
      this.#checkCount(key, all.get(key) as number, this.#countsOf(key).inIndex(path.name), 'entries in an index');
    }
    const some = this.#prepare(`SELECT f FROM ${from} WHERE session = ? AND ${where} AND ${sql}`).pluck();
    for (const f of some.all(key, ...values) as number[]) reached.add(f);
  }

  /** The entries of all sessions in the indexes. */
  #readCoverage(paths: readonly AccessPath[]): Map<AccessPath, Coverage> {
    for (const row of this.#prepare(ROW_COUNTS_SQL).all() as RowCountsRow[]) {
      if (row.index_rows !== null) this.#rowCounts.set(row.key, new RowCounts(row));
    }
    const indexes = paths.filter((path) => path.is === 'index');
    const coverage = new Map(indexes.map((path) => [path, this.#coverageOf(path)]));
    if (indexes.length > 0 && indexes.length === paths.length) {
      this.#rowsAhead = new RowsAhead(this.#db, this.#condition, indexes, [...coverage.values()]);
    }
    return coverage;
  }

  #coverageOf(path: IndexPath): Coverage {
    const { from, where } = sqlOfIndex(path);
    const { sql, values } = path.condition;
    const all = this.#prepare(`${countColumns(sql)}, session FROM ${from} WHERE ${where} GROUP BY session`);
    const found = all.raw().all(...values) as [number, number, number][];
    return {
      entries: new Map(found.map(([, all, key]) => [key, all])),
      matching: new Map(found.flatMap(([some, , key]) => (some > 0 ? [[key, some]] : []))),
    };
  }

  #countsOf(key: number): RowCounts {
    const known =
      this.#rowCounts.get(key) ??
      new RowCounts(this.#prepare(SESSION_ROW_COUNTS_SQL).get(key) as RowCountsRow | undefined);
    this.#rowCounts.set(key, known);
    return known;
  }

  /** A wrong number of rows means damage, unless the rows were replaced or removed in the meantime. */
  #checkCount(key: number, found: number, expected: number, what: string): void {
    if (found === expected) return;
    if (!this.#countsOf(key).isSameAs(this.#prepare(SESSION_ROW_COUNTS_SQL).get(key) as RowCountsRow | undefined))
      throw rowsGone();
    throw damage(`it has ${found} ${what}, expected ${expected}`);
  }

  get #texts(): TextSearch {
    this.#textSearch ??= new TextSearch(this.#db, (key, blocks) =>
      this.#checkCount(key, blocks, this.#countsOf(key).texts, 'blocks of full text'),
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
function countColumns(condition: string): string {
  return `SELECT count(CASE WHEN ${condition} THEN 1 END), count(*)`;
}

/** The form that the predicate takes. `textMatches`: whether the text of the frame contains a term. */
function predicateInput(
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

function decodeRow(row: FrameRow): IndexedFrame {
  try {
    return indexedFrame(row);
  } catch {
    throw damage('one of its rows cannot be decoded');
  }
}

/** A query that SQL and the full text can answer without the predicate. */
interface ExactQuery {
  text: string | null;
  condition: SqlCondition;
}

function exactQueryOf(expr: QueryExpr | null, whole: SqlCondition): ExactQuery | null {
  if (expr === null || whole.exact) return { text: null, condition: whole };
  const parts = expr.is === 'and' ? expr.of : [expr];
  const [text, other] = parts.filter((part) => part.is === 'text');
  const rest = joinExprs(
    'and',
    parts.filter((part) => part !== text),
  );
  const condition = rest ? conditionOf(rest) : ANY_FRAME;
  return text && !other && (rest === null || condition.exact) ? { text: text.text, condition } : null;
}

/** SQL with its values inserted, for display only. */
function withValues({ sql, values }: SqlCondition): string {
  let n = 0;
  return sql.replaceAll('?', () => JSON.stringify(values[n++]));
}
