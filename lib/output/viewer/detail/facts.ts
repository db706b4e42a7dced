/** What is known about one frame, out of the columns. */
import type { FactName } from '../../../analysis/facts/table.ts';
import type { FrameSource } from '../source.ts';

const NAMES = [
  ...(['from', 'kind', 'method', 'type', 'id', 'turn', 'step', 'subagent', 'tool', 'tool_call_id'] as const),
  ...(['pair_f', 'latency', 'gap', 'size', 'status', 'code', 'flags'] as const),
] satisfies FactName[];

export type DetailFacts = Record<(typeof NAMES)[number], unknown> & { f: number; index: number };

/** Null values do not apply. */
export async function factsOf(source: FrameSource, f: number): Promise<DetailFacts | null> {
  const index = source.frames.indexOf(f);
  if (index < 0) return null;
  const columns = await Promise.all(NAMES.map((name) => source.frames.column(name)));
  const facts: Record<string, unknown> = { f, index };
  for (const [i, column] of columns.entries()) {
    if (column.is === 'coded') facts[NAMES[i]!] = column.values[column.codes[index]!] ?? null;
    else facts[NAMES[i]!] = Number.isNaN(column.numbers[index]!) ? null : column.numbers[index]!;
  }
  return facts as DetailFacts;
}

export const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
export const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The frames of a row, in order: those of which it is the deepest row. At most `most`; `count` is how many there are. */
export function framesOf(source: FrameSource, row: number, most: number): { frames: number[]; count: number } {
  const { frames, rows } = source;
  const found: number[] = [];
  let count = 0;
  const first = frames.indexOf(rows.f[row]!);
  const last = Math.min(frames.count - 1, first + LOOKED_AT);
  for (let index = Math.max(0, first); index <= last; index++) {
    const f = frames.f(index);
    if (f > rows.f_end[row]!) break;
    if (frames.rowOf(f) !== row) continue;
    count++;
    if (found.length < most) found.push(f);
  }
  return { frames: found, count };
}

/** A session that is open for long may lie between the first and the last frame of a row. */
const LOOKED_AT = 200_000;
