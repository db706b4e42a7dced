/** What was asked and decided, by whom, and whether it ran: the rows of the audit, aligned by what they are about. */
import { Audit } from '../../audit/audit.ts';
import type { ApprovalRow } from '../../audit/row.ts';
import type { Observer, PassInfo } from '../../session/pass.ts';
import type { ReadFrame } from '../../session/read.ts';
import { UNTOLD } from '../face.ts';
import { hashOf } from '../hash.ts';
import type { Mask } from '../mask.ts';
import type { DiffEntry } from '../result.ts';
import { Strings } from '../strings.ts';
import { Table, wide } from '../table.ts';
import { diffValues } from '../values.ts';
import { entryOf } from './section.ts';

/** So much is told of what was asked. */
const GLANCE = 200;

/** Real lines announce a few calls. */
const MOST_EVENTS = 1000;

/** The rows of an audit in the order in which they were asked, in little memory. */
export interface Verdicts {
  readonly length: number;
  f(i: number): number;
  /** Equal if they are about the same. */
  key(i: number): number;
  /** The same without arguments. */
  loose(i: number): string;
  what(i: number): string;
  /** As JSON. */
  about(i: number): string;
}

/** Columns of a row. Where it was asked, its frame and the event in it, comes first. */
const PLACE = 0;
const KEY = 1;
const LOOSE = 2;
const WHAT = 3;
const ABOUT = 4;
const COLUMNS = 5;

export class VerdictsRead implements Observer {
  readonly #audit: Audit;
  readonly #mask: Mask;
  #rows = new Table(COLUMNS, wide);
  /** The number of rows at which those are dropped that were told again. */
  #full = 1024;
  readonly #strings = new Strings();

  constructor(pass: PassInfo, mask: Mask) {
    this.#audit = new Audit(pass);
    this.#mask = mask;
  }

  take(read: ReadFrame): void {
    for (const row of this.#audit.take(read)) this.#keep(row);
  }

  end(): Verdicts {
    for (const row of this.#audit.end()) this.#keep(row);
    return verdictsIn(this.#rows, this.#strings);
  }

  #keep(row: ApprovalRow): void {
    const { f, n, kind, tool, action, description, decision, by, mode, executed } = row;
    const flags = row.flags.filter((flag) => !UNTOLD.has(flag));
    const leaf = (text: string) => this.#mask.text(text, 'plain');
    const what = [tool ?? action ?? kind, description ?? ''].filter((word) => word !== '').join(': ');
    const about = {
      decision,
      by,
      ...(mode === null ? {} : { mode }),
      executed,
      ...(flags.length > 0 ? { flags } : {}),
    };
    this.#rows.push(
      f * MOST_EVENTS + Math.min(n, MOST_EVENTS - 1),
      hashOf([kind, tool, row.arguments ?? description], leaf),
      this.#strings.number(`${kind} ${tool ?? action}`),
      this.#strings.number(what.slice(0, GLANCE)),
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

/** Holds on to nothing of the audit: two sessions must not be in memory together. */
function verdictsIn(rows: Table, strings: Strings): Verdicts {
  const order = inOrder(rows);
  const number = (i: number, column: number) => rows.get(order[i]!, column);
  const text = (i: number, column: number) => strings.text(number(i, column));
  return {
    length: order.length,
    f: (i) => Math.floor(number(i, PLACE) / MOST_EVENTS),
    key: (i) => number(i, KEY),
    loose: (i) => text(i, LOOSE),
    what: (i) => text(i, WHAT),
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

/** One after another: by what they are about, then by their tool, then by their kind. */
export function diffApprovals(
  sessions: { a: string; b: string },
  a: Verdicts,
  b: Verdicts,
  isNeutral: boolean,
): DiffEntry[] {
  const pairs = new Pairs(a, b);
  pairs.by((rows, i) => rows.key(i));
  pairs.by((rows, i) => rows.loose(i));
  // Agents have other names for the same tool.
  pairs.by((rows, i) => rows.loose(i).split(' ')[0]!);
  const entries: DiffEntry[] = [];
  const tell = (op: 'changed' | 'removed' | 'added', i: number | null, j: number | null) => {
    const [was, is] = [
      i === null ? {} : aboutIn(a.about(i), isNeutral),
      j === null ? {} : aboutIn(b.about(j), isNeutral),
    ];
    const changes = [...diffValues(was, is, '', PLAIN)];
    if (changes.length === 0) return;
    const what = i === null ? b.what(j!) : a.what(i);
    const frames = { a: i === null ? null : a.f(i), b: j === null ? null : b.f(j) };
    entries.push(entryOf('approvals', sessions, op, { kind: 'approvals', name: '', what, ...frames, changes }));
  };
  for (let i = 0; i < a.length; i++) {
    const j = pairs.ofA[i]!;
    if (j === ALONE) tell('removed', i, null);
    else if (a.about(i) !== b.about(j)) tell('changed', i, j);
  }
  for (let j = 0; j < b.length; j++) if (pairs.ofB[j] === ALONE) tell('added', null, j);
  return entries;
}

/** Modes and flags are words of a protocol. */
function aboutIn(about: string, isNeutral: boolean): Record<string, unknown> {
  const all = JSON.parse(about) as Record<string, unknown>;
  const { decision, by, executed } = all;
  return isNeutral ? { decision, by, executed } : all;
}

const same = (text: string): string => text;

const PLAIN = { a: same, b: same, isIgnored: () => false };
const ALONE = 0xffffffff;

/** Which row of the other side each belongs to. */
class Pairs {
  readonly ofA: Uint32Array;
  readonly ofB: Uint32Array;
  readonly #a: Verdicts;
  readonly #b: Verdicts;

  constructor(a: Verdicts, b: Verdicts) {
    this.#a = a;
    this.#b = b;
    this.ofA = new Uint32Array(a.length).fill(ALONE);
    this.ofB = new Uint32Array(b.length).fill(ALONE);
  }

  /** Pairs what is left by a key, those of a key in the order in which they come. */
  by(keyOf: (rows: Verdicts, i: number) => unknown): void {
    /** The first row of a key that waits, and after each row the next of its key. */
    const first = new Map<unknown, number>();
    const next = new Uint32Array(this.#b.length);
    for (let j = this.#b.length - 1; j >= 0; j--) {
      if (this.ofB[j] !== ALONE) continue;
      const key = keyOf(this.#b, j);
      next[j] = first.get(key) ?? ALONE;
      first.set(key, j);
    }
    if (first.size === 0) return;
    for (let i = 0; i < this.#a.length; i++) {
      if (this.ofA[i] !== ALONE) continue;
      const key = keyOf(this.#a, i);
      const j = first.get(key) ?? ALONE;
      if (j === ALONE) continue;
      this.ofA[i] = j;
      this.ofB[j] = i;
      first.set(key, next[j]!);
    }
  }
}
