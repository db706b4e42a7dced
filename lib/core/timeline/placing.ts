/**
 * Puts what frames say where it belongs, and tells where that is: frames that refer to something go with what they refer
 * to, whatever the time; all else goes to the agent that speaks, in the turn that is open.
 */
import type { Event } from '../event.ts';
import type { Pairing } from '../exchange.ts';
import type { Frame } from '../frame.ts';
import type { Message } from '../message.ts';
import { type Agent, Agents } from './agents.ts';
import { Calls } from './calls.ts';
import { makeItem, shed } from './item.ts';
import { Places } from './places.ts';
import { Recent } from './recent.ts';
import { type Entry, type Item, noUsage, type Timeline } from './shape.ts';
import { type Live, Turns } from './turns.ts';

export interface Read {
  frame: Frame;
  message: Message;
  pairing: Pairing | null;
  events: Event[];
}

/** Where a frame belongs, which is where the item is that it is part of. */
export interface Where {
  turn: number | null;
  step: number | null;
  /** The first frame of that item. */
  item: number | null;
}

/** Some event of these kinds. */
export type Of<K extends Event['kind']> = Event & { kind: K };

export class Placing {
  readonly keep: boolean;
  readonly timeline: Timeline = {
    handshake: {},
    entries: [],
    counts: { turns: 0, tools: 0, approvals: 0, errors: 0 },
    wait: 0,
    usage: noUsage(),
    context: null,
  };
  readonly places: Places;
  readonly turns: Turns;
  readonly agents: Agents;
  readonly calls: Calls;
  /** Requests of either side, by their frame. */
  readonly requests: Recent<number, Item>;
  /** What the frame in hand is part of, first. */
  where: Where | null = null;

  constructor(keep: boolean, limit: number) {
    this.keep = keep;
    this.places = new Places(this.timeline.entries, keep);
    this.turns = new Turns(limit);
    this.agents = new Agents(limit);
    this.calls = new Calls(limit);
    this.requests = new Recent(limit);
  }

  get retained(): number {
    return this.turns.retained + this.agents.retained + this.calls.retained + this.requests.size;
  }

  agentOf(event: Event): Agent {
    const { parent, subagent } = event;
    if (parent === undefined && subagent === undefined) return this.turns.of(event)?.main ?? this.agents.of(event);
    const agent = this.agents.of(event);
    if (event.flags?.includes('background')) agent.background = true;
    if (parent !== undefined) agent.started ??= this.calls.latest(parent);
    else if (agent.background) agent.started ??= this.calls.whoseResultNames(subagent!);
    return agent;
  }

  /** The frame is part of this item. */
  touch(item: Item, { f, t }: Frame): void {
    this.where ??= { turn: item.turn, step: item.step, item: item.f };
    this.places.reach(item, f, t);
    if (!this.keep) shed(item);
  }

  /** An item by itself, where its agent is. */
  place({ frame }: Read, event: Event, agent: Agent = this.agentOf(event)): Item {
    const live = this.turns.of(event);
    const item = makeItem(frame, event);
    item.turn = turnOf(agent, live);
    item.step = agent.step === null ? null : agent.step.n;
    // Only its own words come between an agent's words.
    if (frame.from === 'agent' && event.kind !== 'status' && event.kind !== 'usage') agent.open = null;
    this.#put(item, agent.step ?? outside(agent, live));
    return item;
  }

  /** A request goes with the call it names. */
  beside(call: Item, { frame }: Read, event: Event, agent: Agent): Item {
    const item = makeItem(frame, event);
    item.turn = call.turn;
    item.step = call.step;
    agent.open = null;
    this.#put(item, this.places.around(call));
    return item;
  }

  /** At the top, whatever goes on. */
  apart({ frame }: Read, event: Event): Item {
    const item = makeItem(frame, event);
    this.#put(item, null);
    return item;
  }

  #put(item: Item, into: Entry | null): void {
    this.places.put(item, into);
    this.where ??= { turn: item.turn, step: item.step, item: item.f };
    if (!this.keep) shed(item);
  }

  /** Goes with what it refers to; what that is unknown, by itself. */
  refers(read: Read, event: Event, item: Item | null): void {
    if (item) this.touch(item, read.frame);
    else this.place(read, event);
  }

  /** A request with its answer is one item; all else is an item by itself. */
  plain(read: Read, event: Event): void {
    const { pairing } = read;
    const asked = pairing === null ? null : this.asked(pairing);
    if (pairing && asked?.kind === event.kind) {
      if (isAnswer(pairing)) return this.answer(asked, read, event, true);
      if (pairing.role === 'asks-again') return this.touch(asked, read.frame);
    }
    const item = this.place(read, event);
    item.name ??= nameOf(event, read.message);
    if (pairing?.role === 'asks') this.requests.set(read.frame.f, item);
  }

  /** The request that a frame answers or asks again. */
  asked(pairing: Pairing | null): Item | null {
    return pairing?.exchange ? (this.requests.get(pairing.exchange.askedF) ?? null) : null;
  }

  /** The first answer is the answer, unless a later one `counts`. */
  answer(item: Item, { frame, message, pairing }: Read, event: Event, counts: boolean): void {
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
    this.touch(item, frame);
  }
}

const isAnswer = ({ role }: Pairing): boolean => role === 'answers' || role === 'duplicate';

/** How it was answered: an answer that is no error may still say no, or that what was asked for failed. */
function statusOf(event: Event, { envelope }: Message): string | null {
  if ('status' in event && event.status) return event.status;
  if (envelope === 'error' || !('ok' in event) || event.ok) return null;
  return event.kind === 'question-answer' ? event.text || 'invalid' : 'failed';
}

/** Which part of a handshake; which mode, where only the request tells. */
function nameOf({ kind }: Event, { method, type }: Message): string | null {
  if (kind === 'mode') return method;
  return kind === 'handshake' ? (method ?? type) : null;
}

/** What an agent's next step is part of: a turn in the turn, the call that started it, the turn, or nothing. */
export function outside(agent: Agent, live: Live | null): Entry | null {
  return agent.nested ?? agent.started ?? (agent.background ? null : (live?.turn ?? null));
}

export function turnOf(agent: Agent, live: Live | null): number | null {
  if (agent.background) return null;
  return agent.started ? agent.started.turn : (live?.turn.n ?? null);
}
