/**
 * Observes a session and keeps what explains a hang: unanswered requests, the last line of each side, running calls,
 * and errors. Memory does not grow with the session. Replayed frames are history and do not count.
 */
import { Audit } from '../audit/audit.ts';
import { argumentsOf } from '../audit/request.ts';
import type { Event } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Frame } from '../core/frame.ts';
import type { Id } from '../core/id.ts';
import type { Ledger } from '../core/ledger/ledger.ts';
import { ProcessBook } from '../core/ledger/process.ts';
import type { Ask, Call, Place } from '../core/ledger/records.ts';
import { textIn } from '../core/message.ts';
import { isUnread } from '../core/too-large.ts';
import type { Traits } from '../dialects/traits.ts';
import { traitsOf } from '../dialects/traits-of.ts';
import type { ReadFrame } from '../session/read.ts';
import { Stderr } from './stderr.ts';
import { about, isRequestOf, saysRequest } from './words.ts';

/** A request that the other side has not answered. */
export interface Open extends Place {
  asker: 'client' | 'agent';
  /** With its JSON type; null if it has none. */
  id: Id;
  method: string | null;
  kind: Event['kind'] | null;
  /** In words. */
  what: string;
  /** The number of a prompt, from 1, and whether the agent has taken it up. */
  prompt: number | null;
  taken: boolean;
  /** It was sent as a notification, or without an id, so it cannot be answered. */
  unanswerable: boolean;
}

/** An invalid answer from the client, or one that matches no request. */
export interface BadAnswer extends Place {
  id: Id;
  flags: string[];
  /** The frame of the request that it answers, if known. */
  of: number | null;
}

export interface LostError extends Place {
  code: number | null;
  text: string;
}

/** Beyond this many, the oldest are dropped. */
const MOST = 1000;
const GLANCE = 300;

export class Watch {
  readonly dialect: string;
  readonly traits: Traits;
  readonly audit: Audit;
  /** The last line of each stream. */
  readonly last: Record<'client' | 'agent' | 'stderr', Place | null> = { client: null, agent: null, stderr: null };
  readonly stderr = new Stderr();
  /** The last line of each side that was too large to read. */
  readonly unread: Record<'client' | 'agent', Place | null> = { client: null, agent: null };
  readonly badAnswers: BadAnswer[] = [];
  /** Errors from the agent that name no request. */
  readonly lostErrors: LostError[] = [];
  /** Lines from the agent, before its first message, that are not messages. */
  noise: (Place & { lines: number; text: string }) | null = null;
  handshake: (Place & { answer: (Place & { code: number | null }) | null }) | null = null;
  /** The client has sent the ready signal of its dialect. */
  initialized = false;
  /** The kind of the client's first line. */
  first: Event['kind'] | null = null;
  step: (Place & { n: number | null }) | null = null;
  /** The last output of a model: text, thinking, a tool call. */
  output: Place | null = null;
  prompts = 0;
  /** The last answer to a prompt that was taken up; `of` is the prompt's frame. */
  answered: (Place & { status: string; of: number }) | null = null;
  /** The latest client request that the agent has answered. */
  replied: (Place & { of: number }) | null = null;
  /** The agent's last answer, if it was an error. */
  refused: (Place & { method: string; code: number | null; text: string }) | null = null;
  cancel: Place | null = null;
  now: Place = { f: 0, t: 0 };
  readonly #open = new Map<Exchange | number, Open>();
  #ledger: Ledger | null = null;
  /** The frame of the last approval request. */
  #approval = 0;
  #heard = false;
  /** Cached, because every rule asks for it. */
  #listed: Open[] | null = null;

  constructor(session: { command: readonly string[]; dialect: string }) {
    this.dialect = session.dialect;
    this.traits = traitsOf(session.dialect);
    this.audit = new Audit(session);
  }

  take(read: ReadFrame): void {
    const { frame, events } = read;
    this.now = { f: frame.f, t: frame.t };
    this.#listed = null;
    this.#ledger = read.ledger;
    this.audit.take(read);
    if (frame.form === 'event') return;
    this.#line(read);
    if (events.length > 0 && events.every(({ flags }) => flags?.includes('replayed'))) return;
    this.#pair(read);
    for (const event of events) this.#event(read, event);
  }

  /** The open requests, oldest first. */
  get open(): readonly Open[] {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  #list(): Open[] {
    const open = [...this.#open.values()].filter((one) => one.asker === 'client' || !this.#isSettled(one.f));
    return open.map((one) => (one.kind === 'approval' ? this.#inFull(one) : one));
  }

  /** Often only the call says what the approval is about. */
  #inFull(open: Open): Open {
    const ask = this.asked(open.f);
    if (!ask) return open;
    const args = ask.arguments ?? (ask.call ? argumentsOf(ask.call) : null);
    const what = about(ask.call?.tool ?? ask.tool ?? ask.action, args, ask.description);
    return { ...open, what: `approval of ${what}` };
  }

  /** The ledger's record of a request from the agent. */
  asked(f: number): Ask | null {
    return this.#ledger?.asks.at(f) ?? null;
  }

  /** Whether an approval was requested after this frame. */
  hasAskedSince(f: number): boolean {
    return this.#approval > f;
  }

  get process(): ProcessBook {
    return this.#ledger?.process ?? NOTHING;
  }

  get running(): readonly Call[] {
    return this.#ledger?.calls.running ?? [];
  }

  /** The agent continued without an answer, or the client cancelled it. */
  #isSettled(f: number): boolean {
    const ask = this.asked(f);
    return ask !== null && (ask.settled !== null || ask.cancel !== null);
  }

  #line({ frame, events, message }: ReadFrame): void {
    const { from, f, t } = frame;
    if (from === 'proc') return;
    this.last[from] = { f, t };
    if (from === 'stderr') {
      this.stderr.take(textIn(frame) ?? '');
    } else if (isUnread(events)) {
      this.unread[from] = { f, t };
    }
    if (from === 'client' && this.first === null && events.length > 0) this.first = events[0]!.kind;
    if (from !== 'agent' || this.#heard) return;
    this.#heard = message.envelope !== 'none' || events.some(({ kind }) => kind !== 'noise');
    if (this.#heard) return;
    this.noise ??= { f, t, lines: 0, text: (textIn(frame) ?? '').slice(0, GLANCE) };
    this.noise.lines++;
  }

  #pair(read: ReadFrame): void {
    const { frame, message, pairing, events } = read;
    const { f, t } = frame;
    const from = frame.from as 'client' | 'agent';
    if (pairing?.role === 'answers') {
      this.#open.delete(pairing.exchange!);
      this.#answer(read);
    } else if (pairing?.role === 'orphan' && from === 'client') {
      this.#bad({ f, t, id: message.id, flags: ['orphan'], of: null });
    } else if (pairing?.role === 'orphan' && message.id === null && message.envelope === 'error') {
      this.#lost(frame, message.code, events[0]?.text ?? '');
    }
    const asks = pairing?.role === 'asks';
    const isLost = !pairing && isRequestOf(this.traits, read);
    const isPrompt = from === 'client' && events.some(({ kind }) => kind === 'prompt');
    if (!asks && !isLost && !(isPrompt && !pairing)) return;
    if (isPrompt) this.prompts++;
    const key = pairing?.exchange ?? f;
    this.#open.set(key, {
      ...{ f, t, asker: from, id: message.id, method: message.method ?? message.type },
      ...{ kind: events[0]?.kind ?? null, what: saysRequest(read, this.prompts) },
      ...{ prompt: isPrompt ? this.prompts : null, taken: false, unanswerable: isLost },
    });
    if (this.#open.size > MOST) this.#open.delete(this.#open.keys().next().value!);
  }

  #answer({ frame, message, pairing, events }: ReadFrame): void {
    const { f, t } = frame;
    const asked = pairing!.exchange!.askedF;
    if (this.handshake?.f === asked) this.handshake.answer ??= { f, t, code: message.code };
    if (frame.from !== 'client') {
      if (asked > (this.replied?.of ?? 0)) this.replied = { f, t, of: asked };
      const { method } = pairing!.exchange!;
      const text = (events[0]?.text ?? '').slice(0, GLANCE);
      this.refused = message.envelope === 'error' ? { f, t, method, code: message.code, text } : null;
      return;
    }
    const flags = events.flatMap((event) => event.flags ?? []).filter((flag) => WRONG.has(flag));
    if (flags.length > 0) this.#bad({ f, t, id: message.id, flags, of: asked });
  }

  #bad(answer: BadAnswer): void {
    this.badAnswers.push(answer);
    if (this.badAnswers.length > MOST) this.badAnswers.shift();
  }

  #lost({ f, t }: Frame, code: number | null, text: string): void {
    this.lostErrors.push({ f, t, code, text: text.slice(0, GLANCE) });
    if (this.lostErrors.length > MOST) this.lostErrors.shift();
  }

  #event(read: ReadFrame, event: Event): void {
    const { f, t, from } = read.frame;
    if (event.takes !== undefined) this.#takeUp(event.takes);
    if (event.kind === 'step-begin' || event.step) this.step = { f, t, n: 'n' in event ? event.n : null };
    if (from === 'agent' && OUTPUT.has(event.kind)) this.output = { f, t };
    if (event.kind === 'approval') this.#approval = f;
    if (event.kind === 'handshake') this.#noteHandshake(read);
    else if (event.kind === 'cancel') this.#noteCancel(read, event.of);
    else if (event.kind === 'prompt-answer') {
      if (event.code === null) this.answered = { f, t, status: event.status, of: event.prompt ?? 0 };
      if (event.prompt !== null) this.#open.delete(event.prompt);
    }
  }

  #noteHandshake({ frame, message }: ReadFrame): void {
    const { f, t, from } = frame;
    if (from === 'client' && message.envelope === 'request') this.handshake ??= { f, t, answer: null };
    if (message.method !== null && message.method === this.traits.readySignal) this.initialized = true;
  }

  #noteCancel({ frame }: ReadFrame, of: string | null): void {
    if (frame.from !== 'client') return;
    this.cancel = { f: frame.f, t: frame.t };
    if (this.traits.cancelWithdrawsRequest) this.#withdraw(of);
  }

  #takeUp(prompt: number): void {
    for (const one of this.#open.values()) if (one.f === prompt) one.taken = true;
  }

  #withdraw(id: string | null): void {
    for (const [key, { asker, id: own }] of this.#open)
      if (asker === 'client' && String(own) === id) this.#open.delete(key);
  }
}

/** Before the first frame. */
const NOTHING = new ProcessBook();
const WRONG = new Set(['bad-word', 'bad-shape', 'no-request-id', 'both', 'wrong-request-id']);
const OUTPUT = new Set<Event['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);
