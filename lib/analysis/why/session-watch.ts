/**
 * Observes a session and keeps what explains a hang: unanswered requests, the last line of each side, running calls,
 * errors, and what `check` finds wrong. Memory does not grow with the session. Replayed frames are history and do not
 * count.
 */

import { traitsIn } from '../../dialects/index.ts';
import type { Finding } from '../../dialects/rules/rule.ts';
import type { Traits } from '../../dialects/traits.ts';
import type { Event } from '../../model/event.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Frame } from '../../model/frame.ts';
import type { Id } from '../../model/id.ts';
import { isReplayed, type Ledger } from '../../model/ledger/ledger.ts';
import { ProcessRecord } from '../../model/ledger/process.ts';
import type { Ask, Call, FramePosition } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { type ReadShare, Understanding } from '../../session/understanding.ts';
import { Audit } from '../audit/audit.ts';
import { argumentsOf } from '../audit/request.ts';
import { BadAnswers } from './bad-answers.ts';
import { CausesBeforeEnd } from './causes-before-end.ts';
import { describeCall, isRequestWithoutId, requestDescriber } from './describe-request.ts';
import { SessionLines } from './lines.ts';
import { type LostMessage, LostMessages } from './lost-messages.ts';
import { ClientMistakes } from './mistakes.ts';
import { ModelActivities, type ModelActivity } from './model-activity.ts';
import { Refusals } from './refusals.ts';
import { NOTHING_TO_SEND, type SendableLines, sendableLinesFor } from './send.ts';

/** A request that the other side has not answered. */
export interface UnansweredRequest extends FramePosition {
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
  /** Where an answer only accepted the prompt. */
  accepted: FramePosition | null;
  /** It was sent as a notification, or without an id, so it cannot be answered. */
  unanswerable: boolean;
  /** It is on one line with other messages, and did not arrive. */
  lost?: LostMessage;
}

export interface RefusedRequest extends FramePosition {
  method: string;
  code: number | null;
  text: string;
  /** The frame of the request, whether it is a prompt, and whether the agent had taken it up: then it failed. */
  of: number;
  isPrompt: boolean;
  taken: boolean;
}

/** Put into words on demand: almost every request is answered. */
type HeldRequest = Omit<UnansweredRequest, 'what'> & { describe: () => string };

/** Beyond this many, the oldest are dropped. */
const MAX_OPEN_REQUESTS = 1000;
const MAX_TEXT_CHARS = 300;

export class SessionWatch {
  readonly dialect: string;
  readonly traits: Traits;
  readonly audit: Audit;
  readonly lines = new SessionLines();
  readonly #understanding = new Understanding();
  readonly mistakes: ClientMistakes;
  readonly answers = new BadAnswers();
  readonly refusals = new Refusals((f) => this.mistakes.findAt(f)?.severity === 'error');
  readonly before = new CausesBeforeEnd(this);
  readonly lost: LostMessages;
  readonly #model = new ModelActivities();
  handshake: (FramePosition & { answer: (FramePosition & { code: number | null }) | null }) | null = null;
  /** The client has sent the greeting of its dialect, and the ready signal. */
  greeted = false;
  initialized = false;
  /** The session that the agent opened last, if the dialect names sessions. */
  opened: (FramePosition & { id: string }) | null = null;
  /** The last line of the agent that is not just the answer to a request: work on a prompt or a call, or a request. */
  work: FramePosition | null = null;
  /** Where the agent said that it cannot go on without the client, until it says otherwise. */
  needsClient: FramePosition | null = null;
  prompts = 0;
  prompt: FramePosition | null = null;
  /** The last answer to a prompt that was taken up; `of` is the prompt's frame. */
  answered: (FramePosition & { status: string; of: number }) | null = null;
  /** The agent has answered a request of the client. */
  hasReplied = false;
  /** The last error that the agent answered with, until a prompt that was sent later is answered. */
  refused: RefusedRequest | null = null;
  /** The answer to the last prompt, if it was an error. */
  failed: RefusedRequest | null = null;
  /** The request that the client took longest to answer. */
  slowest: Ask | null = null;
  now: FramePosition = { f: 0, t: 0 };
  readonly #open = new Map<Exchange | LostMessage | number, HeldRequest>();
  /** How many of them did not arrive. */
  #lostOpen = 0;
  readonly #sendable = new LimitedMap<number, () => SendableLines>(MAX_OPEN_REQUESTS);
  /** Cancels that the agent accepted, and where. */
  readonly #accepted = new LimitedMap<number, number>(MAX_OPEN_REQUESTS);
  #ledger: Ledger | null = null;
  /** The frame of the last approval request. */
  #approval = 0;
  /** Cached, because every rule asks for it. */
  #openList: UnansweredRequest[] | null = null;

  /** `audit`: one that others use too; see `takeFound`. */
  constructor(session: { command: readonly string[]; dialect: string; source?: string }, audit?: Audit) {
    const { command, dialect, source = 'record' } = session;
    this.dialect = dialect;
    this.traits = traitsIn({ dialect, command });
    this.audit = audit ?? new Audit({ command, dialect });
    this.mistakes = new ClientMistakes({ command, dialect, source }, () => !this.read.enough);
    this.lost = new LostMessages({ command, dialect });
  }

  /** How much of what the agent said was understood. */
  get read(): ReadShare {
    return this.#understanding.in(this.dialect);
  }

  take(read: ReadFrame): void {
    this.audit.take(read);
    this.mistakes.take(read);
    this.#take(read);
  }

  /** The same with an audit and a checker that others use too, and that have seen this frame. */
  takeFound(read: ReadFrame, found: readonly Finding[]): void {
    if (found.length > 0) this.mistakes.add(read, found);
    this.#take(read);
  }

  #take(read: ReadFrame): void {
    const { frame, events } = read;
    this.#openList = null;
    this.#ledger = read.ledger;
    this.#understanding.take(read);
    if (frame.form === 'event') this.before.takeEvent(frame);
    this.now = { f: frame.f, t: frame.t };
    if (frame.form === 'event') return;
    const lastAgentFrame = this.lines.last.agent?.f ?? 0;
    this.lines.take(read, this.now);
    if (frame.from === 'stderr' || frame.from === 'proc') return;
    this.before.takeLine();
    if (events.length > 0 && isReplayed(events[0]!) && events.every(isReplayed)) return;
    if (this.#lostOpen > 0) this.#dropFound(read);
    if (read.value === undefined && events[0]?.kind === 'noise') this.#addLost(frame);
    // Other lines of the agent neither ask nor answer anything.
    if (frame.from === 'client' || read.pairing) this.#pair(read, lastAgentFrame);
    if (frame.from === 'agent' && !isAside(read)) this.work = this.now;
    for (let n = 0; n < events.length; n++) this.#takeEvent(read, events[n]!);
  }

  /** The open requests, oldest first. */
  get open(): readonly UnansweredRequest[] {
    this.#openList ??= this.#list();
    return this.#openList;
  }

  #list(): UnansweredRequest[] {
    const open = [...this.#open.values()].filter((one) => one.asker === 'client' || !this.#isSettled(one.f));
    return open.map(({ describe: says, ...one }) => ({ ...one, what: this.#fullDescription(one) ?? says() }));
  }

  /** Often only the call says what the approval is about. */
  #fullDescription({ f, kind }: Omit<UnansweredRequest, 'what'>): string | null {
    const ask = kind === 'approval' ? this.askAt(f) : null;
    return ask && `approval of ${this.subjectOf(ask)}`;
  }

  /** The tool that a request of the agent is about, with its command or path. */
  subjectOf(ask: Ask): string {
    const args = ask.arguments ?? (ask.call ? argumentsOf(ask.call) : null);
    return describeCall(ask.call?.tool ?? ask.tool ?? ask.action, args, ask.description);
  }

  /** The ledger's record of a request from the agent. */
  askAt(f: number): Ask | null {
    return this.#ledger?.asks.findByFrame(f) ?? null;
  }

  /** Whether an approval was requested after this frame. */
  hasAskedSince(f: number): boolean {
    return this.#approval > f;
  }

  get process(): ProcessRecord {
    return this.#ledger?.process ?? NO_PROCESS;
  }

  /** The client's first cancel in the turn of this prompt, and whether the agent accepted it. */
  cancelOf(prompt: number): { f: number; accepted: boolean } | null {
    const f = this.#ledger?.turns.turnOfPrompt(prompt)?.turn.cancelled_f ?? null;
    return f === null ? null : { f, accepted: this.#accepted.get(f) !== undefined };
  }

  /** What the model that works on this prompt sent last. */
  modelOf(prompt: number): ModelActivity {
    return this.#model.of(prompt);
  }

  get running(): readonly Call[] {
    return this.#ledger?.calls.running ?? [];
  }

  /** The line that answers the request of this frame, or that should have been sent in its place. */
  linesToSend(f: number): SendableLines {
    return this.#sendable.get(f)?.() ?? NOTHING_TO_SEND;
  }

  /** The agent continued without an answer, or the client cancelled it. */
  #isSettled(f: number): boolean {
    const ask = this.askAt(f);
    return ask !== null && (ask.settled !== null || ask.cancel !== null);
  }

  #pair(read: ReadFrame, lastAgentFrame: number): void {
    const { frame, message, pairing, events } = read;
    const { f, t } = frame;
    const from = frame.from as 'client' | 'agent';
    const isLost = !pairing && isRequestWithoutId(this.traits, read);
    if (from === 'client') this.refusals.addSent(read, isLost);
    if (pairing?.role === 'answers') {
      this.#answer(read, this.#close(read, pairing.exchange!));
    } else if (pairing?.role === 'orphan') {
      if (from === 'agent' && message.envelope === 'error') this.refusals.addRefusal(read, lastAgentFrame);
      else this.answers.addOrphan(read);
    }
    const isPrompt = from === 'client' && events.some(({ kind }) => kind === 'prompt');
    if (pairing?.role !== 'asks' && !isLost && !(isPrompt && !pairing)) return;
    if (isPrompt) {
      this.prompts++;
      this.prompt = { f, t };
    }
    this.#addOpen(pairing?.exchange ?? f, {
      f,
      t,
      asker: from,
      id: message.id,
      method: message.method ?? message.type,
      kind: events[0]?.kind ?? null,
      describe: requestDescriber(read, this.prompts),
      prompt: isPrompt ? this.prompts : null,
      taken: false,
      accepted: null,
      unanswerable: isLost,
    });
    this.#sendable.set(f, sendableLinesFor(read, this.traits));
  }

  #addOpen(key: Exchange | LostMessage | number, held: HeldRequest): void {
    this.#open.set(key, held);
    if (held.lost) this.#lostOpen++;
    if (this.#open.size <= MAX_OPEN_REQUESTS) return;
    const [oldest, { lost }] = this.#open.entries().next().value!;
    this.#open.delete(oldest);
    if (lost) this.#lostOpen--;
  }

  /** Requests in a line that is not a message were sent, but did not arrive. */
  #addLost(frame: Frame): void {
    const { f, t } = frame;
    for (const lost of this.lost.take(frame)) {
      const { message, events } = lost.read;
      const isPrompt = lost.in.from === 'client' && events.some(({ kind }) => kind === 'prompt');
      if (isPrompt) this.prompts++;
      this.#addOpen(lost, {
        ...{ f, t, asker: lost.in.from, id: message.id, method: message.method ?? message.type },
        kind: events[0]?.kind ?? null,
        describe: requestDescriber(lost.read, this.prompts),
        prompt: isPrompt ? this.prompts : null,
        ...{ taken: false, accepted: null, unanswerable: false, lost },
      });
    }
  }

  /** The request was read all the same, because it is answered, or it was sent again, or its turn is over. */
  #dropFound({ frame: { from }, message: { id, envelope }, events }: ReadFrame): void {
    const isAnswer = envelope === 'response' || envelope === 'error';
    const isOver = from === 'agent' && events.some(({ kind }) => kind === 'prompt-answer');
    for (const [key, { lost, asker, id: own, prompt }] of this.#open) {
      if (!lost) continue;
      const isOwn = id !== null && own === id && (asker !== from) === isAnswer;
      if (!isOwn && !(isOver && (asker === 'agent' || prompt !== null))) continue;
      if (isOwn && isAnswer) lost.in.wasRead = true;
      this.#open.delete(key);
      this.#lostOpen--;
    }
  }

  /** A request is answered. An answer that only accepts a prompt leaves it open. Returns whether it was taken up. */
  #close({ events }: ReadFrame, exchange: Exchange): boolean {
    const open = this.#open.get(exchange);
    this.#open.delete(exchange);
    if (open?.prompt && !events.some(({ kind }) => kind === 'prompt-answer'))
      this.#open.set(open.f, { ...open, accepted: this.now });
    return open?.taken || events.some(({ takes }) => takes !== undefined);
  }

  #answer(read: ReadFrame, taken: boolean): void {
    const { frame, message, pairing, events } = read;
    const { f, t } = frame;
    const { askedF: of, method } = pairing!.exchange!;
    if (this.handshake?.f === of) this.handshake.answer ??= { f, t, code: message.code };
    if (frame.from === 'client') {
      const ask = this.askAt(of);
      if (ask && (ask.wait ?? 0) > (this.slowest?.wait ?? 0)) this.slowest = ask;
      return this.answers.addAnswer(read, of);
    }
    this.refusals.dropRead(of, message.id);
    this.hasReplied = true;
    const text = maskAndShorten(events[0]?.text ?? '', MAX_TEXT_CHARS, '');
    const isPrompt = events[0]?.kind === 'prompt-answer';
    const refused = { f, t, method, code: message.code, text, of, isPrompt, taken };
    if (message.envelope === 'error') this.#noteError(refused);
    else if (isPrompt) this.refused = this.failed = null;
    else if (events[0]?.kind === 'cancel') this.#accepted.set(of, f);
  }

  /** An answer to another request takes nothing back. */
  #noteError(refused: RefusedRequest): void {
    this.refused = refused;
    if (refused.isPrompt) this.failed = refused;
  }

  #takeEvent(read: ReadFrame, event: Event): void {
    const { f, t, from } = read.frame;
    if (event.needsClient !== undefined) this.needsClient = event.needsClient ? { f, t } : null;
    if (event.takes !== undefined) this.#takeUp(event.takes);
    // The result of the turn answers it too.
    if (event.joins !== undefined) this.#open.delete(event.joins);
    if (event.kind === 'step-begin' || event.step) this.#model.step(this.now, event);
    if (from === 'agent') this.#model.take(this.now, event);
    if (event.kind === 'approval') this.#approval = f;
    if (event.kind === 'handshake') this.#noteHandshake(read, event.about.session);
    else if (event.kind === 'cancel') this.#noteCancel(read, event.of);
    else if (event.kind === 'prompt-answer') {
      if (event.code === null) this.answered = { f, t, status: event.status, of: event.prompt ?? 0 };
      if (event.prompt !== null) this.#promptOver(event, { f, t }, event.prompt);
    }
  }

  /** A turn may fail in a line that answers nothing. */
  #promptOver({ status, text }: Event & { kind: 'prompt-answer' }, place: FramePosition, of: number): void {
    const method = this.#open.get(of)?.method ?? null;
    this.#open.delete(of);
    if (status !== 'error' || method === null) return;
    const shortText = maskAndShorten(text ?? '', MAX_TEXT_CHARS, '');
    this.#noteError({ ...place, method, code: null, text: shortText, of, isPrompt: true, taken: true });
  }

  #noteHandshake({ frame, message }: ReadFrame, session: string | undefined): void {
    const { f, t, from } = frame;
    if (from === 'agent' && session !== undefined && message.envelope === 'response')
      this.opened = { f, t, id: session };
    if (from === 'client' && message.envelope === 'request') this.handshake ??= { f, t, answer: null };
    if (from === 'client' && message.method === GREETING) this.greeted = true;
    if (message.method !== null && message.method === this.traits.readySignal) this.initialized = true;
  }

  #noteCancel({ frame }: ReadFrame, of: string | null): void {
    if (frame.from === 'client' && this.traits.cancelWithdrawsRequest) this.#withdraw(of);
  }

  #takeUp(prompt: number): void {
    this.refusals.dropRead(prompt);
    this.#model.takeUpPrompt(prompt);
    for (const one of this.#open.values()) if (one.f === prompt) one.taken = true;
  }

  #withdraw(id: string | null): void {
    for (const [key, { asker, id: own }] of this.#open)
      if (asker === 'client' && String(own) === id) this.#open.delete(key);
  }
}

/** It only answers a request that is not a prompt, which says nothing about the others. */
function isAside({ pairing, events }: ReadFrame): boolean {
  return (
    pairing?.role === 'answers' && !events.some(({ kind, takes }) => kind === 'prompt-answer' || takes !== undefined)
  );
}

/** Before the first frame. */
const NO_PROCESS = new ProcessRecord();
/** Every protocol that has a handshake calls it that. */
const GREETING = 'initialize';
