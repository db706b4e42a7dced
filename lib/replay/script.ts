/**
 * A recorded session as a script for the agent: the lines that it sends, the lines that the client sends, and which of
 * the client's lines each of its lines depends on. It is read from the tape as it is needed, so its length does not
 * matter.
 *
 * A line of the agent needs the request that it answers, the prompt of its turn, and the client's answers in that turn.
 * It waits only for a limited time for what the client sends on its own: a cancel, a steer, a second prompt, a
 * notification. A line outside a turn needs the latest request before it.
 */

import { traitsOf } from '../dialects/index.ts';
import type { Traits } from '../dialects/traits.ts';
import type { Event } from '../model/event.ts';
import type { Frame } from '../model/frame.ts';
import { keepFrame } from '../model/kept-frame.ts';
import { isReplayed } from '../model/ledger/ledger.ts';
import type { Call, TurnRecord } from '../model/ledger/records.ts';
import { LimitedMap } from '../model/limited-map.ts';
import { textIn } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { Pass } from '../session/pass.ts';
import type { Source } from '../session/source.ts';
import { type AgentStep, type ClientStep, isEnding } from './script-step.ts';

/** How many requests of the agent and calls of the client are remembered. */
const MAX_REMEMBERED_REQUESTS = 1000;
const NO_STEPS: readonly ClientStep[] = [];
const OUTSIDE = 'outside';
const STDERR = 'outside, stderr';
const TURN = 'turn ';
const REQUEST = 'request ';
const ASK_KINDS = new Set<Event['kind']>(['approval', 'question', 'hook', 'client-call']);
const OWN_ACCORD_KINDS = new Set<Event['kind']>(['cancel', 'steer']);

export class Script {
  readonly traits: Traits;
  readonly dialect: string;
  readonly command: readonly string[];
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  /** What the live client has not sent yet, by frame. */
  readonly #awaited = new Map<number, ClientStep>();
  readonly #asks = new LimitedMap<number, AgentStep>(MAX_REMEMBERED_REQUESTS);
  /** Requests of the client that may be calls. */
  readonly #calls = new LimitedMap<number, true>(MAX_REMEMBERED_REQUESTS);
  /** Awaited answers and lines of the client's own accord, by group. */
  readonly #inGroup = new Map<string, ClientStep[]>();
  /** The latest request of the client. */
  #latest: ClientStep | null = null;
  /** Its frame, until it is answered: what the agent sends until then follows from it. */
  #unanswered: number | null = null;
  /** Prompts that will not be taken up. */
  readonly #refused = new Set<number>();
  /** The end of the client's stream, if everything after it waits for it: the client wrote the prompt as plain text. */
  #promptEnd: ClientStep | null = null;
  #hasText = false;
  /** The latest line of the client, if no agent can take it. */
  #stray: ClientStep | null = null;
  #previousTime = 0;
  #turn: { n: number; group: string } | null = null;

  constructor(source: Source) {
    this.#pass = new Pass(source);
    this.command = source.command;
    this.dialect = this.#pass.dialect;
    this.traits = traitsOf(this.dialect);
    this.#frames = this.#pass[Symbol.iterator]();
  }

  /** The next step on the tape; null at its end. */
  next(): ClientStep | AgentStep | null {
    for (;;) {
      const { done, value: read } = this.#frames.next();
      if (done) return null;
      const step = this.#read(read);
      this.#previousTime = read.frame.t;
      if (step) return step;
    }
  }

  close(): void {
    this.#pass.close();
  }

  /** The live client sent it, or it is no longer waited for. */
  settle(clientStep: ClientStep, state: 'came' | 'given-up'): void {
    clientStep.state = state;
    if (this.#awaited.get(clientStep.f) === clientStep) this.#awaited.delete(clientStep.f);
    const waiting = this.#inGroup.get(clientStep.group)?.filter((one) => one.state === 'awaited');
    if (waiting?.length === 0) this.#inGroup.delete(clientStep.group);
    else if (waiting) this.#inGroup.set(clientStep.group, waiting);
  }

  #read(read: ReadFrame): ClientStep | AgentStep | null {
    const { frame } = read;
    if (frame.from === 'client' || frame.event === 'signal') return this.#clientStep(read);
    if (frame.from === 'agent' || frame.from === 'stderr' || frame.event === 'exit') return this.#agentStep(read);
    return null;
  }

  #clientStep(read: ReadFrame): ClientStep | null {
    const { frame, pairing, events, ledger } = read;
    if (!isByClient(frame)) return null;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    const askedF = pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
    const isRequest = pairing?.role === 'asks';
    const isAccord = events.some(({ kind }) => OWN_ACCORD_KINDS.has(kind));
    const isAskedFor = (isPrompt || isRequest) && !isAccord && ledger.turns.open.length === 0;
    const what = whatOf(frame, askedF, isRequest);
    const ask = askedF === null ? null : (this.#asks.get(askedF) ?? null);
    const isOwnAccord = askedF === null && !isAskedFor;
    const open = isOwnAccord ? ledger.turns.current : null;
    const answered = answeredTurn(ledger);
    // A client that closes its stream right after its prompt does so in the turn of it.
    const isAhead = what === 'eof' && !open && this.#isLastPrompt(ledger);
    const turn = open?.turn.n ?? (isAhead ? ledger.turns.count + 1 : null);
    const group = turn === null ? this.#groupOf(read, answered) : this.#turnGroup(turn);
    const { f, t } = frame;
    const clientStep: ClientStep = {
      ...{ is: 'hear', f, t, value: read.value, frame: keepWithText(frame), message: read.message, events },
      ...{
        group: ask?.group ?? group,
        prompt: open?.turn.prompt_f ?? this.#promptOf(read, group, answered),
        gap: Math.max(0, t - this.#previousTime),
      },
      ...{ what, state: 'awaited', isPrompt, isOwnAccord, ask },
    };
    this.#remember(clientStep, isRequest && !isAccord);
    return clientStep;
  }

  /** Later lines may need it. `isRequest`: one that may lead to further lines. */
  #remember(clientStep: ClientStep, isRequest: boolean): void {
    const { f, what, isPrompt } = clientStep;
    this.#awaited.set(f, clientStep);
    this.#stray = isStray(clientStep) ? clientStep : null;
    if (what === 'answer' || isRequest || isPrompt) this.#latest = clientStep;
    if (isRequest && !isPrompt) {
      this.#unanswered = f;
      this.#calls.set(f, true);
    }
    if (clientStep.ask || (clientStep.isOwnAccord && what !== 'signal')) this.#waitIn(clientStep.group, clientStep);
    if (clientStep.frame.event === null) this.#hasText ||= clientStep.value === undefined;
    else if (what === 'eof' && this.traits.stdinIsPrompt && this.#hasText) this.#promptEnd = clientStep;
  }

  /** Lines of the group that come later need it, or hope for it. */
  #waitIn(group: string, clientStep: ClientStep): void {
    this.#inGroup.set(group, [...(this.#inGroup.get(group) ?? []), clientStep]);
  }

  #agentStep(read: ReadFrame): AgentStep {
    const { frame, pairing, events, ledger } = read;
    const asks = frame.from === 'agent' && (pairing?.role === 'asks' || events.some(({ kind }) => ASK_KINDS.has(kind)));
    const answered = answeredTurn(ledger);
    const group = this.#groupOf(read, answered);
    // One literal, without spreading: there is one for every line.
    const agentStep: AgentStep = {
      is: 'say',
      f: frame.f,
      t: frame.t,
      value: read.value,
      frame: keepWithText(frame),
      message: read.message,
      events,
      group,
      prompt: this.#promptOf(read, group, answered),
      lane: events[0]?.subagent ?? '',
      asks,
      about: events[0]?.kind === 'error' && frame.from === 'agent' && pairing?.role !== 'answers' ? this.#stray : null,
      needs: NO_STEPS,
      optionalNeeds: NO_STEPS,
      answers: pairing?.role === 'answers' && frame.from === 'agent' ? pairing.exchange!.askedF : null,
      ends: answered?.prompt_f ?? null,
      gap: Math.max(0, frame.t - this.#previousTime),
      order: 0,
    };
    if (asks) this.#asks.set(frame.f, agentStep);
    this.#addDependencies(agentStep);
    // An error that answers no request may be the agent's only reaction to a prompt.
    if (events[0]?.kind === 'error') for (const f of ledger.turns.waitingPrompts) this.#refused.add(f);
    if (agentStep.answers !== null && agentStep.answers === this.#unanswered) this.#unanswered = null;
    return agentStep;
  }

  #addDependencies(agentStep: AgentStep): void {
    // The common case first: everything has come.
    if (this.#awaited.size === 0) return;
    const needs = new Set<ClientStep>();
    const need = (f: number | null | undefined) => {
      const clientStep = f === null || f === undefined ? undefined : this.#awaited.get(f);
      if (clientStep) needs.add(clientStep);
    };
    need(agentStep.answers);
    need(agentStep.ends);
    need(agentStep.prompt);
    need(this.#promptEnd?.f);
    const isOutside = agentStep.group.startsWith(OUTSIDE);
    if (isOutside) need(this.#latest?.f);
    else if (agentStep.group.startsWith(REQUEST)) need(Number(agentStep.group.slice(REQUEST.length)));
    // What comes outside turns comes after what the client did in them.
    const before = [...(isOutside ? this.#awaited.values() : (this.#inGroup.get(agentStep.group) ?? NO_STEPS))];
    const isNeeded = ({ ask, group, what }: ClientStep) =>
      (ask !== null && group === agentStep.group) || (agentStep.frame.event === 'exit' && isEnding(what));
    for (const clientStep of before) if (clientStep.state === 'awaited' && isNeeded(clientStep)) needs.add(clientStep);
    // A client that never sent a line may close its stream at any time.
    const isNeverWaitedFor = ({ what }: ClientStep) => what === 'signal' || (what === 'eof' && this.#latest === null);
    const isOptional = (clientStep: ClientStep) =>
      clientStep.state === 'awaited' && clientStep.isOwnAccord && !isNeverWaitedFor(clientStep);
    agentStep.needs = [...needs];
    agentStep.optionalNeeds = before.filter((clientStep) => isOptional(clientStep) && !needs.has(clientStep));
    if (agentStep.about?.state === 'awaited' && !agentStep.optionalNeeds.includes(agentStep.about))
      agentStep.optionalNeeds = [...agentStep.optionalNeeds, agentStep.about];
  }

  /** `answered`: the turn that the line ends. */
  #groupOf({ frame, pairing, events, where, ledger }: ReadFrame, answered: TurnRecord | null): string {
    if (frame.from === 'stderr') return STDERR;
    if (answered) return this.#turnGroup(answered.n);
    if (frame.from === 'agent' && pairing?.role === 'answers') return `${REQUEST}${pairing.exchange!.askedF}`;
    const isHistory = events[0] !== undefined && isReplayed(events[0]);
    // What belongs to a turn that is over comes when it comes.
    const isOpen = ledger.turns.open.some(({ turn }) => turn.n === where.turn);
    if (isOpen && !isHistory) return this.#turnGroup(where.turn!);
    // What comes between a prompt and its turn belongs to the turn (rule T6).
    const mayBelong = frame.from === 'agent' && !isHistory && events[0]?.kind !== 'error';
    if (mayBelong && this.#waitingPrompt(ledger) !== null) {
      return `${TURN}${ledger.turns.count + 1}`;
    }
    const call = this.traits.clientCallsTools ? callOf(ledger) : null;
    if (call && this.#calls.has(call.f)) return `${REQUEST}${call.f}`;
    return this.#unanswered === null ? OUTSIDE : `${REQUEST}${this.#unanswered}`;
  }

  /** One string for all lines of a turn. */
  #turnGroup(n: number): string {
    if (this.#turn?.n !== n) this.#turn = { n, group: `${TURN}${n}` };
    return this.#turn.group;
  }

  #promptOf(read: ReadFrame, group: string, answered: TurnRecord | null): number | null {
    return group.startsWith(TURN) ? (promptOf(read, answered) ?? this.#waitingPrompt(read.ledger)) : null;
  }

  /** One prompt waits for its turn, and no other. */
  #isLastPrompt(ledger: ReadFrame['ledger']): boolean {
    return this.#waitingPrompt(ledger) !== null && [...ledger.turns.waitingPrompts].length === 1;
  }

  #waitingPrompt(ledger: ReadFrame['ledger']): number | null {
    if (this.traits.turnsSideBySide || ledger.turns.isInOwnTurn) return null;
    for (const f of ledger.turns.waitingPrompts) if (!this.#refused.has(f)) return f;
    return null;
  }
}

function keepWithText(frame: Frame): Frame {
  return keepFrame(frame, frame.form === 'event' ? null : textIn(frame));
}

/** It is not JSON, or answers a request that does not exist. */
export function isStray({ what, value, message, isPrompt }: ClientStep): boolean {
  const isAnswer = message.envelope === 'response' || message.envelope === 'error';
  return what === 'line' && !isPrompt && (value === undefined || isAnswer);
}

/** A call that the client makes has the frame of its request. */
function callOf(ledger: ReadFrame['ledger']): Call | null {
  const about = ledger.notes.find(({ call, ask }) => call !== null || (ask?.call ?? null) !== null);
  return about ? (about.call ?? about.ask!.call) : null;
}

function answeredTurn(ledger: ReadFrame['ledger']): TurnRecord | null {
  return ledger.notes.find((note) => note.answered)?.answered?.turn ?? null;
}

/** The frame of the prompt of the turn that a line belongs to. */
function promptOf({ ledger, where }: ReadFrame, answered: TurnRecord | null): number | null {
  if (answered) return answered.prompt_f;
  const noted = ledger.notes.find(({ open }) => open !== null)?.open;
  const open = noted ?? ledger.turns.open.find(({ turn }) => turn.n === where.turn);
  return open?.turn.prompt_f ?? null;
}

/** The agent may close the client's stream, too. */
function isByClient({ event, detail }: Frame): boolean {
  return event === null || event === 'signal' || (event === 'eof' && !('by' in detail));
}

function whatOf(frame: Frame, askedF: number | null, isRequest: boolean): ClientStep['what'] {
  if (frame.event !== null) return frame.event as 'eof' | 'signal';
  if (askedF !== null) return 'answer';
  return isRequest ? 'request' : 'line';
}
