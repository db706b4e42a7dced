/**
 * Drives a live agent from a tape. Each step of the recorded client is taken when its moment has come: what it waited for
 * has been answered, the turns before it have ended, and the agent is where it was. What the agent asks is answered on
 * the way.
 */

import type { Json } from '../../dialects/dialect.ts';
import { type Pace, waitFor } from '../../model/pace.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { Session } from '../../session/session.ts';
import { Timer } from '../../storage/system/wakeup.ts';
import { ENDLESS_LINE, type StreamMessage } from '../lines-in.ts';
import { placesOf } from '../places.ts';
import { note } from '../report.ts';
import { AskPool } from './ask-pool.ts';
import { Debts } from './debts.ts';
import { IdleTalk } from './idle-talk.ts';
import { Live } from './live.ts';
import { LiveIds } from './live-ids.ts';
import { asksClient } from './meaning.ts';
import { hasItsNeeds, isMoot, isReached } from './moment.ts';
import { pathsOf } from './outgoing.ts';
import type { Peer, PeerEvents } from './peer.ts';
import { type Exit, Plan, type Reader } from './plan.ts';
import { Quiet } from './quiet.ts';
import { type OnUnmatched, Replies, type Responder } from './replies.ts';
import { type ClientReport, type Departed, newReport, type Unmatched } from './report.ts';
import type { Answer, Ask, Step } from './steps.ts';
import { Voice } from './voice.ts';

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
/** A timer takes longer than so many seconds. */
const SOON = 0.001;
/** Two signals in fewer seconds may arrive as one. */
const APART = 0.05;
const NEVER = Number.POSITIVE_INFINITY;

export class Drive implements PeerEvents, Reader, Responder {
  readonly report: ClientReport;
  readonly over: Promise<Ending>;
  readonly plan: Plan;
  readonly #options: DriveOptions;
  readonly #listener: Listener;
  readonly #pool: AskPool;
  readonly #ids: LiveIds;
  readonly #replies: Replies;
  readonly #live: Live;
  readonly #voice: Voice;
  readonly #debts: Debts;
  readonly #timer = new Timer(() => this.#pump());
  readonly #quiet: Quiet;
  readonly #talk: IdleTalk;
  /** Lines of the live agent. */
  #lines = 0;
  /** When the next step had nothing more to wait for. */
  #readyAt: number | null = null;
  /** When the latest signal was sent. */
  #signalled = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #isPumping = false;
  #isStirred = false;
  #isOver = false;
  #end: (how: Ending) => void = () => {};

  constructor(session: Session, options: DriveOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#quiet = new Quiet(options.timeout);
    this.#talk = new IdleTalk(options.timeout);
    const paths = pathsOf(session.metadata.cwd, options.cwd);
    this.plan = new Plan(session, this, options.until);
    const { dialect, traits, commandLine } = this.plan;
    const tree = placesOf(traits.replay);
    this.#pool = new AskPool(tree, paths);
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
    this.#debts = new Debts(this.#ids, (entry) => this.departed(entry));
    this.#debts.add(0, commandLine);
    this.#voice = new Voice(this.#live, this.#ids, this.#debts, paths);
  }

  start(peer: Peer): void {
    this.#voice.connect(peer);
    this.#pump();
  }

  /** Open requests of the agent. */
  get unanswered(): Iterable<ReadFrame> {
    return this.#replies.open;
  }

  // What the tape says

  says(value: unknown): void {
    this.#ids.recorded(value);
  }

  asks(ask: Ask): void {
    if (ask.answer === null) this.#pool.add(ask);
    else this.#replies.answerKnown(ask);
  }

  settled(step: Step): void {
    if (step.state === 'done' || step === this.plan.commandLine) this.#debts.compare(step);
  }

  // What the agent does

  message(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#lines++;
    this.#quiet.stirred(this.#live.now);
    const heard = this.#live.message('agent', message);
    const isProgress = heard.answered !== null || heard.ended.length > 0;
    if (isProgress) this.#talk.progressed(this.#quiet.since);
    else this.#talk.said(message.raw.length, heard.isPoint, this.#quiet.since);
    this.#ids.live(heard.read.value);
    this.#debts.take(heard);
    if (asksClient(heard.read)) this.#replies.asked(heard.read, this.#lines, this.#quiet.since);
    this.#pump();
  }

  drained(): void {
    this.#voice.isFull = false;
    this.#pump();
  }

  closed(): void {
    if (!this.#isOver) this.#finish('closed');
  }

  endless(): void {
    if (!this.#isOver) this.#giveUp(`the agent wrote ${ENDLESS_LINE}`);
  }

  /** The agent has sent everything and read everything. */
  hushed(): void {
    this.#quiet.hushed();
    this.#pump();
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
    while (!this.#isOver) {
      const now = this.#live.now;
      const silentAt = this.#quiet.since + this.#options.timeout;
      // An agent that does not read may hang.
      if (this.#voice.isFull) return now >= silentAt ? this.#giveUp(this.#silence) : this.#timer.set(silentAt - now);
      if (!this.#readOn()) return;
      const answerAt = this.#replies.send(now, this.#heldUntil());
      if (this.#isOver) return;
      const next = this.#advance(now);
      if (next === 'again') continue;
      const isThinking = answerAt !== null || next.isThinking;
      const complaint = isThinking ? null : this.#complaint(now);
      if (complaint !== null) return this.#giveUp(complaint);
      return this.#timer.set(Math.min(answerAt ?? NEVER, next.at, isThinking ? NEVER : silentAt) - now);
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

  /** Until when an answer waits for the next step: as long as that step has to wait itself. */
  #heldUntil(): number {
    const step = this.plan.head;
    if (this.#readyAt !== null) return NEVER;
    const waits = step && hasItsNeeds(step) ? this.#patienceFor(step) : 0;
    return this.#quiet.since + Math.max(STUCK, waits);
  }

  /** Takes the next step if it is due, or returns when to look again. */
  #advance(now: number): 'again' | { at: number; isThinking: boolean } {
    const step = this.plan.head;
    if (!step) return { at: NEVER, isThinking: false };
    const later = (at: number, isThinking = false) => ({ at, isThinking });
    const stuckAt = this.#quiet.since + STUCK;
    if (!hasItsNeeds(step) && !(now >= stuckAt && this.#live.hasForgotten))
      return later(now < stuckAt ? stuckAt : NEVER);
    if (isMoot(step)) return this.#skip(step);
    if (this.#readyAt === null && !this.#isReached(step)) {
      const patient = this.#quiet.since + this.#patienceFor(step);
      if (now < patient) return later(patient);
      if (step.turn && !step.isMadeUp)
        this.departed({ f: step.f, what: `${step.label}: sent before the agent reached the same point` });
    }
    this.#readyAt ??= now;
    const waits = step.gaps.reduce((sum, gap) => sum + waitFor(gap, this.#options.pace).seconds, 0);
    const due = Math.max(this.#readyAt + waits, step.what === 'signal' ? this.#signalled + APART : 0);
    if (due - now > SOON) return later(due, true);
    this.#readyAt = null;
    this.plan.done(step, 'done');
    this.#talk.progressed(now);
    this.#do(step);
    return 'again';
  }

  #isReached(step: Step): boolean {
    // The stream of an agent that works is not closed.
    if (step.what === 'eof' && step.isMadeUp && this.#debts.hasPrompt) return false;
    return isReached(step, this.#live.course);
  }

  #patienceFor(step: Step): number {
    return this.#quiet.patienceFor(step, this.#lines > 0);
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
    this.#quiet.stirred(this.#live.now);
    if (step.what === 'signal') {
      this.#signalled = this.#quiet.since;
      return this.#voice.signal(step.label as NodeJS.Signals);
    }
    if (step.what === 'eof') return this.#voice.end();
    this.report.sent++;
    this.#voice.step(step);
  }

  answer(answer: Answer, asked: ReadFrame): void {
    this.report.answered++;
    this.#talk.progressed(this.#live.now);
    this.#quiet.stirred(this.#live.now);
    this.#voice.answer(answer, asked);
  }

  reply(line: Json, isFramed: boolean): void {
    this.#quiet.stirred(this.#live.now);
    this.#voice.madeUp(line, isFramed);
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

  get #silence(): string {
    return `the agent was silent for ${humanSeconds(this.#options.timeout)}`;
  }

  /** Why the agent counts as hanging; null if it does not. */
  #complaint(now: number): string | null {
    if (now >= this.#quiet.since + this.#options.timeout) return this.#silence;
    return this.#talk.complaint(now, this.plan.said);
  }

  #giveUp(why: string): void {
    const waiting = this.plan.head?.needs.at(-1)?.step ?? this.#debts.latest;
    this.departed({ f: waiting?.f ?? null, what: `${waiting ? `${waiting.label}: ` : ''}${why}` });
    this.#finish('silent');
  }

  #finish(how: Ending): void {
    this.#isOver = true;
    this.#timer.clear();
    this.#end(how);
  }

  /** Lists what the agent still owes and what was never sent or asked. `exit`: how it ended, if that is known. */
  conclude(how: Ending, exit: Exit | null): void {
    const { report } = this;
    if (how !== 'handover') this.#debts.take(this.#live.event('proc', 'exit', { ...exit }));
    if (how !== 'handover' && !this.#live.hasForgotten) this.#debts.close();
    for (const { what, f } of this.plan.rest()) if (what === 'request' || what === 'line') report.never_sent.push(f);
    for (const { f } of this.#pool.open) report.never_asked.push(f);
    this.plan.close();
  }
}
