/**
 * Frames of one session that match a query, from the index: narrowed by SQL, decided by the predicate, in order. Rows
 * come in small groups, so that nobody holds the index open while a reader reads.
 */
import type { Statement } from 'better-sqlite3';
import { type Expr, join, termsOf } from '../filter/ast.ts';
import type { FrameFacts } from '../filter/facts.ts';
import { compile } from '../filter/predicate.ts';
import { asked, COLUMNS, type Found, type FrameRow, foundIn, type SearchedSession } from './frame-row.ts';
import { FrameSet } from './frame-set.ts';
import { ANYTHING, type Condition, conditionOf, type Way, waysTo } from './narrow.ts';
import { mustBe, PROOF_SQL, Proof, type ProofRow, placeOfIndex } from './proof.ts';
import { PARTIAL_INDEXES } from './schema.ts';
import { type Database, damage, rowsGone } from './sqlite.ts';
import { checkBlock, findIn, matchIn, type TextBlock, termBytes } from './texts.ts';

const GROUP = 512;
/** Of 64 kB each. */
const BLOCKS = 64;
const SELECT = `SELECT ${COLUMNS} FROM frames WHERE session = ?`;
const THESE = 'f IN (SELECT value FROM json_each(?))';

/** One query on one index, over as many sessions as one likes. */
export class IndexSearch {
  readonly #db: Database;
  readonly #condition: Condition;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #ways: Way[] | null;
  readonly #prepared = new Map<string, Statement>();
  readonly #exact: Exact | null;
  /** Regular expressions on the text. */
  readonly #patterns: RegExp[];
  #proven: { key: number; proof: Proof } | null = null;
  #having: Reached[] | null = null;

  /** `expr` without session terms; null: every frame. */
  constructor(db: Database, expr: Expr | null) {
    this.#db = db;
    this.#condition = expr ? conditionOf(expr) : ANYTHING;
    this.#matches = compile(expr);
    this.#ways = expr ? waysTo(expr) : null;
    this.#exact = exactOf(expr, this.#condition);
    this.#patterns = expr ? termsOf(expr).flatMap((term) => (term.is === 'pattern' ? [term.regex] : [])) : [];
  }

  /** Whether the session may have frames that match. The first question looks through the indexes of the whole store. */
  mayHave(key: number): boolean {
    if (!this.#ways?.every((way) => way.is === 'index')) return true;
    this.#having ??= this.#ways.map((way) => this.#reachAll(way));
    let has = false;
    for (const { entries, expected, having } of this.#having) {
      if (!expected.has(key)) throw rowsGone();
      mustBe(entries.get(key) ?? 0, expected.get(key), 'entries in an index');
      if (having.has(key)) has = true;
    }
    return has;
  }

  /** How many frames of a session match, where that can be told without looking at each of them; else null. */
  count(key: number): number | null {
    if (!this.#exact) return null;
    const { text, condition } = this.#exact;
    const { sql, values } = condition;
    if (text === null) {
      const [way, other] = this.#ways ?? [];
      const only = way?.is === 'index' && !other ? way : null;
      const index = only ? along(only) : { from: 'frames', where: '1' };
      const some = this.#prepare(`${counting(sql)} FROM ${index.from} WHERE session = ? AND ${index.where}`).raw();
      const [matching, all] = some.get(...values, key) as [number, number];
      const proof = this.#proof(key);
      mustBe(all, only ? proof.inIndex(only.name) : proof.frames, 'rows');
      return matching;
    }
    const found = this.#texts(key).framesWith(text);
    if (sql === '1') return found.size;
    const some = this.#prepare(`${counting(sql)} FROM frames WHERE session = ? AND ${THESE}`).raw();
    let count = 0;
    for (const group of found.groups(GROUP)) {
      const [matching, all] = some.get(...values, key, JSON.stringify(group)) as [number, number];
      mustBe(all, group.length, 'frames that say something');
      count += matching;
    }
    return count;
  }

  /** Null for each frame that was looked at and does not match: whoever waits sees that it goes on. */
  *frames(session: SearchedSession): Generator<Found | null> {
    const texts = this.#texts(session.key);
    const says = (f: number, text: string | RegExp) => texts.framesWith(text).has(f);
    for (const regex of this.#patterns) yield* texts.look(regex);
    for (const rows of this.#ways ? this.#along(this.#ways, session.key, texts) : this.#scan(session.key)) {
      for (const row of rows) {
        const found = decode(row);
        yield this.#matches(asked(found, session, says)) ? found : null;
      }
    }
  }

  /** These frames of a session, whatever they are. */
  *numbered(session: SearchedSession, frames: FrameSet): Generator<Found> {
    const some = this.#prepare(`${SELECT} AND ${THESE} ORDER BY f`);
    for (const group of frames.groups(GROUP)) {
      for (const row of some.raw().all(session.key, JSON.stringify(group)) as FrameRow[]) yield decode(row);
    }
  }

  /** How it is done, for people. */
  get plan(): string[] {
    const where = inPlace(this.#condition);
    if (!this.#ways) return [`look at every frame${where === '1' ? '' : ` where ${where}`}`];
    const ways = this.#ways.map((way) =>
      way.is === 'text'
        ? `frames in whose text ${typeof way.text === 'string' ? JSON.stringify(way.text) : way.text} ends`
        : `index frames_by_${way.name}${inPlace(way.condition) === '1' ? '' : ` where ${inPlace(way.condition)}`}`,
    );
    return where === '1' ? ways : [...ways, `of these, where ${where}`];
  }

  *#scan(key: number): Generator<FrameRow[]> {
    const { sql, values } = this.#condition;
    const all = this.#prepare('SELECT count(*) FROM frames WHERE session = ?').pluck();
    mustBe(all.get(key) as number, this.#proof(key).frames, 'frames');
    const page = this.#prepare(`${SELECT} AND f > ? AND ${sql} ORDER BY f LIMIT ${GROUP}`);
    for (let after = 0; ; ) {
      const rows = page.raw().all(key, after, ...values) as FrameRow[];
      yield rows;
      if (rows.length < GROUP) return;
      [after] = rows.at(-1)!;
    }
  }

  *#along(ways: readonly Way[], key: number, texts: SessionTexts): Generator<FrameRow[]> {
    const reached = new FrameSet();
    for (const way of ways) {
      if (way.is === 'text') reached.addAll(texts.framesWith(way.text));
      else this.#reach(way, key, reached);
    }
    if (reached.size === 0) return;
    const { sql, values } = this.#condition;
    const some = this.#prepare(`SELECT ${COLUMNS}, ${sql} FROM frames WHERE session = ? AND ${THESE} ORDER BY f`);
    for (const group of reached.groups(GROUP)) {
      const rows = some.raw().all(...values, key, JSON.stringify(group)) as [...FrameRow, isMatch: number | null][];
      mustBe(rows.length, group.length, 'frames of those that an index names');
      yield rows.filter((row) => row[COLUMNS.length]) as unknown[] as FrameRow[];
    }
  }

  /** Adds the frames of a session that an index leads to. */
  #reach(way: IndexWay, key: number, reached: FrameSet): void {
    const { from, where } = along(way);
    const { sql, values } = way.condition;
    const all = this.#prepare(`SELECT count(*) FROM ${from} WHERE session = ? AND ${where}`).pluck();
    mustBe(all.get(key) as number, this.#proof(key).inIndex(way.name), 'entries in an index');
    const some = this.#prepare(`SELECT f FROM ${from} WHERE session = ? AND ${where} AND ${sql}`).pluck();
    for (const f of some.all(key, ...values) as number[]) reached.add(f);
  }

  /** The same for all sessions at once, without the frames. */
  #reachAll(way: IndexWay): Reached {
    const { from, where } = along(way);
    const { sql, values } = way.condition;
    const entries = this.#prepare(`SELECT session, count(*), max(${sql}) FROM ${from} WHERE ${where} GROUP BY session`);
    const expected = this.#prepare(
      `SELECT key, json_extract(index_rows, '$[${placeOfIndex(way.name)}]') FROM sessions WHERE settled`,
    );
    const found = entries.raw().all(...values) as [number, number, number | null][];
    return {
      entries: new Map(found.map(([key, count]) => [key, count])),
      expected: new Map(expected.raw().all() as [number, number][]),
      having: new Set(found.flatMap(([key, , some]) => (some ? [key] : []))),
    };
  }

  #proof(key: number): Proof {
    if (this.#proven?.key !== key) {
      this.#proven = { key, proof: new Proof(this.#prepare(PROOF_SQL).get(key) as ProofRow | undefined) };
    }
    return this.#proven.proof;
  }

  #texts(key: number): SessionTexts {
    const sql = `SELECT n, text, ends, sum FROM texts WHERE session = ? AND n > ? ORDER BY n LIMIT ${BLOCKS}`;
    return new SessionTexts(this.#prepare(sql), key, () => this.#proof(key).texts);
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

type IndexWay = Way & { is: 'index' };

/** What an index has of each session, what it should have, and the sessions of which it has something to look at. */
interface Reached {
  entries: Map<number, number>;
  expected: Map<number, number>;
  having: Set<number>;
}

/** How many rows there are that match, and how many there are. */
function counting(condition: string): string {
  return `SELECT count(CASE WHEN ${condition} THEN 1 END), count(*)`;
}

function decode(row: FrameRow): Found {
  try {
    return foundIn(row);
  } catch {
    throw damage('a row of it makes no sense');
  }
}

function along({ name }: IndexWay): { from: string; where: string } {
  const { where } = PARTIAL_INDEXES.find((index) => index.name === name)!;
  return { from: `frames INDEXED BY frames_by_${name}`, where };
}

/** A query that SQL and the full text answer alone: the frames that say the text, if there is one, under the condition. */
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

/** The full text of one session, looked through once for each term that somebody asks for. */
class SessionTexts {
  readonly #blocks: Statement;
  readonly #key: number;
  readonly #count: () => number;
  readonly #found = new Map<string | RegExp, FrameSet>();

  /** `count`: of the blocks that there should be. */
  constructor(blocks: Statement, key: number, count: () => number) {
    this.#blocks = blocks;
    this.#key = key;
    this.#count = count;
  }

  /** A regular expression must have been looked for before. */
  framesWith(term: string | RegExp): FrameSet {
    const known = this.#found.get(term);
    if (known) return known;
    const found = new FrameSet();
    this.#found.set(term, found);
    const bytes = typeof term === 'string' ? termBytes(term) : null;
    if (bytes) for (const block of this.#all()) findIn(block, bytes, found);
    return found;
  }

  *look(regex: RegExp): Generator<null> {
    const found = new FrameSet();
    for (const block of this.#all()) yield* matchIn(block, regex, found);
    this.#found.set(regex, found);
  }

  /** Every block, proven: each by its sum, all by their number. */
  *#all(): Generator<TextBlock> {
    let count = 0;
    for (let after = -1; ; ) {
      const some = this.#blocks.all(this.#key, after) as (TextBlock & { n: number; sum: number })[];
      for (const block of some) yield checkBlock(block);
      count += some.length;
      if (some.length < BLOCKS) break;
      after = some.at(-1)!.n;
    }
    mustBe(count, this.#count(), 'blocks of full text');
  }
}

/** SQL with its values in place, to be read, not run. */
function inPlace({ sql, values }: Condition): string {
  let n = 0;
  return sql.replaceAll('?', () => JSON.stringify(values[n++]));
}
