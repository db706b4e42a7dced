/** What agents say and do: text, tool calls and their results, tokens (rules C and U). */
import type { Event } from '../event.ts';
import type { PairedFrame } from '../ledger/paired-frame.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Item, Turn } from './entries.ts';
import { addFlag, appendText, itemOf, replaceText, setItem } from './item.ts';
import type { Placer, TimelineEvent } from './placer.ts';
import { UsageSums } from './usage.ts';

export class ContentPlacer {
  readonly #placer: Placer;
  readonly #usage: UsageSums;
  /** Arguments that came before their call was announced, by call id. */
  readonly #arguments: LimitedMap<string, Item>;

  constructor(placer: Placer, limit: number) {
    this.#placer = placer;
    this.#usage = new UsageSums(placer.timeline);
    this.#arguments = new LimitedMap(limit);
  }

  get retained(): number {
    return this.#arguments.size;
  }

  placeText(read: PairedFrame, event: TimelineEvent<'text' | 'thinking'>): void {
    const placer = this.#placer;
    const { track } = placer;
    const ending = event.restates && event.delta ? track.lastRepeated(event.kind) : null;
    if (ending) return placer.extendItem(ending, read.frame);
    const goesOn = event.delta && !event.block && !event.begins;
    const known = event.restates ? track.takeRestated(event.kind, event.of) : goesOn ? track.open : null;
    if (known?.kind === event.kind) {
      if (event.restates) replaceText(known, event.text ?? '');
      else appendText(known, event.text ?? '');
      known.parts++;
      return placer.extendItem(known, read.frame);
    }
    const item = placer.place(read, event);
    if (event.block && placer.keep) item.blocks.push(event.block);
    if (event.delta) track.addStreamed(item);
    else track.open = item;
  }

  toolCall(read: PairedFrame, event: TimelineEvent<'tool-call'>): void {
    const placer = this.#placer;
    const { call, isNew } = placer.note;
    if (!isNew) return this.#restateCall(read, event);
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
    setItem(call!, item);
    this.#adopt(item);
    placer.extendItem(item, read.frame);
  }

  /** Requests about a call that came before it are placed before it, and the call starts with them (rule W3). */
  #adopt(item: Item): void {
    for (const ask of this.#placer.note.early) {
      const request = itemOf(ask);
      if (!request) continue;
      addFlag(request, 'before-call');
      item.t = Math.min(item.t, request.t);
      const { turn, step, subagent, parent } = item;
      Object.assign(request, { turn, step, subagent, parent });
      this.#placer.tree.move(request, item);
    }
  }

  #restateCall(read: PairedFrame, event: TimelineEvent<'tool-call'>): void {
    const { call } = this.#placer.note;
    const item = call && itemOf(call);
    if (item) {
      if (event.blocks) item.blocks = event.blocks;
      item.parts++;
    }
    this.#placer.extendOrPlace(read, event, item);
  }

  toolArgs(read: PairedFrame, event: TimelineEvent<'tool-args'>): void {
    const placer = this.#placer;
    const { call } = placer.note;
    const item = call && itemOf(call);
    if (item) {
      if (event.blocks) item.blocks = event.blocks;
      item.parts++;
      return placer.extendItem(item, read.frame);
    }
    const early = event.call === null ? undefined : this.#arguments.get(event.call);
    if (early) {
      appendText(early, event.text ?? '');
      early.parts++;
      return placer.extendItem(early, read.frame);
    }
    const placed = placer.place(read, event);
    if (event.call !== null) this.#arguments.set(event.call, placed);
  }

  toolResult(read: PairedFrame, event: TimelineEvent<'tool-result'>): void {
    const placer = this.#placer;
    const { call } = placer.note;
    const item = call && itemOf(call);
    if (item) return placer.extendItem(item, read.frame);
    const placed = placer.place(read, event);
    if (placer.keep) placed.blocks = event.blocks;
  }

  addProgress(read: PairedFrame, event: TimelineEvent<'progress'>): void {
    const { call } = this.#placer.note;
    const item = call && itemOf(call);
    if (item) item.parts++;
    this.#placer.extendOrPlace(read, event, item);
  }

  addUsage(read: PairedFrame, event: TimelineEvent<'usage'>): void {
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

  subagent(read: PairedFrame, event: Event): void {
    // The wrapped event says more.
    if (read.events.length === 1) this.#placer.place(read, event);
  }
}
