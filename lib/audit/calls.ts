/** Calls of tools, as the audit needs them: bound to what was asked about them and to their results (rules C1-C4). */
import type { Event } from '../core/event.ts';
import { Recent } from '../core/timeline/recent.ts';
import type { Call, Case, Place } from './case.ts';

const REMEMBERED = 10_000;
const SAME_ID = 16;
/** Characters of arguments that are kept of one call, and of all. */
const LONGEST = 1 << 22;
const ROOM = 1 << 25;

const NONE: ReadonlySet<Case> = new Set();

/** Where a call stands: its frame, the event in it, its turn, and what held there. */
export type Standing = Place & Pick<Call, 'n' | 'turn' | 'free' | 'modes'>;

type OfCall = Event & { kind: 'tool-call' | 'tool-args' | 'tool-result' };

export class Calls {
  /** By id, the latest last: ids may come again in later turns. */
  readonly #byId = new Recent<string, Call[]>(REMEMBERED);
  readonly #open = new Recent<Call, true>(REMEMBERED);
  /** The latest of each tool. */
  readonly #byTool = new Recent<string, Call>(REMEMBERED);
  /** Calls whose arguments are kept, the oldest first, and how many characters these are. */
  readonly #kept = new Map<Call, number>();
  #room = ROOM;

  /** A call, and whether it was asked about before it was announced. */
  announce(event: Event & { kind: 'tool-call' }, standing: Standing): { call: Call; early: boolean } {
    const expected = this.#expected(event.call, standing);
    const call = expected ?? this.#add(event.call, standing);
    if (expected) Object.assign(call, standing, { turn: standing.turn ?? call.turn });
    call.announced = true;
    call.subagent = event.subagent ?? call.subagent;
    this.learn(call, event);
    if (call.tool !== null) this.#byTool.set(call.tool, call);
    return { call, early: expected !== undefined };
  }

  /** What was asked in another turn was about another call. */
  #expected(id: string | null, standing: Standing): Call | undefined {
    const isIt = ({ announced, result, turn }: Call) =>
      !announced && result === null && (turn === null || turn === standing.turn);
    return this.#list(id).find(isIt);
  }

  /** A request about a call that nobody has announced. */
  expect(id: string, standing: Standing): Call {
    return this.#add(id, standing);
  }

  #add(id: string | null, standing: Standing): Call {
    const { f, t, n, turn, free, modes } = standing;
    // One literal: floods make many of these.
    const call: Call = {
      id,
      f,
      t,
      n,
      turn,
      free,
      modes,
      subagent: null,
      tool: null,
      action: null,
      writes: false,
      args: '',
      argsF: f,
      announced: false,
      asked: null,
      asks: NONE,
      clientRuns: false,
      ran: null,
      result: null,
    };
    this.#open.set(call, true);
    if (id === null) return call;
    const known = this.#byId.get(id);
    if (!known) this.#byId.set(id, [call]);
    else if (known.push(call) > SAME_ID) known.shift();
    return call;
  }

  /** More about a call: its name, what it does, its arguments. */
  learn(call: Call, event: OfCall, f = call.f): void {
    call.tool = event.tool ?? call.tool;
    if (event.kind === 'tool-result') return;
    if (event.kind === 'tool-args') {
      if (event.text === undefined) return;
      if (event.replace) return this.#setArgs(call, event.text, f);
      if (call.args !== null) this.#setArgs(call, call.args + event.text, f);
      return;
    }
    call.writes = event.writes ?? call.writes;
    call.action = event.action ?? call.action;
    if (event.args !== null) this.#setArgs(call, event.args, f);
  }

  #setArgs(call: Call, args: string, f: number): void {
    if (args.length > LONGEST) {
      Object.assign(call, { args: null, argsF: f });
      return this.#release(call);
    }
    this.#room += (this.#kept.get(call) ?? 0) - args.length;
    this.#kept.set(call, args.length);
    Object.assign(call, { args, argsF: f });
    if (this.#room >= 0 && this.#kept.size <= REMEMBERED) return;
    for (const oldest of this.#kept.keys()) {
      if ((this.#room >= ROOM / 4 && this.#kept.size <= REMEMBERED * 0.75) || oldest === call) return;
      oldest.args = null;
      this.#release(oldest);
    }
  }

  #release(call: Call): void {
    this.#room += this.#kept.get(call) ?? 0;
    this.#kept.delete(call);
  }

  #list(id: string | null): Call[] {
    return (id === null ? undefined : this.#byId.get(id)) ?? [];
  }

  latest(id: string | null): Call | null {
    return this.#list(id).at(-1) ?? null;
  }

  latestOf(tool: string | null): Call | null {
    return tool === null ? null : (this.#byTool.get(tool) ?? null);
  }

  /** The latest of the id without a result: of the agent that speaks, if it has one. */
  pending(id: string | null, { subagent }: Event): Call | null {
    const open = this.#list(id).filter(({ result }) => result === null);
    return open.findLast((call) => call.subagent === (subagent ?? null)) ?? open.at(-1) ?? null;
  }

  /** The call that an approval is about: the latest of its id that nobody was asked about before. */
  unasked(id: string | null): Call | null {
    return this.#list(id).findLast(({ asked, result, announced }) => announced && !asked && !result) ?? null;
  }

  /** The only call without a result. */
  get single(): Call | null {
    return this.#open.size === 1 ? this.#open.keys().next().value! : null;
  }

  /** The call that this result closes; ACP may tell a result twice. */
  result(event: Event & { kind: 'tool-result' }, { f, t }: Place): Call | null {
    const call = this.pending(event.call, event) ?? (event.replace ? this.latest(event.call) : null);
    if (!call) return null;
    this.learn(call, event, f);
    call.result = {
      f: call.result?.f ?? f,
      t: call.result?.t ?? t,
      ok: event.ok,
      text: (event.text ?? '').slice(0, 1000),
    };
    this.#open.delete(call);
    return call;
  }

  get retained(): number {
    let count = this.#open.size + this.#byTool.size + this.#kept.size;
    for (const calls of this.#byId.values()) count += calls.length;
    return count;
  }
}
