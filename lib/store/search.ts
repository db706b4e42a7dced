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
import type { Database } from './index-file.ts';
import { ANYTHING, type Condition, conditionOf, type Way, waysTo } from './narrow.ts';
import { PARTIAL_INDEXES } from './schema.ts';
import { findIn, matchIn, type TextBlock, termBytes } from './texts.ts';

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
  #having: Set<number> | null = null;

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
    this.#having ??= new Set(
      this.#ways.flatMap((way) => this.#reach('DISTINCT session', way).all(way.condition.values)),
    );
    return this.#having.has(key);
  }

  /** How many frames of a session match, where that can be told without looking at each of them; else null. */
  count(key: number): number | null {
    if (!this.#exact) return null;
    const { text, condition } = this.#exact;
    const { sql, values } = condition;
    if (text === null) {
      const [way, other] = this.#ways ?? [];
      const index = way?.is === 'index' && !other ? along(way) : { from: 'frames', where: '1' };
      const some = this.#prepare(`SELECT count(*) FROM ${index.from} WHERE session = ? AND ${index.where} AND ${sql}`);
      return some.pluck().get(key, ...values) as number;
    }
    const found = this.#texts(key).framesWith(text);
    if (sql === '1') return found.size;
    const some = this.#prepare(`SELECT count(*) FROM frames WHERE session = ? AND ${THESE} AND ${sql}`).pluck();
    let count = 0;
    for (const group of found.groups(GROUP)) count += some.get(key, JSON.stringify(group), ...values) as number;
    return count;
  }

  /** Null for each frame that was looked at and does not match: whoever waits sees that it goes on. */
  *frames(session: SearchedSession): Generator<Found | null> {
    const texts = this.#texts(session.key);
    const says = (f: number, text: string | RegExp) => texts.framesWith(text).has(f);
    for (const regex of this.#patterns) yield* texts.look(regex);
    for (const rows of this.#ways ? this.#along(this.#ways, session.key, texts) : this.#scan(session.key)) {
      for (const row of rows) {
        const found = foundIn(row);
        yield this.#matches(asked(found, session, says)) ? found : null;
      }
    }
  }

  /** These frames of a session, whatever they are. */
  *numbered(session: SearchedSession, frames: FrameSet): Generator<Found> {
    const some = this.#prepare(`${SELECT} AND ${THESE} ORDER BY f`);
    for (const group of frames.groups(GROUP)) {
      for (const row of some.raw().all(session.key, JSON.stringify(group)) as FrameRow[]) yield foundIn(row);
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
      else for (const f of this.#reach('f', way, 'session = ? AND').all(key, ...way.condition.values)) reached.add(f);
    }
    if (reached.size === 0) return;
    const { sql, values } = this.#condition;
    const some = this.#prepare(`${SELECT} AND ${THESE} AND ${sql} ORDER BY f`);
    for (const group of reached.groups(GROUP)) {
      yield some.raw().all(key, JSON.stringify(group), ...values) as FrameRow[];
    }
  }

  #reach(what: string, way: IndexWay, more = ''): Statement<unknown[], number> {
    const { from, where } = along(way);
    const reach = this.#prepare(`SELECT ${what} FROM ${from} WHERE ${more} ${where} AND ${way.condition.sql}`);
    return reach.pluck() as Statement<unknown[], number>;
  }

  #texts(key: number): SessionTexts {
    const sql = `SELECT n, text, ends FROM texts WHERE session = ? AND n > ? ORDER BY n LIMIT ${BLOCKS}`;
    return new SessionTexts(this.#prepare(sql), key);
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

type IndexWay = Way & { is: 'index' };

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
  readonly #found = new Map<string | RegExp, FrameSet>();

  constructor(blocks: Statement, key: number) {
    this.#blocks = blocks;
    this.#key = key;
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

  *#all(): Generator<TextBlock> {
    for (let after = -1; ; ) {
      const some = this.#blocks.all(this.#key, after) as (TextBlock & { n: number })[];
      yield* some;
      if (some.length < BLOCKS) return;
      after = some.at(-1)!.n;
    }
  }
}

/** SQL with its values in place, to be read, not run. */
function inPlace({ sql, values }: Condition): string {
  let n = 0;
  return sql.replaceAll('?', () => JSON.stringify(values[n++]));
}
