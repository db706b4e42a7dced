/**
 * Makes the rows of the tree while the session is read. An entry to which nothing more can happen leaves the timeline and
 * becomes a row in a slot, with everything inside it; the order of the tree is known at the end. So memory does not grow
 * with the texts of the session.
 */
import type { Usage } from '../../model/event.ts';
import { isOpenAsk } from '../../model/ledger/records.ts';
import type { Entry, Item, Turn } from '../../model/timeline/entries.ts';
import { isHidden } from '../../model/timeline/hidden.ts';
import { itemOf } from '../../model/timeline/item.ts';
import { childrenOf } from '../../model/timeline/json.ts';
import { kindOf, laneOf, marksOf, stateOf, timesOf } from './entry-row.ts';
import { brief, promptOf } from './label.ts';
import { Numbers } from './numbers.ts';
import { Ordered, type RowPosition } from './order.ts';
import type { RowColumn } from './row-table.ts';

/** Entries that stay in the timeline, because late frames may belong to them. */
const LATEST = 256;
/** Frames between two looks at what has settled. */
const EVERY = 512;

/** Gets each row, in the order of the slots. */
export interface RowSink {
  /** `turn`: the number of the turn that contains it. */
  row(entry: Entry, turn: number | null, prompt: string): void;
  /** Whether the frame asks for something that was not answered. */
  isPending(f: number): boolean;
  /** These are in the timeline no longer. `around`: what contained them; null: nothing. */
  left?(around: Entry | null, entries: readonly Entry[]): void;
}

/** A slot, or what is not settled yet. */
type Taken = number | Entry;

/** What of a turn is in the list of turns. */
export interface TurnLine {
  slot: number;
  n: number;
  f: number;
  t: number;
  t_end: number;
  prompt: string;
  status: string | null;
  usage: Usage;
}

/** The columns that are stored as they are in a slot; the others follow from the order. */
const OWN = [
  ...(['kind', 'f', 'f_end', 't', 't_end', 'ready', 'wait', 'wait_end', 'run'] as const),
  ...(['lane', 'state', 'marks', 'turn', 'agent', 'parts'] as const),
] satisfies RowColumn[];
type Own = (typeof OWN)[number];

const MAX_AGENTS = 0xffff;

export class RowMaker {
  readonly agents = [''];
  readonly turns: TurnLine[] = [];
  readonly #sink: RowSink;
  readonly #entries: () => Entry[];
  readonly #agentAt = new Map([['', 0]]);
  readonly #own = Object.fromEntries(OWN.map((name) => [name, new Numbers()])) as Record<Own, Numbers>;
  /** The slot after the last one inside it, if it is in one piece; its depth there. */
  readonly #ends = new Numbers();
  readonly #depths = new Numbers();
  /** What has left the timeline, by what contained it. */
  readonly #taken = new Map<Entry | null, Taken[]>();
  /** Calls that have a row, and requests that have one with their call. */
  readonly #called = new WeakSet<Item>();
  readonly #shown = new WeakSet<Item>();
  readonly #prompts = new Map<Turn, string>();
  #frames = 0;

  /** `entries`: those of the timeline. */
  constructor(entries: () => Entry[], sink: RowSink) {
    this.#entries = entries;
    this.#sink = sink;
  }

  get count(): number {
    return this.#own.f.length;
  }

  /** A frame was read. */
  step(): void {
    if (++this.#frames % EVERY === 0) this.#sweep(null, this.#entries(), null, LATEST);
  }

  /** Takes out all but the latest entries. Returns how many more may stay. `turn`: of those inside. */
  #sweep(around: Entry | null, entries: Entry[], turn: number | null, most: number): number {
    let left = most;
    let first = entries.length;
    for (; first > 0 && left > 0; first--) {
      const entry = entries[first - 1]!;
      left--;
      if (entry.entries.length > 0)
        left = this.#sweep(entry, entry.entries, entry.is === 'turn' ? entry.n : turn, left);
    }
    if (first > 0) this.#take(around, entries.splice(0, first), turn);
    return left;
  }

  #take(around: Entry | null, entries: readonly Entry[], turn: number | null): void {
    this.#sink.left?.(around, entries);
    if (around?.is === 'turn' && !this.#prompts.has(around)) this.#prompts.set(around, promptOf(around, entries));
    const taken = this.#taken.get(around) ?? [];
    this.#taken.set(around, taken);
    for (const entry of entries) {
      if (this.#isSettled(entry)) this.#pack(entry, turn, Number.NaN, taken);
      else {
        taken.push(entry);
        // What is inside it must not wait for it: the ledger forgets what has ended long ago.
        const inside = entry.entries.splice(0);
        if (inside.length > 0) this.#take(entry, inside, entry.is === 'turn' ? entry.n : turn);
      }
    }
  }

  /** Rows in the order of the tree. `end`: when the session ended. */
  end(end: number): Ordered {
    const order = new Ordered(this.#ends, this.#depths);
    this.#close(null, this.#entries(), { parent: -1, depth: 0, turn: null }, end, order);
    this.#taken.clear();
    return order;
  }

  get columns(): Record<Own, Numbers> {
    return this.#own;
  }

  #close(around: Entry | null, rest: Entry[], place: RowPosition, end: number, order: Ordered): void {
    const all: Taken[] = this.#taken.get(around) ?? [];
    for (const entry of rest) all.push(entry);
    for (const one of all) {
      if (typeof one === 'number') order.whole(one, place);
      else this.#closeEntry(one, place, end, order);
    }
  }

  /** Nothing of what is inside may have left; otherwise it is packed as usual. */
  #closeEntry(entry: Entry, place: RowPosition, end: number, order: Ordered): void {
    if (!this.#taken.has(entry) && !hasTaken(entry, this.#taken)) {
      const slots: number[] = [];
      this.#pack(entry, place.turn, end, slots);
      for (const slot of slots) order.whole(slot, place);
      return;
    }
    const slot = this.#add(entry, place.turn, end);
    this.#ends.push(slot + 1);
    this.#depths.push(0);
    const row = order.one(slot, place);
    const inner = { parent: row, depth: place.depth + 1, turn: entry.is === 'turn' ? entry.n : place.turn };
    for (const one of this.#before(entry)) {
      const slots: number[] = [];
      this.#packRow(one, inner.turn, end, slots, 0);
      for (const inside of slots) order.whole(inside, inner);
    }
    this.#close(entry, entry.entries, inner, end, order);
    order.closed(row);
  }

  /** What comes before the entries inside: the prompt of a turn, the requests of a call. */
  #before(entry: Entry): Entry[] {
    if (entry.is === 'turn') return entry.prompt && !this.#shown.has(entry.prompt) ? [entry.prompt] : [];
    if (entry.is !== 'item' || !entry.call || entry.call.asks.length === 0) return [];
    return entry.call.asks.flatMap((ask) => {
      const item = ask.bound ? itemOf(ask) : null;
      if (!item || entry.entries.includes(item) || this.#shown.has(item)) return [];
      this.#shown.add(item);
      return [item];
    });
  }

  /** Puts an entry and all that is inside it into slots, one behind the other. */
  #pack(entry: Entry, turn: number | null, end: number, into: Taken[], depth = 0): void {
    if (this.#hasRow(entry)) this.#packRow(entry, turn, end, into, depth);
  }

  #packRow(entry: Entry, turn: number | null, end: number, into: Taken[], depth: number): void {
    const slot = this.#add(entry, turn, end);
    if (depth === 0) into.push(slot);
    const at = this.#ends.length;
    this.#ends.push(0);
    this.#depths.push(depth);
    const inside = entry.is === 'turn' ? entry.n : turn;
    for (const one of this.#before(entry)) this.#packRow(one, inside, end, into, depth + 1);
    for (const one of entry.entries) this.#pack(one, inside, end, into, depth + 1);
    this.#ends.set(at, this.#ends.length);
  }

  #hasRow(entry: Entry): boolean {
    if (entry.is !== 'item') return true;
    if (isHidden(entry) || this.#shown.has(entry)) return false;
    if (!entry.ask?.bound || !entry.ask.call) return true;
    // It is shown with its call, unless the call has its row already.
    const call = itemOf(entry.ask.call);
    return call === null || this.#called.has(call);
  }

  #add(entry: Entry, turn: number | null, end: number): number {
    const slot = this.count;
    const isItem = entry.is === 'item';
    if (isItem && entry.call) this.#called.add(entry);
    if (isItem && entry.kind === 'prompt') this.#shown.add(entry);
    const { ready, wait, wait_end, run } = timesOf(entry, end);
    const own = this.#own;
    own.kind.push(kindOf(entry));
    own.f.push(entry.f);
    own.f_end.push(entry.f_end);
    own.t.push(entry.t);
    own.t_end.push(entry.t_end);
    own.ready.push(ready);
    own.wait.push(wait);
    own.wait_end.push(wait_end);
    own.run.push(run);
    own.lane.push(laneOf(entry));
    own.state.push(stateOf(entry, isItem && this.#sink.isPending(entry.f)));
    own.marks.push(marksOf(entry));
    own.turn.push(entry.is === 'turn' ? entry.n : ((isItem ? entry.turn : turn) ?? 0));
    own.agent.push(this.#agentOf(entry));
    own.parts.push(isItem ? entry.parts : 1);
    const prompt = entry.is === 'turn' ? (this.#prompts.get(entry) ?? promptOf(entry)) : '';
    if (entry.is === 'turn') {
      const { n, f, t, t_end, status, usage } = entry;
      this.turns.push({ slot, n, f, t, t_end, prompt: brief(prompt), status, usage });
      this.#prompts.delete(entry);
    }
    this.#sink.row(entry, turn, prompt);
    return slot;
  }

  #agentOf(entry: Entry): number {
    const first =
      entry.is === 'item' ? entry : entry.is === 'step' ? entry.entries.find(({ is }) => is === 'item') : null;
    const name = (first as Item | null | undefined)?.subagent ?? '';
    const known = this.#agentAt.get(name);
    if (known !== undefined) return known;
    if (this.agents.length > MAX_AGENTS) return 0;
    this.#agentAt.set(name, this.agents.length);
    return this.agents.push(name) - 1;
  }

  /** Nothing that is expected can change it any more. */
  #isSettled(entry: Entry): boolean {
    if (this.#taken.has(entry)) return false;
    if (entry.is === 'turn' && entry.status === null) return false;
    if (entry.is === 'step' && entry.state === 'running') return false;
    if (entry.is === 'item') {
      const { call, ask, f } = entry;
      if (call && (call.state === 'running' || call.asks.some(isOpenAsk))) return false;
      if (ask && isOpenAsk(ask)) return false;
      if (this.#sink.isPending(f)) return false;
    }
    return childrenOf(entry).every((one) => this.#isSettled(one));
  }
}

/** Whether something has left an entry inside it. */
function hasTaken(entry: Entry, taken: ReadonlyMap<Entry | null, Taken[]>): boolean {
  return entry.entries.some((one) => taken.has(one) || hasTaken(one, taken));
}
