/**
 * A recorded session as the agent of a live client. It follows causes, not the clock: a line is sent when what it depends
 * on has come from the live client, at the recorded pace or faster. What the client does otherwise is reported, and
 * answered as another part of the tape or the protocol lays down.
 */
import { exactJson } from '../core/id.ts';
import { isObject, parseJson, textIn } from '../core/message.ts';
import { type Pace, waitFor } from '../core/pace.ts';
import type { Json } from '../dialects/dialect.ts';
import type { Replay } from '../dialects/traits.ts';
import type { Session } from '../session/session.ts';
import { Awaited } from './awaited.ts';
import { Backlog } from './backlog.ts';
import { Departures } from './departures.ts';
import type { Faults } from './faults.ts';
import { Ids, seeded } from './ids.ts';
import { LiveLines } from './live-lines.ts';
import { LiveTurns } from './live-turns.ts';
import { Matcher, type MatchMode } from './match.ts';
import { negotiate } from './negotiate.ts';
import type { Outlet } from './outlet.ts';
import { placesOf, type Tree } from './places.ts';
import { isOk, newReport, note, type ReplayReport } from './report.ts';
import { Resending } from './resend.ts';
import { type Hear, type Say, Script } from './script.ts';

export interface AgentOptions {
  pace: Pace;
  match: MatchMode;
  /** What becomes of a request that is not on the tape. */
  onMiss: 'error' | 'warn' | 'stop';
  keepIds: boolean;
  /** Of random ids and faults. */
  seed: number;
  /** Lines on stderr are sent too. */
  stderr: boolean;
  /** When the tape is over and the client goes on, the tape begins again. */
  loop: boolean;
  /** Seconds of waiting for the client after which the replay ends; null: no limit. */
  timeout: number | null;
  faults: Faults | null;
  /** Other sessions that may have a branch that fits. */
  others: readonly Session[];
  /** The working directory of the live session, which stands for the recorded one. */
  cwd: string | null;
  /** Tells a person. */
  say(line: string): void;
}

export interface AgentEnd {
  report: ReplayReport;
  /** How the recorded agent ended; null if that is not on the tape. */
  exit: { code: number | null; signal: string | null } | null;
}

/** How many steps are read ahead to find what the client asks for. */
const AHEAD = 4096;
/** So many lines are sent before the client is listened to again. */
const BATCH = 512;
/** What the client sends of its own accord is waited for at least this long, in seconds. */
const GRACE = 1;
/** After so many seconds of waiting a person is told what for. */
const QUIET = 10;

export class AgentReplay {
  readonly report: ReplayReport;
  readonly #session: Session;
  readonly #options: AgentOptions;
  readonly #out: Outlet;
  readonly #err: Outlet | null;
  readonly #tree: Tree;
  readonly #replay: Replay;
  readonly #live: LiveLines;
  readonly #turns = new LiveTurns();
  readonly #matcher: Matcher;
  readonly #departures: Departures;
  #script: Script;
  #ids: Ids;
  #awaited = new Awaited();
  #backlog: Backlog;
  /** Groups of lines that the run departed from. */
  readonly #cut = new Set<string>();
  /** Ids of lines that come from another part of a tape, by group. */
  readonly #branchIds = new Map<string, Ids>();
  /** Lines that are not on the tape, to be sent next. */
  readonly #urgent: string[] = [];
  #resending: Resending | null = null;
  /** What the process does at its end. */
  readonly #ends: Say[] = [];
  /** When each line of the client's own accord is given up. */
  readonly #deadlines = new Map<Hear, number>();
  readonly #told = new Set<Hear>();
  #isRead = false;
  #hasEnded = false;
  #isStopped = false;
  /** When something was last sent or heard. */
  #active: number;
  #due: { say: Say; at: number } | null = null;
  #awake: () => void = () => {};
  #isStirred = false;
  /** The latest recorded frame that was sent, and the latest line. */
  #latestF = 0;
  #last = '';

  constructor(session: Session, options: AgentOptions, out: Outlet, err: Outlet | null) {
    this.#session = session;
    this.#options = options;
    this.#out = out;
    this.#err = options.stderr ? err : null;
    this.#script = new Script(session);
    const { dialect, traits, command } = this.#script;
    this.#replay = traits.replay;
    this.#tree = placesOf(this.#replay);
    this.report = newReport(session.metadata.session, dialect);
    this.#live = new LiveLines(dialect, command);
    this.#ids = this.#newIds();
    this.#backlog = this.#newBacklog();
    const cwd: [string, string] | null = options.cwd === null ? null : [session.metadata.cwd, options.cwd];
    this.#matcher = new Matcher({ tree: this.#tree, mode: options.match, cwd, turns: this.#turns });
    this.#departures = new Departures(session, options.others, this.#tree, this.#replay);
    this.#active = now();
  }

  get dialect(): string {
    return this.#script.dialect;
  }

  /** A line of the live client, without its line end. */
  hear(text: string): void {
    this.#active = now();
    const line = this.#live.heard(text);
    const ask = this.#live.askedBy(line);
    if (ask) this.#hearAnswer(text, line, ask);
    else this.#hearLine(text, line);
    this.#wake();
  }

  /** The live client has closed its stream. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const hear of [...this.#awaited.all()]) this.#afterEnd(hear);
    this.#wake();
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  async run(): Promise<AgentEnd> {
    let batch = 0;
    while (!this.#isStopped) {
      const wait = this.#step();
      if (wait === 'over') break;
      if (this.#out.isClosed && this.#hasEnded) break;
      if (wait > 0) await this.#rest(wait);
      else if (!this.#out.write()) await this.#out.drained();
      else if (++batch % BATCH === 0) await new Promise(setImmediate);
    }
    const exit = this.#isStopped ? null : await this.#exit();
    this.#finish();
    await this.#err?.drained();
    await this.#out.drained();
    return { report: this.report, exit };
  }

  // Sending

  /** Sends what is due. Returns how many seconds to wait for the next line; 0: there may be more. */
  #step(): number | 'over' {
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return this.#sendMadeUp(urgent);
    if (this.#resending) return this.#resend(this.#resending);
    const say = this.#next();
    if (say) {
      const wait = this.#dueIn(say);
      if (wait > 0) return wait;
      this.#due = null;
      this.#backlog.remove(say);
      this.#send(say);
      return 0;
    }
    if (this.#isOver()) return 'over';
    return this.#patience();
  }

  /** The next line that can be sent, read from the tape if necessary. */
  #next(): Say | null {
    for (;;) {
      const say = this.#backlog.ready((one) => this.#isHeld(one));
      if (say || !this.#read()) return say;
    }
  }

  /** Turns follow each other, unless the dialect has them side by side. */
  #isHeld(say: Say): boolean {
    if (this.#script.traits.turnsSideBySide || say.prompt === null) return false;
    const open = this.#turns.holds(say);
    if (!open) return false;
    // A turn without an end on the tape is over when nothing of it is left.
    if (this.#backlog.has(open.group!)) return true;
    this.#turns.end(open.prompt);
    return false;
  }

  /** Reads a step of the tape. False if nothing more is read now. */
  #read(): boolean {
    if (this.#isRead || this.#backlog.size + this.#awaited.size >= AHEAD) return false;
    const step = this.#script.next();
    if (step === null) {
      this.#isRead = true;
      return false;
    }
    if (this.#cut.has(step.group)) {
      if (step.is === 'hear') this.#script.settle(step, 'given-up');
    } else if (step.is === 'hear') this.#await(step);
    else if (step.frame.event !== null) this.#atEnd(step);
    else if (step.frame.from !== 'stderr' || this.#err) this.#backlog.add(step);
    return true;
  }

  #await(hear: Hear): void {
    this.#awaited.add(hear);
    if (this.#hasEnded) this.#afterEnd(hear);
  }

  #atEnd(say: Say): void {
    if (say.frame.event === 'exit' || (say.frame.event === 'eof' && say.frame.from === 'agent')) this.#ends.push(say);
  }

  /** Seconds until it is due. */
  #dueIn(say: Say): number {
    if (this.#due?.say !== say) {
      const { seconds } = waitFor(say.gap, this.#options.pace);
      this.#due = { say, at: this.#active + seconds };
    }
    return this.#options.pace.speed === Number.POSITIVE_INFINITY ? 0 : this.#due.at - now();
  }

  #send(say: Say): void {
    const { frame } = say;
    this.#active = now();
    this.#latestF = Math.max(this.#latestF, say.f);
    if (frame.from === 'stderr') {
      this.#err?.write(this.#ids.textToLive(textIn(frame) ?? ''), frame.eol);
      return;
    }
    this.report.sent++;
    const text = textIn(frame);
    if (frame.cut) for (const block of frame.cut.whole()) this.#out.write(block.slice());
    else if (text === null) this.#out.write(frame.raw.slice());
    else return this.#sendText(say, text);
    this.#out.write(frame.eol);
  }

  #sendText(say: Say, text: string): void {
    const ids = this.#branchIds.get(say.group) ?? this.#ids;
    const mapped = ids.toLive(text, say.value, { from: 'agent', isAnswer: say.answers !== null });
    const asked = say.answers === null ? null : this.#matcher.answered(say.answers);
    const line = asked === null ? mapped : negotiate(mapped, say.value, asked, this.#replay);
    if (say.asks || say.answers !== null) this.#live.said(line, say);
    this.#last = line;
    this.#turns.sent(say);
    this.#turns.refused(say);
    this.#matcher.sent(say, line);
    if (say.ends !== null) this.#branchIds.delete(say.group);
    this.#deliver(line, say);
  }

  #deliver(line: string, say: Say): void {
    const { faults } = this.#options;
    if (!faults) return void this.#out.write(line, say.frame.eol);
    const done = faults.apply(say, line);
    for (const fault of done.names) note(this.report.faults, { f: say.f, fault });
    for (const part of done.lines) this.#out.write(part);
    if (done.delay > 0) this.#active += done.delay;
    if (done.end) this.#fail(done.end);
  }

  #fail(end: 'close' | { code: number } | { signal: string }): void {
    if (end === 'close') {
      this.#ends.length = 0;
      this.#backlog.drop(() => true);
      void this.#out.end();
      return;
    }
    this.#isStopped = true;
    this.#failure = { code: 'code' in end ? end.code : null, signal: 'signal' in end ? end.signal : null };
  }

  #failure: AgentEnd['exit'] = null;

  #sendMadeUp(line: string): number {
    this.#active = now();
    this.#live.said(line, null);
    this.#out.write(line, '\n');
    return 0;
  }

  #resend(resending: Resending): number {
    const line = resending.next();
    if (line === null) {
      this.#resending = null;
      this.#urgent.push(resending.answer());
    } else this.#out.write(line, '\n');
    return 0;
  }

  // Hearing

  #hearLine(text: string, line: ReturnType<LiveLines['heard']>): void {
    const found = this.#matcher.find(line, this.#ids, this.#awaited, () => this.#read());
    if (found?.isExact && !this.#isTooEarly(found.hear, line.value)) return this.#accept(found.hear, line.value, found);
    if (this.#answerByProtocol(line)) return;
    if (found && this.#matcher.takesNear) {
      note(this.report.near, { f: found.hear.f, what: found.what, differences: found.differences });
      this.#options.say(this.#matcher.nearText(found));
      return this.#accept(found.hear, line.value, found);
    }
    this.#miss(text, line, found);
  }

  /** A prompt while a turn is open, which the recorded client sent only afterwards. */
  #isTooEarly(hear: Hear, value: unknown): boolean {
    const { refuseWhileBusy } = this.#replay;
    if (!hear.isPrompt || hear.isOwnAccord || !refuseWhileBusy || !isObject(value)) return false;
    return this.#isBusyNow();
  }

  /** A turn is open from its first line on the tape to its last, whether or not the tape has an end of it. */
  #isBusyNow(): boolean {
    return this.#turns.some(({ group, prompt }) => {
      if (group === null) return this.#backlog.groupOfPrompt(prompt) !== null;
      return this.#backlog.has(group) || !this.#isRead;
    });
  }

  #accept(hear: Hear, value: unknown, found: { pairs: Parameters<Matcher['learn']>[1] }): void {
    this.report.matched++;
    this.#settle(hear, 'came');
    this.#matcher.learn(this.#branchIds.get(hear.group) ?? this.#ids, found.pairs, hear);
    this.#matcher.came(hear, value);
    if (hear.isPrompt) this.#turns.prompted(hear, isObject(value) ? value : null);
  }

  #settle(hear: Hear, state: 'came' | 'given-up'): void {
    this.#script.settle(hear, state);
    this.#awaited.remove(hear);
    this.#deadlines.delete(hear);
    this.#backlog.wake(hear);
  }

  #hearAnswer(text: string, line: ReturnType<LiveLines['heard']>, ask: Say): void {
    const found = this.#matcher.answer(line, ask, this.#ids, this.#awaited, () => this.#read());
    if (found === null) return this.#hearLine(text, line);
    this.#live.forget(line);
    if (found.is === 'departs' && this.#depart(found.hear, ask, line)) return;
    if (found.is !== 'same') {
      note(this.report.near, { f: found.hear.f, what: found.what, differences: found.differences });
      this.#options.say(this.#matcher.nearText(found));
    }
    this.#accept(found.hear, line.value, found);
  }

  /** The live client answered in another way than the recorded one. False: there is nothing to do about it. */
  #depart(hear: Hear, ask: Say, line: ReturnType<LiveLines['heard']>): boolean {
    const turn = this.#turns.get(ask.prompt);
    const ids = this.#branchIds.get(ask.group) ?? this.#ids;
    const asked = this.#matcher.lineOf(ask);
    const prompt = turn?.line ?? this.#matcher.requestOf(ask.group);
    const found = this.#departures.answered({ hear, ask, asked, answer: line, prompt, turn, ids, last: this.#lastLine() }, () => this.#newIds());
    if (!found) return false;
    this.#cutGroup(ask.group, turn?.prompt ?? null, found.branch !== null);
    if (found.branch) {
      this.#branchIds.set(ask.group, found.branch.ids);
      for (const step of found.branch.steps) if (step.is === 'hear') this.#await(step);
      for (const step of found.branch.steps) if (step.is === 'say') this.#backlog.add(step);
    }
    this.#sayDeparture(found.departure, found.lines);
    return true;
  }

  #lastLine(): Json | null {
    const value = parseJson(this.#last);
    return isObject(value) ? value : null;
  }

  #sayDeparture(departure: ReplayReport['departed'][number], lines: readonly Json[]): void {
    note(this.report.departed, departure);
    this.#options.say(`the client departed from the tape: ${departure.what}`);
    for (const line of lines) {
      const text = exactJson(line);
      note(this.report.made_up, text);
      this.#urgent.push(text);
    }
  }

  /** The rest of a turn, or of what a request led to, is not sent. */
  #cutGroup(group: string, prompt: number | null, goesOn: boolean): void {
    for (const hear of [...this.#awaited.all()]) if (hear.group === group) this.#settle(hear, 'given-up');
    this.report.unsent += this.#backlog.drop((say) => say.group === group).length;
    // The tape may have more of it further on.
    this.#cut.add(group);
    if (prompt !== null && !goesOn) this.#turns.end(prompt);
  }

  /** What the protocol lays down for a line that is not on the tape. */
  #answerByProtocol(line: ReturnType<LiveLines['heard']>): boolean {
    const { value, message, events } = line;
    if (!isObject(value)) return false;
    const { answerAlways, resend, refuseWhileBusy } = this.#replay;
    const cancel = events.find(({ kind }) => kind === 'cancel');
    if (cancel?.kind === 'cancel' && this.#cancelled(cancel.of, value)) return true;
    const isPrompt = events.some(({ kind }) => kind === 'prompt');
    const isBusy = this.#isBusyNow();
    if (isPrompt && isBusy && refuseWhileBusy && message.id !== null) {
      this.#sayDeparture({ f: null, what: 'a prompt while a turn is open', then: 'made-up' }, [
        refuseWhileBusy(message.id, message.method ?? ''),
      ]);
      return true;
    }
    if (resend && message.method === resend.method && message.envelope === 'request') {
      this.#resending = new Resending(this.#session, resend, value, this.#latestF, this.#ids);
      note(this.report.departed, { f: null, what: `${resend.method}: the history so far`, then: 'made-up' });
      return true;
    }
    const answer = answerAlways?.(value, isBusy) ?? null;
    if (answer === null) return false;
    note(this.report.made_up, exactJson(answer));
    this.#urgent.push(exactJson(answer));
    return true;
  }

  /** A cancel that is not on the tape ends the open turn, or withdraws a request. */
  #cancelled(of: string | null, value: Json): boolean {
    if (this.#resending) {
      this.#resending.cancel();
      const answer = this.#departures.cancelled(null, value, this.#ids, null);
      for (const line of answer.slice(0, 1)) this.#urgent.push(exactJson(line));
      return true;
    }
    if (of !== null && this.#script.traits.cancelWithdrawsRequest) {
      const group = this.#matcher.groupOfRequest(of);
      if (group === null) return false;
      this.#cutGroup(group, null, false);
      this.#sayDeparture({ f: null, what: `a cancelled request, ${of}`, then: 'made-up' }, []);
      return true;
    }
    const turn = this.#turns.about(value, this.#tree);
    if (!turn || !this.#replay.endTurn) return false;
    const lines = this.#departures.cancelled(turn, value, this.#branchIds.get(turn.group ?? '') ?? this.#ids, this.#lastLine());
    this.#cutGroup(turn.group ?? this.#matcher.groupOfPrompt(turn.prompt, this.#awaited, this.#backlog), turn.prompt, false);
    this.#sayDeparture({ f: turn.prompt, what: 'a cancel', then: 'made-up' }, lines);
    return true;
  }

  #miss(text: string, line: ReturnType<LiveLines['heard']>, nearest: ReturnType<Matcher['find']>): void {
    const { id, method, envelope } = line.message;
    const what = this.#matcher.nameOf(line, text);
    const isRequest = envelope === 'request' && id !== null;
    const again = this.#options.onMiss === 'warn' && isRequest ? this.#matcher.nearestAnswer(line) : null;
    const { refuse, refuseContent = refuse } = this.#replay;
    const refusal = isRequest ? (nearest || this.#matcher.hasSeen(line) ? refuseContent : refuse) : undefined;
    if (again !== null) this.#urgent.push(again);
    else if (refusal && this.#options.onMiss !== 'stop') this.#urgent.push(exactJson(refusal(id!, method ?? what)));
    const answered = again !== null ? 'nearest' : refusal ? 'error' : 'nothing';
    const differences = nearest?.differences ?? [];
    note(this.report.missed, { what, nearest_f: nearest?.hear.f ?? null, differences, answered });
    this.#options.say(this.#matcher.missText(what, nearest, answered));
    if (this.#options.onMiss === 'stop') this.stop();
  }

  // Waiting and ending

  /** Seconds until something that the client sends of its own accord is given up. */
  #patience(): number {
    const { timeout, pace } = this.#options;
    let wait = timeout === null ? Number.POSITIVE_INFINITY : Math.max(0.001, this.#active + timeout - now());
    if (timeout !== null && now() - this.#active >= timeout) return this.#timeOut();
    for (const hear of this.#hopes()) {
      const deadline = this.#deadlines.get(hear) ?? now() + Math.max(GRACE, waitFor(hear.gap, pace).seconds * 1.5);
      this.#deadlines.set(hear, deadline);
      if (deadline > now()) wait = Math.min(wait, deadline - now());
      else {
        this.#giveUp(hear);
        return 0;
      }
    }
    return Math.min(wait, this.#tellWaiting());
  }

  /** What the next lines only hope for. */
  #hopes(): Hear[] {
    const hopes = this.#backlog.waiting().flatMap(({ hear, isHope }) => (isHope ? [hear] : []));
    if (this.#backlog.size > 0 || !this.#isRead) return hopes;
    return [...hopes, ...this.#ends.flatMap((say) => say.hopes.filter(({ state }) => state === 'awaited'))];
  }

  #giveUp(hear: Hear): void {
    this.#settle(hear, 'given-up');
    if (hear.what === 'eof') return;
    const what = `${this.#matcher.nameOf(hear, '')} (f${hear.f}) did not come`;
    note(this.report.departed, { f: hear.f, what, then: 'as-recorded' });
    this.#options.say(`the client departed from the tape: ${what}; going on as recorded`);
  }

  /** A person is told what is waited for; returns when to look again. */
  #tellWaiting(): number {
    const quiet = now() - this.#active;
    if (quiet < QUIET) return QUIET - quiet + 0.01;
    const hear = this.#backlog.waiting()[0]?.hear ?? this.#awaited.first;
    if (hear && !this.#told.has(hear)) {
      this.#told.add(hear);
      this.#options.say(`waiting for the client: ${this.#matcher.nameOf(hear, '')} (f${hear.f})`);
    }
    return Number.POSITIVE_INFINITY;
  }

  #timeOut(): number {
    const hear = this.#backlog.waiting()[0]?.hear ?? this.#awaited.first;
    const what = hear ? `${this.#matcher.nameOf(hear, '')} (f${hear.f}) did not come in time` : 'nothing came in time';
    note(this.report.departed, { f: hear?.f ?? null, what, then: 'ended' });
    this.#options.say(`the client departed from the tape: ${what}`);
    this.stop();
    return 0;
  }

  /** The client has ended: what it has not sent will not come. */
  #afterEnd(hear: Hear): void {
    if (hear.what === 'eof') {
      this.report.matched++;
      return this.#settle(hear, 'came');
    }
    this.#settle(hear, 'given-up');
    note(this.report.never_asked, hear.f);
  }

  #isOver(): boolean {
    if (!this.#isRead || this.#backlog.size > 0 || this.#resending !== null) return false;
    if (this.#options.loop && !this.#hasEnded) {
      this.#again();
      return false;
    }
    const blocked = this.#ends.some(({ needs, hopes }) => [...needs, ...hopes].some(({ state }) => state === 'awaited'));
    if (blocked) return false;
    // If the end of the agent is not on the tape, it ends with its client.
    return this.#ends.some(({ frame }) => frame.event === 'exit') || this.#hasEnded;
  }

  /** From the beginning of the tape, for a client that goes on. */
  #again(): void {
    for (const hear of [...this.#awaited.all()]) this.#settle(hear, 'given-up');
    this.#script.close();
    this.#script = new Script(this.#session);
    this.#ids = this.#newIds();
    this.#awaited = new Awaited();
    this.#backlog = this.#newBacklog();
    this.#ends.length = 0;
    this.#cut.clear();
    this.#branchIds.clear();
    this.#isRead = false;
  }

  async #exit(): Promise<AgentEnd['exit']> {
    if (this.#failure) return this.#failure;
    for (const say of this.#ends) {
      const { seconds } = waitFor(say.gap, this.#options.pace);
      if (seconds > 0 && !this.#hasEnded) await this.#rest(seconds);
      if (say.frame.event === 'eof') await this.#out.end();
    }
    const exit = this.#ends.find(({ frame }) => frame.event === 'exit')?.frame.detail;
    if (!exit) return null;
    const { code, signal } = exit;
    return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null };
  }

  #finish(): void {
    const { report } = this;
    for (const hear of this.#awaited.all()) {
      if (hear.what !== 'eof') note(report.never_asked, hear.f);
    }
    report.never_asked.sort((a, b) => a - b);
    report.unsent += this.#backlog.size;
    report.unread = this.#out.unread;
    if (this.#failure) report.never_asked = [];
    report.ok = isOk(report);
    this.#script.close();
  }

  /** Waits, but not if the client spoke since. */
  async #rest(seconds: number): Promise<void> {
    this.#isStirred = false;
    this.#out.flush();
    this.#err?.flush();
    if (this.#isStirred) return;
    await new Promise<void>((done) => {
      const timer = Number.isFinite(seconds) ? setTimeout(done, Math.ceil(seconds * 1000)) : null;
      this.#awake = () => {
        if (timer) clearTimeout(timer);
        done();
      };
    });
    this.#awake = () => {};
  }

  #wake(): void {
    this.#isStirred = true;
    this.#awake();
  }

  #newIds(): Ids {
    const { keepIds, seed } = this.#options;
    return new Ids(this.#tree, this.#replay.idsInText ?? false, { keep: keepIds, random: seeded(seed) });
  }

  #newBacklog(): Backlog {
    return new Backlog(() => {
      this.report.unsent++;
    });
  }
}

/** Seconds on a clock that never goes back. */
function now(): number {
  return performance.now() / 1000;
}
