/** What agents say and do: text, tool calls and their results, tokens (rules C and U). */
import type { Event } from '../event.ts';
import type { Reading } from '../ledger/reading.ts';
import { Recent } from '../recent.ts';
import { appendText, flagged, itemOf, replaceText, shows } from './item.ts';
import type { Of, Placer } from './placer.ts';
import type { Item, Turn } from './shape.ts';
import { UsageSums } from './usage.ts';

export class Content {
  readonly #placer: Placer;
  readonly #usage: UsageSums;
  /** Arguments that came before their call was announced, by call id. */
  readonly #arguments: Recent<string, Item>;

  constructor(placer: Placer, limit: number) {
    this.#placer = placer;
    this.#usage = new UsageSums(placer.timeline);
    this.#arguments = new Recent(limit);
  }

  get retained(): number {
    return this.#arguments.size;
  }

  text(read: Reading, event: Of<'text' | 'thinking'>): void {
    const placer = this.#placer;
    const { track } = placer;
    const ending = event.restates && event.delta ? track.repeated(event.kind) : null;
    if (ending) return placer.touch(ending, read.frame);
    const known = event.restates ? track.restated(event.kind) : event.delta && !event.block ? track.open : null;
    if (known?.kind === event.kind) {
      if (event.restates) replaceText(known, event.text ?? '');
      else appendText(known, event.text ?? '');
      known.parts++;
      return placer.touch(known, read.frame);
    }
    const item = placer.place(read, event);
    if (event.block && placer.keep) item.blocks.push(event.block);
    if (event.delta) track.streams(item);
    else track.open = item;
  }

  toolCall(read: Reading, event: Of<'tool-call'>): void {
    const placer = this.#placer;
    const { call, isNew } = placer.note;
    if (!isNew) return this.#restated(read, event);
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    const item = early ?? placer.place(read, event);
    if (early) {
      this.#arguments.delete(event.call!);
      early.kind = 'tool-call';
      early.text = event.text ?? '';
      early.parts++;
    }
    placer.track.open = null;
    item.call = call;
    item.blocks = event.blocks ?? [];
    shows(call!, item);
    this.#adopt(item);
    placer.touch(item, read.frame);
  }

  /** Requests about a call that came before it are placed before it, and the call starts with them (rule W3). */
  #adopt(item: Item): void {
    for (const ask of this.#placer.note.early) {
      const asked = itemOf(ask);
      if (!asked) continue;
      flagged(asked, 'before-call');
      item.t = Math.min(item.t, asked.t);
      const { turn, step, subagent, parent } = item;
      Object.assign(asked, { turn, step, subagent, parent });
      this.#placer.tree.move(asked, item);
    }
  }

  #restated(read: Reading, event: Of<'tool-call'>): void {
    const { call } = this.#placer.note;
    const item = call && itemOf(call);
    if (item) {
      if (event.blocks) item.blocks = event.blocks;
      item.parts++;
    }
    this.#placer.refers(read, event, item);
  }

  toolArgs(read: Reading, event: Of<'tool-args'>): void {
    const placer = this.#placer;
    const { call } = placer.note;
    const item = call && itemOf(call);
    if (item) {
      if (event.blocks) item.blocks = event.blocks;
      item.parts++;
      return placer.touch(item, read.frame);
    }
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    if (early) {
      appendText(early, event.text ?? '');
      early.parts++;
      return placer.touch(early, read.frame);
    }
    const made = placer.place(read, event);
    if (event.call !== null) this.#arguments.set(event.call, made);
  }

  toolResult(read: Reading, event: Of<'tool-result'>): void {
    const placer = this.#placer;
    const { call } = placer.note;
    const item = call && itemOf(call);
    if (item) return placer.touch(item, read.frame);
    const made = placer.place(read, event);
    if (placer.keep) made.blocks = event.blocks;
  }

  progress(read: Reading, event: Of<'progress'>): void {
    const { call } = this.#placer.note;
    const item = call && itemOf(call);
    if (item) item.parts++;
    this.#placer.refers(read, event, item);
  }

  tokens(read: Reading, event: Of<'usage'>): void {
    const { frame } = read;
    const placer = this.#placer;
    const { track } = placer;
    const { agent, open } = placer.note;
    const live = (open?.turn as Turn | undefined) ?? null;
    if (event.total) this.#usage.total(event, placer.answeredTurn ?? live);
    else this.#usage.add(event, track.step, agent.background ? null : live, agent === open?.main);
    const span = track.step ?? (agent.background ? null : live);
    // In a frame with other events it is part of their item; alone, of its step or turn.
    if (placer.where) return;
    if (!span || agent.background) return void placer.place(read, event);
    placer.tree.reach(span, frame.f, frame.t);
    placer.where = { turn: placer.turn, step: track.step?.n ?? null, item: null };
  }

  subagent(read: Reading, event: Event): void {
    // The wrapped event says more.
    if (read.events.length === 1) this.#placer.place(read, event);
  }
}
