/**
 * A recorded session as the agent of a live client. It follows causes, not the clock: a line is sent when what it depends
 * on has come from the live client, at the recorded pace or faster.
 */

import { headerOf } from '../core/content-length.ts';
import type { Event } from '../core/event.ts';
import { blocksOf, bytesOf, type Frame } from '../core/frame.ts';
import { isObject, parseJson, textIn } from '../core/message.ts';
import { type Pace, waitFor } from '../core/pace.ts';
import type { Json } from '../dialects/dialect.ts';
import type { Session } from '../session/session.ts';
import { type AgentExit, exitOf } from './ending.ts';
import { type Fault, type FaultSpec, Faults } from './faults.ts';
import { Hearing, type HearingOptions } from './hearing.ts';
import { seeded } from './ids.ts';
import { LiveLines } from './live-lines.ts';
import { negotiate } from './negotiate.ts';
import type { Outlet } from './outlet.ts';
import { Patience } from './patience.ts';
import { isOk, note, type ReplayReport } from './report.ts';
import { Resending } from './resend.ts';
import { isEnding, roleOf, type Say } from './script.ts';
import { Stage, type StageOptions } from './stage.ts';

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
  readonly #options: AgentOptions;
  readonly #stage: Stage;
  readonly #hearing: Hearing;
  readonly #patience: Patience;
  readonly #live: LiveLines;
  readonly #faults: Faults | null;
  readonly #out: Outlet;
  readonly #err: Outlet | null;
  /** Lines that are not on the tape, to be sent next. */
  readonly #madeUp: string[] = [];
  #resending: Resending | null = null;
  #isStopped = false;
  /** When the client sent a signal. */
  #signalled: number | null = null;
  /** The rest of a line that is too long to keep. */
  #long: Iterator<void> | null = null;
  #exit: AgentExit | null = null;
  /** When something was last sent or heard, and when the next line is due. */
  #active = now();
  #due: { say: Say; at: number } | null = null;
  /** The latest recorded frame that was sent, its group, and the latest line. */
  #latestF = 0;
  #latestGroup = '';
  #last = '';
  readonly #answersApart: boolean;
  /** The agent's lines are Content-Length frames. */
  #isFramed: boolean;
  #wakeUp: () => void = () => {};
  #isStirred = false;

  constructor(session: Session, options: AgentOptions, out: Outlet, err: Outlet | null) {
    this.#options = options;
    this.#out = out;
    this.#err = err;
    for (const outlet of [out, err]) if (outlet) outlet.onRead = () => this.#stir();
    this.#stage = new Stage(session, options);
    this.#answersApart = this.#stage.replay.answersApart ?? false;
    this.#isFramed = isFramed(session);
    const { dialect, command } = this.#stage.script;
    this.#live = new LiveLines(dialect, command);
    this.#patience = new Patience(this.#stage, options);
    const { faults, framesOf, seed } = options;
    const about = { dialect, replay: this.#stage.replay, random: seeded(seed) };
    this.#faults = faults.length === 0 ? null : new Faults(faults, framesOf, about);
    this.#hearing = new Hearing(this.#stage, this.#live, options, {
      send: (line) => this.#madeUp.push(line),
      resend: (request) => this.#resend(request),
      stopResending: () => this.#resending?.cancel() ?? false,
      stop: () => this.stop(),
      startOver: () => this.#options.loop && this.#startOver(this.#stage.isSaid),
      last: () => this.#lastLine(),
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
    this.#active = now();
    this.#startOver();
    this.#hearing.take(text);
    this.#stir();
  }

  /** The live client has closed its stream. */
  end(): void {
    if (!this.#stage.hasEnded) this.#stage.end();
    this.#stir();
  }

  /** The live client sent a signal: the agent ends as recorded, or else by the signal. */
  signal(name: string): void {
    this.#signalled ??= now();
    if (!this.#stage.signal(name)) {
      this.#exit = { code: null, signal: name };
      this.#isStopped = true;
    }
    this.#stir();
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#stir();
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
      if (wait > 0) await this.#rest(wait);
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
          : Math.max(began, this.#active) + (timeout ?? Number.POSITIVE_INFINITY) - now();
      if (left <= 0) return false;
      await this.#rest(left);
    }
    return true;
  }

  /** Sends what is due. Returns how many seconds to wait before the next look; null: it is over. */
  #step(): number | null {
    if (this.#long) {
      if (this.#long.next().done) this.#long = null;
      this.#active = now();
      return 0;
    }
    const line = this.#madeUp.shift() ?? this.#nextResent();
    if (line !== undefined) {
      this.#live.said(line, null);
      this.#write(line);
      return 0;
    }
    const say = this.#stage.next();
    if (!say && this.#startOver()) return 0;
    if (!say) return this.#isOver() ? null : this.#patience.wait(now(), this.#active);
    const wait = this.#dueIn(say);
    if (wait > 0) return wait;
    this.#due = null;
    this.#stage.backlog.remove(say);
    this.#send(say);
    return 0;
  }

  /** Seconds until it is due. */
  #dueIn(say: Say): number {
    const { pace } = this.#options;
    const apart = say.answers !== null && this.#answersApart && say.group === this.#latestGroup ? APART : 0;
    if (pace.speed === Number.POSITIVE_INFINITY && !this.#faults && apart === 0) return 0;
    if (this.#due?.say !== say) {
      const late = say.frame.from === 'agent' ? (this.#faults?.delayOf(say) ?? 0) : 0;
      this.#due = { say, at: this.#active + Math.max(apart, waitFor(say.gap, pace).seconds) + late };
    }
    return this.#due.at - now();
  }

  #send(say: Say): void {
    const { frame } = say;
    this.#latestF = Math.max(this.#latestF, say.f);
    const text = frame.cut ? null : textIn(frame);
    if (frame.from === 'stderr') {
      this.#active = now();
      if (!this.#err) return;
      if (text === null) this.#sendBytes(frame, this.#err);
      else this.#err.write(this.#stage.idsOf(null).textToLive(text), frame.eol);
      return;
    }
    this.report.sent++;
    this.#latestGroup = say.group;
    if (text !== null) return this.#sendText(say, text);
    const faults = this.#faults?.of(say) ?? [];
    this.#active = now();
    if (faults.length === 0) this.#sendBytes(frame, this.#out);
    else this.#sendFaulty(say, null, faults);
  }

  /** Sends a line that is not text, or too long to keep. Its blocks are sent one by one, as the client reads them. */
  #sendBytes(frame: Frame, to: Outlet, { copies = 1, isCut = false, after = () => {} } = {}): void {
    function* parts() {
      for (let i = 0; i < copies; i++) {
        let left = isCut ? Math.ceil(bytesOf(frame) / 2) : Number.POSITIVE_INFINITY;
        to.write('');
        for (const block of blocksOf(frame)) {
          // A block is valid until the next one.
          to.add(block.slice(0, left));
          left -= block.length;
          if (left <= 0) break;
          yield;
        }
      }
      after();
    }
    this.#long = parts();
  }

  #sendText(say: Say, text: string): void {
    const { frame } = say;
    const { matcher } = this.#hearing;
    const ids = this.#stage.idsOf(say.group);
    const mapped = ids.toLive(text, say.value, roleOf('agent', say.message));
    const asked = say.answers === null ? null : matcher.answered(say.answers);
    const line = asked === null ? mapped : negotiate(mapped, say.value, asked, this.#stage.replay);
    if (say.asks || say.answers !== null || say.events.some(isOfCall)) this.#live.said(line, say);
    matcher.sent(say, line);
    this.#stage.sent(say);
    const faults = this.#faults?.of(say) ?? [];
    this.#isFramed = frame.head !== undefined;
    if (faults.length === 0) this.#write(line, frame.eol, line === text ? frame.head : undefined);
    else {
      this.#active = now();
      this.#sendFaulty(say, line, faults);
    }
  }

  /** `head`: the header of a Content-Length frame, if it is known. */
  #write(line: string, eol = '\n', head?: string): void {
    this.#active = now();
    this.#last = line;
    if (this.#isFramed) this.#out.write(head ?? headerOf(line), line);
    else this.#out.write(line, eol);
  }

  /** `line`: null if it is not text, or too long to keep. */
  #sendFaulty(say: Say, line: string | null, faults: readonly Fault[]): void {
    for (const { name } of faults) note(this.report.faults, { f: say.f, fault: name });
    for (const { noise } of faults) if (noise !== undefined) this.#out.write(noise, '\n');
    const copies = faults.reduce((count, fault) => count * (fault.copies ?? 1), 1);
    const text = line === null ? null : faults.reduce((sent, { edit }) => edit?.(sent) ?? sent, line);
    const isCut = faults.some(({ cuts }) => cuts);
    if (text === null) {
      this.#sendBytes(say.frame, this.#out, { copies, isCut, after: () => this.#endBy(faults) });
      return;
    }
    const half = text.slice(0, Math.ceil(text.length / 2));
    for (let i = 0; i < copies; i++) {
      if (isCut) this.#out.write(this.#isFramed ? headerOf(text) : '', half);
      else this.#write(text, say.frame.eol);
    }
    this.#endBy(faults);
  }

  #endBy(faults: readonly Fault[]): void {
    for (const { exit, closes } of faults) {
      if (closes) this.#close();
      if (exit) {
        this.#exit = exit;
        this.stop();
      }
    }
  }

  #close(): void {
    this.#stage.backlog.drop(() => true);
    this.#out.end();
  }

  #resend(request: Json): void {
    const { session, replay } = this.#stage;
    this.#resending = new Resending(session, replay.resend!, request, this.#latestF, this.#stage.idsOf(null));
  }

  #nextResent(): string | undefined {
    if (!this.#resending) return undefined;
    const line = this.#resending.next();
    if (line !== null) return line;
    const answer = this.#resending.answer();
    this.#resending = null;
    return answer;
  }

  #lastLine(): Json | null {
    const value = parseJson(this.#last);
    return isObject(value) ? value : null;
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
      if (seconds > 0 && !this.#out.isClosed) await this.#rest(seconds);
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

  /** Waits, but not if the client spoke since. */
  async #rest(seconds: number): Promise<void> {
    this.#isStirred = false;
    this.#out.flush();
    this.#err?.flush();
    if (this.#isStirred) return;
    await new Promise<void>((done) => {
      const timer = Number.isFinite(seconds) ? setTimeout(done, Math.min(Math.ceil(seconds * 1000), LONGEST)) : null;
      this.#wakeUp = () => {
        if (timer) clearTimeout(timer);
        done();
      };
    });
    this.#wakeUp = () => {};
  }

  #stir(): void {
    this.#isStirred = true;
    this.#wakeUp();
  }
}

/** What an answer decides may depend on the calls that are open. */
function isOfCall({ kind }: Event): boolean {
  return kind === 'tool-call' || kind === 'tool-result';
}

/** The longest time that a timer takes. */
const LONGEST = 2 ** 31 - 1;

/** Whether the agent writes Content-Length frames. The first line tells. */
function isFramed(session: Session): boolean {
  for (const { from, event, head } of session.frames())
    if (from === 'agent' && event === null) return head !== undefined;
  return false;
}

/** Seconds on a clock that never goes back. */
function now(): number {
  return performance.now() / 1000;
}
