/** Where a replay stands: what is read of the tape, what the live client has sent of it, and what is still to be sent. */

import type { Replay } from '../dialects/traits.ts';
import { isObject } from '../model/message.ts';
import type { Session } from '../session/session.ts';
import { Awaited } from './awaited.ts';
import { Backlog } from './backlog.ts';
import type { Compared } from './compare.ts';
import { Ids, seeded } from './ids.ts';
import { LiveTurns } from './live-turns.ts';
import { placesOf, type Tree } from './places.ts';
import { described, type FirstDifference, lineOf, newReport, note, type ReplayReport } from './report.ts';
import { Script } from './script.ts';
import { type Hear, isEnding, roleOf, type Say } from './steps.ts';

export interface StageOptions {
  keepIds: boolean;
  /** Of random ids. */
  seed: number;
  /** Lines on stderr are sent too. */
  stderr: boolean;
  /** The live client can send signals: it may send one after it has closed its stream. */
  signals: boolean;
}

/** How many steps are read ahead to find what the client asks for. */
const AHEAD = 4096;

export class Stage {
  readonly session: Session;
  readonly report: ReplayReport;
  readonly replay: Replay;
  readonly tree: Tree;
  readonly turns = new LiveTurns();
  script: Script;
  awaited = new Awaited();
  backlog: Backlog;
  /** What the process does at its end. */
  ends: Say[] = [];
  /** The whole tape is read. */
  isRead = false;
  /** The live client has closed its stream. */
  hasEnded = false;
  #isGone = false;
  /** The time of the last step that was read. */
  #readTo = 0;
  /** The tape has begun again, and the client has sent nothing of it. */
  isNewRound = false;
  /** The client has sent something of the tape since it began. */
  #isHeard = false;
  /** Called when a step is no longer waited for. */
  onSettled: (hear: Hear) => void = () => {};
  #ids: Ids;
  readonly #options: StageOptions;
  /** Groups of lines that the run departed from. */
  readonly #cut = new Set<string>();
  /** Ids of lines that come from another part of a tape, by group. */
  readonly #branchIds = new Map<string, Ids>();

  constructor(session: Session, options: StageOptions) {
    this.session = session;
    this.#options = options;
    this.script = new Script(session);
    this.replay = this.script.traits.replay;
    this.tree = placesOf(this.replay);
    this.report = newReport(session.metadata.session, this.script.dialect);
    this.#ids = this.newIds();
    this.backlog = this.#newBacklog();
  }

  /** The ids of lines of this group; null: of lines outside groups. */
  idsOf(group: string | null): Ids {
    return (group === null ? undefined : this.#branchIds.get(group)) ?? this.#ids;
  }

  newIds(): Ids {
    const { keepIds, seed } = this.#options;
    return new Ids(this.tree, { keep: keepIds, random: seeded(seed) });
  }

  /** The next line that can be sent, read from the tape if necessary. */
  next(): Say | null {
    for (;;) {
      const say = this.backlog.ready((one) => this.#isHeld(one));
      if (say || !this.read()) return say;
    }
  }

  /** Lines that came in one piece have the same time on the tape. A log that was imported may have no times. */
  get hasPieces(): boolean {
    return this.session.metadata.source !== 'import';
  }

  /** It answers a request, or a line that came in one piece with it does. */
  bringsAnswer(say: Say): boolean {
    if (say.answers !== null) return true;
    while (this.#readTo <= say.t && this.read());
    for (const next of this.backlog.after(say)) {
      if (next.t !== say.t) return false;
      if (next.answers !== null) return true;
    }
    return false;
  }

  /** Reads a step of the tape. False if nothing more is read now. */
  read(): boolean {
    if (this.isRead || this.backlog.size + this.awaited.size >= AHEAD) return false;
    const step = this.script.next();
    if (step !== null) this.#readTo = step.t;
    if (step === null) this.isRead = true;
    else if (this.#cut.has(step.group)) this.#skip(step);
    else if (step.is === 'hear') this.await(step);
    else if (step.frame.event !== null) this.#atEnd(step);
    else if (step.frame.from !== 'stderr' || this.#options.stderr) this.backlog.add(step);
    return !this.isRead;
  }

  await(hear: Hear): void {
    this.awaited.add(hear);
    if (this.hasEnded) this.#afterEnd(hear);
  }

  /** The live client sent what the tape has. */
  accept(hear: Hear, value: unknown, pairs: Compared['pairs']): void {
    this.report.matched++;
    this.isNewRound = false;
    this.#isHeard = true;
    this.settle(hear, 'came');
    const role = roleOf('client', hear.message);
    const ids = this.idsOf(hear.group);
    for (const [recorded, live, place] of pairs) ids.learn(recorded, live, place, role);
    if (hear.isPrompt) this.turns.prompted(hear, isObject(value) ? value : null);
  }

  settle(hear: Hear, state: 'came' | 'given-up'): void {
    this.script.settle(hear, state);
    this.awaited.remove(hear);
    this.onSettled(hear);
    this.backlog.wake(hear);
  }

  /** The live client sent a signal. True if the recorded client did too: then the replay goes on as recorded. */
  signal(name: string): boolean {
    let hear = this.awaited.signal(name);
    while (!hear && this.read()) hear = this.awaited.signal(name);
    if (hear) this.accept(hear, undefined, []);
    return hear !== null;
  }

  /**
   * The live client has closed its stream: what it has not sent will not come. A signal may follow at once, unless the
   * client `isGone`.
   */
  end(isGone = false): void {
    this.hasEnded = true;
    this.#isGone ||= isGone;
    for (const hear of [...this.awaited.all()]) this.#afterEnd(hear);
  }

  /** A turn is open from its first line on the tape to its last, whether or not the tape has an end of it. */
  get isBusy(): boolean {
    return this.turns.some(({ group, prompt }) => {
      if (group === null) return this.backlog.groupOfPrompt(prompt) !== null;
      return this.backlog.has(group) || !this.isRead;
    });
  }

  /** The rest of a turn, or of what a request led to, is not sent. `branch` takes its place. */
  cut(group: string, prompt: number | null, branch: { steps: readonly (Hear | Say)[]; ids: Ids } | null): void {
    for (const hear of [...this.awaited.all()]) if (hear.group === group) this.settle(hear, 'given-up');
    this.report.unsent += this.backlog.drop((say) => say.group === group).length;
    // The tape may have more of it further on.
    this.#cut.add(group);
    if (!branch) {
      if (prompt !== null) this.turns.end(prompt);
      return;
    }
    this.#branchIds.set(group, branch.ids);
    for (const step of branch.steps) if (step.is === 'hear') this.await(step);
    for (const step of branch.steps) if (step.is === 'say') this.backlog.add(step);
  }

  /** The run departed from it. */
  isCut(group: string): boolean {
    return this.#cut.has(group);
  }

  /** The group of the turn of a prompt. */
  groupOfTurn({ group, prompt }: { group: string | null; prompt: number }): string {
    if (group !== null) return group;
    for (const hear of this.awaited.all()) if (hear.prompt === prompt) return hear.group;
    return this.backlog.groupOfPrompt(prompt) ?? '';
  }

  /** A line was sent. */
  sent(say: Say): void {
    this.turns.sent(say);
    this.turns.refused(say);
    if (say.ends !== null) this.#branchIds.delete(say.group);
  }

  /**
   * The tape is at its end and the client may go on: everything was sent, and everything came except the client's end. A
   * tape without lines of the client would start again for ever.
   */
  get isPlayed(): boolean {
    if (!this.isSaid) return false;
    for (const { what } of this.awaited.all()) if (!isEnding(what)) return false;
    return true;
  }

  /** Everything was sent, but the client may send more. */
  get isSaid(): boolean {
    if (this.backlog.size > 0 || this.hasEnded || !this.#isHeard) return false;
    while (this.backlog.size === 0 && this.read());
    return this.isRead && this.backlog.size === 0;
  }

  /** Starts the tape again, for a client that goes on. */
  again(): void {
    for (const hear of [...this.awaited.all()]) {
      if (!isEnding(hear.what)) this.neverAsked(hear);
      this.settle(hear, 'given-up');
    }
    this.script.close();
    this.script = new Script(this.session);
    this.#ids = this.newIds();
    this.awaited = new Awaited();
    this.backlog = this.#newBacklog();
    this.ends = [];
    this.#cut.clear();
    this.#branchIds.clear();
    this.isRead = false;
    this.isNewRound = true;
    this.#isHeard = false;
  }

  /** Turns follow each other, unless the dialect has them side by side. */
  #isHeld(say: Say): boolean {
    if (this.script.traits.turnsSideBySide || say.prompt === null) return false;
    const open = this.turns.holds(say);
    if (!open) return false;
    // A turn without an end on the tape is over when nothing of it is left.
    if (this.backlog.has(open.group!)) return true;
    this.turns.end(open.prompt);
    return false;
  }

  #skip(step: Hear | Say): void {
    if (step.is === 'hear') this.script.settle(step, 'given-up');
    else this.report.unsent++;
  }

  #atEnd(say: Say): void {
    const { event, from } = say.frame;
    if (event === 'exit' || (event === 'eof' && from === 'agent')) this.ends.push(say);
  }

  #afterEnd(hear: Hear): void {
    if (hear.what === 'signal' && this.#options.signals && !this.#isGone) return;
    if (hear.what === 'eof') this.report.matched++;
    this.settle(hear, hear.what === 'eof' ? 'came' : 'given-up');
    if (!isEnding(hear.what)) this.neverAsked(hear);
  }

  neverAsked(hear: Hear): void {
    if (!this.isNewRound) neverCame(this.report, hear);
  }

  /** The client did something else than the recorded one. What comes later may only follow from it. */
  differs(first: FirstDifference): void {
    this.report.first_difference ??= first;
  }

  #newBacklog(): Backlog {
    return new Backlog(() => {
      if (!this.isNewRound) this.report.unsent++;
    });
  }
}

/** Reports a recorded line of the client that is no longer waited for. */
export function neverCame(report: ReplayReport, hear: Hear): void {
  note(report.never_asked, hear.f);
  note(report.missing, { f: hear.f, what: described(hear) });
  report.first_difference ??= { f: hear.f, path: '', recorded: lineOf(hear), live: undefined };
}
