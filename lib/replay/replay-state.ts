/** Where a replay stands: what is read of the tape, what the live client has sent of it, and what is still to be sent. */

import type { ReplayTraits } from '../dialects/traits.ts';
import { isObject } from '../model/message.ts';
import type { Session } from '../session/session.ts';
import { AwaitedSteps } from './awaited-steps.ts';
import { Backlog } from './backlog.ts';
import type { LineComparison } from './compare-lines.ts';
import { type IdTree, idTreeOf } from './id-tree.ts';
import { Ids, seeded } from './ids.ts';
import { LiveTurns } from './live-turns.ts';
import { addEntry, describeStep, type FirstDifference, lineValue, newReport, type ReplayReport } from './report.ts';
import { Script } from './script.ts';
import { type AgentStep, type ClientStep, isEnding, roleOf } from './script-step.ts';

export interface ReplayStateOptions {
  keepIds: boolean;
  /** Of random ids. */
  seed: number;
  /** Lines on stderr are sent too. */
  stderr: boolean;
  /** The live client can send signals: it may send one after it has closed its stream. */
  signals: boolean;
}

/** How many steps are read ahead to find what the client asks for. */
const MAX_STEPS_AHEAD = 4096;

export class ReplayState {
  readonly session: Session;
  readonly report: ReplayReport;
  readonly replay: ReplayTraits;
  readonly tree: IdTree;
  readonly turns = new LiveTurns();
  script: Script;
  awaited = new AwaitedSteps();
  backlog: Backlog;
  /** What the process does at its end. */
  ends: AgentStep[] = [];
  /** The whole tape is read. */
  isRead = false;
  /** The live client has closed its stream. */
  hasEnded = false;
  #isClientGone = false;
  /** The time of the last step that was read. */
  #readTo = 0;
  /** The tape has begun again, and the client has sent nothing of it. */
  isNewRound = false;
  /** The client has sent something of the tape since it began. */
  #hasClientSpoken = false;
  /** Called when a step is no longer waited for. */
  onSettled: (clientStep: ClientStep) => void = () => {};
  #ids: Ids;
  readonly #options: ReplayStateOptions;
  /** Groups of lines that the run departed from. */
  readonly #dropped = new Set<string>();
  /** Ids of lines that come from another part of a tape, by group. */
  readonly #branchIds = new Map<string, Ids>();

  constructor(session: Session, options: ReplayStateOptions) {
    this.session = session;
    this.#options = options;
    this.script = new Script(session);
    this.replay = this.script.traits.replay;
    this.tree = idTreeOf(this.replay);
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
  next(): AgentStep | null {
    for (;;) {
      const agentStep = this.backlog.ready((one) => this.#isHeld(one));
      if (agentStep || !this.read()) return agentStep;
    }
  }

  /** Lines that came in one piece have the same time on the tape. A log that was imported may have no times. */
  get hasPieces(): boolean {
    return this.session.metadata.source !== 'import';
  }

  /** It answers a request, or a line that came in one piece with it does. */
  bringsAnswer(agentStep: AgentStep): boolean {
    if (agentStep.answers !== null) return true;
    while (this.#readTo <= agentStep.t && this.read());
    for (const next of this.backlog.after(agentStep)) {
      if (next.t !== agentStep.t) return false;
      if (next.answers !== null) return true;
    }
    return false;
  }

  /** Reads a step of the tape. False if nothing more is read now. */
  read(): boolean {
    if (this.isRead || this.backlog.size + this.awaited.size >= MAX_STEPS_AHEAD) return false;
    const step = this.script.next();
    if (step !== null) this.#readTo = step.t;
    if (step === null) this.isRead = true;
    else if (this.#dropped.has(step.group)) this.#skip(step);
    else if (step.is === 'hear') this.await(step);
    else if (step.frame.event !== null) this.#atEnd(step);
    else if (step.frame.from !== 'stderr' || this.#options.stderr) this.backlog.add(step);
    return !this.isRead;
  }

  await(clientStep: ClientStep): void {
    this.awaited.add(clientStep);
    if (this.hasEnded) this.#afterEnd(clientStep);
  }

  /** The live client sent what the tape has. */
  accept(clientStep: ClientStep, value: unknown, pairs: LineComparison['pairs']): void {
    this.report.matched++;
    this.isNewRound = false;
    this.#hasClientSpoken = true;
    this.settle(clientStep, 'came');
    const role = roleOf('client', clientStep.message);
    const ids = this.idsOf(clientStep.group);
    for (const [recorded, live, place] of pairs) ids.learn(recorded, live, place, role);
    if (clientStep.isPrompt) this.turns.begin(clientStep, isObject(value) ? value : null);
  }

  settle(clientStep: ClientStep, state: 'came' | 'given-up'): void {
    this.script.settle(clientStep, state);
    this.awaited.remove(clientStep);
    this.onSettled(clientStep);
    this.backlog.wake(clientStep);
  }

  /** The live client sent a signal. True if the recorded client did too: then the replay goes on as recorded. */
  signal(name: string): boolean {
    let clientStep = this.awaited.signal(name);
    while (!clientStep && this.read()) clientStep = this.awaited.signal(name);
    if (clientStep) this.accept(clientStep, undefined, []);
    return clientStep !== null;
  }

  /**
   * The live client has closed its stream: what it has not sent will not come. A signal may follow at once, unless the
   * client `isClientGone`.
   */
  end(isGone = false): void {
    this.hasEnded = true;
    this.#isClientGone ||= isGone;
    for (const clientStep of [...this.awaited.all()]) this.#afterEnd(clientStep);
  }

  /** A turn is open from its first line on the tape to its last, whether or not the tape has an end of it. */
  get isBusy(): boolean {
    return this.turns.some(({ group, prompt }) => {
      if (group === null) return this.backlog.groupOfPrompt(prompt) !== null;
      return this.backlog.has(group) || !this.isRead;
    });
  }

  /** The rest of a turn, or of what a request led to, is not sent. `branch` takes its place. */
  dropGroup(
    group: string,
    prompt: number | null,
    branch: { steps: readonly (ClientStep | AgentStep)[]; ids: Ids } | null,
  ): void {
    for (const clientStep of [...this.awaited.all()])
      if (clientStep.group === group) this.settle(clientStep, 'given-up');
    this.report.unsent += this.backlog.drop((agentStep) => agentStep.group === group).length;
    // The tape may have more of it further on.
    this.#dropped.add(group);
    if (!branch) {
      if (prompt !== null) this.turns.end(prompt);
      return;
    }
    this.#branchIds.set(group, branch.ids);
    for (const step of branch.steps) if (step.is === 'hear') this.await(step);
    for (const step of branch.steps) if (step.is === 'say') this.backlog.add(step);
  }

  /** The run departed from it. */
  isDropped(group: string): boolean {
    return this.#dropped.has(group);
  }

  /** The group of the turn of a prompt. */
  groupOfTurn({ group, prompt }: { group: string | null; prompt: number }): string {
    if (group !== null) return group;
    for (const clientStep of this.awaited.all()) if (clientStep.prompt === prompt) return clientStep.group;
    return this.backlog.groupOfPrompt(prompt) ?? '';
  }

  /** A line was sent. */
  sent(agentStep: AgentStep): void {
    this.turns.sent(agentStep);
    this.turns.refused(agentStep);
    if (agentStep.ends !== null) this.#branchIds.delete(agentStep.group);
  }

  /**
   * The tape is at its end and the client may go on: everything was sent, and everything came except the client's end. A
   * tape without lines of the client would start again for ever.
   */
  get isPlayed(): boolean {
    if (!this.isAllSent) return false;
    for (const { what } of this.awaited.all()) if (!isEnding(what)) return false;
    return true;
  }

  /** Everything was sent, but the client may send more. */
  get isAllSent(): boolean {
    if (this.backlog.size > 0 || this.hasEnded || !this.#hasClientSpoken) return false;
    while (this.backlog.size === 0 && this.read());
    return this.isRead && this.backlog.size === 0;
  }

  /** Starts the tape again, for a client that goes on. */
  restart(): void {
    for (const clientStep of [...this.awaited.all()]) {
      if (!isEnding(clientStep.what)) this.reportNeverAsked(clientStep);
      this.settle(clientStep, 'given-up');
    }
    this.script.close();
    this.script = new Script(this.session);
    this.#ids = this.newIds();
    this.awaited = new AwaitedSteps();
    this.backlog = this.#newBacklog();
    this.ends = [];
    this.#dropped.clear();
    this.#branchIds.clear();
    this.isRead = false;
    this.isNewRound = true;
    this.#hasClientSpoken = false;
  }

  /** Turns follow each other, unless the dialect has them side by side. */
  #isHeld(agentStep: AgentStep): boolean {
    if (this.script.traits.turnsSideBySide || agentStep.prompt === null) return false;
    const open = this.turns.blockingTurn(agentStep);
    if (!open) return false;
    // A turn without an end on the tape is over when nothing of it is left.
    if (this.backlog.has(open.group!)) return true;
    this.turns.end(open.prompt);
    return false;
  }

  #skip(step: ClientStep | AgentStep): void {
    if (step.is === 'hear') this.script.settle(step, 'given-up');
    else this.report.unsent++;
  }

  #atEnd(agentStep: AgentStep): void {
    const { event, from } = agentStep.frame;
    if (event === 'exit' || (event === 'eof' && from === 'agent')) this.ends.push(agentStep);
  }

  #afterEnd(clientStep: ClientStep): void {
    if (clientStep.what === 'signal' && this.#options.signals && !this.#isClientGone) return;
    if (clientStep.what === 'eof') this.report.matched++;
    this.settle(clientStep, clientStep.what === 'eof' ? 'came' : 'given-up');
    if (!isEnding(clientStep.what)) this.reportNeverAsked(clientStep);
  }

  reportNeverAsked(clientStep: ClientStep): void {
    if (!this.isNewRound) reportMissing(this.report, clientStep);
  }

  /** The client did something else than the recorded one. What comes later may only follow from it. */
  reportFirstDifference(first: FirstDifference): void {
    this.report.first_difference ??= first;
  }

  #newBacklog(): Backlog {
    return new Backlog(() => {
      if (!this.isNewRound) this.report.unsent++;
    });
  }
}

/** Reports a recorded line of the client that is no longer waited for. */
export function reportMissing(report: ReplayReport, clientStep: ClientStep): void {
  addEntry(report.never_asked, clientStep.f);
  addEntry(report.missing, { f: clientStep.f, what: describeStep(clientStep) });
  report.first_difference ??= { f: clientStep.f, path: '', recorded: lineValue(clientStep), live: undefined };
}
