/** Which row shows a frame: its item, or else the step or the turn that it is part of. */
import type { FactColumns } from './columns.ts';
import type { Numbers } from './numbers.ts';
import type { Ordered } from './order.ts';
import { KIND } from './page.ts';

type TreeColumns = Record<'kind' | 'f' | 'f_end' | 'turn' | 'agent', Numbers>;

export class RowsByFrame {
  /** The row of each frame, by the frame's index; -1: none. */
  readonly rows: Int32Array;
  readonly #facts: FactColumns;
  readonly #columns: TreeColumns;
  readonly #slots: Float64Array;
  /** The first row that begins at a frame, by the frame's index, and from each row the next one. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #turns = new Map<number, number>();
  /** The main agent's steps of each turn, from the last to the first. */
  readonly #steps = new Map<number, number[]>();

  constructor(facts: FactColumns, columns: TreeColumns, order: Ordered) {
    this.#facts = facts;
    this.#columns = columns;
    this.#slots = order.slot.values;
    this.#first = new Int32Array(facts.count).fill(-1);
    this.#next = new Int32Array(order.count).fill(-1);
    for (let row = order.count - 1; row >= 0; row--) this.#see(row);
    this.rows = new Int32Array(facts.count);
    this.#fill(facts.numbers('f'), facts.numbers('item'), facts.numbers('turn'));
  }

  #fill(numbers: Float64Array, items: Float64Array, turns: Float64Array): void {
    const { rows } = this;
    let item = Number.NaN;
    let row = -1;
    let until = -1;
    for (let i = 0; i < rows.length; i++) {
      const f = numbers[i]!;
      // Most frames continue the item of the one before.
      if (items[i] !== item || f > until) {
        item = items[i]!;
        row = Number.isNaN(item) ? -1 : this.#beginning(this.#facts.indexOf(item), f, false);
        until = row < 0 ? -1 : this.#columns.f_end.at(this.#slots[row]!);
      }
      rows[i] = row >= 0 ? row : this.#around(i, f, turns[i]!);
    }
  }

  rowOf(f: number): number {
    return this.rows[this.#facts.indexOf(f)] ?? -1;
  }

  #see(row: number): void {
    const { kind, f, turn, agent } = this.#columns;
    const slot = this.#slots[row]!;
    if (kind.at(slot) === KIND.turn) return void this.#turns.set(turn.at(slot), row);
    if (kind.at(slot) === KIND.step && agent.at(slot) === 0) {
      const steps = this.#steps.get(turn.at(slot));
      if (steps) steps.push(row);
      else this.#steps.set(turn.at(slot), [row]);
    }
    const at = this.#facts.indexOf(f.at(slot));
    if (at < 0) return;
    this.#next[row] = this.#first[at]!;
    this.#first[at] = row;
  }

  /** The step or the turn of a frame that is part of no item. */
  #around(index: number, f: number, turn: number): number {
    const step = this.#beginning(index, f, true);
    if (step >= 0) return step;
    const around = this.#stepAround(turn, f);
    return around >= 0 ? around : (this.#turns.get(turn) ?? -1);
  }

  /** Of the items, or the steps, that begin at a frame, the first one that reaches so far, or else the last. */
  #beginning(at: number, until: number, isStep: boolean): number {
    const { kind, f_end } = this.#columns;
    let last = -1;
    for (let row = at < 0 ? -1 : this.#first[at]!; row >= 0; row = this.#next[row]!) {
      const slot = this.#slots[row]!;
      if ((kind.at(slot) === KIND.step) !== isStep) continue;
      last = row;
      if (f_end.at(slot) >= until) break;
    }
    return last;
  }

  #stepAround(turn: number, number: number): number {
    const { f, f_end } = this.#columns;
    const steps = this.#steps.get(turn) ?? [];
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (f.at(this.#slots[steps[middle]!]!) <= number) high = middle;
      else low = middle + 1;
    }
    const row = steps[low];
    return row !== undefined && f_end.at(this.#slots[row]!) >= number ? row : -1;
  }
}
