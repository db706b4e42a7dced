/** What an agent asks its client: approvals, questions, calls, hooks; bound to the calls that they hold up. */
import type { Decision, Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Calls } from './calls.ts';
import type { Item, Span } from './shape.ts';

type Asking = Event & { kind: 'approval' | 'question' | 'client-call' | 'hook' };

export class Asks {
  readonly #calls: Calls;
  readonly #open = new Set<Item>();
  /** By the id that answers and resolutions name. */
  readonly #named = new Map<string, Item>();
  /** Asked before their call was announced. */
  readonly #early = new Map<string, Item>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The same request sent once more: its row is there already. */
  again(event: Asking, frame: Frame): Item | null {
    if (!event.flags?.includes('resent')) return null;
    const item = event.request === null ? undefined : this.#named.get(event.request);
    if (!item) return null;
    item.parts++;
    if (!item.flags.includes('resent')) item.flags = [...item.flags, 'resent'];
    item.f_end = Math.max(item.f_end, frame.f);
    return item;
  }

  ask(item: Item, event: Asking, call: Item | null): void {
    const named = 'call' in event ? (event.call ?? null) : null;
    item.ask = {
      bound: false,
      request: event.request,
      call: named,
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
    if (event.kind === 'approval') {
      const { action, description, options, displays } = event;
      Object.assign(item.ask, { action, description, arguments: event.arguments, options, displays });
    }
    if (event.kind === 'question') item.ask.questions = event.questions;
    if (event.kind === 'client-call') Object.assign(item.ask, { action: event.what, arguments: event.arguments });
    if (event.kind === 'hook') Object.assign(item.ask, { action: event.event, tool: event.target });
    this.#open.add(item);
    if (event.request !== null) this.#named.set(event.request, item);
    if (call?.call && call.call.result === null) bind(call, item);
    else if (named !== null) this.#early.set(named, item);
  }

  /** A call was announced: what was asked about it before is its. */
  announced(call: Item): void {
    const id = call.call?.id;
    const early = id === null || id === undefined ? undefined : this.#early.get(id);
    if (!early || !call.call) return;
    this.#early.delete(id!);
    early.flags = [...early.flags, 'before-call'];
    bind(call, early);
  }

  answer(item: Item, event: Event, frame: Frame): void {
    const ask = item.ask!;
    const valid = !('decision' in event) || event.decision !== null;
    // The first valid answer decides; until there is one, the first.
    if (ask.wait !== null && !(valid && ask.decision === null && !ask.resolved)) return;
    ask.wait = Math.max(0, frame.t - item.t);
    if ('decision' in event) ask.decision = event.decision as Decision | null;
    if ('feedback' in event) ask.feedback = event.feedback;
    if ('edited' in event) ask.edited = event.edited;
    if ('answers' in event) ask.answers = event.answers;
    if (valid) this.#open.delete(item);
    this.#remeasure(item);
  }

  /** The agent says what it made of it. */
  resolve(request: string | null, decision: Decision | null, frame: Frame): Item | null {
    const item = request === null ? undefined : this.#named.get(request);
    if (!item?.ask) return null;
    item.ask.resolved ??= { f: frame.f, t: frame.t, decision };
    this.#close(item, frame.t);
    return item;
  }

  callEnded(call: Item, t: number): void {
    for (const item of call.call!.asks) this.#close(item, t);
  }

  forget(): void {
    this.#named.clear();
    this.#early.clear();
    this.#open.clear();
  }

  endTurn(turn: Span, t: number): void {
    for (const item of this.#open) if (item.f >= turn.f) this.#close(item, t);
  }

  #close(item: Item, t: number): void {
    if (!this.#open.delete(item)) return;
    item.ask!.wait ??= Math.max(0, t - item.t);
    this.#remeasure(item);
  }

  #remeasure(item: Item): void {
    const call = this.#calls.latest(item.ask!.call);
    if (call) this.#calls.measure(call);
  }
}

function bind(call: Item, ask: Item): void {
  call.call!.asks.push(ask);
  ask.ask!.bound = true;
}
