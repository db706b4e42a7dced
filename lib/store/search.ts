/**
 * Frames of one session that match a query, from the index: narrowed by SQL, decided by the predicate, in order. Rows
 * come in small groups, so that nobody holds the index open while a reader reads.
 */
import type { Statement } from 'better-sqlite3';
import type { Kind } from '../core/event.ts';
import type { From } from '../core/frame.ts';
import type { Envelope } from '../core/message.ts';
import { parseJson } from '../core/message.ts';
import type { Facts } from '../facts/facts.ts';
import type { Expr } from '../filter/ast.ts';
import type { FrameFacts, SessionFacts } from '../filter/facts.ts';
import { compile } from '../filter/predicate.ts';
import { FrameSet } from './frame-set.ts';
import type { Database } from './index-file.ts';
import { ANYTHING, type Condition, conditionOf, type Way, waysTo } from './narrow.ts';
import { PARTIAL_INDEXES } from './schema.ts';
import { FRAME } from './statements.ts';
import { findIn, type TextBlock, termBytes } from './texts.ts';

/** A frame that was found: what is known of it, and where its line is in the tape. */
export interface Found {
  facts: Facts;
  offset: number;
}

interface FrameRow extends Omit<Facts, 'kinds' | 'flags' | 'id'> {
  kind: Kind | null;
  kinds: string | null;
  id: string | null;
  flags: string | null;
  event: string | null;
  offset: number;
}

const GROUP = 512;
const COLUMNS = FRAME.filter((name) => name !== 'session').map((name) => `"${name}"`);

export interface SearchedSession {
  key: number;
  facts: SessionFacts;
  /** Microseconds since the epoch. */
  startedAt: number;
  /** The JSON of a line of its tape. */
  message(offset: number): unknown;
}

/** One query on one index, over as many sessions as one likes. */
export class IndexSearch {
  readonly #db: Database;
  readonly #condition: Condition;
  readonly #matches: (frame: FrameFacts) => boolean;
  readonly #ways: Way[] | null;
  readonly #prepared = new Map<string, Statement>();

  /** `expr` without session terms; null: every frame. */
  constructor(db: Database, expr: Expr | null) {
    this.#db = db;
    this.#condition = expr ? conditionOf(expr) : ANYTHING;
    this.#matches = compile(expr);
    this.#ways = expr ? waysTo(expr) : null;
  }

  /** Null for each frame that was looked at and does not match: whoever waits sees that it goes on. */
  *frames(session: SearchedSession): Generator<Found | null> {
    const texts = new SessionTexts(
      this.#prepare('SELECT text, ends FROM texts WHERE session = ? ORDER BY n'),
      session.key,
    );
    for (const rows of this.#ways ? this.#along(this.#ways, session.key, texts) : this.#scan(session.key)) {
      for (const row of rows) {
        const facts = factsOfRow(row);
        yield this.#matches(asked(facts, row.offset, session, texts)) ? { facts, offset: row.offset } : null;
      }
    }
  }

  /** These frames of a session, whatever they are. */
  *numbered(session: SearchedSession, frames: Iterable<number>): Generator<Found> {
    const some = this.#prepare(
      `SELECT ${COLUMNS} FROM frames WHERE session = ? AND f IN (SELECT value FROM json_each(?)) ORDER BY f`,
    );
    for (const group of inGroups(frames)) {
      for (const row of some.all(session.key, JSON.stringify(group)) as FrameRow[]) {
        yield { facts: factsOfRow(row), offset: row.offset };
      }
    }
  }

  /** How it is done, for people. */
  get plan(): string[] {
    const where = inPlace(this.#condition);
    if (!this.#ways) return [`look at every frame${where === '1' ? '' : ` where ${where}`}`];
    const ways = this.#ways.map((way) =>
      way.is === 'text'
        ? `frames in whose text ${JSON.stringify(way.text)} ends`
        : `index frames_by_${way.name}${inPlace(way.condition) === '1' ? '' : ` where ${inPlace(way.condition)}`}`,
    );
    return where === '1' ? ways : [...ways, `of these, where ${where}`];
  }

  *#scan(key: number): Generator<FrameRow[]> {
    const { sql, values } = this.#condition;
    const page = this.#prepare(
      `SELECT ${COLUMNS} FROM frames WHERE session = ? AND f > ? AND ${sql} ORDER BY f LIMIT ${GROUP}`,
    );
    for (let after = 0; ; ) {
      const rows = page.all(key, after, ...values) as FrameRow[];
      yield rows;
      if (rows.length < GROUP) return;
      after = rows.at(-1)!.f;
    }
  }

  *#along(ways: readonly Way[], key: number, texts: SessionTexts): Generator<FrameRow[]> {
    const reached = new FrameSet();
    for (const way of ways) {
      for (const f of way.is === 'text' ? texts.framesWith(way.text) : this.#indexed(way, key)) reached.add(f);
    }
    const { sql, values } = this.#condition;
    const some = this.#prepare(
      `SELECT ${COLUMNS} FROM frames WHERE session = ? AND f IN (SELECT value FROM json_each(?)) AND ${sql} ORDER BY f`,
    );
    for (const group of inGroups(reached)) yield some.all(key, JSON.stringify(group), ...values) as FrameRow[];
  }

  #indexed(way: Way & { is: 'index' }, key: number): number[] {
    const { where } = PARTIAL_INDEXES.find(({ name }) => name === way.name)!;
    const { sql, values } = way.condition;
    const reach = this.#prepare(
      `SELECT f FROM frames INDEXED BY frames_by_${way.name} WHERE session = ? AND ${where} AND ${sql}`,
    );
    return reach.pluck().all(key, ...values) as number[];
  }

  #prepare(sql: string): Statement {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

function* inGroups(frames: Iterable<number>): Generator<number[]> {
  let group: number[] = [];
  for (const f of frames) {
    group.push(f);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The full text of one session, looked through once for each term that somebody asks for. */
class SessionTexts {
  readonly #blocks: Statement;
  readonly #key: number;
  readonly #found = new Map<string, FrameSet>();

  constructor(blocks: Statement, key: number) {
    this.#blocks = blocks;
    this.#key = key;
  }

  framesWith(term: string): FrameSet {
    const known = this.#found.get(term);
    if (known) return known;
    const found = new FrameSet();
    this.#found.set(term, found);
    const bytes = termBytes(term);
    if (!bytes) return found;
    for (const block of this.#blocks.iterate(this.#key) as Iterable<TextBlock>) findIn(block, bytes, found);
    return found;
  }
}

function asked(facts: Facts, offset: number, session: SearchedSession, texts: SessionTexts): FrameFacts {
  return {
    ...facts,
    session: session.facts,
    at: session.startedAt + Math.round(facts.t * 1e6),
    message: () => session.message(offset),
    says: (text) => texts.framesWith(text).has(facts.f),
  };
}

/** The same keys as from a tape: what only the index has stays behind. */
function factsOfRow({ kind, kinds, id, flags, offset: _offset, event: _event, ...row }: FrameRow): Facts {
  return {
    ...row,
    from: row.from as From,
    envelope: row.envelope as Envelope,
    kinds: kinds !== null ? (kinds.split(' ') as Kind[]) : kind === null ? [] : [kind],
    id: id === null ? null : (parseJson(id) as string | number),
    flags: flags === null ? [] : flags.split(' '),
  };
}

/** SQL with its values in place, to be read, not run. */
function inPlace({ sql, values }: Condition): string {
  let n = 0;
  return sql.replaceAll('?', () => JSON.stringify(values[n++]));
}
