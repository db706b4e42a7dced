/** The order of rows by a column. */
export type SortValue = string | number | null;

export interface Sorting {
  column: string;
  descending: boolean;
}

/** The indices of these rows in order. Rows without a value are last in either direction; equal ones keep their order. */
export function sortedBy(
  rows: ArrayLike<number>,
  valueIn: (row: number) => SortValue,
  descending: boolean,
): Uint32Array {
  const order = Uint32Array.from(rows);
  const sign = descending ? -1 : 1;
  const values = new Map<number, SortValue>();
  for (const row of order) values.set(row, valueIn(row));
  return order.sort((a, b) => compare(values.get(a)!, values.get(b)!, sign) || a - b);
}

let words: Intl.Collator | null = null;

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  words ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return sign * words.compare(String(a), String(b));
}

/** What a click on the head of a column does: sorts by it, then the other way round. */
export function clicked(now: Sorting, column: string, firstDescending: boolean): Sorting {
  if (now.column !== column) return { column, descending: firstDescending };
  return { column, descending: !now.descending };
}

export interface SizedColumn {
  id: string;
  /** The least width in pixels. */
  least: number;
  /** Columns with the lowest number go first when there is no room; null: it always stays. */
  spare: number | null;
}

/** The columns that fit, in their order. */
export function fitting<T extends SizedColumn>(columns: readonly T[], width: number, gap: number): T[] {
  const left = new Set(columns);
  const needed = () => [...left].reduce((sum, { least }) => sum + least + gap, 0);
  const spare = columns.filter((one) => one.spare !== null).sort((a, b) => a.spare! - b.spare!);
  for (const one of spare) {
    if (needed() <= width) break;
    left.delete(one);
  }
  return columns.filter((one) => left.has(one));
}
