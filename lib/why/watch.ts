/**
 * Looks on while a session is read and keeps what a hang is explained from: what was asked and not answered, who spoke
 * last, which calls run, what went wrong on the way. Memory does not grow with the session. What is replayed is history.
 */
import { Audit } from '../audit/audit.ts';
import type { ApprovalRow } from '../audit/row.ts';
import type { Event } from '../core/event.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Frame } from '../core/frame.ts';
import type { Id } from '../core/id.ts';
import { textIn } from '../core/message.ts';
import { isUnread } from '../core/too-large.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { Calls, type RunningCall } from './calls.ts';
import { Fate } from './fate.ts';
import type { Place } from './place.ts';
import { Stderr } from './stderr.ts';
import { about, isRequestOf, saysRequest } from './words.ts';

/** Something that one side asked and the other has not answered. */
export interface Open extends Place {
  asker: 'client' | 'agent';
  /** With its JSON type; null where it has none. */
  id: Id;
  method: string | null;
  kind: Event['kind'] | null;
  /** In words. */
  what: string;
  turn: number | null;
  /** Of a prompt: which it is, from 1, and whether the agent has begun with it. */
  prompt: number | null;
  taken: boolean;
  /** It was sent as a notification, or without an id: nobody can answer it. */
  unanswerable: boolean;
}

/** An answer of the client's that is none, or that answers nothing. */
export interface BadAnswer extends Place {
  id: Id;
  flags: string[];
  /** The request that it was meant for, where it tells. */
  of: number | null;
}

export interface LostError extends Place {
  code: number | null;
  text: string;
}

/** More than these nobody reads; the oldest are let go. */
const MOST = 1000;
const GLANCE = 300;

export class Watch {
  readonly dialect: string;
  readonly command: readonly string[];
  readonly audit: Audit;
  readonly calls = new Calls();
  /** The last line of each. */
  readonly last: Record<'client' | 'agent' | 'stderr', Place | null> = { client: null, agent: null, stderr: null };
  readonly stderr = new Stderr();
  /** The last line of each that was too large to be read. */
  readonly unread: Record<'client' | 'agent', Place | null> = { client: null, agent: null };
  readonly badAnswers: BadAnswer[] = [];
  /** Errors of the agent that name no request. */
  readonly lostErrors: LostError[] = [];
  /** Lines of the agent that are no messages, before its first message. */
  noise: (Place & { lines: number; text: string }) | null = null;
  handshake: (Place & { answer: (Place & { code: number | null }) | null }) | null = null;
  /** MCP: the client has said that it is ready. */
  initialized = false;
  /** What the client's first line was. */
  first: Event['kind'] | null = null;
  step: (Place & { n: number | null }) | null = null;
  /** The last thing that came of a model: text, thinking, a call. */
  output: Place | null = null;
  prompts = 0;
  /** The last answer to a prompt that was taken up: which it answered. */
  answered: (Place & { status: string; of: number }) | null = null;
  /** The latest request of the client's that the agent has answered. */
  replied: (Place & { of: number }) | null = null;
  /** How the agent answered last, if with an error. */
  refused: (Place & { method: string; code: number | null; text: string }) | null = null;
  cancel: Place | null = null;
  readonly fate = new Fate();
  now: Place = { f: 0, t: 0 };
  readonly #open = new Map<Exchange | number, Open>();
  /** The audit's word on what the agent asked, by frame. */
  readonly #rows = new Map<number, ApprovalRow>();
  #heard = false;
  /** Rules ask again and again. */
  #listed: Open[] | null = null;

  constructor(session: { command: readonly string[]; dialect: string }) {
    this.command = session.command;
    this.dialect = session.dialect;
    this.audit = new Audit(session);
  }

  take(read: ReadFrame): void {
    const { frame, events } = read;
    this.now = { f: frame.f, t: frame.t };
    this.#listed = null;
    for (const row of this.audit.take(read)) this.#row(row);
    if (frame.form === 'event') return this.fate.take(frame);
    this.#line(read);
    if (events.length > 0 && events.every(({ flags }) => flags?.includes('replayed'))) return;
    this.#pair(read);
    for (const event of events) this.#event(read, event);
  }

  /** What is open now, the oldest first. */
  get open(): readonly Open[] {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  #list(): Open[] {
    const open = [...this.#open.values()].filter((one) => one.asker === 'client' || !this.#isSettled(one.f));
    return open.map((one) => (one.kind === 'approval' ? this.#inFull(one) : one));
  }

  /** What is asked about is often told with the call only. */
  #inFull(open: Open): Open {
    const row = this.#rows.get(open.f);
    return row
      ? { ...open, what: `approval of ${about(row.tool ?? row.action, row.arguments, row.description)}` }
      : open;
  }

  /** What the audit says of a request of the agent's. */
  row(f: number): ApprovalRow | null {
    return this.#rows.get(f) ?? null;
  }

  /** An approval that was asked for after this frame, answered or not. */
  approvalSince(f: number): ApprovalRow | null {
    for (const row of this.#rows.values())
      if (row.f > f && row.kind === 'approval' && row.decision !== 'unasked') return row;
    return null;
  }

  running(): RunningCall[] {
    return this.calls.running;
  }

  #row(row: ApprovalRow): void {
    this.#rows.set(row.f, row);
    if (this.#rows.size > MOST) this.#rows.delete(this.#rows.keys().next().value!);
  }

  /** The agent went on without an answer, or the client gave up on the turn: nobody waits for it. */
  #isSettled(f: number): boolean {
    const row = this.#rows.get(f);
    return row !== undefined && (row.by === 'agent' || row.by === 'grant' || row.decision === 'cancelled');
  }

  #line({ frame, events, message }: ReadFrame): void {
    const { from, f, t } = frame;
    if (from === 'proc') return;
    this.last[from] = { f, t };
    this.fate.flows(from);
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
    const { frame, message, pairing, events, where } = read;
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
    const isLost = !pairing && isRequestOf(this.dialect, read);
    const isPrompt = from === 'client' && events.some(({ kind }) => kind === 'prompt');
    if (!asks && !isLost && !(isPrompt && !pairing)) return;
    if (isPrompt) this.prompts++;
    const key = pairing?.exchange ?? f;
    this.#open.set(key, {
      ...{ f, t, asker: from, id: message.id, method: message.method ?? message.type },
      ...{ kind: events[0]?.kind ?? null, what: saysRequest(read, this.prompts), turn: where.turn },
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
    this.calls.take(event, { f, t });
    if (event.kind === 'handshake') this.#shakes(read);
    else if (event.kind === 'cancel') this.#cancels(read, event.of);
    else if (event.kind === 'prompt-answer') {
      if (event.code === null) this.answered = { f, t, status: event.status, of: event.prompt ?? 0 };
      if (event.prompt !== null) this.#open.delete(event.prompt);
    }
  }

  #shakes({ frame, message }: ReadFrame): void {
    const { f, t, from } = frame;
    if (from === 'client' && message.envelope === 'request') this.handshake ??= { f, t, answer: null };
    if (message.method === 'notifications/initialized') this.initialized = true;
  }

  #cancels({ frame }: ReadFrame, of: string | null): void {
    if (frame.from !== 'client') return;
    this.cancel = { f: frame.f, t: frame.t };
    // In MCP nobody owes an answer to what was cancelled.
    if (this.dialect === 'mcp') this.#withdraw(of);
  }

  #takeUp(prompt: number): void {
    for (const one of this.#open.values()) if (one.f === prompt) one.taken = true;
  }

  #withdraw(id: string | null): void {
    for (const [key, { asker, id: own }] of this.#open)
      if (asker === 'client' && String(own) === id) this.#open.delete(key);
  }
}

const WRONG = new Set(['bad-word', 'bad-shape', 'no-request-id', 'both', 'wrong-request-id']);
const OUTPUT = new Set<Event['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);
