/**
 * A recorded session as the agent of a live client. It follows causes, not the clock: a line is sent when what it depends
 * on has come from the live client, at the recorded pace or faster.
 */
import { type Pace, waitFor } from '../core/pace.ts';
import type { Json } from '../dialects/dialect.ts';
import type { Session } from '../session/session.ts';
import { Delivery } from './delivery.ts';
import { type AgentExit, exitOf } from './ending.ts';
import { type FaultSpec, Faults } from './faults.ts';
import { Hearing, type HearingOptions } from './hearing.ts';
import { seeded } from './ids.ts';
import { LiveLines } from './live-lines.ts';
import type { Outlet } from './outlet.ts';
import { Patience } from './patience.ts';
import { isOk, type ReplayReport } from './report.ts';
import { Resending } from './resend.ts';
import { now, Rest } from './rest.ts';
import { Stage, type StageOptions } from './stage.ts';
import { isEnding, type Say } from './steps.ts';

export interface AgentOptions extends StageOptions, HearingOptions {
  pace: Pace;
  /** When the tape is over and the client goes on, the tape begins again. */
  loop: boolean;
  /** Seconds without a line of either side after which the replay ends; null: no limit. */
  timeout: number | null;
  faults: readonly FaultSpec[];
  /** The frames that a query of a fault finds. */
  framesOf(query: string): ReadonlySet<number>;
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
/** Seconds between a line and the answer to its request, for clients that must not read both at once. */
const APART = 0.02;

export class AgentReplay {
  /** Called when nothing is left to be sent, unless the client sends something. */
  onSaid: () => void = () => {};
  readonly #options: AgentOptions;
  readonly #stage: Stage;
  readonly #hearing: Hearing;
  readonly #patience: Patience;
  readonly #delivery: Delivery;
  readonly #rest: Rest;
  readonly #faults: Faults | null;
  readonly #out: Outlet;
  readonly #err: Outlet | null;
  /** Lines that are not on the tape, to be sent next. */
  readonly #madeUp: string[] = [];
  #resending: Resending | null = null;
  #isStopped = false;
  /** When the client sent a signal. */
  #signalled: number | null = null;
  #exit: AgentExit | null = null;
  /** When the next line is due. */
  #due: { say: Say; at: number } | null = null;
  readonly #answersApart: boolean;

  constructor(session: Session, options: AgentOptions, out: Outlet, err: Outlet | null) {
    this.#options = options;
    this.#out = out;
    this.#err = err;
    this.#rest = new Rest(() => {
      out.flush();
      err?.flush();
    });
    for (const outlet of [out, err]) if (outlet) outlet.onRead = () => this.#rest.stir();
    this.#stage = new Stage(session, options);
    this.#answersApart = this.#stage.replay.answersApart ?? false;
    const { dialect, command } = this.#stage.script;
    const live = new LiveLines(dialect, command);
    this.#patience = new Patience(this.#stage, options);
    const { faults, framesOf, seed } = options;
    const about = { dialect, replay: this.#stage.replay, random: seeded(seed) };
    this.#faults = faults.length === 0 ? null : new Faults(faults, framesOf, about);
    this.#hearing = new Hearing(this.#stage, live, options, {
      send: (line) => this.#madeUp.push(line),
      resend: (request) => this.#resend(request),
      stopResending: () => this.#resending?.cancel() ?? false,
      stop: () => this.stop(),
      startOver: () => this.#options.loop && this.#startOver(this.#stage.isSaid),
      last: () => this.#delivery.last,
    });
    this.#delivery = new Delivery({
      ...{ stage: this.#stage, live, matcher: this.#hearing.matcher, faults: this.#faults, out, err },
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
    this.#delivery.active = now();
    this.#startOver();
    this.#hearing.take(text);
    this.#rest.stir();
  }

  /** The live client has closed its stream. */
  end(): void {
    if (!this.#stage.hasEnded) this.#stage.end();
    this.#rest.stir();
  }

  /** The live client sent a signal: the agent ends as recorded, or else by the signal. */
  signal(name: string): void {
    this.#signalled ??= now();
    if (!this.#stage.signal(name)) {
      this.#exit = { code: null, signal: name };
      this.#isStopped = true;
    }
    this.#rest.stir();
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#rest.stir();
  }

  /** Returns when the recorded agent would have ended. Everything that was sent is delivered then. */
  async run(): Promise<AgentEnd> {
    let sent = 0;
    while (!this.#isStopped && !(this.#out.isClosed && this.#stage.hasEnded)) {
      if (this.#isFull) {
        if (await this.#untilRead(() => this.#isFull && !this.#isStopped)) continue;
        if (this.#signalled === null) this.#patience.unread();
        break;
      }
      const wait = this.#step();
      if (wait === null) break;
      if (wait > 0) await this.#rest.take(wait);
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

  get #isFull(): boolean {
    return this.#out.isFull || (this.#err?.isFull ?? false);
  }

  /** Waits while the client has something to read. False if it does not read it in time. */
  async #untilRead(isUnread: () => boolean): Promise<boolean> {
    const began = now();
    while (isUnread()) {
      const { timeout } = this.#options;
      const left =
        this.#signalled !== null
          ? Math.max(began, this.#signalled) + LAST - now()
          : Math.max(began, this.#delivery.active) + (timeout ?? Number.POSITIVE_INFINITY) - now();
      if (left <= 0) return false;
      await this.#rest.take(left);
    }
    return true;
  }

  /** Sends what is due. Returns how many seconds to wait before the next look; null: it is over. */
  #step(): number | null {
    if (this.#delivery.goesOn()) return 0;
    const line = this.#madeUp.shift() ?? this.#nextResent();
    if (line !== undefined) {
      this.#delivery.makeUp(line);
      return 0;
    }
    const say = this.#stage.next();
    if (!say && this.#startOver()) return 0;
    if (!say && this.#isOver()) return null;
    if (!say) return this.#waitForClient();
    const wait = this.#dueIn(say);
    if (wait > 0) return wait;
    this.#due = null;
    this.#stage.backlog.remove(say);
    this.#delivery.send(say);
    return 0;
  }

  #waitForClient(): number | null {
    const { isRead, backlog } = this.#stage;
    if (isRead && backlog.size === 0) this.onSaid();
    return this.#patience.wait(now(), this.#delivery.active);
  }

  /** Seconds until it is due. */
  #dueIn(say: Say): number {
    const { pace } = this.#options;
    const apart = say.answers !== null && this.#answersApart && say.group === this.#delivery.latestGroup ? APART : 0;
    if (pace.speed === Number.POSITIVE_INFINITY && !this.#faults && apart === 0) return 0;
    if (this.#due?.say !== say) {
      const late = say.frame.from === 'agent' ? (this.#faults?.delayOf(say) ?? 0) : 0;
      this.#due = { say, at: this.#delivery.active + Math.max(apart, waitFor(say.gap, pace).seconds) + late };
    }
    return this.#due.at - now();
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

  /** With --loop, the tape begins again when all of it was said and heard. */
  #startOver(isDue?: boolean): boolean {
    if (!this.#options.loop || !(isDue ?? this.#stage.isPlayed)) return false;
    this.#stage.again();
    return true;
  }

  #isOver(): boolean {
    const { isRead, backlog, hasEnded, ends } = this.#stage;
    if (!isRead || backlog.size > 0) return false;
    const isWaiting = ends.some(({ needs, hopes }) => [...needs, ...hopes].some(({ state }) => state === 'awaited'));
    // If the end of the agent is not on the tape, it ends with its client.
    return !isWaiting && (hasEnded || ends.some(({ frame }) => frame.event === 'exit'));
  }

  async #leave(): Promise<void> {
    for (const { gap, frame, needs } of this.#stage.ends) {
      const { seconds } = waitFor(gap, this.#options.pace);
      if (seconds > 0 && !this.#out.isClosed) await this.#rest.take(seconds);
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
    report.never_asked.sort((a, b) => a - b);
    if (!this.#stage.isNewRound) report.unsent += backlog.size;
    report.unread = this.#out.unread;
    report.ok = isOk(report);
    script.close();
  }
}
