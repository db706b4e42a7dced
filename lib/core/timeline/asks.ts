/** What an agent asks its client: approvals, questions, calls, hooks; bound to the calls that they hold up. */
import type { Decision, Event } from '../event.ts';
import type { Calls } from './calls.ts';
import { flagged, type Place } from './item.ts';
import { Recent } from './recent.ts';
import { type Ask, type Item, isYes } from './shape.ts';
import type { Waiting } from './waiting.ts';

/** Flags of answers that say nothing about what was asked, or say it in other words. */
const OF_FRAMES = new Set(['dup', 'client-error']);

export type Asking = Event & { kind: 'approval' | 'question' | 'client-call' | 'hook' };

interface State {
  /** A valid answer has come: no other counts. */
  decided: boolean;
  /** The client gave up, by a cancel or its EOF: till then it was waited for, if no answer comes. */
  givenUp: number | null;
  /** It gave up by a cancel. */
  cancelled: boolean;
  waiting: Waiting[];
  /** The call that it holds up. */
  call: Item | null;
}

export class Asks {
  readonly #calls: Calls;
  /** Not settled yet: no result, no word of the agent, its turn not over (rule A1). */
  readonly #open: Recent<Item, State>;
  /** By the id that answers and resolutions name. */
  readonly #named: Recent<string, Item>;
  /** Asked before their call was announced, the oldest first. */
  readonly #early: Recent<string, Item[]>;
  readonly #waiting: Waiting;

  /** `waiting`: of the session. */
  constructor(calls: Calls, waiting: Waiting, limit: number) {
    this.#calls = calls;
    this.#waiting = waiting;
    this.#open = new Recent(limit);
    this.#named = new Recent(limit);
    this.#early = new Recent(limit);
  }

  /** The same request sent once more: its row is there already. */
  again(event: Asking): Item | null {
    if (!event.flags?.includes('resent')) return null;
    const item = event.request === null ? undefined : this.#named.get(event.request);
    if (!item) return null;
    item.parts++;
    flagged(item, 'resent');
    return item;
  }

  named(request: string): Item | null {
    return this.#named.get(request) ?? null;
  }

  /** `waiting`: of its turn, if it has one. */
  ask(item: Item, event: Asking, call: Item | null, waiting: Waiting | null): void {
    item.ask = newAsk(event);
    const named = item.ask.call;
    const state: State = { decided: false, givenUp: null, cancelled: false, waiting: [this.#waiting], call: null };
    if (waiting) state.waiting.push(waiting);
    this.#open.set(item, state);
    for (const one of state.waiting) one.opens(item);
    if (event.request !== null) this.#named.set(event.request, item);
    if (call) this.#bind(call, item);
    else if (named !== null && event.kind !== 'hook') {
      const early = this.#early.get(named);
      if (early) early.push(item);
      else this.#early.set(named, [item]);
    }
  }

  /** They were asked before their turn was taken up: all are open before any is closed, or what overlaps counts twice. */
  adopt(items: Item[], waiting: Waiting): void {
    for (const item of items) waiting.opens(item);
    for (const item of items) {
      const state = this.#open.get(item);
      if (!state || state.decided) waiting.closes(item);
      else state.waiting.push(waiting);
    }
  }

  /** A call was announced: what was asked about it before is its, and it starts with that (rules C2 and W3). */
  announced(call: Item): Item | null {
    const id = call.call!.id;
    const waiting = id === null ? undefined : this.#early.get(id);
    const early = waiting?.shift();
    if (!early) return null;
    if (waiting!.length === 0) this.#early.delete(id!);
    flagged(early, 'before-call');
    call.t = Math.min(call.t, early.t);
    call.call!.ready = early.t;
    early.turn = call.turn;
    early.step = call.step;
    early.subagent = call.subagent;
    early.parent = call.parent;
    this.#bind(call, early);
    return early;
  }

  #bind(call: Item, item: Item): void {
    call.call!.asks.push(item);
    item.ask!.bound = true;
    const state = this.#open.get(item);
    if (state) state.call = call;
    this.#calls.measure(call);
  }

  /** Whether this answer is the one that counts: the first valid one before it is settled, until then the first. */
  answer(item: Item, event: Event, t: number): boolean {
    const ask = item.ask!;
    const state = this.#open.get(item);
    const valid = !('decision' in event) || event.decision !== null;
    const isFirst = item.answer === null;
    for (const flag of event.flags ?? []) if (!OF_FRAMES.has(flag)) flagged(item, flag);
    const late = lateness(state, valid, isFirst);
    if (late !== null) flagged(item, late);
    if (!state || state.decided || !(valid || isFirst)) return isFirst;
    state.decided = valid;
    ask.wait = Math.max(0, t - item.t);
    if ('decision' in event) ask.decision = event.decision as Decision | null;
    if ('feedback' in event) ask.feedback = event.feedback;
    if ('reason' in event) ask.feedback = event.reason;
    if ('edited' in event) ask.edited = event.edited;
    if ('answers' in event) ask.answers = event.answers;
    if (valid) for (const one of state.waiting) one.closes(item);
    if (state.call) this.#calls.measure(state.call);
    return true;
  }

  /** The agent says what it made of it. */
  resolve(request: string | null, decision: Decision | null, { f, t }: Place): Item | null {
    const item = request === null ? undefined : this.#named.get(request);
    if (!item?.ask) return null;
    item.ask.resolved ??= { f, t, decision };
    this.settle(item, t);
    return item;
  }

  /** The agent goes on after a hook: nobody waits for the oldest of that event and target any more. */
  hookResolved(event: string | null, target: string | null, t: number): void {
    for (const item of this.#open.keys()) {
      const { action, tool } = item.ask!;
      if (item.kind === 'hook' && action === event && tool === target) return this.settle(item, t);
    }
  }

  callEnded(call: Item, t: number): void {
    for (const item of call.call!.asks) this.settle(item, t);
  }

  /** The client cancelled a turn (null: it is gone): what it was asked there it may yet answer, but nobody waits for it. */
  givesUp(turn: number | null, t: number): void {
    for (const [item, state] of this.#open.entries()) {
      if (turn !== null && item.turn !== turn) continue;
      if (state.givenUp === null) state.cancelled = turn !== null;
      state.givenUp ??= t;
    }
  }

  endTurn(turn: number, t: number): void {
    for (const item of this.#open.keys()) if (item.turn === turn) this.settle(item, t);
    // A call that is announced in another turn is another call.
    for (const [id, items] of this.#early.entries())
      if (items.every((item) => item.turn === turn)) this.#early.delete(id);
  }

  endAll(t: number): void {
    for (const item of this.#open.keys()) this.settle(item, t);
  }

  settle(item: Item, t: number): void {
    const state = this.#open.get(item);
    if (!state) return;
    this.#open.delete(item);
    const ask = item.ask!;
    ask.wait ??= Math.max(0, (state.givenUp ?? t) - item.t);
    // Rule A4: who cancels the turn decides, unless the agent took something else for a yes.
    if (item.kind === 'approval' && state.cancelled && item.answer === null && !isYes(ask.resolved?.decision))
      ask.decision = 'cancelled';
    for (const one of state.waiting) one.closes(item);
    if (state.call) this.#calls.measure(state.call);
  }

  get retained(): number {
    return this.#open.size + this.#named.size + this.#early.size + this.#waiting.retained;
  }
}

function lateness(state: State | undefined, valid: boolean, isFirst: boolean): string | null {
  if (!state) return 'late-answer';
  if (isFirst) return null;
  return valid && !state.decided ? 'answered-again' : 'duplicate-answer';
}

function newAsk(event: Asking): Ask {
  const ask: Ask = {
    bound: false,
    request: event.request,
    call: event.call ?? null,
    tool: 'tool' in event ? (event.tool ?? null) : null,
    action: null,
    description: null,
    arguments: null,
    options: [],
    displays: [],
    questions: [],
    decision: null,
    edited: undefined,
    feedback: null,
    answers: null,
    resolved: null,
    wait: null,
  };
  describe(ask, event);
  return ask;
}

/** What it is about, in the words of its kind. */
function describe(ask: Ask, event: Asking): void {
  switch (event.kind) {
    case 'approval':
      ask.action = event.action;
      ask.description = event.description;
      ask.arguments = event.arguments;
      ask.options = event.options;
      ask.displays = event.displays;
      return;
    case 'question':
      ask.questions = event.questions;
      return;
    case 'client-call':
      ask.action = event.what;
      ask.arguments = event.arguments;
      return;
    case 'hook':
      ask.action = event.event;
      ask.tool = event.target;
  }
}
