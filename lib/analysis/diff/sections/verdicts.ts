/** The rows of an audit in the order in which they were asked, in little memory. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import type { Observer, PassInfo } from '../../../session/pass.ts';
import { Audit } from '../../audit/audit.ts';
import type { ApprovalRow } from '../../audit/row.ts';
import type { ContentReader } from '../content-reader.ts';
import { IGNORED_FLAGS } from '../entry-content.ts';
import { frameOfEventKey, makeEventKey } from '../event-key.ts';
import { hashOf, type NormaliseText } from '../hash.ts';
import { glance, joinName } from '../label.ts';
import { makeFloat64, NumberTable } from '../number-table.ts';
import { StringTable } from '../string-table.ts';

/** How many characters of a request are shown. */
const MAX_TITLE_CHARS = 200;

export interface Verdicts {
  readonly length: number;
  /** Where it was asked, or where the call was announced. */
  eventKey(i: number): number;
  f(i: number): number;
  /** Equal if they are about the same. */
  key(i: number): number;
  kind(i: number): string;
  /** The kind, and the tool or action. */
  kindAndTool(i: number): string;
  what(i: number): string;
  /** As JSON. */
  about(i: number): string;
}

/** Rows that may change while a request is open; older ones seldom do. */
const MAX_LATEST_ROWS = 256;

/** Columns of a row. */
const EVENT_KEY = 0;
const KEY = 1;
const KIND_AND_TOOL = 2;
const WHAT = 3;
const ABOUT = 4;
const COLUMN_COUNT = 5;

export class VerdictReader implements Observer {
  readonly #audit: Audit;
  readonly #normalise: NormaliseText;
  /** Rows that may still change, by their place. */
  readonly #latest = new Map<number, ApprovalRow>();
  #rows = new NumberTable(COLUMN_COUNT, makeFloat64);
  /** The number of rows at which older versions are dropped next. */
  #nextDropCount = 1024;
  readonly #strings = new StringTable();

  constructor(pass: PassInfo, reader: ContentReader) {
    this.#audit = new Audit(pass);
    this.#normalise = reader.normaliserFor('approval', 'description');
  }

  take(read: ReadFrame): void {
    for (const row of this.#audit.take(read)) this.#add(row);
  }

  end(): Verdicts {
    for (const row of this.#audit.end()) this.#add(row);
    this.#settle(0);
    return verdictsIn(this.#rows, this.#strings, this.#normalise);
  }

  /** The latest version of a row takes the place of those before. */
  #add(row: ApprovalRow): void {
    this.#latest.set(makeEventKey(row.f, row.n), row);
    if (this.#latest.size >= 2 * MAX_LATEST_ROWS) this.#settle(MAX_LATEST_ROWS);
  }

  /** Keeps the oldest, until so many are left. */
  #settle(left: number): void {
    for (const [eventKey, row] of this.#latest) {
      if (this.#latest.size <= left) return;
      this.#latest.delete(eventKey);
      this.#keep(row);
    }
  }

  #keep(row: ApprovalRow): void {
    const { f, n, kind, tool, action, description, decision, by, mode, executed } = row;
    const flags = row.flags.filter((flag) => !IGNORED_FLAGS.has(flag));
    const about = {
      decision,
      by,
      ...(mode === null ? {} : { mode }),
      executed,
      ...(flags.length > 0 ? { flags } : {}),
    };
    this.#rows.push(
      makeEventKey(f, n),
      hashOf([kind, tool, row.arguments ?? description], this.#normalise),
      this.#strings.number(`${kind} ${tool ?? action}`),
      this.#strings.number(titleOf(row, this.#normalise).slice(0, MAX_TITLE_CHARS)),
      this.#strings.number(JSON.stringify(about)),
    );
    if (this.#rows.length >= this.#nextDropCount) this.#dropOld();
  }

  #dropOld(): void {
    const rows = new NumberTable(COLUMN_COUNT, makeFloat64);
    for (const row of inOrder(this.#rows))
      rows.push(...Array.from({ length: COLUMN_COUNT }, (_, column) => this.#rows.get(row, column)));
    this.#rows = rows;
    this.#nextDropCount = Math.max(this.#nextDropCount, 2 * rows.length);
  }
}

/** `Shell: ls`. */
function titleOf({ kind, tool, action, description, arguments: args }: ApprovalRow, normalise: NormaliseText): string {
  const name = tool ?? action ?? kind;
  const isMore = description !== null && description !== name;
  const more = isMore ? description : kind === 'client-call' ? '' : glance(args, normalise);
  return joinName(name, more, ': ', normalise).replace(/\s+/g, ' ');
}

/** Holds on to nothing of the audit: two sessions must not be in memory together. */
function verdictsIn(rows: NumberTable, strings: StringTable, normalise: NormaliseText): Verdicts {
  const order = inOrder(rows);
  const number = (i: number, column: number) => rows.get(order[i]!, column);
  const text = (i: number, column: number) => strings.text(number(i, column));
  return {
    length: order.length,
    eventKey: (i) => number(i, EVENT_KEY),
    f: (i) => frameOfEventKey(number(i, EVENT_KEY)),
    key: (i) => number(i, KEY),
    kind: (i) => text(i, KIND_AND_TOOL).split(' ', 1)[0]!,
    kindAndTool: (i) => text(i, KIND_AND_TOOL),
    what: (i) => normalise(text(i, WHAT)),
    about: (i) => text(i, ABOUT),
  };
}

/** By place; of several rows for one place the last is the final one. */
function inOrder(rows: NumberTable): Uint32Array {
  const eventKey = (row: number) => rows.get(row, EVENT_KEY);
  const order = Uint32Array.from({ length: rows.length }, (_, row) => row);
  order.sort((a, b) => eventKey(a) - eventKey(b) || a - b);
  return order.filter((row, i) => i + 1 === order.length || eventKey(order[i + 1]!) !== eventKey(row));
}
