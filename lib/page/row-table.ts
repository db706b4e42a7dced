/** The rows of the tree as they are stored: the columns of `RowTable`, one behind the other. */
import { ByteReader, Bytes, packNumbers, unpackNumbers } from './numbers.ts';
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

export function packRows(columns: Record<RowColumn, ArrayLike<number>>): Uint8Array {
  const bytes = new Bytes();
  for (const name of NAMES) {
    const packed = packNumbers(columns[name]);
    bytes.whole(packed.length);
    bytes.add(packed);
  }
  return bytes.written;
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
