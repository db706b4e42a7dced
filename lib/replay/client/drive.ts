/**
 * Drives a live agent from a tape. Each step of the recorded client is taken when its moment has come: what it waited for
 * has been answered, the turns before it have ended, and the agent is where it was. What the agent asks is answered on
 * the way.
 */

import type { JsonObject } from '../../dialects/dialect.ts';
import { type Pace, waitFor } from '../../model/pace.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { Session } from '../../session/session.ts';
import { Timer } from '../../storage/system/wakeup.ts';
import { idTreeOf } from '../id-tree.ts';
import { ENDLESS_LINE, type StreamMessage } from '../message-reader.ts';
import { addEntry } from '../report.ts';
import { AgentSilence } from './agent-silence.ts';
import { AgentWriter } from './agent-writer.ts';
import { AskPool } from './ask-pool.ts';
import { ClientPlan, type PlanListener, type RecordedExit } from './client-plan.ts';
import type { DriveStep, RecordedAnswer, RecordedAsk } from './drive-step.ts';
import { IdleTalk } from './idle-talk.ts';
import { LiveConversation } from './live-conversation.ts';
import { LiveIds } from './live-ids.ts';
import { workingDirectories } from './outgoing-line.ts';
import type { Peer, PeerEvents } from './peer.ts';
import { PendingReplies } from './pending-replies.ts';
import { type OnUnmatched, Replies, type Responder } from './replies.ts';
import { type AgentDeparture, type ClientReport, newReport, type UnmatchedRequest } from './report.ts';
import { asksClient } from './request-meaning.ts';
import { hasMetNeeds, hasReachedPoint, isObsolete } from './step-readiness.ts';

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

export interface DriveListener {
  unmatched(entry: UnmatchedRequest): void;
  departed(entry: AgentDeparture): void;
}

/** `closed`: the agent is gone. */
export type DriveEnd = 'closed' | 'silent' | 'stopped' | 'handover';

/** An answer that waits for a step which waits for the agent is given after so many seconds of silence. */
const STUCK_SECONDS = 1;
/** A timer takes longer than so many seconds. */
const TIMER_SECONDS = 0.001;
/** Two signals in fewer seconds may arrive as one. */
const SIGNAL_GAP_SECONDS = 0.05;
const NEVER = Number.POSITIVE_INFINITY;

export class Drive implements PeerEvents, PlanListener, Responder {
  readonly report: ClientReport;
  readonly over: Promise<DriveEnd>;
  readonly plan: ClientPlan;
  readonly #options: DriveOptions;
  readonly #listener: DriveListener;
  readonly #pool: AskPool;
  readonly #ids: LiveIds;
  readonly #replies: Replies;
  readonly #conversation: LiveConversation;
  readonly #writer: AgentWriter;
  readonly #pendingReplies: PendingReplies;
  readonly #timer = new Timer(() => this.#pump());
  readonly #agentSilence: AgentSilence;
  readonly #idleTalk: IdleTalk;
  /** Lines of the live agent. */
  #lineCount = 0;
  /** When the next step had nothing more to wait for. */
  #readyAt: number | null = null;
  /** When the latest signal was sent. */
  #lastSignalAt = Number.NEGATIVE_INFINITY;
  #isReading = false;
  #isPumping = false;
  #hasNews = false;
  #isOver = false;
  #end: (how: DriveEnd) => void = () => {};

  constructor(session: Session, options: DriveOptions, listener: DriveListener) {
    this.#options = options;
    this.#listener = listener;
    this.#agentSilence = new AgentSilence(options.timeout);
    this.#idleTalk = new IdleTalk(options.timeout);
    const paths = workingDirectories(session.metadata.cwd, options.cwd);
    this.plan = new ClientPlan(session, this, options.until);
    const { dialect, traits, commandLine } = this.plan;
    const tree = idTreeOf(traits.replay);
    this.#pool = new AskPool(tree, paths);
    this.#ids = new LiveIds(tree);
    this.#conversation = new LiveConversation(dialect, options.command);
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
    this.#pendingReplies = new PendingReplies(this.#ids, (entry) => this.departed(entry));
    this.#pendingReplies.add(0, commandLine);
    this.#writer = new AgentWriter(this.#conversation, this.#ids, this.#pendingReplies, paths);
  }

  start(peer: Peer): void {
    this.#writer.connect(peer);
    this.#pump();
  }

  /** Open requests of the agent. */
  get unanswered(): Iterable<ReadFrame> {
    return this.#replies.open;
  }

  // What the tape says

  onAgentLine(value: unknown): void {
    this.#ids.recorded(value);
  }

  onAsk(ask: RecordedAsk): void {
    if (ask.answer === null) this.#pool.add(ask);
    else this.#replies.recordedAnswerRead(ask);
  }

  onSettled(step: DriveStep): void {
    if (step.state === 'done' || step === this.plan.commandLine) this.#pendingReplies.compare(step);
  }

  // What the agent does

  message(message: StreamMessage): void {
    if (this.#isOver) return;
    this.#lineCount++;
    this.#agentSilence.restart(this.#conversation.now);
    const frame = this.#conversation.message('agent', message);
    const isProgress = frame.answered !== null || frame.ended.length > 0;
    if (isProgress) this.#idleTalk.progressed(this.#agentSilence.since);
    else this.#idleTalk.addLine(message.raw.length, frame.isPoint, this.#agentSilence.since);
    this.#ids.live(frame.read.value);
    this.#pendingReplies.take(frame);
    if (asksClient(frame.read)) this.#replies.handleRequest(frame.read, this.#lineCount, this.#agentSilence.since);
    this.#pump();
  }

  drained(): void {
    this.#writer.isFull = false;
    this.#pump();
  }

  closed(): void {
    if (!this.#isOver) this.#finish('closed');
  }

  endless(): void {
    if (!this.#isOver) this.#giveUp(`the agent wrote ${ENDLESS_LINE}`);
  }

  /** The agent has sent everything and read everything. */
  agentFinished(): void {
    this.#agentSilence.finish();
    this.#pump();
  }

  // What the client does

  /** An agent in this process may answer while it is written to. */
  #pump(): void {
    this.#hasNews = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#hasNews) {
      this.#hasNews = false;
      this.#advanceAll();
    }
    this.#isPumping = false;
  }

  #advanceAll(): void {
    while (!this.#isOver) {
      const now = this.#conversation.now;
      const silentAt = this.#agentSilence.since + this.#options.timeout;
      // An agent that does not read may hang.
      if (this.#writer.isFull)
        return now >= silentAt ? this.#giveUp(this.#silenceText) : this.#timer.set(silentAt - now);
      if (!this.#readOn()) return;
      const answerAt = this.#replies.send(now, this.#heldUntil());
      if (this.#isOver) return;
      const next = this.#advance(now);
      if (next === 'again') continue;
      const isThinking = answerAt !== null || next.isThinking;
      const hangReason = isThinking ? null : this.#hangReason(now);
      if (hangReason !== null) return this.#giveUp(hangReason);
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
    const waits = step && hasMetNeeds(step) ? this.#patienceFor(step) : 0;
    return this.#agentSilence.since + Math.max(STUCK_SECONDS, waits);
  }

  /** Takes the next step if it is due, or returns when to look again. */
  #advance(now: number): 'again' | { at: number; isThinking: boolean } {
    const step = this.plan.head;
    if (!step) return { at: NEVER, isThinking: false };
    const later = (at: number, isThinking = false) => ({ at, isThinking });
    const stuckAt = this.#agentSilence.since + STUCK_SECONDS;
    if (!hasMetNeeds(step) && !(now >= stuckAt && this.#conversation.hasForgotten))
      return later(now < stuckAt ? stuckAt : NEVER);
    if (isObsolete(step)) return this.#skip(step);
    if (this.#readyAt === null && !this.#isReached(step)) {
      const patient = this.#agentSilence.since + this.#patienceFor(step);
      if (now < patient) return later(patient);
      if (step.turn && !step.isMadeUp)
        this.departed({ f: step.f, what: `${step.label}: sent before the agent reached the same point` });
    }
    this.#readyAt ??= now;
    const waits = step.gaps.reduce((sum, gap) => sum + waitFor(gap, this.#options.pace).seconds, 0);
    const due = Math.max(this.#readyAt + waits, step.what === 'signal' ? this.#lastSignalAt + SIGNAL_GAP_SECONDS : 0);
    if (due - now > TIMER_SECONDS) return later(due, true);
    this.#readyAt = null;
    this.plan.done(step, 'done');
    this.#idleTalk.progressed(now);
    this.#do(step);
    return 'again';
  }

  #isReached(step: DriveStep): boolean {
    // The stream of an agent that works is not closed.
    if (step.what === 'eof' && step.isMadeUp && this.#pendingReplies.hasPrompt) return false;
    return hasReachedPoint(step, this.#conversation.progress);
  }

  #patienceFor(step: DriveStep): number {
    return this.#agentSilence.patienceFor(step, this.#lineCount > 0);
  }

  #skip(step: DriveStep): 'again' {
    this.departed({ f: step.f, what: `${step.label}: not sent, because the turn had ended` });
    this.report.never_sent.push(step.f);
    this.#readyAt = null;
    this.plan.done(step, 'skipped');
    return 'again';
  }

  #do(step: DriveStep): void {
    if (step.what === 'handover') return this.#finish('handover');
    this.#agentSilence.restart(this.#conversation.now);
    if (step.what === 'signal') {
      this.#lastSignalAt = this.#agentSilence.since;
      return this.#writer.sendSignal(step.label as NodeJS.Signals);
    }
    if (step.what === 'eof') return this.#writer.end();
    this.report.sent++;
    this.#writer.sendStep(step);
  }

  answer(answer: RecordedAnswer, request: ReadFrame): void {
    this.report.answered++;
    this.#idleTalk.progressed(this.#conversation.now);
    this.#agentSilence.restart(this.#conversation.now);
    this.#writer.sendAnswer(answer, request);
  }

  reply(line: JsonObject, isFramed: boolean): void {
    this.#agentSilence.restart(this.#conversation.now);
    this.#writer.sendMadeUp(line, isFramed);
  }

  // The end

  stop(): void {
    this.#finish('stopped');
  }

  unmatched(entry: UnmatchedRequest): void {
    if (addEntry(this.report.unmatched, entry)) this.#listener.unmatched(entry);
  }

  departed(entry: AgentDeparture): void {
    if (addEntry(this.report.departed, entry)) this.#listener.departed(entry);
  }

  get #silenceText(): string {
    return `the agent was silent for ${humanSeconds(this.#options.timeout)}`;
  }

  /** Why the agent counts as hanging; null if it does not. */
  #hangReason(now: number): string | null {
    if (now >= this.#agentSilence.since + this.#options.timeout) return this.#silenceText;
    return this.#idleTalk.hangReason(now, this.plan.agentOutput);
  }

  #giveUp(why: string): void {
    const blockedStep = this.plan.head?.needs.at(-1)?.step ?? this.#pendingReplies.latest;
    this.departed({ f: blockedStep?.f ?? null, what: `${blockedStep ? `${blockedStep.label}: ` : ''}${why}` });
    this.#finish('silent');
  }

  #finish(how: DriveEnd): void {
    this.#isOver = true;
    this.#timer.clear();
    this.#end(how);
  }

  /** Lists what the agent still owes and what was never sent or asked. `exit`: how it ended, if that is known. */
  conclude(how: DriveEnd, exit: RecordedExit | null): void {
    const { report } = this;
    if (how !== 'handover') this.#pendingReplies.take(this.#conversation.event('proc', 'exit', { ...exit }));
    if (how !== 'handover' && !this.#conversation.hasForgotten) this.#pendingReplies.close();
    for (const { what, f } of this.plan.rest()) if (what === 'request' || what === 'line') report.never_sent.push(f);
    for (const { f } of this.#pool.open) report.never_asked.push(f);
    this.plan.close();
  }
}
