/** The rows of an audit in the order in which they were asked, in little memory. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import type { Observer, PassInfo } from '../../../session/pass.ts';
import { Audit } from '../../audit/audit.ts';
import type { ApprovalRow } from '../../audit/row.ts';
import { UNTOLD } from '../face.ts';
import { hashOf, type Leaf } from '../hash.ts';
import { glance, named } from '../label.ts';
import { frameAt, placeOf } from '../place.ts';
import type { Reader } from '../reading.ts';
import { Strings } from '../strings.ts';
import { Table, wide } from '../table.ts';

/** How many characters of a request are shown. */
const GLANCE = 200;

export interface Verdicts {
  readonly length: number;
  /** Where it was asked, or where the call was announced. */
  place(i: number): number;
  f(i: number): number;
  /** Equal if they are about the same. */
  key(i: number): number;
  kind(i: number): string;
  /** The kind, and the tool or action. */
  loose(i: number): string;
  what(i: number): string;
  /** As JSON. */
  about(i: number): string;
}

/** Rows that may change while a request is open; older ones seldom do. */
const LATEST = 256;

/** Columns of a row. */
const PLACE = 0;
const KEY = 1;
const LOOSE = 2;
const WHAT = 3;
const ABOUT = 4;
const COLUMNS = 5;

export class VerdictsRead implements Observer {
  readonly #audit: Audit;
  readonly #leaf: Leaf;
  /** Rows that may still change, by their place. */
  readonly #latest = new Map<number, ApprovalRow>();
  #rows = new Table(COLUMNS, wide);
  /** The number of rows at which older versions are dropped next. */
  #full = 1024;
  readonly #strings = new Strings();

  constructor(pass: PassInfo, reader: Reader) {
    this.#audit = new Audit(pass);
    this.#leaf = reader.leaf('approval', 'description');
  }

  take(read: ReadFrame): void {
    for (const row of this.#audit.take(read)) this.#add(row);
  }

  end(): Verdicts {
    for (const row of this.#audit.end()) this.#add(row);
    this.#settle(0);
    return verdictsIn(this.#rows, this.#strings, this.#leaf);
  }

  /** The latest version of a row takes the place of those before. */
  #add(row: ApprovalRow): void {
    this.#latest.set(placeOf(row.f, row.n), row);
    if (this.#latest.size >= 2 * LATEST) this.#settle(LATEST);
  }

  /** Keeps the oldest, until so many are left. */
  #settle(left: number): void {
    for (const [place, row] of this.#latest) {
      if (this.#latest.size <= left) return;
      this.#latest.delete(place);
      this.#keep(row);
    }
  }

  #keep(row: ApprovalRow): void {
    const { f, n, kind, tool, action, description, decision, by, mode, executed } = row;
    const flags = row.flags.filter((flag) => !UNTOLD.has(flag));
    const about = {
      decision,
      by,
      ...(mode === null ? {} : { mode }),
      executed,
      ...(flags.length > 0 ? { flags } : {}),
    };
    this.#rows.push(
      placeOf(f, n),
      hashOf([kind, tool, row.arguments ?? description], this.#leaf),
      this.#strings.number(`${kind} ${tool ?? action}`),
      this.#strings.number(titleOf(row, this.#leaf).slice(0, GLANCE)),
      this.#strings.number(JSON.stringify(about)),
    );
    if (this.#rows.length >= this.#full) this.#dropOld();
  }

  #dropOld(): void {
    const rows = new Table(COLUMNS, wide);
    for (const row of inOrder(this.#rows))
      rows.push(...Array.from({ length: COLUMNS }, (_, column) => this.#rows.get(row, column)));
    this.#rows = rows;
    this.#full = Math.max(this.#full, 2 * rows.length);
  }
}

/** `Shell: ls`. */
function titleOf({ kind, tool, action, description, arguments: given }: ApprovalRow, leaf: Leaf): string {
  const name = tool ?? action ?? kind;
  const isSaid = description !== null && description !== name;
  const more = isSaid ? description : kind === 'client-call' ? '' : glance(given, leaf);
  return named(name, more, ': ', leaf).replace(/\s+/g, ' ');
}

/** Holds on to nothing of the audit: two sessions must not be in memory together. */
function verdictsIn(rows: Table, strings: Strings, leaf: Leaf): Verdicts {
  const order = inOrder(rows);
  const number = (i: number, column: number) => rows.get(order[i]!, column);
  const text = (i: number, column: number) => strings.text(number(i, column));
  return {
    length: order.length,
    place: (i) => number(i, PLACE),
    f: (i) => frameAt(number(i, PLACE)),
    key: (i) => number(i, KEY),
    kind: (i) => text(i, LOOSE).split(' ', 1)[0]!,
    loose: (i) => text(i, LOOSE),
    what: (i) => leaf(text(i, WHAT)),
    about: (i) => text(i, ABOUT),
  };
}

/** By place; of several rows for one place the last is the final one. */
function inOrder(rows: Table): Uint32Array {
  const place = (row: number) => rows.get(row, PLACE);
  const order = Uint32Array.from({ length: rows.length }, (_, row) => row);
  order.sort((a, b) => place(a) - place(b) || a - b);
  return order.filter((row, i) => i + 1 === order.length || place(order[i + 1]!) !== place(row));
}
