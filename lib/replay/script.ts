/**
 * A recorded session as a script for the agent's part: what it says, what it hears from the client, and which of the
 * client's lines each of its lines depends on. It is read from the tape as it is needed, so its length does not matter.
 *
 * A line of the agent needs the request that it answers, the prompt of its turn, and the client's answers in that turn. It
 * only hopes for what the client sends of its own accord: a cancel, a steer, a second prompt, a notification. A line outside
 * a turn needs the latest request before it.
 */
import type { Event } from '../core/event.ts';
import type { Frame } from '../core/frame.ts';
import { keepFrame } from '../core/kept-frame.ts';
import { isReplayed } from '../core/ledger/ledger.ts';
import type { Call } from '../core/ledger/records.ts';
import { type Message, textIn } from '../core/message.ts';
import { Recent } from '../core/recent.ts';
import type { Traits } from '../dialects/traits.ts';
import { traitsOf } from '../dialects/traits-of.ts';
import { Pass } from '../session/pass.ts';
import type { ReadFrame } from '../session/read.ts';
import type { Source } from '../session/source.ts';

export type Side = 'client' | 'agent';

interface Step {
  f: number;
  t: number;
  /** The line as JSON; undefined if it is not JSON. */
  value: unknown;
  frame: Frame;
  message: Message;
  events: readonly Event[];
  /** The number of its turn; null outside a turn. */
  turn: number | null;
}

/** A line of the client, or the end of its stream. */
export interface Hear extends Step {
  is: 'hear';
  what: 'request' | 'answer' | 'line' | 'eof';
  /** The live client sent it (`came`), or it is no longer waited for (`given-up`: what needs it is never sent). */
  state: 'awaited' | 'came' | 'given-up';
  isPrompt: boolean;
  /** What the client need not send. */
  isOwnAccord: boolean;
  /** For an answer: the frame of the agent's request. */
  asked: number | null;
}

/** A line of the agent, a line on stderr, or something that happens to the process. */
export interface Say extends Step {
  is: 'say';
  /** Lines of one group are sent in order; those of a subagent wait for the main agent, and the other way round. */
  group: string;
  lane: string;
  needs: Hear[];
  hopes: Hear[];
  /** Seconds since the frame before it on the tape. */
  gap: number;
  /** The request of the client that it answers, by frame. */
  answers: number | null;
  /** The prompt whose turn it ends, by frame. */
  ends: number | null;
  /** It asks the client something. */
  asks: boolean;
}

/** How many requests of the agent and calls of the client are remembered. */
const REMEMBERED = 10_000;
const OUTSIDE = 'outside';
const ASKS = new Set<Event['kind']>(['approval', 'question', 'hook', 'client-call']);
const ACCORD = new Set<Event['kind']>(['cancel', 'steer']);

export class Script {
  readonly traits: Traits;
  readonly dialect: string;
  /** The recorded working directory, and the agent's command. */
  readonly command: readonly string[];
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  /** What the live client has not sent yet, by frame. */
  readonly #awaited = new Map<number, Hear>();
  /** Groups of the agent's requests, for the client's answers to them. */
  readonly #asked = new Recent<number, string>(REMEMBERED);
  /** Awaited answers and lines of the client's own accord, by group. */
  readonly #inGroup = new Map<string, Hear[]>();
  /** The latest request of the client. */
  #latest: Hear | null = null;
  #before = 0;

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

  /** The live client sent it, or nobody waits for it any longer. */
  settle(hear: Hear, state: 'came' | 'given-up'): void {
    hear.state = state;
    this.#awaited.delete(hear.f);
  }

  #read(read: ReadFrame): Hear | Say | null {
    const { frame } = read;
    if (frame.from === 'client') return this.#hear(read);
    if (frame.from === 'agent' || frame.from === 'stderr' || frame.event === 'exit') return this.#say(read);
    return null;
  }

  #step({ frame, value, message, events, where }: ReadFrame): Step {
    const kept = keepFrame(frame, frame.form === 'event' ? null : textIn(frame));
    return { f: frame.f, t: frame.t, value, frame: kept, message, events, turn: where.turn };
  }

  #hear(read: ReadFrame): Hear | null {
    const { frame, pairing, events, ledger } = read;
    if (frame.event !== null && frame.event !== 'eof') return null;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    const asked = pairing?.role === 'answers' ? pairing.exchange!.askedF : null;
    const isRequest = pairing?.role === 'asks';
    const isAccord = events.some(({ kind }) => ACCORD.has(kind));
    const isInTurn = ledger.turns.open.length > 0;
    const isAskedFor = isPrompt || isRequest ? !isInTurn && !isAccord : false;
    const isOwnAccord = asked === null && !isAskedFor;
    const what = whatOf(frame, asked, isRequest);
    const hear: Hear = {
      ...this.#step(read),
      ...{ is: 'hear', what, state: 'awaited', isPrompt, isOwnAccord, asked },
    };
    this.#awaited.set(frame.f, hear);
    if (what === 'answer' || (isRequest && !isAccord) || isPrompt) this.#latest = hear;
    const group = asked === null ? (hear.isOwnAccord ? this.#groupOf(read) : null) : (this.#asked.get(asked) ?? null);
    if (group !== null) this.#waitIn(group, hear);
    return hear;
  }

  /** Lines of the group that come later need it, or hope for it. */
  #waitIn(group: string, hear: Hear): void {
    const waiting = this.#inGroup.get(group)?.filter(({ state }) => state === 'awaited') ?? [];
    this.#inGroup.set(group, [...waiting, hear]);
  }

  #say(read: ReadFrame): Say {
    const { frame, pairing, events, ledger } = read;
    const answers = pairing?.role === 'answers' && frame.from === 'agent' ? pairing.exchange!.askedF : null;
    const answered = ledger.notes.find((note) => note.answered)?.answered?.turn ?? null;
    const ends = answered?.prompt_f ?? null;
    const group = this.#groupOf(read);
    const step = this.#step(read);
    const asks = frame.from === 'agent' && (pairing?.role === 'asks' || events.some(({ kind }) => ASKS.has(kind)));
    if (asks) this.#asked.set(frame.f, group);
    const say: Say = {
      ...step,
      ...{ is: 'say', group, lane: events[0]?.subagent ?? '', answers, ends, asks, needs: [], hopes: [] },
      gap: Math.max(0, frame.t - this.#before),
    };
    this.#depend(say, read);
    return say;
  }

  #depend(say: Say, { ledger }: ReadFrame): void {
    const need = (f: number | null | undefined) => {
      const hear = f === null || f === undefined ? undefined : this.#awaited.get(f);
      if (hear && !say.needs.includes(hear)) say.needs.push(hear);
    };
    need(say.answers);
    need(say.ends);
    if (say.group.startsWith(OUTSIDE)) need(this.#latest?.f);
    else if (say.group.startsWith('r')) need(Number(say.group.slice(1)));
    else need(promptOf(say, ledger));
    // What the process does at its end waits for the client to end too, if it did.
    if (say.frame.event === 'exit') for (const hear of this.#awaited.values()) if (hear.what === 'eof') need(hear.f);
    for (const hear of this.#inGroup.get(say.group) ?? []) {
      if (hear.state !== 'awaited') continue;
      if (hear.what === 'answer') need(hear.f);
      else if (hear.f !== say.answers && !say.needs.includes(hear)) say.hopes.push(hear);
    }
  }

  /** Lines of a group depend on the same lines of the client: those of a turn, of a request, or of neither. */
  #groupOf({ frame, pairing, events, where, ledger }: ReadFrame): string {
    if (frame.from === 'stderr') return `${OUTSIDE}-stderr`;
    const answered = ledger.notes.find((note) => note.answered)?.answered?.turn ?? null;
    if (answered) return this.#turnGroup(answered.n);
    if (frame.from === 'agent' && pairing?.role === 'answers') return `r${pairing.exchange!.askedF}`;
    if (where.turn !== null && !(events[0] && isReplayed(events[0]))) return this.#turnGroup(where.turn);
    const call = ledger.notes
      .map(({ call, ask }) => call ?? ask?.call ?? null)
      .find((one): one is Call => one !== null);
    // A call that the client makes has the frame of its request.
    return call && this.traits.clientCallsTools ? `r${call.f}` : OUTSIDE;
  }

  #turnGroup(n: number): string {
    return this.traits.turnsSideBySide ? `turn ${n}` : 'turn';
  }
}

function whatOf(frame: Frame, asked: number | null, isRequest: boolean): Hear['what'] {
  if (frame.event === 'eof') return 'eof';
  if (asked !== null) return 'answer';
  return isRequest ? 'request' : 'line';
}

/** The frame of the prompt of the turn that a line belongs to. */
function promptOf(say: Say, ledger: ReadFrame['ledger']): number | null {
  if (say.ends !== null) return say.ends;
  const noted = ledger.notes.find(({ open }) => open !== null)?.open;
  const open = noted ?? ledger.turns.open.find(({ turn }) => turn.n === say.turn);
  return open?.turn.prompt_f ?? null;
}
