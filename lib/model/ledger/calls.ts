/** Tool calls: announced, completed, asked about, finished (rules C1-C4). */
import type { Block, Event } from '../event.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Agent } from './agents.ts';
import { measureCall } from './call-times.ts';
import { type Call, type FramePosition, isRunning, type TurnRecord } from './records.ts';
import { SizeLimitedSet } from './size-limited-set.ts';

/** How many calls with the same id are kept if memory is bounded. */
const MAX_CALLS_PER_ID = 16;
/** How many calls outside a turn are kept, because they may belong to the next turn. */
const MAX_CALLS_OUTSIDE_TURNS = 1000;
/** Characters of the arguments of one call that are kept, and of all. */
export const MAX_ARGS_CHARS = 1 << 22;
const MAX_TOTAL_ARGS_CHARS = 1 << 25;
/** How many characters of the text of a result are kept. */
const MAX_RESULT_TEXT_CHARS = 1000;
const NO_BLOCKS: Block[] = [];

type CallEvent<K extends Event['kind']> = Event & { kind: K };

export class Calls {
  /** By id, latest last. Later turns may use an id again. */
  readonly #byId: LimitedMap<string, Call[]>;
  /** The latest call of each tool. */
  readonly #byTool: LimitedMap<string, Call>;
  /** Announced, without a result, in a turn that is still open. */
  readonly #open: LimitedMap<Call, true>;
  /** Those whose arguments are kept. */
  readonly #args: SizeLimitedSet<Call>;
  readonly #bounded: boolean;
  /** What results contain is kept. */
  readonly #keepsContents: boolean;
  /** Calls that the agent's own hook blocked. */
  readonly #blocked = new WeakSet<Call>();
  /** The calls that ran when the process ended. */
  #runningAtEnd: readonly Call[] | null = null;
  /** Announced outside a turn since the last turn began. */
  #outside: Call[] = [];
  /** Calls that this frame ended, with their turn or with the process. */
  readonly cut: Call[] = [];
  /** Calls that this frame added to a turn. */
  readonly adopted: Call[] = [];

  constructor(limit: number, contents = limit === Number.POSITIVE_INFINITY) {
    this.#keepsContents = contents;
    this.#byId = new LimitedMap(limit, (calls) => calls.some(isRunning));
    this.#byTool = new LimitedMap(limit);
    this.#open = new LimitedMap(limit);
    this.#bounded = limit !== Number.POSITIVE_INFINITY;
    this.#args = new SizeLimitedSet(limit, MAX_TOTAL_ARGS_CHARS, isRunning, (call) => {
      call.args = null;
    });
  }

  /** The calls that run, or ran when the process ended, oldest first. */
  get running(): readonly Call[] {
    return this.#runningAtEnd ?? [...this.#open.keys()].filter(({ state }) => state === 'running');
  }

  /** The process ends. Call this before the turns and calls in it end. */
  endProcess(): void {
    this.#runningAtEnd ??= this.running;
  }

  /** Announces a call. Something may have been asked about it before (rule C2). */
  announce(event: CallEvent<'tool-call'>, n: number, place: FramePosition, turn: TurnRecord | null): Call {
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
    if (!call.turn && this.#outside.push(call) > MAX_CALLS_OUTSIDE_TURNS) this.#outside.shift();
    this.#update(call, event, place);
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
  expect(id: string, n: number, place: FramePosition, turn: TurnRecord | null): Call {
    return this.#add(id, n, place, turn);
  }

  #add(id: string | null, n: number, { f, t }: FramePosition, turn: TurnRecord | null): Call {
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
      isAmbiguous: false,
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
    else if (known.push(call) > MAX_CALLS_PER_ID && this.#bounded) known.shift();
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
  findPending(id: string | null, { subagent }: Event): Call | null {
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
  findUnasked(id: string | null): Call | null {
    const open = this.#list(id).filter(({ announced, result }) => announced && result === null);
    const isUnasked = ({ asks }: Call) => asks.every(({ kind }) => kind !== 'approval');
    const isAnswered = ({ asks }: Call) => asks.every(({ kind, decided }) => kind !== 'approval' || decided !== null);
    return open.findLast(isUnasked) ?? open.findLast(isAnswered) ?? null;
  }

  /** The only open call, if there is exactly one. */
  get onlyOpenCall(): Call | null {
    let single: Call | null = null;
    for (const call of this.#open.keys()) {
      if (call.withdrawn) continue;
      if (single) return null;
      single = call;
    }
    return single;
  }

  /** The call whose result names this agent, which continues in the background. */
  findByResultText(agent: string): Call | null {
    const names = ({ result }: Call) =>
      result !== null &&
      (result.text.includes(agent) || result.blocks.some((one) => one.type === 'text' && one.text.includes(agent)));
    for (const calls of [...this.#byId.values()].reverse()) {
      const found = calls.findLast(names);
      if (found) return found;
    }
    return null;
  }

  restate(event: CallEvent<'tool-call'>, place: FramePosition): Call | null {
    const call = this.findPending(event.call, event) ?? this.latest(event.call);
    if (call && !call.result) this.#update(call, event, place);
    return call;
  }

  /** More arguments. If `call` is null, they belong to the latest call of the same agent. */
  addArgs(agent: Agent, event: CallEvent<'tool-args'>, place: FramePosition): Call | null {
    const call = event.call === null ? agent.call : this.findPending(event.call, event);
    if (!call) return null;
    agent.held = null;
    // Sent as a whole each time, so the last before a request is complete.
    if (event.replace && event.text !== undefined && call.asks.length === 0) call.ready = place.t;
    this.#update(call, event, place);
    return call;
  }

  /** Adds the name, the action, the subject and the arguments that an event has. */
  #update(call: Call, event: CallEvent<'tool-call' | 'tool-args'>, place: FramePosition): void {
    updateCall(call, event);
    if (event.kind === 'tool-args') {
      if (event.text === undefined) return;
      if (event.replace) this.#setArgs(call, event.text, place);
      else if (call.args !== null) this.#setArgs(call, call.args + event.text, place);
      return;
    }
    if (event.args !== null) this.#setArgs(call, event.args, place);
  }

  #setArgs(call: Call, args: string, { f, t }: FramePosition): void {
    const isTooLong = this.#bounded && args.length > MAX_ARGS_CHARS;
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
  completeArgs(agent: Agent, t: number): void {
    const { call, held } = agent;
    if (held) agent.held = null;
    if (call && call.ready === null) call.ready = held && held.wait !== null ? call.args_t : t;
  }

  /** The call that this result ends: the latest open one with its id. ACP may send a result twice. */
  addResult(event: CallEvent<'tool-result'>, { f, t }: FramePosition): Call | null {
    const call = this.findPending(event.call, event) ?? (event.replace ? this.latest(event.call) : null);
    if (!call) return null;
    call.ready ??= t;
    const first = call.result ?? { f, t };
    const { blocks, displays } = this.#keepsContents ? event : { blocks: NO_BLOCKS, displays: NO_BLOCKS };
    const text = (event.text ?? '').slice(0, MAX_RESULT_TEXT_CHARS);
    const { ok, ruling = null, stopped = false } = event;
    call.result = { f: first.f, t: first.t, ok, text, blocks, displays, ruling, stopped };
    updateCall(call, event);
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
function updateCall(call: Call, event: CallEvent<'tool-call' | 'tool-args' | 'tool-result'>): void {
  call.tool = event.tool ?? call.tool;
  call.writes = event.writes ?? call.writes;
  call.action = event.action ?? call.action;
  if (event.subject !== undefined) call.subject = event.subject;
}
