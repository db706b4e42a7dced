/**
 * What a replay sends: recorded lines with the ids of the live session, lines that are made up, and what faults make of
 * them.
 */

import type { JsonObject } from '../dialects/dialect.ts';
import { headerOf } from '../model/content-length.ts';
import type { Event } from '../model/event.ts';
import { blocksOf, bytesOf, type Frame } from '../model/frame.ts';
import { isObject, parseJson, textIn } from '../model/message.ts';
import type { Session } from '../session/session.ts';
import type { AgentExit } from './agent-exit.ts';
import { now } from './clock.ts';
import type { AppliedFault, Faults } from './faults.ts';
import type { LineWriter } from './line-writer.ts';
import type { LiveReader } from './live-reader.ts';
import type { Matcher } from './match.ts';
import { negotiateVersion } from './negotiate.ts';
import type { ReplayState } from './replay-state.ts';
import { addEntry } from './report.ts';
import { type AgentStep, roleOf } from './script-step.ts';

interface DeliveryContext {
  stage: ReplayState;
  live: LiveReader;
  matcher: Matcher;
  faults: Faults | null;
  out: LineWriter;
  err: LineWriter | null;
  /** A fault ends the agent. */
  onExit(exit: AgentExit): void;
}

export class Delivery {
  /** When something was last sent or received. */
  active = now();
  /** The latest recorded frame that was sent. */
  latestF = 0;
  readonly #context: DeliveryContext;
  /** The rest of a line that is too long to keep. */
  #long: Iterator<void> | null = null;
  #lastLine = '';
  /** The agent's lines are Content-Length frames. */
  #isFramed: boolean;

  constructor(means: DeliveryContext) {
    this.#context = means;
    this.#isFramed = isFramed(means.stage.session);
  }

  /** Sends a part of a long line that was begun. False if there is none. */
  continueLongLine(): boolean {
    if (!this.#long) return false;
    if (this.#long.next().done) this.#long = null;
    this.active = now();
    return true;
  }

  /** A line that is not on the tape. */
  sendMadeUp(line: string): void {
    this.#context.live.readAgentLine(line, null);
    this.#write(line);
  }

  /** A recorded line. */
  send(agentStep: AgentStep): void {
    const { frame } = agentStep;
    const { stage, faults: overlay, err, out } = this.#context;
    this.latestF = Math.max(this.latestF, agentStep.f);
    const text = frame.cut ? null : textIn(frame);
    if (frame.from === 'stderr') {
      this.active = now();
      if (!err) return;
      if (text === null) this.#sendBytes(frame, err);
      else err.write(stage.idsOf(null).textToLive(text), frame.eol);
      return;
    }
    stage.report.sent++;
    if (text !== null) return this.#sendText(agentStep, text);
    const faults = overlay?.of(agentStep) ?? [];
    this.active = now();
    if (faults.length === 0) this.#sendBytes(frame, out);
    else this.#sendFaulty(agentStep, null, faults);
  }

  /** Sends a line that is not text, or too long to keep. Its blocks are sent one by one, as the client reads them. */
  #sendBytes(frame: Frame, to: LineWriter, { copies = 1, isCut = false, after = () => {} } = {}): void {
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

  #sendText(agentStep: AgentStep, text: string): void {
    const { frame } = agentStep;
    const { stage, matcher, live, faults: overlay } = this.#context;
    const ids = stage.idsOf(agentStep.group);
    const mapped = ids.toLive(text, agentStep.value, roleOf('agent', agentStep.message));
    const request = agentStep.answers === null ? null : matcher.requestFor(agentStep.answers);
    const line = request === null ? mapped : negotiateVersion(mapped, agentStep.value, request, stage.replay);
    if (agentStep.asks || agentStep.answers !== null || agentStep.events.some(isCallEvent))
      live.readAgentLine(line, agentStep);
    matcher.sent(agentStep, line);
    stage.sent(agentStep);
    const faults = overlay?.of(agentStep) ?? [];
    this.#isFramed = frame.head !== undefined;
    if (faults.length === 0) this.#write(line, frame.eol, line === text ? frame.head : undefined);
    else {
      this.active = now();
      this.#sendFaulty(agentStep, line, faults);
    }
  }

  /** `head`: the header of a Content-Length frame, if it is known. */
  #write(line: string, eol = '\n', head?: string): void {
    this.active = now();
    this.#lastLine = line;
    if (this.#isFramed) this.#context.out.write(head ?? headerOf(line), line);
    else this.#context.out.write(line, eol);
  }

  /** `line`: null if it is not text, or too long to keep. */
  #sendFaulty(agentStep: AgentStep, line: string | null, faults: readonly AppliedFault[]): void {
    for (const { name } of faults) addEntry(this.#context.stage.report.faults, { f: agentStep.f, fault: name });
    for (const { noise } of faults) if (noise !== undefined) this.#context.out.write(noise, '\n');
    const copies = faults.reduce((count, fault) => count * (fault.copies ?? 1), 1);
    const text = line === null ? null : faults.reduce((sent, { edit }) => edit?.(sent) ?? sent, line);
    const isCut = faults.some(({ cuts }) => cuts);
    if (text === null) {
      this.#sendBytes(agentStep.frame, this.#context.out, { copies, isCut, after: () => this.#applyEnds(faults) });
      return;
    }
    const half = text.slice(0, Math.ceil(text.length / 2));
    for (let i = 0; i < copies; i++) {
      if (isCut) this.#context.out.write(this.#isFramed ? headerOf(text) : '', half);
      else this.#write(text, agentStep.frame.eol);
    }
    this.#applyEnds(faults);
  }

  #applyEnds(faults: readonly AppliedFault[]): void {
    for (const { exit, closes } of faults) {
      if (closes) this.#close();
      if (exit) this.#context.onExit(exit);
    }
  }

  #close(): void {
    this.#context.stage.backlog.drop(() => true);
    this.#context.out.end();
  }

  /** The latest line that was sent. */
  get last(): JsonObject | null {
    const value = parseJson(this.#lastLine);
    return isObject(value) ? value : null;
  }
}

/** What an answer decides may depend on the calls that are open. */
function isCallEvent({ kind }: Event): boolean {
  return kind === 'tool-call' || kind === 'tool-result';
}

/** Whether the agent writes Content-Length frames, which its first line shows. */
function isFramed(session: Session): boolean {
  for (const { from, event, head } of session.frames())
    if (from === 'agent' && event === null) return head !== undefined;
  return false;
}
