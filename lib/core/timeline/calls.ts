/** Calls of tools: announced, completed, asked about, answered; waiting apart from running. */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Agent } from './agents.ts';
import { reach } from './item.ts';
import type { Item } from './shape.ts';

export class Calls {
  /** By id, the latest last: ids may come again in later turns. */
  readonly #calls = new Map<string, Item[]>();
  readonly #open = new Set<Item>();

  announce(item: Item, event: Event & { kind: 'tool-call' }, frame: Frame): void {
    item.call = {
      id: event.call,
      tool: event.tool ?? null,
      args: event.args ?? '',
      ready: event.complete ? frame.t : null,
      writes: event.writes ?? false,
      asks: [],
      result: null,
      state: 'running',
      queue: null,
      wait: null,
      run: null,
    };
    item.blocks = event.blocks ?? [];
    this.#open.add(item);
    if (event.call === null) return;
    const known = this.#calls.get(event.call);
    if (known) known.push(item);
    else this.#calls.set(event.call, [item]);
  }

  latest(id: string | null): Item | null {
    return id === null ? null : (this.#calls.get(id)?.at(-1) ?? null);
  }

  restate(event: Event & { kind: 'tool-call' }, frame: Frame): void {
    const item = this.latest(event.call);
    if (!item?.call) return;
    if (event.args !== null) item.call.args = event.args;
    reach(item, frame);
  }

  args(agent: Agent, event: Event & { kind: 'tool-args' }, frame: Frame): Item | null {
    const item = event.call === null ? agent.call : this.latest(event.call);
    if (!item?.call) return null;
    if (event.replace) item.call.args = event.text ?? '';
    else item.call.args += event.text ?? '';
    if (event.blocks) item.blocks = event.blocks;
    item.parts++;
    reach(item, frame);
    return item;
  }

  /** The agent goes on to something else: the arguments of its latest call are complete. */
  ready(agent: Agent, t: number): void {
    if (agent.call) this.readyNow(agent.call, t);
  }

  readyNow({ call }: Item, t: number): void {
    if (call && call.ready === null) call.ready = t;
  }

  /** The call that this result closes: the latest open one of its id. */
  result(event: Event & { kind: 'tool-result' }, frame: Frame): Item | null {
    const known = event.call === null ? undefined : this.#calls.get(event.call);
    const item = known?.findLast(({ call }) => call!.result === null);
    if (!item?.call) return null;
    this.readyNow(item, frame.t);
    item.call.result = { f: frame.f, t: frame.t, ok: event.ok, blocks: event.blocks, displays: event.displays };
    item.call.state = 'done';
    this.#open.delete(item);
    return item;
  }

  measure({ call }: Item): void {
    if (!call) return;
    const asks = call.asks.filter(({ ask }) => ask!.wait !== null);
    const first = call.asks[0];
    call.queue = first && call.ready !== null ? Math.max(0, first.t - call.ready) : null;
    call.wait =
      asks.length > 0 ? union(asks.map(({ t, ask }) => [t, t + ask!.wait!])) : call.asks.length > 0 ? null : 0;
    if (!call.result) return;
    const decided = asks.reduce((latest, { t, ask }) => Math.max(latest, t + ask!.wait!), Number.NEGATIVE_INFINITY);
    const since = decided > Number.NEGATIVE_INFINITY ? decided : call.ready;
    call.run = since === null ? null : Math.max(0, call.result.t - since);
  }

  forget(): void {
    this.#calls.clear();
  }

  endTurn(): void {
    for (const item of this.#open) {
      if (item.call!.state === 'running') item.call!.state = 'cut';
      this.measure(item);
    }
    this.#open.clear();
  }
}

/** Seconds covered by any of the intervals. */
export function union(intervals: [number, number][]): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return total;
}
