/**
 * Drives a live agent from a tape. Each step of the recorded client is taken when its moment has come: what it waited for has
 * been answered, the turns before it have ended, and the agent is where it was. What the agent asks is answered on the way.
 */
import type { Eol, Frame } from '../../core/frame.ts';
import { exactJson } from '../../core/id.ts';
import { type Pace, waitFor } from '../../core/pace.ts';
import { humanSeconds } from '../../core/text.ts';
import type { Json } from '../../dialects/dialect.ts';
import type { ReadFrame } from '../../session/read.ts';
import type { Session } from '../../session/session.ts';
import { placesOf } from '../places.ts';
import { AskPool } from './ask-pool.ts';
import { OUTSIDE } from './course.ts';
import { type Heard, Live } from './live.ts';
import { LiveIds } from './live-ids.ts';
import { asksClient } from './meaning.ts';
import { differenceIn } from './outcome.ts';
import { outgoing, type Paths, pathsOf } from './outgoing.ts';
import type { Peer, PeerEvents } from './peer.ts';
import { type Exit, outcomeOf, Plan, type Reader } from './plan.ts';
import { type OnUnmatched, Replies, type Responder } from './replies.ts';
import { type ClientReport, type Departed, newReport, type Unmatched } from './report.ts';
import { type Answer, type Ask, isSettled, type Step } from './steps.ts';

export interface DriveOptions {
  pace: Pace;
  onUnmatched: OnUnmatched;
  /** Seconds of silence after which the agent counts as hanging. */
  timeout: number;
  /** The first frame that is not replayed; null: all of them are. */
  until: number | null;
  /** How the live agent was started. */
  command: readonly string[];
  /** The live working directory. */
  cwd: string;
}

export interface Listener {
  unmatched(entry: Unmatched): void;
  departed(entry: Departed): void;
}

/** `closed`: the agent is gone. */
export type Ending = 'closed' | 'silent' | 'stopped' | 'handover';

/** An answer that waits for a step which waits for the agent is given after so many seconds of silence. */
const STUCK = 1;
/** How many seconds an agent may take to start. */
const STARTING = 10;
const NEVER = Number.POSITIVE_INFINITY;

export class Drive implements PeerEvents, Reader, Responder {
  readonly report: ClientReport;
  readonly over: Promise<Ending>;
  readonly plan: Plan;
  readonly #options: DriveOptions;
  readonly #listener: Listener;
  readonly #paths: Paths | null;
  readonly #pool: AskPool;
  readonly #ids: LiveIds;
  readonly #replies: Replies;
  readonly #live: Live;
  #peer!: Peer;
  /** What the live agent may still owe, by live frame. */
  readonly #owed = new Map<number, Step>();
  /** Lines of the live agent. */
  #lines = 0;
  /** When the agent last said something, or was last told something. */
  #quietSince = 0;
  /** When the next step had nothing more to wait for. */
  #readyAt: number | null = null;
  #isFull = false;
  #isReading = false;
  #isOver = false;
  #timer: { handle: NodeJS.Timeout; at: number } | null = null;
  #end: (how: Ending) => void = () => {};

  constructor(session: Session, options: DriveOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#paths = pathsOf(session.metadata.cwd, options.cwd);
    this.plan = new Plan(session, this, options.until);
    const { dialect, traits, commandLine } = this.plan;
    const tree = placesOf(traits.replay);
    this.#pool = new AskPool(tree, this.#paths);
    this.#ids = new LiveIds(tree);
    this.#live = new Live(dialect, options.command);
    const { pace, onUnmatched } = options;
    const readOn = () => {
      const isOver = this.plan.isFarEnough;
      this.plan.readOn();
      return !isOver;
    };
    this.#replies = new Replies({ pool: this.#pool, ids: this.#ids, traits, pace, onUnmatched, readOn }, this);
    this.report = newReport(session.id, dialect);
    this.over = new Promise((done) => {
      this.#end = done;
    });
    this.#owed.set(0, commandLine);
  }

  start(peer: Peer): void {
    this.#peer = peer;
    this.#pump();
  }

  /** Requests of the agent that nobody has answered. */
  get unanswered(): Iterable<ReadFrame> {
    return this.#replies.open;
  }

  // What the tape says

  says(value: unknown): void {
    this.#ids.recorded(value);
  }

  asks(ask: Ask): void {
    if (ask.answer === null) this.#pool.add(ask);
  }

  settled(step: Step): void {
    if (step.state === 'done' && isSettled(step)) this.#compare(step);
  }

  // What the agent does

  line(raw: Uint8Array, eol: Eol): void {
    if (this.#isOver) return;
    this.#lines++;
    this.#quietSince = this.#live.now;
    const heard = this.#live.line('agent', raw, eol);
    this.#ids.live(heard.read.value);
    this.#take(heard);
    if (asksClient(heard.read)) this.#replies.asked(heard.read, this.#lines, this.#quietSince);
    this.#pump();
  }

  drained(): void {
    this.#isFull = false;
    this.#pump();
  }

  closed(): void {
    if (!this.#isOver) this.#finish('closed');
  }

  #take({ read, answered, ended }: Heard): void {
    const settled = new Set<Step>();
    const asked = answered === null ? undefined : this.#owed.get(answered);
    if (asked) {
      asked.live.response = { f: read.frame.f, outcome: outcomeOf(read), value: read.value };
      settled.add(asked);
    }
    for (const { prompts, status } of ended) {
      for (const prompt of prompts) {
        const step = this.#owed.get(prompt);
        if (!step) continue;
        step.live.status = status;
        settled.add(step);
      }
    }
    for (const step of settled) {
      this.#owed.delete(step.liveF!);
      if (step.recorded.response || step.recorded.status !== null) this.#compare(step);
    }
  }

  /** Both the recorded agent and the live one have given what they owed. */
  #compare(step: Step): void {
    const { recorded, live } = step;
    if (recorded.response && live.response) this.#ids.pair(recorded.response.value, live.response.value, true);
    const what = differenceIn(step);
    if (what !== null) this.departed({ f: step.f === 0 ? null : step.f, what });
  }

  // What the client does

  #pump(): void {
    while (!this.#isOver && !this.#isFull) {
      if (!this.#readOn()) return;
      const now = this.#live.now;
      const answerAt = this.#replies.send(now, now >= this.#quietSince + STUCK && this.#isHeld());
      if (this.#isOver) return;
      const next = this.#advance(now);
      if (next === 'again') continue;
      const isThinking = answerAt !== null || next.isThinking;
      const silentAt = isThinking ? NEVER : this.#quietSince + this.#options.timeout;
      if (now >= silentAt) return this.#silent();
      return this.#wakeAt(Math.min(answerAt ?? NEVER, next.at, silentAt));
    }
  }

  /** Reads the tape ahead, some of it at a time. False: the next step is not found yet. */
  #readOn(): boolean {
    const { plan } = this;
    if (plan.isFarEnough) return true;
    plan.readOn();
    if (!plan.isFarEnough && !this.#isReading) {
      this.#isReading = true;
      setImmediate(() => {
        this.#isReading = false;
        this.#pump();
      });
    }
    return plan.head !== null || plan.isFarEnough;
  }

  /** The next step waits for the agent. */
  #isHeld(): boolean {
    const step = this.plan.head;
    return step !== null && !hasItsNeeds(step);
  }

  /** Takes the next step if its moment has come, or says when to look again. */
  #advance(now: number): 'again' | { at: number; isThinking: boolean } {
    const step = this.plan.head;
    if (!step) return { at: NEVER, isThinking: false };
    const later = (at: number, isThinking = false) => ({ at, isThinking });
    if (!hasItsNeeds(step)) return later(now < this.#quietSince + STUCK ? this.#quietSince + STUCK : NEVER);
    if (isMoot(step)) return this.#skip(step);
    if (this.#readyAt === null && !this.#isReached(step)) {
      const patient = this.#quietSince + this.#patienceFor(step);
      if (now < patient) return later(patient);
      if (step.turn && !step.isMadeUp)
        this.departed({ f: step.f, what: `${step.label}: sent before the agent came to the same point` });
    }
    this.#readyAt ??= now;
    const due = this.#readyAt + waitFor(step.gap, this.#options.pace).seconds;
    if (now < due) return later(due, true);
    this.#readyAt = null;
    this.plan.done(step, 'done');
    this.#do(step);
    return 'again';
  }

  /** The agent has come to the point where the step was taken, and was answered what it had been answered by then. */
  #isReached({ point, asks, what, isMadeUp }: Step): boolean {
    if (what === 'eof' && isMadeUp && this.#hasOpenPrompt()) return false;
    if (asks.some(({ state }) => state !== 'answered')) return false;
    const turn = point === null ? null : point.turn === null ? OUTSIDE : point.turn.liveF;
    if (point === null || turn === null) return true;
    // A turn that has ended comes to no further point.
    if (point.turn !== null && isSettled(point.turn)) return true;
    return this.#live.course.hasReached({ ...point, turn }, turn);
  }

  /** An agent that has not said anything may still be starting. */
  #patienceFor({ patience }: Step): number {
    const least = this.#lines === 0 ? STARTING : patience;
    return Math.min(Math.max(patience, least), this.#options.timeout / 2);
  }

  #hasOpenPrompt(): boolean {
    for (const { isPrompt, f } of this.#owed.values()) if (isPrompt && f > 0) return true;
    return false;
  }

  #skip(step: Step): 'again' {
    this.departed({ f: step.f, what: `${step.label}: not sent, because the turn had ended` });
    this.report.never_sent.push(step.f);
    this.#readyAt = null;
    this.plan.done(step, 'skipped');
    return 'again';
  }

  #do(step: Step): void {
    if (step.what === 'handover') return this.#finish('handover');
    this.#quietSince = this.#live.now;
    if (step.what === 'signal') return this.#peer.signal(step.label as NodeJS.Signals);
    if (step.what === 'eof') {
      this.#take(this.#live.event('client', 'eof'));
      return this.#peer.end();
    }
    this.report.sent++;
    step.liveF = this.#send(step.frame, step.value, step.isAnswer);
    if (step.what === 'request' || step.isPrompt) this.#owed.set(step.liveF, step);
  }

  answer({ frame, value }: Answer): void {
    this.report.answered++;
    this.#send(frame, value, true);
  }

  reply(line: Json): void {
    this.#write(Buffer.from(exactJson(line)), '\n');
  }

  #send(frame: Frame, value: unknown, isAnswer: boolean): number {
    if (!frame.cut) return this.#write(outgoing(frame, value, isAnswer, this.#ids, this.#paths), frame.eol);
    for (const block of frame.cut.whole()) this.#peer.write(Buffer.from(block));
    this.#isFull = !this.#peer.write(frame.eol);
    return this.#live.longLine(frame).read.frame.f;
  }

  #write(line: Uint8Array, eol: Eol): number {
    this.#quietSince = this.#live.now;
    if (!this.#peer.write(line, eol)) this.#isFull = true;
    const heard = this.#live.line('client', line, eol);
    this.#take(heard);
    return heard.read.frame.f;
  }

  // The end

  stop(): void {
    this.#finish('stopped');
  }

  unmatched(entry: Unmatched): void {
    this.report.unmatched.push(entry);
    this.#listener.unmatched(entry);
  }

  departed(entry: Departed): void {
    this.report.departed.push(entry);
    this.#listener.departed(entry);
  }

  #silent(): void {
    const step = this.plan.head;
    const waiting = step?.needs.at(-1) ?? [...this.#owed.values()].findLast(({ f }) => f > 0);
    const what = waiting ? `${waiting.label}: ` : '';
    const silence = `the agent was silent for ${humanSeconds(this.#options.timeout)}`;
    this.departed({ f: waiting?.f ?? null, what: `${what}${silence}` });
    this.#finish('silent');
  }

  #finish(how: Ending): void {
    this.#isOver = true;
    if (this.#timer) clearTimeout(this.#timer.handle);
    this.#end(how);
  }

  /** Lists what the agent still owes and what was never sent or asked. `exit`: how it ended, if that is known. */
  conclude(how: Ending, exit: Exit | null): void {
    const { report } = this;
    if (how !== 'handover') this.#take(this.#live.event('proc', 'exit', { ...exit }));
    for (const { f, label, recorded } of how === 'handover' ? [] : this.#owed.values()) {
      if (recorded.response || recorded.status !== null)
        this.departed({ f: f === 0 ? null : f, what: `${label}: never answered` });
    }
    for (const { what, f } of this.plan.rest()) if (what === 'request' || what === 'line') report.never_sent.push(f);
    for (const { f } of this.#pool.open) report.never_asked.push(f);
    this.plan.close();
  }

  /** An earlier alarm looks again by itself. */
  #wakeAt(at: number): void {
    if (at === NEVER || (this.#timer && this.#timer.at <= at)) return;
    if (this.#timer) clearTimeout(this.#timer.handle);
    const ms = Math.min(Math.max(0, at - this.#live.now) * 1000, LONGEST_TIMER);
    const handle = setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, ms);
    this.#timer = { handle, at };
  }
}

/** Longer ones would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function hasItsNeeds({ needs }: Step): boolean {
  for (let last = needs.at(-1); last && isSettled(last); last = needs.at(-1)) needs.pop();
  return needs.length === 0;
}

/** What is about a turn comes too late when the turn has ended. */
function isMoot({ kind, turn }: Step): boolean {
  return (kind === 'cancel' || kind === 'steer') && turn !== null && isSettled(turn);
}
