/** What agents say and do: text, calls of tools and what comes of them, tokens (rules C and U). */
import type { Event } from '../event.ts';
import type { Asks } from './asks.ts';
import { appendText, replaceText } from './item.ts';
import { type Of, type Placing, type Read, turnOf } from './placing.ts';
import { Recent } from './recent.ts';
import type { Item } from './shape.ts';
import type { Live } from './turns.ts';
import { UsageSums } from './usage.ts';

export class Deeds {
  readonly #placing: Placing;
  readonly #asks: Asks;
  readonly #usage: UsageSums;
  /** Arguments that came before their call was announced, by the call's id. */
  readonly #arguments: Recent<string, Item>;

  constructor(placing: Placing, asks: Asks, limit: number) {
    this.#placing = placing;
    this.#asks = asks;
    this.#usage = new UsageSums(placing.timeline);
    this.#arguments = new Recent(limit);
  }

  get retained(): number {
    return this.#arguments.size;
  }

  text(read: Read, event: Of<'text' | 'thinking'>): void {
    const placing = this.#placing;
    const agent = placing.agentOf(event);
    placing.calls.ready(agent, read.frame.t);
    const known = event.restates ? agent.restated(event.kind) : event.delta && !event.block ? agent.open : null;
    if (known?.kind === event.kind) {
      if (event.restates) replaceText(known, event.text ?? '');
      else appendText(known, event.text ?? '');
      known.parts++;
      return placing.touch(known, read.frame);
    }
    const item = placing.place(read, event, agent);
    if (event.block && placing.keep) item.blocks.push(event.block);
    if (event.delta) agent.streams(item);
    else agent.open = item;
  }

  toolCall(read: Read, event: Of<'tool-call'>): void {
    const placing = this.#placing;
    const agent = placing.agentOf(event);
    placing.calls.ready(agent, read.frame.t);
    if (event.restates) return placing.refers(read, event, placing.calls.restate(event));
    placing.timeline.counts.tools++;
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    const item = early ?? placing.place(read, event, agent);
    if (early) {
      this.#arguments.delete(event.call!);
      early.kind = 'tool-call';
      early.text = event.text ?? '';
      early.parts++;
    }
    agent.call = item;
    agent.open = null;
    placing.calls.announce(item, event, read.frame);
    const asked = this.#asks.announced(item);
    if (asked) placing.places.move(asked, item);
    placing.touch(item, read.frame);
  }

  toolArgs(read: Read, event: Of<'tool-args'>): void {
    const placing = this.#placing;
    const agent = placing.agentOf(event);
    const call = placing.calls.args(agent, event, read.frame);
    if (call) return placing.touch(call, read.frame);
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    if (early) {
      appendText(early, event.text ?? '');
      early.parts++;
      return placing.touch(early, read.frame);
    }
    const item = placing.place(read, event, agent);
    if (event.call !== null) this.#arguments.set(event.call, item);
  }

  toolResult(read: Read, event: Of<'tool-result'>): void {
    const { frame } = read;
    const placing = this.#placing;
    const call = placing.calls.result(event, frame);
    if (!call) {
      const item = placing.place(read, event);
      if (placing.keep) item.blocks = event.blocks;
      return;
    }
    this.#asks.callEnded(call, frame.t);
    placing.calls.measure(call);
    placing.touch(call, frame);
  }

  progress(read: Read, event: Of<'progress'>): void {
    const call = this.#placing.calls.pending(event.call, event);
    if (call) call.parts++;
    this.#placing.refers(read, event, call);
  }

  /** The agent does something else now: what it was in the middle of is complete. */
  status(read: Read, event: Event): void {
    this.#placing.calls.ready(this.#placing.agentOf(event), read.frame.t);
    this.#placing.plain(read, event);
  }

  /** `answered`: the turn whose answer the frame is. */
  tokens(read: Read, event: Of<'usage'>, answered: Live | null): void {
    const { frame } = read;
    const placing = this.#placing;
    const agent = placing.agentOf(event);
    const live = placing.turns.of(event);
    placing.calls.ready(agent, frame.t);
    if (event.total) this.#usage.total(event, (answered ?? live)?.turn ?? null);
    else this.#usage.add(event, agent, agent.background ? null : live);
    const span = agent.step ?? (agent.background ? null : live?.turn);
    // Beside something else it is part of that; alone, of its step or turn; else of nothing.
    if (placing.where) return;
    if (!span || agent.background) return void placing.place(read, event, agent);
    placing.places.reach(span, frame.f, frame.t);
    placing.where = { turn: turnOf(agent, live), step: agent.step?.n ?? null, item: null };
  }

  subagent(read: Read, event: Of<'subagent'>): void {
    if (event.background) this.#placing.agentOf(event).background = true;
    // What it wraps says more.
    if (read.events.length === 1) this.#placing.place(read, event);
  }
}
