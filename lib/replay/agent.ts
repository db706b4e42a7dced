/**
 * A recorded session as the agent of a live client. It follows causes, not the clock: a line is sent when what it depends
 * on has come from the live client, at the recorded pace or faster.
 */

import type { Json } from '../dialects/dialect.ts';
import { type Pace, waitFor } from '../model/pace.ts';
import type { Session } from '../session/session.ts';
import { Wakeup } from '../storage/system/wakeup.ts';
import { now, SHORTEST_WAIT } from './clock.ts';
import { Delivery } from './delivery.ts';
import { type AgentExit, exitOf } from './ending.ts';
import { type FaultSpec, Faults } from './faults.ts';
import { Hearing, type HearingOptions } from './hearing.ts';
import { seeded } from './ids.ts';
import { ENDLESS_LINE } from './lines-in.ts';
import { LiveLines } from './live-lines.ts';
import type { Outlet } from './outlet.ts';
import { Patience } from './patience.ts';
import { isOk, type ReplayReport } from './report.ts';
import { Resending } from './resend.ts';
import { neverCame, Stage, type StageOptions } from './stage.ts';
import { isEnding } from './steps.ts';
import { Timing } from './timing.ts';

export interface AgentOptions extends StageOptions, HearingOptions {
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

export interface AgentEnd {
  report: ReplayReport;
  /** How the recorded agent ended, or how a fault ended it; null if the end is not on the tape. */
  exit: AgentExit | null;
}

/** Seconds that a client has to read the rest after it has ended the agent by a signal. */
const LAST = 1;
/** So many lines are sent before the client is listened to again. */
const BATCH = 512;
/** Milliseconds in which nothing more comes from the client before a replay is closed. */
const SETTLING_MS = 20;
/** So many answers wait until the client reads. */
const MOST_WAITING = 10_000;
const GONE = 'the client left before everything was sent';

export class AgentReplay {
  /** Called when nothing is left to be sent, unless the client sends something. */
  onSaid: () => void = () => {};
  /** Called when the client asks more than it lets us answer: do not listen to it until it has read. */
  onCrowded: (isCrowded: boolean) => void = () => {};
  readonly #options: AgentOptions;
  readonly #stage: Stage;
  readonly #hearing: Hearing;
  readonly #patience: Patience;
  readonly #delivery: Delivery;
  readonly #wakeup = new Wakeup();
  readonly #timing: Timing;
  readonly #out: Outlet;
  readonly #err: Outlet | null;
  /** Lines that are not on the tape, to be sent next. */
  readonly #madeUp: string[] = [];
  #resending: Resending | null = null;
  #isStopped = false;
  /** When the client sent a signal, or the replay was closed: from then on it ends. */
  #leaving: number | null = null;
  #exit: AgentExit | null = null;
  /** When the client last read something, and whether it was given up. */
  #readAt = 0;
  #isUnread = false;

  constructor(session: Session, options: AgentOptions, out: Outlet, err: Outlet | null) {
    this.#options = options;
    this.#out = out;
    this.#err = err;
    for (const outlet of [out, err])
      if (outlet)
        outlet.onRead = () => {
          this.#readAt = now();
          this.#wakeup.wake();
        };
    this.#stage = new Stage(session, options);
    const { dialect, command } = this.#stage.script;
    const live = new LiveLines(dialect, command);
    this.#patience = new Patience(this.#stage, options);
    const { faults, framesOf, seed } = options;
    const about = { dialect, replay: this.#stage.replay, random: seeded(seed) };
    const overlay = faults.length === 0 ? null : new Faults(faults, framesOf, about);
    const { pace } = options;
    this.#timing = new Timing({ stage: this.#stage, pace, faults: overlay, flush: () => this.#flush() });
    this.#hearing = new Hearing(this.#stage, live, options, {
      send: (line) => this.#answer(line),
      resend: (request) => this.#resend(request),
      stopResending: () => this.#resending?.cancel() ?? false,
      stop: () => this.stop(),
      startOver: () => this.#options.loop && this.#startOver(this.#stage.isSaid),
      last: () => this.#delivery.last,
    });
    this.#delivery = new Delivery({
      ...{ stage: this.#stage, live, matcher: this.#hearing.matcher, faults: overlay, out, err },
      onExit: (exit) => {
        this.#exit = exit;
        this.stop();
      },
    });
  }

  get report(): ReplayReport {
    return this.#stage.report;
  }

  get dialect(): string {
    return this.#stage.script.dialect;
  }

  /** A line of the live client, without its line end. */
  hear(text: string): void {
    this.report.heard++;
    this.#delivery.active = now();
    this.#startOver();
    this.#hearing.take(text);
    this.#wakeup.wake();
  }

  /** A line of the live client does not end, so it cannot be matched. */
  endless(): void {
    this.#patience.endless(`it sent ${ENDLESS_LINE}`);
    this.stop();
  }

  /** The live client has closed its stream. */
  end(): void {
    if (!this.#stage.hasEnded) this.#stage.end();
    this.#wakeup.wake();
  }

  /** The live client sent a signal: the agent ends as recorded, or else by the signal. */
  signal(name: string): void {
    this.#leaving ??= now();
    if (this.#stage.signal(name)) return this.#wakeup.wake();
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
    let heard: number;
    do {
      heard = this.report.heard;
      await nextLines();
    } while (heard !== this.report.heard);
    this.#leaving ??= now();
    this.#stage.end(true);
    this.#wakeup.wake();
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeup.wake();
  }

  /** Returns when the recorded agent would have ended. Everything that was sent is delivered then. */
  async run(): Promise<AgentEnd> {
    let sent = 0;
    // The time that it took to get here is not silence of the client.
    this.#delivery.active = now();
    while (!this.#isStopped && !(this.#out.isClosed && this.#stage.hasEnded)) {
      if (this.#isFull) {
        if (await this.#untilRead(() => this.#isFull && !this.#isStopped)) continue;
        if (this.#leaving === null) this.#patience.unread();
        this.#isUnread = true;
        break;
      }
      const wait = this.#step();
      if (wait === null) break;
      if (wait > 0) await this.#pause(wait);
      else if (++sent % BATCH === 0) await new Promise(setImmediate);
    }
    if (!this.#isStopped) await this.#leave();
    if (!(await this.#untilRead(() => this.#out.isBusy || (this.#err?.isBusy ?? false)))) {
      this.#out.abandon();
      this.#err?.abandon();
    }
    this.#finish();
    return { report: this.report, exit: this.#exit };
  }

  #answer(line: string): void {
    this.#madeUp.push(line);
    if (this.#madeUp.length === MOST_WAITING) this.onCrowded(true);
  }

  #nextAnswer(): string | undefined {
    if (this.#madeUp.length === MOST_WAITING) this.onCrowded(false);
    return this.#madeUp.shift();
  }

  /** Sends what was collected, and waits until something happens. */
  async #pause(seconds: number): Promise<void> {
    this.#wakeup.reset();
    this.#flush();
    await this.#wakeup.wait(seconds);
  }

  /** The client gets what was collected. */
  #flush(): void {
    this.#options.onReport?.(this.#soFar());
    this.#out.flush();
    this.#err?.flush();
    this.#timing.flushed();
  }

  get #isFull(): boolean {
    return this.#out.isFull || (this.#err?.isFull ?? false);
  }

  /** Waits while the client has something to read. False if it does not read it in time. */
  async #untilRead(isUnread: () => boolean): Promise<boolean> {
    const began = now();
    while (isUnread()) {
      const { timeout } = this.#options;
      // A client that does not read may still write.
      const end =
        this.#leaving !== null
          ? Math.max(began, this.#leaving) + LAST
          : Math.max(began, this.#readAt) + (this.#isUnread ? LAST : (timeout ?? Number.POSITIVE_INFINITY));
      if (end <= this.#wakeup.readUntil) return false;
      await this.#pause(Math.max(end - now(), SHORTEST_WAIT));
    }
    return true;
  }

  /** Sends what is due. Returns how many seconds to wait before the next look; null: it is over. */
  #step(): number | null {
    if (this.#delivery.goesOn()) return 0;
    const line = this.#nextAnswer() ?? this.#nextResent();
    if (line !== undefined) {
      this.#delivery.makeUp(line);
      return 0;
    }
    const say = this.#stage.next();
    if (!say && this.#startOver()) return 0;
    if (!say && this.#isOver()) return null;
    if (!say) return this.#waitForClient();
    const wait = this.#timing.until(say, this.#delivery.active);
    if (wait > 0) return wait;
    this.#stage.backlog.remove(say);
    this.#delivery.send(say);
    this.#timing.sent(say);
    return 0;
  }

  #waitForClient(): number | null {
    const { isRead, backlog } = this.#stage;
    if (isRead && backlog.size === 0) this.onSaid();
    return this.#patience.wait({ now: now(), heard: this.#wakeup.readUntil, active: this.#delivery.active });
  }

  #resend(request: Json): void {
    const { session, replay } = this.#stage;
    this.#resending = new Resending(session, replay.resend!, request, this.#delivery.latestF, this.#stage.idsOf(null));
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
    if (!this.#options.loop || !(isDue ?? this.#stage.isPlayed)) return false;
    this.#stage.again();
    return true;
  }

  #isOver(): boolean {
    const { isRead, backlog, hasEnded, ends } = this.#stage;
    if (!isRead || backlog.size > 0) return false;
    const isWaiting = ends.some((end) => [...end.needs, ...end.hopes].some(({ state }) => state === 'awaited'));
    // If the end of the agent is not on the tape, it ends with its client.
    return !isWaiting && (hasEnded || ends.some(({ frame }) => frame.event === 'exit'));
  }

  async #leave(): Promise<void> {
    for (const { gap, frame, needs } of this.#stage.ends) {
      const { seconds } = waitFor(gap, this.#timing.pace);
      if (seconds > 0 && !this.#out.isClosed) await this.#pause(seconds);
      if (frame.event === 'eof') {
        this.#out.end();
        await this.#untilRead(() => this.#out.isBusy && !this.#isStopped);
      }
      // An agent that was ended by a signal ends by itself if the live client only closes its stream.
      const signals = needs.filter(({ what }) => what === 'signal');
      const isSpared = signals.length > 0 && signals.every(({ state }) => state !== 'came');
      if (frame.event === 'exit' && !isSpared) this.#exit ??= exitOf(frame.detail);
    }
  }

  #finish(): void {
    const { report, awaited, backlog, script } = this.#stage;
    for (const hear of awaited.all()) if (!isEnding(hear.what)) this.#stage.neverAsked(hear);
    inOrder(report);
    if (!this.#stage.isNewRound) report.unsent += backlog.size;
    report.unread = this.#out.unread;
    report.ok = isOk(report);
    script.close();
  }

  #soFar(): ReplayReport {
    const { report, awaited, isNewRound } = this.#stage;
    const soFar = { ...report, never_asked: [...report.never_asked], missing: [...report.missing] };
    for (const hear of awaited.all()) if (!isEnding(hear.what) && !isNewRound) neverCame(soFar, hear);
    inOrder(soFar);
    // A line that waits for its time would have come.
    const { waiting } = this.#timing;
    if (waiting) soFar.departed = [...report.departed, { f: waiting.f, what: GONE, next: 'ended', branch: null }];
    return { ...soFar, ok: isOk(soFar) };
  }
}

function inOrder({ never_asked, missing }: ReplayReport): void {
  never_asked.sort((a, b) => a - b);
  missing.sort((a, b) => a.f - b.f);
}

/** Resolves when everything that the client has written by now is read, also on a busy machine. */
async function nextLines(): Promise<void> {
  await new Promise((done) => setTimeout(done, SETTLING_MS));
  // The timer may be late, and fires before what has come meanwhile is read.
  await new Promise(setImmediate);
}
