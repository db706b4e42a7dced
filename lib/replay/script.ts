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
import { textIn } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { Recent } from '../model/recent.ts';
import { Pass } from '../session/pass.ts';
import type { Source } from '../session/source.ts';
import { type Hear, isEnding, type Say } from './steps.ts';

/** How many requests of the agent and calls of the client are remembered. */
const REMEMBERED = 1000;
const NONE: readonly Hear[] = [];
const OUTSIDE = 'outside';
const STDERR = 'outside, stderr';
const TURN = 'turn ';
const REQUEST = 'request ';
const ASKS = new Set<Event['kind']>(['approval', 'question', 'hook', 'client-call']);
const ACCORD = new Set<Event['kind']>(['cancel', 'steer']);

export class Script {
  readonly traits: Traits;
  readonly dialect: string;
  readonly command: readonly string[];
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  /** What the live client has not sent yet, by frame. */
  readonly #awaited = new Map<number, Hear>();
  readonly #asks = new Recent<number, Say>(REMEMBERED);
  /** Requests of the client that may be calls. */
  readonly #calls = new Recent<number, true>(REMEMBERED);
  /** Awaited answers and lines of the client's own accord, by group. */
  readonly #inGroup = new Map<string, Hear[]>();
  /** The latest request of the client. */
  #latest: Hear | null = null;
  /** Its frame, until it is answered: what the agent sends until then follows from it. */
  #unanswered: number | null = null;
  /** Prompts that will not be taken up. */
  readonly #refused = new Set<number>();
  /** The end of the client's stream, if everything after it waits for it: the client wrote the prompt as plain text. */
  #promptEnd: Hear | null = null;
  #hasText = false;
  /** The latest line of the client, if no agent can take it. */
  #stray: Hear | null = null;
  #before = 0;
  #turn: { n: number; group: string } | null = null;

  constructor(source: Source) {
    this.#pass = new Pass(source);
    this.command = source.command;
    this.dialect = this.#pass.dialect;
    this.traits = traitsOf(this.dialect);
    this.#frames = this.#pass[Symbol.iterator]();
  }

  /** The next step on the tape; null at its end. */
  next(): Hear | Say | null {
    for (;;) {
      const { done, value: read } = this.#frames.next();
      if (done) return null;
      const step = this.#read(read);
      this.#before = read.frame.t;
      if (step) return step;
    }
  }

  close(): void {
    this.#pass.close();
  }

  /** The live client sent it, or it is no longer waited for. */
  settle(hear: Hear, state: 'came' | 'given-up'): void {
    hear.state = state;
    if (this.#awaited.get(hear.f) === hear) this.#awaited.delete(hear.f);
    const waiting = this.#inGroup.get(hear.group)?.filter((one) => one.state === 'awaited');
    if (waiting?.length === 0) this.#inGroup.delete(hear.group);
    else if (waiting) this.#inGroup.set(hear.group, waiting);
  }

  #read(read: ReadFrame): Hear | Say | null {
    const { frame } = read;
    if (frame.from === 'client' || frame.event === 'signal') return this.#hear(read);
    if (frame.from === 'agent' || frame.from === 'stderr' || frame.event === 'exit') return this.#say(read);
    return null;
  }

  #hear(read: ReadFrame): Hear | null {
    const { frame, pairing, events, ledger } = read;
    if (!isByClient(frame)) return null;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    const asked = pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
    const isRequest = pairing?.role === 'asks';
    const isAccord = events.some(({ kind }) => ACCORD.has(kind));
    const isAskedFor = (isPrompt || isRequest) && !isAccord && ledger.turns.open.length === 0;
    const what = whatOf(frame, asked, isRequest);
    const ask = asked === null ? null : (this.#asks.get(asked) ?? null);
    const isOwnAccord = asked === null && !isAskedFor;
    const open = isOwnAccord ? ledger.turns.current : null;
    const answered = answeredTurn(ledger);
    // A client that closes its stream right after its prompt does so in the turn of it.
    const isAhead = what === 'eof' && !open && this.#isLastPrompt(ledger);
    const turn = open?.turn.n ?? (isAhead ? ledger.turns.count + 1 : null);
    const group = turn === null ? this.#groupOf(read, answered) : this.#turnGroup(turn);
    const { f, t } = frame;
    const hear: Hear = {
      ...{ is: 'hear', f, t, value: read.value, frame: kept(frame), message: read.message, events },
      ...{
        group: ask?.group ?? group,
        prompt: open?.turn.prompt_f ?? this.#promptOf(read, group, answered),
        gap: Math.max(0, t - this.#before),
      },
      ...{ what, state: 'awaited', isPrompt, isOwnAccord, ask },
    };
    this.#note(hear, isRequest && !isAccord);
    return hear;
  }

  /** Later lines may need it. `isRequest`: one that may lead to further lines. */
  #note(hear: Hear, isRequest: boolean): void {
    const { f, what, isPrompt } = hear;
    this.#awaited.set(f, hear);
    this.#stray = isStray(hear) ? hear : null;
    if (what === 'answer' || isRequest || isPrompt) this.#latest = hear;
    if (isRequest && !isPrompt) {
      this.#unanswered = f;
      this.#calls.set(f, true);
    }
    if (hear.ask || (hear.isOwnAccord && what !== 'signal')) this.#waitIn(hear.group, hear);
    if (hear.frame.event === null) this.#hasText ||= hear.value === undefined;
    else if (what === 'eof' && this.traits.stdinIsPrompt && this.#hasText) this.#promptEnd = hear;
  }

  /** Lines of the group that come later need it, or hope for it. */
  #waitIn(group: string, hear: Hear): void {
    this.#inGroup.set(group, [...(this.#inGroup.get(group) ?? []), hear]);
  }

  #say(read: ReadFrame): Say {
    const { frame, pairing, events, ledger } = read;
    const asks = frame.from === 'agent' && (pairing?.role === 'asks' || events.some(({ kind }) => ASKS.has(kind)));
    const answered = answeredTurn(ledger);
    const group = this.#groupOf(read, answered);
    // One literal, without spreading: there is one for every line.
    const say: Say = {
      is: 'say',
      f: frame.f,
      t: frame.t,
      value: read.value,
      frame: kept(frame),
      message: read.message,
      events,
      group,
      prompt: this.#promptOf(read, group, answered),
      lane: events[0]?.subagent ?? '',
      asks,
      about: events[0]?.kind === 'error' && frame.from === 'agent' && pairing?.role !== 'answers' ? this.#stray : null,
      needs: NONE,
      hopes: NONE,
      answers: pairing?.role === 'answers' && frame.from === 'agent' ? pairing.exchange!.askedF : null,
      ends: answered?.prompt_f ?? null,
      gap: Math.max(0, frame.t - this.#before),
      order: 0,
    };
    if (asks) this.#asks.set(frame.f, say);
    this.#depend(say);
    // An error that answers no request may be the agent's only reaction to a prompt.
    if (events[0]?.kind === 'error') for (const f of ledger.turns.waiting) this.#refused.add(f);
    if (say.answers !== null && say.answers === this.#unanswered) this.#unanswered = null;
    return say;
  }

  #depend(say: Say): void {
    // The common case first: everything has come.
    if (this.#awaited.size === 0) return;
    const needs = new Set<Hear>();
    const need = (f: number | null | undefined) => {
      const hear = f === null || f === undefined ? undefined : this.#awaited.get(f);
      if (hear) needs.add(hear);
    };
    need(say.answers);
    need(say.ends);
    need(say.prompt);
    need(this.#promptEnd?.f);
    const isOutside = say.group.startsWith(OUTSIDE);
    if (isOutside) need(this.#latest?.f);
    else if (say.group.startsWith(REQUEST)) need(Number(say.group.slice(REQUEST.length)));
    // What comes outside turns comes after what the client did in them.
    const before = [...(isOutside ? this.#awaited.values() : (this.#inGroup.get(say.group) ?? NONE))];
    const isNeeded = ({ ask, group, what }: Hear) =>
      (ask !== null && group === say.group) || (say.frame.event === 'exit' && isEnding(what));
    for (const hear of before) if (hear.state === 'awaited' && isNeeded(hear)) needs.add(hear);
    // A client that never sent a line may close its stream at any time.
    const isHopeless = ({ what }: Hear) => what === 'signal' || (what === 'eof' && this.#latest === null);
    const isHoped = (hear: Hear) => hear.state === 'awaited' && hear.isOwnAccord && !isHopeless(hear);
    say.needs = [...needs];
    say.hopes = before.filter((hear) => isHoped(hear) && !needs.has(hear));
    if (say.about?.state === 'awaited' && !say.hopes.includes(say.about)) say.hopes = [...say.hopes, say.about];
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
    return this.#waitingPrompt(ledger) !== null && [...ledger.turns.waiting].length === 1;
  }

  #waitingPrompt(ledger: ReadFrame['ledger']): number | null {
    if (this.traits.turnsSideBySide || ledger.turns.own) return null;
    for (const f of ledger.turns.waiting) if (!this.#refused.has(f)) return f;
    return null;
  }
}

function kept(frame: Frame): Frame {
  return keepFrame(frame, frame.form === 'event' ? null : textIn(frame));
}

/** It is not JSON, or answers a request that does not exist. */
export function isStray({ what, value, message, isPrompt }: Hear): boolean {
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

function whatOf(frame: Frame, asked: number | null, isRequest: boolean): Hear['what'] {
  if (frame.event !== null) return frame.event as 'eof' | 'signal';
  if (asked !== null) return 'answer';
  return isRequest ? 'request' : 'line';
}
