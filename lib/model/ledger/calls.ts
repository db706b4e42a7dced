/** Tool calls: announced, completed, asked about, finished (rules C1-C4). */
import type { Block, Event } from '../event.ts';
import { Recent } from '../recent.ts';
import type { Agent } from './agents.ts';
import { measureCall } from './call-times.ts';
import { type Call, isRunning, type Place, type TurnRecord } from './records.ts';
import { Room } from './room.ts';

/** How many calls with the same id are kept if memory is bounded. */
const SAME_ID = 16;
/** How many calls outside a turn are kept, because they may belong to the next turn. */
const MOST_OUTSIDE = 1000;
/** Characters of the arguments of one call that are kept, and of all. */
export const LONGEST_ARGS = 1 << 22;
const ROOM = 1 << 25;
/** How many characters of the text of a result are kept. */
const GLANCE = 1000;
const NO_BLOCKS: Block[] = [];

type Of<K extends Event['kind']> = Event & { kind: K };

export class Calls {
  /** By id, latest last. Later turns may use an id again. */
  readonly #byId: Recent<string, Call[]>;
  /** The latest call of each tool. */
  readonly #byTool: Recent<string, Call>;
  /** Announced, without a result, in a turn that is still open. */
  readonly #open: Recent<Call, true>;
  /** Those whose arguments are kept. */
  readonly #args: Room<Call>;
  readonly #bounded: boolean;
  /** What results contain is kept. */
  readonly #contents: boolean;
  /** Calls that the agent's own hook blocked. */
  readonly #blocked = new WeakSet<Call>();
  /** The calls that ran when the process ended. */
  #left: readonly Call[] | null = null;
  /** Announced outside a turn since the last turn began. */
  #outside: Call[] = [];
  /** Calls that this frame ended, with their turn or with the process. */
  readonly cut: Call[] = [];
  /** Calls that this frame added to a turn. */
  readonly adopted: Call[] = [];

  constructor(limit: number, contents = limit === Number.POSITIVE_INFINITY) {
    this.#contents = contents;
    this.#byId = new Recent(limit, (calls) => calls.some(isRunning));
    this.#byTool = new Recent(limit);
    this.#open = new Recent(limit);
    this.#bounded = limit !== Number.POSITIVE_INFINITY;
    this.#args = new Room(limit, ROOM, isRunning, (call) => {
      call.args = null;
    });
  }

  /** The calls that run, or ran when the process ended, oldest first. */
  get running(): readonly Call[] {
    return this.#left ?? [...this.#open.keys()].filter(({ state }) => state === 'running');
  }

  /** The process ends. Call this before the turns and calls in it end. */
  processEnds(): void {
    this.#left ??= this.running;
  }

  /** Announces a call. Something may have been asked about it before (rule C2). */
  announce(event: Of<'tool-call'>, n: number, place: Place, turn: TurnRecord | null): Call {
    const expected = this.#expected(event.call, turn);
    const call = expected ?? this.#add(event.call, n, place, turn);
    if (expected) {
      Object.assign(call, { f: place.f, t: place.t, n, turn: turn ?? call.turn });
      // If the request came before its call, the call starts at the request (rule W3).
      call.ready = call.asks[0]!.t;
    } else if (event.complete) call.ready = place.t;
    call.announced = true;
    call.subagent = event.subagent ?? call.subagent;
    this.#open.set(call, true);
    if (!call.turn && this.#outside.push(call) > MOST_OUTSIDE) this.#outside.shift();
    this.#learn(call, event, place);
    if (call.tool !== null) this.#byTool.set(call.tool, call);
    return call;
  }

  /** Calls in these frames belong to the turn that begins now (rule T6). */
  adopt(frames: ReadonlySet<number>, turn: TurnRecord): void {
    for (const call of this.#outside) {
      if (!frames.has(call.f)) continue;
      call.turn = turn;
      this.adopted.push(call);
    }
    this.#outside = [];
  }

  /** A request in another turn was about another call. What runs in the background has no turn. */
  #expected(id: string | null, turn: TurnRecord | null): Call | undefined {
    const isOfTurn = (call: Call) => call.turn === null || turn === null || call.turn === turn;
    return this.#list(id).find((call) => !call.announced && call.result === null && isOfTurn(call));
  }

  /** A request refers to a call that has not been announced. */
  expect(id: string, n: number, place: Place, turn: TurnRecord | null): Call {
    return this.#add(id, n, place, turn);
  }

  #add(id: string | null, n: number, { f, t }: Place, turn: TurnRecord | null): Call {
    // One literal for speed: a flood makes many of these.
    const call: Call = {
      id,
      f,
      t,
      n,
      turn,
      subagent: null,
      tool: null,
      action: null,
      subject: null,
      writes: false,
      args: '',
      args_f: f,
      args_t: t,
      ready: null,
      announced: false,
      asks: [],
      doubtful: false,
      client_runs: false,
      withdrawn: false,
      ran_f: null,
      result: null,
      state: 'running',
      queue: null,
      wait: null,
      run: null,
      item: null,
    };
    if (id === null) return call;
    const known = this.#byId.get(id);
    if (!known) this.#byId.set(id, [call]);
    else if (known.push(call) > SAME_ID && this.#bounded) known.shift();
    return call;
  }

  #list(id: string | null): Call[] {
    return (id === null ? undefined : this.#byId.get(id)) ?? [];
  }

  latest(id: string | null): Call | null {
    return this.#list(id).at(-1) ?? null;
  }

  /** The latest of the id that an agent announced. */
  latestAnnounced(id: string | null): Call | null {
    return this.#list(id).findLast(({ announced }) => announced) ?? null;
  }

  latestOfTool(tool: string | null): Call | null {
    return tool === null ? null : (this.#byTool.get(tool) ?? null);
  }

  /** The latest call with this id and no result. Prefers calls of the agent that speaks, then announced ones. */
  pending(id: string | null, { subagent }: Event): Call | null {
    const known = this.#list(id);
    const speaker = subagent ?? null;
    let latest: Call | null = null;
    let expected: Call | null = null;
    for (let at = known.length - 1; at >= 0; at--) {
      const call = known[at]!;
      if (call.result !== null) continue;
      if (!call.announced) expected ??= call;
      else if (call.subagent === speaker) return call;
      else latest ??= call;
    }
    return latest ?? expected;
  }

  /**
   * The call that an approval is about: the latest with its id and without an approval (rule C2), or else whose approvals
   * are answered: an agent may ask again before it leaves a sandbox.
   */
  unasked(id: string | null): Call | null {
    const open = this.#list(id).filter(({ announced, result }) => announced && result === null);
    const isUnasked = ({ asks }: Call) => asks.every(({ kind }) => kind !== 'approval');
    const isAnswered = ({ asks }: Call) => asks.every(({ kind, decided }) => kind !== 'approval' || decided !== null);
    return open.findLast(isUnasked) ?? open.findLast(isAnswered) ?? null;
  }

  /** The only open call, if there is exactly one. */
  get single(): Call | null {
    let single: Call | null = null;
    for (const call of this.#open.keys()) {
      if (call.withdrawn) continue;
      if (single) return null;
      single = call;
    }
    return single;
  }

  /** The call whose result names this agent, which continues in the background. */
  whoseResultNames(agent: string): Call | null {
    const names = ({ result }: Call) =>
      result !== null &&
      (result.text.includes(agent) || result.blocks.some((one) => one.type === 'text' && one.text.includes(agent)));
    for (const calls of [...this.#byId.values()].reverse()) {
      const found = calls.findLast(names);
      if (found) return found;
    }
    return null;
  }

  restate(event: Of<'tool-call'>, place: Place): Call | null {
    const call = this.pending(event.call, event) ?? this.latest(event.call);
    if (call && !call.result) this.#learn(call, event, place);
    return call;
  }

  /** More arguments. If `call` is null, they belong to the latest call of the same agent. */
  args(agent: Agent, event: Of<'tool-args'>, place: Place): Call | null {
    const call = event.call === null ? agent.call : this.pending(event.call, event);
    if (!call) return null;
    agent.held = null;
    // Sent as a whole each time, so the last before a request is complete.
    if (event.replace && event.text !== undefined && call.asks.length === 0) call.ready = place.t;
    this.#learn(call, event, place);
    return call;
  }

  /** Adds the name, the action, the subject and the arguments that an event has. */
  #learn(call: Call, event: Of<'tool-call' | 'tool-args'>, place: Place): void {
    describe(call, event);
    if (event.kind === 'tool-args') {
      if (event.text === undefined) return;
      if (event.replace) this.#setArgs(call, event.text, place);
      else if (call.args !== null) this.#setArgs(call, call.args + event.text, place);
      return;
    }
    if (event.args !== null) this.#setArgs(call, event.args, place);
  }

  #setArgs(call: Call, args: string, { f, t }: Place): void {
    const isTooLong = this.#bounded && args.length > LONGEST_ARGS;
    call.args_f = f;
    call.args_t = t;
    call.args = isTooLong ? null : args;
    if (isTooLong) this.#args.drop(call);
    else this.#args.keep(call, args.length);
  }

  /**
   * The agent continues with something else, so the arguments of its latest call are complete. If it sent nothing while
   * it waited for an answer about another call, they were complete with their last part (rule W2).
   */
  ready(agent: Agent, t: number): void {
    const { call, held } = agent;
    if (held) agent.held = null;
    if (call && call.ready === null) call.ready = held && held.wait !== null ? call.args_t : t;
  }

  /** The call that this result ends: the latest open one with its id. ACP may send a result twice. */
  result(event: Of<'tool-result'>, { f, t }: Place): Call | null {
    const call = this.pending(event.call, event) ?? (event.replace ? this.latest(event.call) : null);
    if (!call) return null;
    call.ready ??= t;
    const first = call.result ?? { f, t };
    const { blocks, displays } = this.#contents ? event : { blocks: NO_BLOCKS, displays: NO_BLOCKS };
    const text = (event.text ?? '').slice(0, GLANCE);
    const { ok, ruling = null, stopped = false } = event;
    call.result = { f: first.f, t: first.t, ok, text, blocks, displays, ruling, stopped };
    describe(call, event);
    if (event.ran) call.ran_f ??= f;
    call.state = 'done';
    this.#open.delete(call);
    return call;
  }

  /** A hook blocked the latest call of that tool. */
  block(tool: string | null): void {
    const call = this.latestOfTool(tool);
    if (call?.result === null) this.#blocked.add(call);
  }

  measure(call: Call): void {
    measureCall(call, this.#blocked.has(call));
  }

  /** Calls without a result end with their turn; `abandoned` if the turn continued without them (rules W4 and S5). */
  endTurn(turn: TurnRecord, state: 'cut' | 'abandoned'): void {
    for (const call of this.#open.keys()) if (call.turn === turn) this.#end(call, state);
  }

  endAll(): void {
    for (const call of this.#open.keys()) this.#end(call, 'cut');
  }

  #end(call: Call, state: 'cut' | 'abandoned'): void {
    if (call.state === 'running') call.state = state;
    this.measure(call);
    this.#open.delete(call);
    this.cut.push(call);
  }

  get dropped(): number {
    return this.#open.forgotten;
  }

  get retained(): number {
    let count = this.#byTool.size + this.#open.size + this.#args.size;
    for (const calls of this.#byId.values()) count += calls.length;
    return count;
  }
}

/** Any event of a call may have its name and what it does. */
function describe(call: Call, event: Of<'tool-call' | 'tool-args' | 'tool-result'>): void {
  call.tool = event.tool ?? call.tool;
  call.writes = event.writes ?? call.writes;
  call.action = event.action ?? call.action;
  if (event.subject !== undefined) call.subject = event.subject;
}
