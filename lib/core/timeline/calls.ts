/** Calls of tools: announced, completed, asked about, answered; waiting apart from running. */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Agent } from './agents.ts';
import { flagged, type Place, reach } from './item.ts';
import { Recent } from './recent.ts';
import { type Call, type Item, isYes } from './shape.ts';
import { union } from './waiting.ts';

/** So many calls of one id are remembered where memory is bounded. */
const SAME_ID = 16;

export class Calls {
  /** By id, the latest last: ids may come again in later turns. */
  readonly #calls: Recent<string, Item[]>;
  /** By the name of the tool, the latest. */
  readonly #tools: Recent<string, Item>;
  readonly #open: Recent<Item, true>;
  readonly #sameId: number;
  /** Those that a hook of the agent's own blocked. */
  readonly #blocked = new WeakSet<Item>();

  constructor(limit: number) {
    this.#calls = new Recent(limit);
    this.#tools = new Recent(limit);
    this.#open = new Recent(limit);
    this.#sameId = limit === Number.POSITIVE_INFINITY ? limit : SAME_ID;
  }

  announce(item: Item, event: Event & { kind: 'tool-call' }, frame: Frame): void {
    const { call: id, tool = null, args, complete, writes = false } = event;
    item.call = {
      id,
      tool,
      args: args ?? '',
      ready: complete ? frame.t : null,
      writes,
      asks: [],
      result: null,
      state: 'running',
      queue: null,
      wait: null,
      run: null,
    };
    item.blocks = event.blocks ?? [];
    this.#open.set(item, true);
    if (tool !== null) this.#tools.set(tool, item);
    if (id === null) return;
    const known = this.#calls.get(id);
    if (!known) this.#calls.set(id, [item]);
    else if (known.push(item) > this.#sameId) known.shift();
  }

  latest(id: string | null): Item | null {
    return id === null ? null : (this.#calls.get(id)?.at(-1) ?? null);
  }

  latestOfTool(tool: string | null): Item | null {
    return tool === null ? null : (this.#tools.get(tool) ?? null);
  }

  /** The latest of the id that has no result yet: of the agent that speaks, if it has one. */
  pending(id: string | null, { subagent }: Event): Item | null {
    const known = id === null ? undefined : this.#calls.get(id);
    if (!known) return null;
    const speaker = subagent ?? null;
    let latest: Item | null = null;
    for (let at = known.length - 1; at >= 0; at--) {
      const item = known[at]!;
      if (item.call!.result !== null) continue;
      if (item.subagent === speaker) return item;
      latest ??= item;
    }
    return latest;
  }

  /** The call that an approval is about: the latest of its id that nobody was asked about before (rule C2). */
  unasked(id: string | null): Item | null {
    const known = id === null ? undefined : this.#calls.get(id);
    const isUnasked = ({ call }: Item) => call!.result === null && call!.asks.every(({ kind }) => kind !== 'approval');
    return known?.findLast(isUnasked) ?? null;
  }

  /** The only call that somebody waits for. */
  get single(): Item | null {
    const waited = [...this.#open.keys()].filter(({ flags }) => !flags.includes('cancelled'));
    return waited.length === 1 ? waited[0]! : null;
  }

  /** The call in whose result this agent is named: it goes on in the background. */
  whoseResultNames(agent: string): Item | null {
    const names = (item: Item) =>
      item.call!.result?.blocks.some((block) => block.type === 'text' && block.text.includes(agent));
    for (const items of [...this.#calls.values()].reverse()) {
      const found = items.findLast(names);
      if (found) return found;
    }
    return null;
  }

  restate(event: Event & { kind: 'tool-call' }): Item | null {
    const item = this.pending(event.call, event) ?? this.latest(event.call);
    if (!item?.call) return null;
    if (event.args !== null && item.call.result === null) item.call.args = event.args;
    item.call.tool ??= event.tool ?? null;
    if (event.blocks) item.blocks = event.blocks;
    item.parts++;
    return item;
  }

  args(agent: Agent, event: Event & { kind: 'tool-args' }, frame: Frame): Item | null {
    const item = event.call === null ? agent.call : this.pending(event.call, event);
    if (!item?.call) return null;
    const { call } = item;
    agent.held = null;
    if (!event.replace) call.args += event.text ?? '';
    else if (event.text !== undefined) {
      call.args = event.text;
      // Told as a whole each time: complete with the last before anybody is asked.
      if (call.asks.length === 0) call.ready = frame.t;
    }
    call.tool = event.tool ?? call.tool;
    if (event.blocks) item.blocks = event.blocks;
    item.parts++;
    return item;
  }

  /**
   * The agent goes on to something else: the arguments of its latest call are complete. If it held everything back while
   * it waited for an answer about another call, they were with the last of them that came (rule W2).
   */
  ready(agent: Agent, t: number): void {
    const { call, held } = agent;
    agent.held = null;
    if (call) this.readyNow(call, held && held.ask?.wait !== null ? call.t_end : t);
  }

  readyNow({ call }: Item, t: number): void {
    if (call && call.ready === null) call.ready = t;
  }

  /** The call that this result closes: the latest open one of its id. */
  result(event: Event & { kind: 'tool-result' }, frame: Frame): Item | null {
    const item = this.pending(event.call, event) ?? (event.replace ? this.latest(event.call) : null);
    if (!item?.call) return null;
    const { call } = item;
    this.readyNow(item, frame.t);
    const { f, t } = call.result ?? frame;
    call.result = { f, t, ok: event.ok, blocks: event.blocks, displays: event.displays };
    call.tool = event.tool ?? call.tool;
    call.state = 'done';
    this.#open.delete(item);
    return item;
  }

  /** A hook said no to the latest call of that tool. */
  block(tool: string | null): void {
    const item = this.latestOfTool(tool);
    if (item?.call?.result === null) this.#blocked.add(item);
  }

  /** The agent's own rules refused it, and nobody was asked: it never ran. */
  ruledOut(id: string): void {
    const item = this.latest(id);
    if (!item || item.call!.asks.length > 0) return;
    flagged(item, 'rule-denied');
    item.call!.run = null;
  }

  measure(item: Item): void {
    const { call } = item;
    if (!call) return;
    const { asks, result } = call;
    if (asks.length === 0) {
      call.queue = null;
      call.wait = 0;
      if (!result || (!result.ok && this.#blocked.has(item))) return;
      call.run = call.ready === null ? null : Math.max(0, result.t - call.ready);
      return;
    }
    const closed = asks.filter(({ ask }) => ask!.wait !== null);
    const first = asks[0]!;
    call.queue = call.ready !== null ? Math.max(0, first.t - call.ready) : null;
    const waited = closed.map(({ t, ask }): [number, number] => [t, t + ask!.wait!]);
    call.wait = closed.length > 0 ? union(waited) : null;
    if (!result || (!result.ok && (this.#blocked.has(item) || isRefused(call)))) return;
    // What is asked after the result holds up something else.
    const decided = waited.reduce((latest, [from, to]) => (from < result.t ? Math.max(latest, to) : latest), -1);
    const since = decided >= 0 ? decided : call.ready;
    call.run = since === null ? null : Math.max(0, result.t - since);
  }

  /** What has no result when its turn is over ends with it: given up if the turn went on without it (rules W4 and S5). */
  endTurn(turn: number, end: Place, state: 'cut' | 'abandoned'): void {
    for (const item of this.#open.keys()) if (item.turn === turn) this.#end(item, end, state);
  }

  endAll(end: Place): void {
    for (const item of this.#open.keys()) this.#end(item, end, 'cut');
  }

  #end(item: Item, end: Place, state: 'cut' | 'abandoned'): void {
    if (item.call!.state === 'running') item.call!.state = state;
    reach(item, end.f, end.t);
    this.measure(item);
    this.#open.delete(item);
  }

  get retained(): number {
    let count = this.#tools.size + this.#open.size;
    for (const items of this.#calls.values()) count += items.length;
    return count;
  }
}

/** Somebody was asked and nobody allowed it: a failure then never ran (rule A6). After a silent hook, agents go on. */
function isRefused({ asks, result }: Call): boolean {
  const isNo = ({ f, kind, ask }: Item) =>
    f < result!.f &&
    (kind === 'approval'
      ? !isYes(ask!.resolved?.decision ?? ask!.decision)
      : kind === 'hook' && ask!.decision === 'deny');
  return asks.some(isNo);
}
