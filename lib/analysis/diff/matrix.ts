/** Many sessions against the first of them: what differs in any, and in which session each value comes first. */
import { hashOf } from './hash.ts';
import {
  type Change,
  DIFF_SECTIONS,
  type DiffEntry,
  type DiffSection,
  type DiffSide,
  type EntryKind,
  INFORMAL_SECTIONS,
  type SessionDiff,
} from './result.ts';

/** A row: one value that is not the same in all sessions. */
export interface MatrixRow {
  section: DiffSection;
  kind: EntryKind;
  /** Where it is in the first session that has it. */
  path: string;
  what: string;
  /** The pointer of the value within the entry. */
  value: string;
  /** What the element of a list is called that it is a part of. */
  element?: string;
  /** For each session, which of the values it has, by its place in `values`; -1 none. */
  cells: number[];
  /** The different values, by number. */
  values: unknown[];
  /** The first session that differs, and its frame. */
  first: string;
  f: number | null;
}

export interface Matrix {
  sides: DiffSide[];
  rows: MatrixRow[];
  same: boolean;
}

/** Of diffs that all have the same first session. */
export function matrixOf(diffs: readonly SessionDiff[]): Matrix {
  const rows = new Map<string, MatrixRow>();
  diffs.forEach((diff, n) => {
    for (const entry of diff.entries) {
      if (entry.op === 'same' || entry.masked || INFORMAL_SECTIONS.has(entry.section)) continue;
      const changes = entry.changes.length > 0 ? entry.changes : [WHOLE_CHANGE];
      for (const change of changes) addCell(rows, entry, change, n + 1, diffs.length + 1);
    }
  });
  const sides = diffs.length === 0 ? [] : [diffs[0]!.a, ...diffs.map(({ b }) => b)];
  const sorted = [...rows.values()].sort((a, b) => DIFF_SECTIONS.indexOf(a.section) - DIFF_SECTIONS.indexOf(b.section));
  return { sides, rows: sorted, same: rows.size === 0 };
}

const WHOLE_CHANGE: Change = { op: 'changed', path: '', a: null, b: null };
const plain = (text: string): string => text;

function addCell(rows: Map<string, MatrixRow>, entry: DiffEntry, change: Change, at: number, size: number): void {
  const { section, kind, what, a, b, op } = entry;
  // What the first session lacks is recognised by what it says.
  const where = op === 'added' ? `+ ${hashOf([what, change.path, change.masked?.b ?? change.b], plain)}` : a.path;
  const key = JSON.stringify([section, kind, where, change.path]);
  const known = rows.get(key);
  const isThere = op !== 'added' && change.op !== 'added';
  const row: MatrixRow = known ?? {
    ...{ section, kind, path: entry.path, what, value: change.path },
    ...(change.element === undefined ? {} : { element: change.element }),
    cells: new Array<number>(size).fill(isThere ? 0 : -1),
    values: isThere ? [change.masked?.a ?? change.a] : [],
    ...{ first: b.session, f: b.f },
  };
  if (!known) rows.set(key, row);
  row.cells[at] = op === 'removed' || change.op === 'removed' ? -1 : numberOf(row, change.masked?.b ?? change.b, op);
}

/** The number of a value, which may be new. */
function numberOf(row: MatrixRow, value: unknown, op: DiffEntry['op']): number {
  const shown = op === 'moved' ? 'moved' : value;
  const hash = hashOf(shown, plain);
  const known = row.values.findIndex((one) => hashOf(one, plain) === hash);
  return known >= 0 ? known : row.values.push(shown) - 1;
}
