/**
 * A recorded session as a plan for the client's part: its steps in the order of the tape, what each of them waits for, and
 * its answers by request. The tape is read ahead for a while, so its length does not matter.
 */

import { traitsOf } from '../../dialects/index.ts';
import type { Traits } from '../../dialects/traits.ts';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { keepFrame } from '../../model/kept-frame.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Recent } from '../../model/recent.ts';
import { Pass } from '../../session/pass.ts';
import type { Source } from '../../session/source.ts';
import { roleOf } from '../steps.ts';
import { Course, OUTSIDE } from './course.ts';
import { asksClient, meaningOf } from './meaning.ts';
import { chosenIn, isSignal, LEAVING, newStep, outcomeOf, PATIENCE } from './new-step.ts';
import type { Ask, Need, Step } from './steps.ts';

/** So many steps and answers are read ahead, in so many frames. */
const STEPS_AHEAD = 1000;
const FRAMES_AHEAD = 100_000;
/** So many frames are read at a time, so that the agent is listened to in between. */
const SLICE = 5000;
const REMEMBERED = 10_000;
/** Further ones are added up. */
const MOST_GAPS = 1000;
const END_OF_STDIN = 'end of stdin';

/** Called with what was read, in order. */
export interface Reader {
  /** A line of the agent. */
  says(value: unknown): void;
  asks(ask: Ask): void;
  /** What the agent owed to a step is known now. */
  settled(step: Step): void;
}

export interface Exit {
  code: number | null;
  signal: string | null;
}

export class Plan {
  readonly dialect: string;
  readonly traits: Traits;
  /** How the agent ended, if that is on the tape and was read already. */
  exit: Exit | null = null;
  /** Lines of the client, as far as the tape was read. */
  lines = 0;
  /** What the recorded agent sent, as far as the tape was read. */
  readonly said = { lines: 0, bytes: 0 };
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  readonly #reader: Reader;
  readonly #until: number;
  readonly #course = new Course();
  #steps: Step[] = [];
  /** Frames since the step that is due next. */
  #ahead = 0;
  #isRead = false;
  /** Requests and prompts of the client, to which something may still be owed. */
  readonly #owed = new Recent<number, Step>(REMEMBERED);
  readonly #asks = new Recent<number, Ask>(REMEMBERED);
  /** The prompt on the command line. */
  readonly commandLine: Step = newStep({ f: 0, t: 0 }, { what: 'line', isPrompt: true, label: 'prompt', liveF: 0 });
  #needs: Need[] = [];
  #answered: Ask[] = [];
  #lastStep: Step | null = null;
  #before = 0;
  /** Seconds between the frames since the agent's latest point. */
  #gaps: number[] = [];
  #hasEof = false;

  /** `until`: the first frame that is not replayed; null: all of them are. */
  constructor(source: Source, reader: Reader, until: number | null) {
    this.#pass = new Pass(source);
    this.#reader = reader;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.dialect = this.#pass.dialect;
    this.traits = traitsOf(this.dialect);
    this.#frames = this.#pass[Symbol.iterator]();
  }

  /** The next step, if the tape is read that far. */
  get head(): Step | null {
    return this.#steps[0] ?? null;
  }

  /** Nothing more can be read now: the tape is over, or enough of it is read ahead. */
  get isFarEnough(): boolean {
    if (this.#isRead || this.#steps.length === 0) return this.#isRead;
    return this.#steps.length >= STEPS_AHEAD || this.#ahead >= FRAMES_AHEAD;
  }

  /** Reads ahead for a moment. */
  readOn(): void {
    for (let n = 0; n < SLICE && !this.isFarEnough; n++) this.#next();
  }

  done(step: Step, state: 'done' | 'skipped'): void {
    step.state = state;
    // Or every step would keep all steps before it.
    Object.assign(step, { needs: [], asks: [], point: null });
    this.#steps.shift();
    this.#ahead = 0;
  }

  /** The steps that were never done. Reads the rest of the tape. */
  *rest(): Generator<Step> {
    for (;;) {
      yield* this.#steps.splice(0);
      if (this.#isRead) return;
      this.readOn();
    }
  }

  close(): void {
    this.#isRead = true;
    this.#pass.close();
  }

  #next(): void {
    const { done, value: read } = this.#frames.next();
    if (done) return this.#end();
    this.#ahead++;
    if (read.frame.f >= this.#until) {
      this.#waitOver(this.#timeOf(read.frame) - this.#before);
      this.#add(newStep(read.frame, { what: 'handover', label: 'handover', isMadeUp: true }), read);
      return this.close();
    }
    const { answered, ended, isPoint } = this.#course.take(read);
    this.#waitOver(this.#timeOf(read.frame) - this.#before);
    for (const { prompts, status } of ended) for (const prompt of prompts) this.#turnEnded(prompt, status);
    if (answered !== null) this.#responded(read, answered);
    this.#read(read);
    if (isPoint || answered !== null || ended.length > 0 || read.frame.from === 'client') this.#gaps = [];
    this.#before = this.#timeOf(read.frame);
  }

  #waitOver(gap: number): void {
    if (this.#gaps.length < MOST_GAPS) this.#gaps.push(gap);
    else this.#gaps[MOST_GAPS - 1]! += gap;
  }

  #read(read: ReadFrame): void {
    const { frame } = read;
    if (frame.from === 'client') this.#clientDid(read);
    else if (frame.from === 'agent' && frame.event === null) this.#agentSaid(read);
    else if (frame.event === 'signal' && isSignal(frame.detail.signal)) {
      this.#add(newStep(frame, { what: 'signal', label: frame.detail.signal }), read);
    } else if (frame.event === 'exit') {
      const { code, signal } = frame.detail;
      this.exit = { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null };
    }
  }

  #agentSaid(read: ReadFrame): void {
    this.#reader.says(read.value);
    this.said.lines++;
    this.said.bytes += sizeOf(read.frame);
    const { frame, pairing, value } = read;
    const same = pairing?.role === 'asks-again' ? this.#asks.get(pairing.exchange!.askedF) : undefined;
    if (same) same.again++;
    if (!asksClient(read)) return;
    const ask: Ask = {
      f: frame.f,
      t: this.#timeOf(frame),
      meaning: meaningOf(read),
      value,
      again: 0,
      answer: null,
      state: 'open',
    };
    this.#asks.set(frame.f, ask);
    this.#reader.asks(ask);
  }

  #clientDid(read: ReadFrame): void {
    const { frame, pairing, events, message, value } = read;
    // The agent may close the stream, too.
    if (frame.event !== null && (frame.event !== 'eof' || frame.detail.by === 'agent')) return;
    if (frame.event === null) this.lines++;
    if (frame.event === 'eof') this.#hasEof = true;
    const ask = pairing?.role === 'answers' ? this.#asks.get(pairing.exchange!.askedF) : undefined;
    if (ask) return this.#clientAnswered(ask, read);
    const kind = events[0]?.kind ?? null;
    const isRequest = pairing?.role === 'asks' || pairing?.role === 'asks-again';
    const step = newStep(keepFrame(frame, frame.event === null ? textIn(frame) : null), {
      what: frame.event === 'eof' ? 'eof' : isRequest ? 'request' : 'line',
      value,
      kind,
      label: (frame.event === 'eof' ? END_OF_STDIN : frame.event) ?? message.method ?? message.type ?? kind ?? 'line',
      isPrompt: kind === 'prompt',
      role: roleOf('client', message),
    });
    this.#add(step, read);
    if (isRequest || step.isPrompt) this.#owed.set(frame.f, step);
  }

  #clientAnswered(ask: Ask, { frame, value, message, events, ledger }: ReadFrame): void {
    const event = events.find(({ kind }) => kind.endsWith('-answer'));
    ask.answer = {
      f: frame.f,
      frame: keepFrame(frame, textIn(frame)),
      value,
      role: roleOf('client', message),
      gap: this.#timeOf(frame) - ask.t,
      after: this.#lastStep && this.#lastStep.f > ask.f ? this.#lastStep : null,
      isLate: ledger.notes.some(({ late }) => late === 'late-answer'),
      ...chosenIn(event),
    };
    this.#answered.push(ask);
    this.#reader.asks(ask);
  }

  /** Completes a step with what it waits for. */
  #add(step: Step, { frame, ledger }: ReadFrame): void {
    const open = ledger.notes[0]?.open ?? ledger.turns.current;
    const turn = open && ledger.turns.open.includes(open) ? open.turn.prompt_f : OUTSIDE;
    const point = this.#course.at(turn);
    step.turn = turn === OUTSIDE ? null : this.#promptAt(turn);
    step.point = point && { turn: step.turn, key: point.key, run: point.run, count: point.count };
    step.gaps = this.#gaps;
    this.#gaps = [];
    step.needs = this.#needs;
    step.asks = this.#answered;
    step.patience = this.#patience();
    this.#needs = [];
    this.#answered = [];
    step.t = this.#timeOf(frame);
    this.#lastStep = step;
    this.#steps.push(step);
  }

  /** Recorded times are untrusted: none is before another, and none is beyond all. */
  #timeOf({ t }: Frame): number {
    return Number.isFinite(t) ? Math.max(this.#before, t) : this.#before;
  }

  /** A live agent may be slower than the recorded one. */
  #patience(): number {
    return Math.max(PATIENCE, 2 * (this.#before - (this.#lastStep?.t ?? 0)));
  }

  #promptAt(f: number): Step | null {
    return f === 0 ? this.commandLine : (this.#owed.get(f) ?? null);
  }

  #turnEnded(prompt: number, status: string): void {
    const step = this.#promptAt(prompt);
    if (!step) return;
    step.recorded.status = status;
    this.#needs.push({ step, is: 'end' });
    this.#reader.settled(step);
  }

  #responded(read: ReadFrame, answered: number): void {
    const step = this.#owed.get(answered);
    if (!step) return;
    if (!step.isPrompt) this.#owed.delete(answered);
    step.recorded.response = { f: read.frame.f, outcome: outcomeOf(read), value: read.value };
    step.recorded.answersFirst = step.recorded.status === null;
    this.#needs.push({ step, is: 'answer' });
    this.#reader.settled(step);
  }

  /** If the recorded client did not close the agent's stdin, it is closed when the agent has nothing more to send. */
  #end(): void {
    this.#isRead = true;
    if (this.#hasEof) return;
    const t = this.#before;
    const step = newStep({ f: Number.MAX_SAFE_INTEGER, t }, { what: 'eof', label: END_OF_STDIN, isMadeUp: true });
    // A turn that ended with the process has no end to wait for.
    step.needs = this.#needs.filter(({ step: { recorded } }) => recorded.status !== 'unanswered');
    step.asks = this.#answered;
    step.patience = this.#patience();
    // The recorded agent left by itself, so this one may, too.
    if (this.exit) step.point = LEAVING;
    this.#steps.push(step);
  }
}
