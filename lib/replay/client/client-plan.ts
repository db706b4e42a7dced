/**
 * A recorded session as a plan for the client's part: its steps in the order of the tape, what each of them waits for, and
 * its answers by request. The tape is read ahead for a while, so its length does not matter.
 */

import { traitsOf } from '../../dialects/index.ts';
import type { Traits } from '../../dialects/traits.ts';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { keepFrame } from '../../model/kept-frame.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Source } from '../../session/source.ts';
import { roleOf } from '../script-step.ts';
import { ConversationProgress, OUTSIDE_TURNS } from './conversation-progress.ts';
import type { DriveStep, RecordedAsk, StepNeed } from './drive-step.ts';
import { DEFAULT_PATIENCE_SECONDS, decisionIn, isSignal, newStep, outcomeOf, UNREACHABLE_POINT } from './new-step.ts';
import { asksClient, meaningOf } from './request-meaning.ts';

/** So many steps and answers are read ahead, in so many frames. */
const MAX_STEPS_AHEAD = 1000;
const MAX_FRAMES_AHEAD = 100_000;
/** So many frames are read at a time, so that the agent is listened to in between. */
const FRAMES_PER_READ = 5000;
const MAX_REMEMBERED_REQUESTS = 10_000;
/** Further ones are added up. */
const MAX_GAPS = 1000;
const END_OF_STDIN = 'end of stdin';

/** Called with what was read, in order. */
export interface PlanListener {
  /** A line of the agent. */
  onAgentLine(value: unknown): void;
  onAsk(ask: RecordedAsk): void;
  /** What the agent owed to a step is known now. */
  onSettled(step: DriveStep): void;
}

export interface RecordedExit {
  code: number | null;
  signal: string | null;
}

export class ClientPlan {
  readonly dialect: string;
  readonly traits: Traits;
  /** How the agent ended, if that is on the tape and was read already. */
  exit: RecordedExit | null = null;
  /** Lines of the client, as far as the tape was read. */
  lines = 0;
  /** What the recorded agent sent, as far as the tape was read. */
  readonly agentOutput = { lines: 0, bytes: 0 };
  readonly #pass: Pass;
  readonly #frames: Iterator<ReadFrame>;
  readonly #reader: PlanListener;
  readonly #until: number;
  readonly #progress = new ConversationProgress();
  #steps: DriveStep[] = [];
  /** Frames since the step that is due next. */
  #ahead = 0;
  #isRead = false;
  /** Requests and prompts of the client, to which something may still be owed. */
  readonly #openRequests = new LimitedMap<number, DriveStep>(MAX_REMEMBERED_REQUESTS);
  readonly #asks = new LimitedMap<number, RecordedAsk>(MAX_REMEMBERED_REQUESTS);
  /** The prompt on the command line. */
  readonly commandLine: DriveStep = newStep(
    { f: 0, t: 0 },
    { what: 'line', isPrompt: true, label: 'prompt', liveF: 0 },
  );
  #needs: StepNeed[] = [];
  #answered: RecordedAsk[] = [];
  #lastStep: DriveStep | null = null;
  #previousTime = 0;
  /** Seconds between the frames since the agent's latest point. */
  #gaps: number[] = [];
  #hasEof = false;

  /** `until`: the first frame that is not replayed; null: all of them are. */
  constructor(source: Source, reader: PlanListener, until: number | null) {
    this.#pass = new Pass(source);
    this.#reader = reader;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.dialect = this.#pass.dialect;
    this.traits = traitsOf(this.dialect);
    this.#frames = this.#pass[Symbol.iterator]();
  }

  /** The next step, if the tape is read that far. */
  get head(): DriveStep | null {
    return this.#steps[0] ?? null;
  }

  /** Nothing more can be read now: the tape is over, or enough of it is read ahead. */
  get isFarEnough(): boolean {
    if (this.#isRead || this.#steps.length === 0) return this.#isRead;
    return this.#steps.length >= MAX_STEPS_AHEAD || this.#ahead >= MAX_FRAMES_AHEAD;
  }

  /** Reads ahead for a moment. */
  readOn(): void {
    for (let n = 0; n < FRAMES_PER_READ && !this.isFarEnough; n++) this.#next();
  }

  done(step: DriveStep, state: 'done' | 'skipped'): void {
    step.state = state;
    // Or every step would keep all steps before it.
    Object.assign(step, { needs: [], asks: [], point: null });
    this.#steps.shift();
    this.#ahead = 0;
  }

  /** The steps that were never done. Reads the rest of the tape. */
  *rest(): Generator<DriveStep> {
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
      this.#addGap(this.#timeOf(read.frame) - this.#previousTime);
      this.#add(newStep(read.frame, { what: 'handover', label: 'handover', isMadeUp: true }), read);
      return this.close();
    }
    const { answered, ended, isPoint } = this.#progress.take(read);
    this.#addGap(this.#timeOf(read.frame) - this.#previousTime);
    for (const { prompts, status } of ended) for (const prompt of prompts) this.#turnEnded(prompt, status);
    if (answered !== null) this.#responded(read, answered);
    this.#read(read);
    if (isPoint || answered !== null || ended.length > 0 || read.frame.from === 'client') this.#gaps = [];
    this.#previousTime = this.#timeOf(read.frame);
  }

  #addGap(gap: number): void {
    if (this.#gaps.length < MAX_GAPS) this.#gaps.push(gap);
    else this.#gaps[MAX_GAPS - 1]! += gap;
  }

  #read(read: ReadFrame): void {
    const { frame } = read;
    if (frame.from === 'client') this.#readClientFrame(read);
    else if (frame.from === 'agent' && frame.event === null) this.#readAgentLine(read);
    else if (frame.event === 'signal' && isSignal(frame.detail.signal)) {
      this.#add(newStep(frame, { what: 'signal', label: frame.detail.signal }), read);
    } else if (frame.event === 'exit') {
      const { code, signal } = frame.detail;
      this.exit = { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null };
    }
  }

  #readAgentLine(read: ReadFrame): void {
    this.#reader.onAgentLine(read.value);
    this.agentOutput.lines++;
    this.agentOutput.bytes += sizeOf(read.frame);
    const { frame, pairing, value } = read;
    const same = pairing?.role === 'asks-again' ? this.#asks.get(pairing.exchange!.askedF) : undefined;
    if (same) same.again++;
    if (!asksClient(read)) return;
    const ask: RecordedAsk = {
      f: frame.f,
      t: this.#timeOf(frame),
      meaning: meaningOf(read),
      value,
      again: 0,
      answer: null,
      state: 'open',
    };
    this.#asks.set(frame.f, ask);
    this.#reader.onAsk(ask);
  }

  #readClientFrame(read: ReadFrame): void {
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
    if (isRequest || step.isPrompt) this.#openRequests.set(frame.f, step);
  }

  #clientAnswered(ask: RecordedAsk, { frame, value, message, events, ledger }: ReadFrame): void {
    const event = events.find(({ kind }) => kind.endsWith('-answer'));
    ask.answer = {
      f: frame.f,
      frame: keepFrame(frame, textIn(frame)),
      value,
      role: roleOf('client', message),
      gap: this.#timeOf(frame) - ask.t,
      after: this.#lastStep && this.#lastStep.f > ask.f ? this.#lastStep : null,
      isLate: ledger.notes.some(({ late }) => late === 'late-answer'),
      ...decisionIn(event),
    };
    this.#answered.push(ask);
    this.#reader.onAsk(ask);
  }

  /** Completes a step with what it waits for. */
  #add(step: DriveStep, { frame, ledger }: ReadFrame): void {
    const open = ledger.notes[0]?.open ?? ledger.turns.current;
    const turn = open && ledger.turns.open.includes(open) ? open.turn.prompt_f : OUTSIDE_TURNS;
    const point = this.#progress.at(turn);
    step.turn = turn === OUTSIDE_TURNS ? null : this.#promptAt(turn);
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
    return Number.isFinite(t) ? Math.max(this.#previousTime, t) : this.#previousTime;
  }

  /** A live agent may be slower than the recorded one. */
  #patience(): number {
    return Math.max(DEFAULT_PATIENCE_SECONDS, 2 * (this.#previousTime - (this.#lastStep?.t ?? 0)));
  }

  #promptAt(f: number): DriveStep | null {
    return f === 0 ? this.commandLine : (this.#openRequests.get(f) ?? null);
  }

  #turnEnded(prompt: number, status: string): void {
    const step = this.#promptAt(prompt);
    if (!step) return;
    step.recorded.status = status;
    this.#needs.push({ step, is: 'end' });
    this.#reader.onSettled(step);
  }

  #responded(read: ReadFrame, answered: number): void {
    const step = this.#openRequests.get(answered);
    if (!step) return;
    if (!step.isPrompt) this.#openRequests.delete(answered);
    step.recorded.response = { f: read.frame.f, outcome: outcomeOf(read), value: read.value };
    step.recorded.answersFirst = step.recorded.status === null;
    this.#needs.push({ step, is: 'answer' });
    this.#reader.onSettled(step);
  }

  /** If the recorded client did not close the agent's stdin, it is closed when the agent has nothing more to send. */
  #end(): void {
    this.#isRead = true;
    if (this.#hasEof) return;
    const t = this.#previousTime;
    const step = newStep({ f: Number.MAX_SAFE_INTEGER, t }, { what: 'eof', label: END_OF_STDIN, isMadeUp: true });
    // A turn that ended with the process has no end to wait for.
    step.needs = this.#needs.filter(({ step: { recorded } }) => recorded.status !== 'unanswered');
    step.asks = this.#answered;
    step.patience = this.#patience();
    // The recorded agent left by itself, so this one may, too.
    if (this.exit) step.point = UNREACHABLE_POINT;
    this.#steps.push(step);
  }
}
