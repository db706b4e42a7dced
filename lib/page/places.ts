/** Which row shows a frame: its item, or else the step or the turn that it is part of. */
import type { FactColumns } from './columns.ts';
import type { Numbers } from './numbers.ts';
import { ROW_KINDS } from './page.ts';
import type { Ordered } from './rows.ts';

const TURN = ROW_KINDS.indexOf('turn');
const STEP = ROW_KINDS.indexOf('step');

export interface Places {
  /** The row of each frame, by the frame's index; -1: none. */
  rows: Int32Array;
  rowOf(f: number): number;
}

type Columns = Record<'kind' | 'f' | 'f_end' | 'turn' | 'agent', Numbers>;

export function placesOf(facts: FactColumns, { kind, f, f_end, turn, agent }: Columns, order: Ordered): Places {
  const count = facts.count;
  const slots = order.slot.values;
  /** Items and steps by their first frame: the first one, and from each the next one. */
  const first = new Int32Array(count).fill(-1);
  const next = new Int32Array(slots.length).fill(-1);
  const turns = new Map<number, number>();
  const steps = new Map<number, number[]>();
  for (let row = slots.length - 1; row >= 0; row--) {
    const slot = slots[row]!;
    if (kind.at(slot) === TURN) {
      turns.set(turn.at(slot), row);
      continue;
    }
    if (kind.at(slot) === STEP && agent.at(slot) === 0) {
      const known = steps.get(turn.at(slot));
      if (known) known.push(row);
      else steps.set(turn.at(slot), [row]);
    }
    const at = facts.indexOf(f.at(slot));
    if (at < 0) continue;
    next[row] = first[at]!;
    first[at] = row;
  }
  const [numbers, items, inTurn] = [facts.numbers('f'), facts.numbers('item'), facts.numbers('turn')];
  /** Of rows that begin at this frame, the first one that reaches so far. */
  const beginning = (at: number, until: number, wanted: (kind: number) => boolean): number => {
    let last = -1;
    for (let row = at < 0 ? -1 : first[at]!; row >= 0; row = next[row]!) {
      if (!wanted(kind.at(slots[row]!))) continue;
      last = row;
      if (f_end.at(slots[row]!) >= until) return row;
    }
    return last;
  };
  const isItem = (of: number) => of !== STEP;
  const isStep = (of: number) => of === STEP;
  const rows = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const number = numbers[i]!;
    const item = items[i]!;
    let row = Number.isNaN(item) ? -1 : beginning(facts.indexOf(item), number, isItem);
    if (row < 0) row = beginning(i, number, isStep);
    if (row < 0) row = stepAround(steps.get(inTurn[i]!), number);
    if (row < 0) row = turns.get(inTurn[i]!) ?? -1;
    rows[i] = row;
  }
  /** The steps of a turn are in the list from the last to the first. */
  function stepAround(all: readonly number[] | undefined, number: number): number {
    for (const row of lastBefore(all, number)) if (f_end.at(slots[row]!) >= number) return row;
    return -1;
  }
  function lastBefore(all: readonly number[] | undefined, number: number): number[] {
    if (!all) return [];
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (f.at(slots[all[middle]!]!) <= number) high = middle;
      else low = middle + 1;
    }
    return all.slice(low, low + 1);
  }
  return { rows, rowOf: (number) => rows[facts.indexOf(number)] ?? -1 };
}
