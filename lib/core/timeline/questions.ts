/** What an agent asks its client, what it is answered, and what is withdrawn (rules A1, C2, W2 and W3). */
import type { Event } from '../event.ts';
import type { Asking, Asks } from './asks.ts';
import { Hooks } from './hooks.ts';
import { flagged, shed } from './item.ts';
import type { Of, Placing, Read } from './placing.ts';
import type { Item } from './shape.ts';

export class Questions {
  readonly #placing: Placing;
  readonly #asks: Asks;
  readonly #hooks: Hooks;

  constructor(placing: Placing, asks: Asks, limit: number) {
    this.#placing = placing;
    this.#asks = asks;
    this.#hooks = new Hooks(limit);
  }

  get retained(): number {
    return this.#hooks.retained;
  }

  ask(read: Read, event: Asking): void {
    const { frame, pairing } = read;
    const placing = this.#placing;
    const again = this.#asks.again(event);
    if (again) return placing.touch(again, frame);
    if (event.kind === 'approval' && !event.flags?.includes('resent')) placing.timeline.counts.approvals++;
    const call = this.#held(event);
    if (call) placing.calls.readyNow(call, frame.t);
    const agent = placing.agentOf(event);
    const item = call ? placing.beside(call, read, event, agent) : placing.place(read, event, agent);
    const live = placing.turns.open.find(({ turn }) => turn.n === item.turn);
    this.#asks.ask(item, event, call, live?.waiting ?? null);
    if (agent.call && agent.call !== call) agent.held ??= item;
    if (pairing?.role === 'asks') placing.requests.set(frame.f, item);
    if (!placing.keep) shed(item);
  }

  /** The call that something asked holds up. */
  #held(event: Asking): Item | null {
    const { calls, timeline } = this.#placing;
    if (event.kind === 'approval') return calls.unasked(event.call);
    if (event.kind === 'hook') return event.call ? calls.latest(event.call) : calls.latestOfTool(event.target);
    if (event.call !== null) return calls.pending(event.call, event);
    // Where there are no turns, it is for the only call that is open. Asking for roots holds up nothing.
    const isApart = timeline.counts.turns > 0 || (event.kind === 'client-call' && event.what === 'roots/list');
    return isApart ? null : calls.single;
  }

  answer(read: Read, event: Event): void {
    const asked = this.#placing.asked(read.pairing);
    if (!asked?.ask) return this.#placing.refers(read, event, null);
    this.#placing.answer(asked, read, event, this.#asks.answer(asked, event, read.frame.t));
  }

  resolved(read: Read, event: Of<'approval-resolved'>): void {
    this.#placing.refers(read, event, this.#asks.resolve(event.request, event.decision, read.frame));
  }

  /** The client is asked, or the agent runs it itself and only tells. */
  hook(read: Read, event: Of<'hook'>): void {
    if (read.pairing) this.ask(read, event);
    else this.#hooks.triggered(this.#placing.place(read, event), event);
  }

  hookResolved(read: Read, event: Of<'hook-answer' | 'hook-resolved'>): void {
    this.#asks.hookResolved(event.event, event.target, read.frame.t);
    if (event.decision === 'deny') this.#placing.calls.block(event.target);
    this.#placing.refers(read, event, this.#hooks.resolved(event, read.frame));
  }

  cancel(read: Read, event: Of<'cancel'>): void {
    const { frame, pairing } = read;
    const placing = this.#placing;
    if (event.of !== null) {
      const ask = this.#asks.named(event.of);
      if (ask && frame.from === 'agent') this.#asks.settle(ask, frame.t);
      if (frame.from === 'agent' && ask) return placing.touch(ask, frame);
      const call = frame.from === 'client' ? placing.calls.pending(event.of, event) : null;
      if (!call) return placing.plain(read, event);
      flagged(call, 'cancelled');
      return void placing.beside(call, read, event, placing.agentOf(event));
    }
    const turn = placing.turns.of(event)?.turn;
    if (turn && frame.from === 'client' && (pairing === null || pairing.role === 'asks')) {
      turn.cancelled_f ??= frame.f;
      this.#asks.givesUp(turn.n, frame.t);
    }
    placing.plain(read, event);
  }
}
