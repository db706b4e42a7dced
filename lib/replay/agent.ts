/**
 * A recorded session as the agent of a live client. It follows causes, not the clock: a line is sent when what it depends
 * on has come from the live client, at the recorded pace or faster.
 */

import type { JsonObject } from '../dialects/dialect.ts';
import { type Pace, waitFor } from '../model/pace.ts';
import type { Session } from '../session/session.ts';
import { Wakeup } from '../storage/system/wakeup.ts';
import { type AgentExit, exitOf } from './agent-exit.ts';
import { ClientLineHandler, type ClientLineOptions } from './client-line-handler.ts';
import { ClientWait } from './client-wait.ts';
import { now, SHORTEST_WAIT } from './clock.ts';
import { Delivery } from './delivery.ts';
import { type FaultSpec, Faults } from './faults.ts';
import { HistoryReplay } from './history-replay.ts';
import { seeded } from './ids.ts';
import type { LineWriter } from './line-writer.ts';
import { LiveReader } from './live-reader.ts';
import { ENDLESS_LINE } from './message-reader.ts';
import { ReplayState, type ReplayStateOptions, reportMissing } from './replay-state.ts';
import { isOk, type ReplayReport } from './report.ts';
import { isEnding } from './script-step.ts';
import { Timing } from './timing.ts';

export interface AgentReplayOptions extends ReplayStateOptions, ClientLineOptions {
  pace: Pace;
  /** When the tape is over and the client goes on, the tape starts again. */
  loop: boolean;
  /** Seconds without a line of either side after which the replay ends; null: no limit. */
  timeout: number | null;
  grace?: number;
  faults: readonly FaultSpec[];
  /** The frames that a query of a fault finds. */
  framesOf(query: string): ReadonlySet<number>;
  /** Called before lines are written, with the report as it would be if the client killed the agent then. */
  onReport?(soFar: ReplayReport): void;
}

export interface AgentReplayResult {
  report: ReplayReport;
  /** How the recorded agent ended, or how a fault ended it; null if the end is not on the tape. */
  exit: AgentExit | null;
}

/** Seconds that a client has to read the rest after it has ended the agent by a signal. */
const FINAL_READ_SECONDS = 1;
/** So many lines are sent before the client is listened to again. */
const LINES_PER_BATCH = 512;
/** How long nothing more comes from the client before a replay is closed. */
const SETTLING_SECONDS = 0.02;
/** So many answers wait until the client reads. */
const MAX_PENDING_ANSWERS = 10_000;
const CLIENT_GONE = 'the client left before everything was sent';

export class AgentReplay {
  /** Called when nothing is left to be sent, unless the client sends something. */
  onAllSent: () => void = () => {};
  /** Called when the client asks more than it lets us answer: do not listen to it until it has read. */
  onBackPressure: (isCrowded: boolean) => void = () => {};
  readonly #options: AgentReplayOptions;
  readonly #state: ReplayState;
  readonly #clientLines: ClientLineHandler;
  readonly #clientWait: ClientWait;
  readonly #delivery: Delivery;
  readonly #wakeup = new Wakeup();
  readonly #timing: Timing;
  readonly #out: LineWriter;
  readonly #err: LineWriter | null;
  /** Lines that are not on the tape, to be sent next. */
  readonly #madeUpLines: string[] = [];
  #resending: HistoryReplay | null = null;
  #isStopped = false;
  /** When the client sent a signal, or the replay was closed: from then on it ends. */
  #endingSince: number | null = null;
  #exit: AgentExit | null = null;
  /** When the client last read something, and whether it was given up. */
  #readAt = 0;
  #hasGivenUpReading = false;

  constructor(session: Session, options: AgentReplayOptions, out: LineWriter, err: LineWriter | null) {
    this.#options = options;
    this.#out = out;
    this.#err = err;
    for (const outlet of [out, err])
      if (outlet)
        outlet.onRead = () => {
          this.#readAt = now();
          this.#wakeup.wake();
        };
    this.#state = new ReplayState(session, options);
    const { dialect, command } = this.#state.script;
    const live = new LiveReader(dialect, command);
    this.#clientWait = new ClientWait(this.#state, options);
    const { faults, framesOf, seed } = options;
    const about = { dialect, replay: this.#state.replay, random: seeded(seed) };
    const overlay = faults.length === 0 ? null : new Faults(faults, framesOf, about);
    const { pace } = options;
    this.#timing = new Timing({ stage: this.#state, pace, faults: overlay, flush: () => this.#flush() });
    this.#clientLines = new ClientLineHandler(this.#state, live, options, {
      send: (line) => this.#answer(line),
      resend: (request) => this.#resend(request),
      stopResending: () => this.#resending?.cancel() ?? false,
      stop: () => this.stop(),
      startOver: () => this.#options.loop && this.#startOver(this.#state.isAllSent),
      last: () => this.#delivery.last,
    });
    this.#delivery = new Delivery({
      ...{ stage: this.#state, live, matcher: this.#clientLines.matcher, faults: overlay, out, err },
      onExit: (exit) => {
        this.#exit = exit;
        this.stop();
      },
    });
  }

  get report(): ReplayReport {
    return this.#state.report;
  }

  get dialect(): string {
    return this.#state.script.dialect;
  }

  /** A line of the live client, without its line end. */
  receive(text: string): void {
    this.report.heard++;
    this.#delivery.active = now();
    this.#startOver();
    this.#clientLines.take(text);
    this.#wakeup.wake();
  }

  /** A line of the live client does not end, so it cannot be matched. */
  failOnEndlessLine(): void {
    this.#clientWait.failOnEndlessLine(`it sent ${ENDLESS_LINE}`);
    this.stop();
  }

  /** The live client has closed its stream. */
  end(): void {
    if (!this.#state.hasEnded) this.#state.end();
    this.#wakeup.wake();
  }

  /** The live client sent a signal: the agent ends as recorded, or else by the signal. */
  signal(name: string): void {
    this.#endingSince ??= now();
    if (this.#state.signal(name)) return this.#wakeup.wake();
    // What the client wrote before it may come in the same moment.
    setImmediate(() => {
      this.#exit = { code: null, signal: name };
      this.stop();
    });
  }

  /**
   * The test is over: everything that the client has written by now is read, what follows from it is sent without
   * waiting, and nothing else is waited for.
   */
  async close(): Promise<void> {
    this.#timing.hurry();
    let received: number;
    do {
      received = this.report.heard;
      await readPendingInput();
    } while (received !== this.report.heard);
    this.#endingSince ??= now();
    this.#state.end(true);
    this.#wakeup.wake();
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeup.wake();
  }

  /** Returns when the recorded agent would have ended. Everything that was sent is delivered then. */
  async run(): Promise<AgentReplayResult> {
    let sent = 0;
    // The time that it took to get here is not silence of the client.
    this.#delivery.active = now();
    while (!this.#isStopped && !(this.#out.isClosed && this.#state.hasEnded)) {
      if (this.#isFull) {
        if (await this.#waitUntilRead(() => this.#isFull && !this.#isStopped)) continue;
        if (this.#endingSince === null) this.#clientWait.failUnread();
        this.#hasGivenUpReading = true;
        break;
      }
      const wait = this.#step();
      if (wait === null) break;
      if (wait > 0) await this.#pause(wait);
      else if (++sent % LINES_PER_BATCH === 0) await new Promise(setImmediate);
    }
    if (!this.#isStopped) await this.#endProcess();
    if (!(await this.#waitUntilRead(() => this.#out.isBusy || (this.#err?.isBusy ?? false)))) {
      this.#out.abandon();
      this.#err?.abandon();
    }
    this.#finish();
    return { report: this.report, exit: this.#exit };
  }

  #answer(line: string): void {
    this.#madeUpLines.push(line);
    if (this.#madeUpLines.length === MAX_PENDING_ANSWERS) this.onBackPressure(true);
  }

  #nextAnswer(): string | undefined {
    if (this.#madeUpLines.length === MAX_PENDING_ANSWERS) this.onBackPressure(false);
    return this.#madeUpLines.shift();
  }

  /** Sends what was collected, and waits until something happens. */
  async #pause(seconds: number): Promise<void> {
    this.#wakeup.reset();
    this.#flush();
    await this.#wakeup.wait(seconds);
  }

  /** The client gets what was collected. */
  #flush(): void {
    this.#options.onReport?.(this.#reportSoFar());
    this.#out.flush();
    this.#err?.flush();
    this.#timing.flushed();
  }

  get #isFull(): boolean {
    return this.#out.isFull || (this.#err?.isFull ?? false);
  }

  /** Waits while the client has something to read. False if it does not read it in time. */
  async #waitUntilRead(isUnread: () => boolean): Promise<boolean> {
    const began = now();
    while (isUnread()) {
      const { timeout } = this.#options;
      // A client that does not read may still write.
      const end =
        this.#endingSince !== null
          ? Math.max(began, this.#endingSince) + FINAL_READ_SECONDS
          : Math.max(began, this.#readAt) +
            (this.#hasGivenUpReading ? FINAL_READ_SECONDS : (timeout ?? Number.POSITIVE_INFINITY));
      if (end <= this.#wakeup.readUntil) return false;
      await this.#pause(Math.max(end - now(), SHORTEST_WAIT));
    }
    return true;
  }

  /** Sends what is due. Returns how many seconds to wait before the next look; null: it is over. */
  #step(): number | null {
    if (this.#delivery.continueLongLine()) return 0;
    const line = this.#nextAnswer() ?? this.#nextResent();
    if (line !== undefined) {
      this.#delivery.sendMadeUp(line);
      return 0;
    }
    const agentStep = this.#state.next();
    if (!agentStep && this.#startOver()) return 0;
    if (!agentStep && this.#isOver()) return null;
    if (!agentStep) return this.#waitForClient();
    const wait = this.#timing.secondsUntilDue(agentStep, this.#delivery.active);
    if (wait > 0) return wait;
    this.#state.backlog.remove(agentStep);
    this.#delivery.send(agentStep);
    this.#timing.sent(agentStep);
    return 0;
  }

  #waitForClient(): number | null {
    const { isRead, backlog } = this.#state;
    if (isRead && backlog.size === 0) this.onAllSent();
    return this.#clientWait.wait({ now: now(), heard: this.#wakeup.readUntil, active: this.#delivery.active });
  }

  #resend(request: JsonObject): void {
    const { session, replay } = this.#state;
    this.#resending = new HistoryReplay(
      session,
      replay.resend!,
      request,
      this.#delivery.latestF,
      this.#state.idsOf(null),
    );
  }

  #nextResent(): string | undefined {
    if (!this.#resending) return undefined;
    const line = this.#resending.next();
    if (line !== null) return line;
    const answer = this.#resending.answer();
    this.#resending = null;
    return answer;
  }

  // The end

  /** With --loop, the tape starts again when everything on it was sent and received. */
  #startOver(isDue?: boolean): boolean {
    if (!this.#options.loop || !(isDue ?? this.#state.isPlayed)) return false;
    this.#state.restart();
    return true;
  }

  #isOver(): boolean {
    const { isRead, backlog, hasEnded, ends } = this.#state;
    if (!isRead || backlog.size > 0) return false;
    const isWaiting = ends.some((end) => [...end.needs, ...end.optionalNeeds].some(({ state }) => state === 'awaited'));
    // If the end of the agent is not on the tape, it ends with its client.
    return !isWaiting && (hasEnded || ends.some(({ frame }) => frame.event === 'exit'));
  }

  async #endProcess(): Promise<void> {
    for (const { gap, frame, needs } of this.#state.ends) {
      const { seconds } = waitFor(gap, this.#timing.pace);
      if (seconds > 0 && !this.#out.isClosed) await this.#pause(seconds);
      if (frame.event === 'eof') {
        this.#out.end();
        await this.#waitUntilRead(() => this.#out.isBusy && !this.#isStopped);
      }
      // An agent that was ended by a signal ends by itself if the live client only closes its stream.
      const signals = needs.filter(({ what }) => what === 'signal');
      const isSpared = signals.length > 0 && signals.every(({ state }) => state !== 'came');
      if (frame.event === 'exit' && !isSpared) this.#exit ??= exitOf(frame.detail);
    }
  }

  #finish(): void {
    const { report, awaited, backlog, script } = this.#state;
    for (const clientStep of awaited.all()) if (!isEnding(clientStep.what)) this.#state.reportNeverAsked(clientStep);
    sortReport(report);
    if (!this.#state.isNewRound) report.unsent += backlog.size;
    report.unread = this.#out.unread;
    report.ok = isOk(report);
    script.close();
  }

  #reportSoFar(): ReplayReport {
    const { report, awaited, isNewRound } = this.#state;
    const soFar = { ...report, never_asked: [...report.never_asked], missing: [...report.missing] };
    for (const clientStep of awaited.all())
      if (!isEnding(clientStep.what) && !isNewRound) reportMissing(soFar, clientStep);
    sortReport(soFar);
    // A line that waits for its time would have come.
    const { waiting } = this.#timing;
    if (waiting)
      soFar.departed = [...report.departed, { f: waiting.f, what: CLIENT_GONE, next: 'ended', branch: null }];
    return { ...soFar, ok: isOk(soFar) };
  }
}

function sortReport({ never_asked, missing }: ReplayReport): void {
  never_asked.sort((a, b) => a - b);
  missing.sort((a, b) => a.f - b.f);
}

/** Resolves when everything that the client has written by now is read, also on a busy machine. */
async function readPendingInput(): Promise<void> {
  await new Wakeup().wait(SETTLING_SECONDS);
}
