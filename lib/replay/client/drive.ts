/**
 * Drives a live agent from a tape. Each step of the recorded client is taken when its moment has come: what it waited for has
 * been answered, the turns before it have ended, and the agent is where it was. What the agent asks is answered on the way.
 */
import { headerOf } from '../../core/content-length.ts';
import { blocksOf } from '../../core/frame.ts';
import { exactJson } from '../../core/id.ts';
import { textIn } from '../../core/message.ts';
import { type Pace, waitFor } from '../../core/pace.ts';
import { humanSeconds } from '../../core/text.ts';
import type { Json } from '../../dialects/dialect.ts';
import type { ReadFrame } from '../../session/read.ts';
import type { Session } from '../../session/session.ts';
import type { StreamMessage } from '../lines-in.ts';
import { placesOf } from '../places.ts';
import { note } from '../report.ts';
import { AskPool } from './ask-pool.ts';
import { OUTSIDE } from './course.ts';
import { type Heard, Live } from './live.ts';
import { LiveIds } from './live-ids.ts';
import { asksClient } from './meaning.ts';
import { differenceIn } from './outcome.ts';
import { type Outgoing, outgoing, type Paths, pathsOf } from './outgoing.ts';
import type { Peer, PeerEvents } from './peer.ts';
import { type Exit, outcomeOf, Plan, type Reader } from './plan.ts';
import { type OnUnmatched, Replies, type Responder } from './replies.ts';
import { type ClientReport, type Departed, newReport, type Unmatched } from './report.ts';
import { type Answer, type Ask, hasEnded, isMet, type Step } from './steps.ts';

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
  #isPumping = false;
  #isStirred = false;
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
    if (step.state === 'done' || step === this.plan.commandLine) this.#compare(step);
  }

  // What the agent does

  message(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#lines++;
    this.#quietSince = this.#live.now;
    const heard = this.#live.message('agent', message);
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
    for (const step of settled) this.#compare(step);
  }

  /** Compares what the recorded agent and the live one made of a step, once both are known. */
  #compare(step: Step): void {
    const { f, recorded, live, isPrompt } = step;
    if (recorded.response && live.response) this.#ids.pair(recorded.response.value, live.response.value, true);
    if (!hasEnded(step)) return;
    if (step.liveF !== null) this.#owed.delete(step.liveF);
    const isKnown = isPrompt && live.status !== null ? recorded.status !== null : recorded.response !== null;
    if (!isKnown || step.isCompared) return;
    step.isCompared = true;
    const what = differenceIn(step);
    if (what !== null) this.departed({ f: f === 0 ? null : f, what });
  }

  // What the client does

  /** An agent in this process may answer while it is written to. */
  #pump(): void {
    this.#isStirred = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#isStirred) {
      this.#isStirred = false;
      this.#act();
    }
    this.#isPumping = false;
  }

  #act(): void {
    while (!this.#isOver && !this.#isFull) {
      if (!this.#readOn()) return;
      const now = this.#live.now;
      const answerAt = this.#replies.send(now, this.#heldUntil());
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

  /** Until when an answer waits for the next step: as long as that has reasons of its own to wait. */
  #heldUntil(): number {
    const step = this.plan.head;
    if (this.#readyAt !== null) return NEVER;
    const waits = step && hasItsNeeds(step) ? this.#patienceFor(step) : 0;
    return this.#quietSince + Math.max(STUCK, waits);
  }

  /** Takes the next step if its moment has come, or says when to look again. */
  #advance(now: number): 'again' | { at: number; isThinking: boolean } {
    const step = this.plan.head;
    if (!step) return { at: NEVER, isThinking: false };
    const later = (at: number, isThinking = false) => ({ at, isThinking });
    const stuckAt = this.#quietSince + STUCK;
    if (!hasItsNeeds(step) && !(now >= stuckAt && this.#live.hasForgotten))
      return later(now < stuckAt ? stuckAt : NEVER);
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
    if (point.turn !== null && hasEnded(point.turn)) return true;
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
    this.#send(step, this.#paths, (f) => {
      step.liveF = f;
      if (step.what === 'request' || step.isPrompt) this.#owed.set(f, step);
    });
  }

  answer(answer: Answer, asked: ReadFrame): void {
    this.report.answered++;
    // An agent that names the recorded folder wants it back.
    const [recorded] = this.#paths ?? [''];
    const isNamed = recorded !== '' && textIn(asked.frame)?.includes(recorded);
    this.#send(answer, isNamed ? null : this.#paths);
  }

  reply(line: Json, isFramed: boolean): void {
    const text = exactJson(line);
    const raw = Buffer.from(text);
    this.#write(isFramed ? { raw, eol: '', head: headerOf(text) } : { raw, eol: '\n' });
  }

  /** `registered` gets the live frame, before the agent can answer. */
  #send(line: Outgoing, paths: Paths | null, registered: (f: number) => void = () => {}): void {
    const { frame } = line;
    if (!frame.cut) return this.#write(outgoing(line, this.#ids, paths), registered);
    registered(this.#live.longLine(frame).read.frame.f);
    for (const block of blocksOf(frame)) if (!this.#peer.write(Buffer.from(block))) this.#isFull = true;
  }

  #write(message: StreamMessage, registered: (f: number) => void = () => {}): void {
    this.#quietSince = this.#live.now;
    const heard = this.#live.message('client', message);
    registered(heard.read.frame.f);
    this.#take(heard);
    if (!this.#peer.write(message.head ?? '', message.raw, message.eol)) this.#isFull = true;
  }

  // The end

  stop(): void {
    this.#finish('stopped');
  }

  unmatched(entry: Unmatched): void {
    if (note(this.report.unmatched, entry)) this.#listener.unmatched(entry);
  }

  departed(entry: Departed): void {
    if (note(this.report.departed, entry)) this.#listener.departed(entry);
  }

  #silent(): void {
    const step = this.plan.head;
    const waiting = step?.needs.at(-1)?.step ?? [...this.#owed.values()].findLast(({ f }) => f > 0);
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
    const owed = how === 'handover' || this.#live.hasForgotten ? [] : this.#owed.values();
    for (const { f, label, recorded, live } of owed) {
      const isOwed = recorded.response ? live.response === null : recorded.status !== null;
      if (isOwed) this.departed({ f: f === 0 ? null : f, what: `${label}: never answered` });
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
  for (let last = needs.at(-1); last && isMet(last); last = needs.at(-1)) needs.pop();
  return needs.length === 0;
}

/** What is about a turn comes too late when the turn has ended. */
function isMoot({ kind, turn }: Step): boolean {
  return (kind === 'cancel' || kind === 'steer') && turn !== null && hasEnded(turn);
}
