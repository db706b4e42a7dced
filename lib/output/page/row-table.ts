/** The rows of the tree as they are stored: the columns of `RowTable`, one behind the other. */
import { ByteReader, type Numbers, type PackInput, unpackNumbers } from './numbers.ts';
import type { Ordered } from './order.ts';
import type { RowTable } from './page.ts';

/** The columns in the order in which they are stored, and what they are read into. */
const COLUMNS = {
  kind: Uint8Array,
  depth: Uint8Array,
  parent: Int32Array,
  end: Uint32Array,
  f: Uint32Array,
  f_end: Uint32Array,
  t: Float64Array,
  t_end: Float64Array,
  ready: Float64Array,
  wait: Float64Array,
  wait_end: Float64Array,
  run: Float64Array,
  lane: Uint8Array,
  state: Uint8Array,
  marks: Uint8Array,
  turn: Uint32Array,
  agent: Uint16Array,
  parts: Uint32Array,
} satisfies { [K in Exclude<keyof RowTable, 'count'>]: unknown };

export type RowColumn = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as RowColumn[];

/** To be packed, in the order of the page. `own`: the columns that are stored by slot; the others follow from the order. */
export function rowParts(own: Partial<Record<RowColumn, Numbers>>, { slot, depth, parent, end }: Ordered): PackInput {
  const slots = slot.values;
  const ordered: Partial<Record<RowColumn, Numbers>> = { depth, parent, end };
  return { parts: NAMES.map((name) => ordered[name]?.values ?? picked(own[name]!.values, slots)), sized: true };
}

/** The numbers in these slots. */
function picked(numbers: Float64Array, slots: Float64Array): Float64Array {
  const all = new Float64Array(slots.length);
  for (let row = 0; row < slots.length; row++) all[row] = numbers[slots[row]!]!;
  return all;
}

export function unpackRows(packed: Uint8Array, count: number): RowTable {
  const reader = new ByteReader(packed);
  const table: Record<string, unknown> = { count };
  for (const name of NAMES) {
    const numbers = unpackNumbers(reader.take(reader.whole()));
    if (numbers.length !== count) throw new RangeError('the rows are not as many as they should be');
    table[name] = COLUMNS[name] === Float64Array ? numbers : COLUMNS[name].from(numbers);
  }
  return table as unknown as RowTable;
}
