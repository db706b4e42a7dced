/**
 * Puts events where they belong, and reports where that is. Frames that refer to something go with it, whenever they
 * come. Everything else goes to the agent that speaks, in the open turn (rule T6).
 */
import type { Event } from '../event.ts';
import type { Pairing } from '../exchange.ts';
import type { Frame } from '../frame.ts';
import type { Agent } from '../ledger/agents.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Note, turnOf } from '../ledger/note.ts';
import type { PairedFrame } from '../ledger/paired-frame.ts';
import type { Call } from '../ledger/records.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Message } from '../message.ts';
import { Containment } from './containment.ts';
import { type Entry, type Item, noUsage, type Timeline, type Turn } from './entries.ts';
import { dropText, itemOf, makeItem } from './item.ts';
import { AgentTrack } from './track.ts';

/** Where a frame belongs: the position of the item that it is part of. */
export interface TimelinePosition {
  readonly turn: number | null;
  readonly step: number | null;
  /** The first frame of that item. */
  readonly item: number | null;
}

/** An event of one of these kinds. */
export type TimelineEvent<K extends Event['kind']> = Event & { kind: K };

export class Placer {
  readonly keep: boolean;
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly tree: Containment;
  /** Requests of either side, by frame. */
  readonly requests: LimitedMap<number, Item>;
  /** Where the current frame belongs: its first position counts. */
  where: TimelinePosition | null = null;
  #latest: TimelinePosition = { turn: null, step: null, item: null };
  /** The turn whose prompt the current frame answers. */
  answeredTurn: Turn | null = null;
  /** The ledger's note on the current event. */
  note!: Note & { agent: Agent };

  constructor(ledger: Ledger, keep: boolean, limit: number) {
    this.keep = keep;
    this.ledger = ledger;
    this.timeline = {
      handshake: {},
      entries: [],
      counts: ledger.counts,
      wait: 0,
      usage: noUsage(),
      context: null,
    };
    this.tree = new Containment(this.timeline.entries, keep);
    this.requests = new LimitedMap(limit, ({ answer: addAnswer, ask }) => addAnswer === null && !ask?.settled);
  }

  trackOf(agent: Agent): AgentTrack {
    agent.track ??= new AgentTrack();
    return agent.track as AgentTrack;
  }

  /** The track of the agent that speaks. */
  get track(): AgentTrack {
    return this.trackOf(this.note.agent);
  }

  /** The turn number of the current event. */
  get turn(): number | null {
    return turnOf(this.note)?.n ?? null;
  }

  /** Adds the frame to this item. */
  extendItem(item: Item, { f, t }: Frame): void {
    this.where ??= this.#positionOf(turnOfItem(item), item.step, item.f);
    this.tree.reach(item, f, t);
    if (!this.keep) dropText(item);
  }

  /** Makes a new item at the current position of its agent. */
  place({ frame }: PairedFrame, event: Event): Item {
    const { track } = this;
    const item = makeItem(frame, event);
    item.turn = this.turn;
    item.step = track.step === null ? null : track.step.n;
    // Only the agent's own events interrupt its text.
    if (frame.from === 'agent' && event.kind !== 'status' && event.kind !== 'usage') track.open = null;
    this.#put(item, track.step ?? this.containerOfStep(track));
    return item;
  }

  /** What contains an agent's next step: a nested turn, the call that started the agent, the turn, or nothing. */
  containerOfStep(track: AgentTrack): Entry | null {
    const { agent, open } = this.note;
    const started = agent.started && itemOf(agent.started);
    return track.nested ?? started ?? (agent.background ? null : ((open?.turn as Turn | undefined) ?? null));
  }

  /** Places a request next to the call it names. */
  placeBeside(call: Call, { frame }: PairedFrame, event: Event): Item {
    const callItem = itemOf(call)!;
    const item = makeItem(frame, event);
    item.turn = turnOfItem(callItem);
    item.step = callItem.step;
    this.track.open = null;
    this.#put(item, this.tree.containerOf(callItem));
    return item;
  }

  /** Makes an item at the top level. */
  placeAtTop({ frame }: PairedFrame, event: Event): Item {
    const item = makeItem(frame, event);
    this.#put(item, null);
    return item;
  }

  #put(item: Item, into: Entry | null): void {
    this.tree.put(item, into);
    this.where ??= this.#positionOf(item.turn, item.step, item.f);
    if (!this.keep) dropText(item);
  }

  /** The pieces of a text are all in one place. */
  #positionOf(turn: number | null, step: number | null, item: number): TimelinePosition {
    const { turn: lastTurn, step: lastStep, item: lastItem } = this.#latest;
    if (item !== lastItem || step !== lastStep || turn !== lastTurn) this.#latest = { turn, step, item };
    return this.#latest;
  }

  /** Adds the frame to what it refers to, or makes a new item if that is unknown. */
  extendOrPlace(read: PairedFrame, event: Event, item: Item | null): void {
    if (item) this.extendItem(item, read.frame);
    else this.place(read, event);
  }

  /** A request and its answer are one item; anything else is an item of its own. */
  placePlain(read: PairedFrame, event: Event): void {
    const { pairing } = read;
    const request = pairing === null ? null : this.requestOf(pairing);
    if (pairing && request?.kind === event.kind) {
      if (isAnswer(pairing)) return this.addAnswer(request, read, event, true);
      if (pairing.role === 'asks-again') return this.extendItem(request, read.frame);
    }
    const item = this.place(read, event);
    item.name ??= nameOf(event, read.message);
    if (pairing?.role === 'asks') this.requests.set(read.frame.f, item);
  }

  /** The request that a frame answers or repeats. */
  requestOf(pairing: Pairing | null): Item | null {
    return pairing?.exchange ? (this.requests.get(pairing.exchange.askedF) ?? null) : null;
  }

  /** Adds an answer to an item. It becomes the item's answer only if it `counts`. */
  addAnswer(item: Item, { frame, message, pairing }: PairedFrame, event: Event, counts: boolean): void {
    if (counts && (pairing?.role !== 'duplicate' || item.answer === null || item.ask)) {
      item.answer = {
        f: frame.f,
        t: frame.t,
        ok: message.envelope !== 'error',
        code: message.code,
        status: statusOf(event, message),
        text: event.text ?? '',
      };
    }
    this.extendItem(item, frame);
  }
}

/** A call or a request may have moved into a turn since, even if no tree is kept. */
function turnOfItem({ call, ask, turn }: Item): number | null {
  const record = call ?? ask;
  return record ? (record.turn?.n ?? null) : turn;
}

const isAnswer = ({ role }: Pairing): boolean => role === 'answers' || role === 'duplicate';

/** The status of an answer: without an error it may still decline, or report a failure. */
function statusOf(event: Event, { envelope }: Message): string | null {
  if ('status' in event && event.status) return event.status;
  if (envelope === 'error' || !('ok' in event) || event.ok) return null;
  return event.kind === 'question-answer' ? event.text || 'invalid' : 'failed';
}

/** The part of a handshake, or the mode that only the request names. */
function nameOf({ kind }: Event, { method, type }: Message): string | null {
  if (kind === 'mode') return method;
  return kind === 'handshake' ? (method ?? type) : null;
}
