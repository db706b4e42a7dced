/**
 * What a replay sends: recorded lines with the ids of the live session, lines that are made up, and what faults make of
 * them.
 */

import type { Json } from '../dialects/dialect.ts';
import { headerOf } from '../model/content-length.ts';
import type { Event } from '../model/event.ts';
import { blocksOf, bytesOf, type Frame } from '../model/frame.ts';
import { isObject, parseJson, textIn } from '../model/message.ts';
import type { Session } from '../session/session.ts';
import { now } from './clock.ts';
import type { AgentExit } from './ending.ts';
import type { Fault, Faults } from './faults.ts';
import type { LiveLines } from './live-lines.ts';
import type { Matcher } from './match.ts';
import { negotiate } from './negotiate.ts';
import type { Outlet } from './outlet.ts';
import { note } from './report.ts';
import type { Stage } from './stage.ts';
import { roleOf, type Say } from './steps.ts';

interface Means {
  stage: Stage;
  live: LiveLines;
  matcher: Matcher;
  faults: Faults | null;
  out: Outlet;
  err: Outlet | null;
  /** A fault ends the agent. */
  onExit(exit: AgentExit): void;
}

export class Delivery {
  /** When something was last sent or heard. */
  active = now();
  /** The latest recorded frame that was sent. */
  latestF = 0;
  readonly #means: Means;
  /** The rest of a line that is too long to keep. */
  #long: Iterator<void> | null = null;
  #last = '';
  /** The agent's lines are Content-Length frames. */
  #isFramed: boolean;

  constructor(means: Means) {
    this.#means = means;
    this.#isFramed = isFramed(means.stage.session);
  }

  /** Sends a part of a long line that was begun. False if there is none. */
  goesOn(): boolean {
    if (!this.#long) return false;
    if (this.#long.next().done) this.#long = null;
    this.active = now();
    return true;
  }

  /** A line that is not on the tape. */
  makeUp(line: string): void {
    this.#means.live.said(line, null);
    this.#write(line);
  }

  /** A recorded line. */
  send(say: Say): void {
    const { frame } = say;
    const { stage, faults: overlay, err, out } = this.#means;
    this.latestF = Math.max(this.latestF, say.f);
    const text = frame.cut ? null : textIn(frame);
    if (frame.from === 'stderr') {
      this.active = now();
      if (!err) return;
      if (text === null) this.#sendBytes(frame, err);
      else err.write(stage.idsOf(null).textToLive(text), frame.eol);
      return;
    }
    stage.report.sent++;
    if (text !== null) return this.#sendText(say, text);
    const faults = overlay?.of(say) ?? [];
    this.active = now();
    if (faults.length === 0) this.#sendBytes(frame, out);
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
    const { stage, matcher, live, faults: overlay } = this.#means;
    const ids = stage.idsOf(say.group);
    const mapped = ids.toLive(text, say.value, roleOf('agent', say.message));
    const asked = say.answers === null ? null : matcher.answered(say.answers);
    const line = asked === null ? mapped : negotiate(mapped, say.value, asked, stage.replay);
    if (say.asks || say.answers !== null || say.events.some(isOfCall)) live.said(line, say);
    matcher.sent(say, line);
    stage.sent(say);
    const faults = overlay?.of(say) ?? [];
    this.#isFramed = frame.head !== undefined;
    if (faults.length === 0) this.#write(line, frame.eol, line === text ? frame.head : undefined);
    else {
      this.active = now();
      this.#sendFaulty(say, line, faults);
    }
  }

  /** `head`: the header of a Content-Length frame, if it is known. */
  #write(line: string, eol = '\n', head?: string): void {
    this.active = now();
    this.#last = line;
    if (this.#isFramed) this.#means.out.write(head ?? headerOf(line), line);
    else this.#means.out.write(line, eol);
  }

  /** `line`: null if it is not text, or too long to keep. */
  #sendFaulty(say: Say, line: string | null, faults: readonly Fault[]): void {
    for (const { name } of faults) note(this.#means.stage.report.faults, { f: say.f, fault: name });
    for (const { noise } of faults) if (noise !== undefined) this.#means.out.write(noise, '\n');
    const copies = faults.reduce((count, fault) => count * (fault.copies ?? 1), 1);
    const text = line === null ? null : faults.reduce((sent, { edit }) => edit?.(sent) ?? sent, line);
    const isCut = faults.some(({ cuts }) => cuts);
    if (text === null) {
      this.#sendBytes(say.frame, this.#means.out, { copies, isCut, after: () => this.#endBy(faults) });
      return;
    }
    const half = text.slice(0, Math.ceil(text.length / 2));
    for (let i = 0; i < copies; i++) {
      if (isCut) this.#means.out.write(this.#isFramed ? headerOf(text) : '', half);
      else this.#write(text, say.frame.eol);
    }
    this.#endBy(faults);
  }

  #endBy(faults: readonly Fault[]): void {
    for (const { exit, closes } of faults) {
      if (closes) this.#close();
      if (exit) this.#means.onExit(exit);
    }
  }

  #close(): void {
    this.#means.stage.backlog.drop(() => true);
    this.#means.out.end();
  }

  /** The latest line that was sent. */
  get last(): Json | null {
    const value = parseJson(this.#last);
    return isObject(value) ? value : null;
  }
}

/** What an answer decides may depend on the calls that are open. */
function isOfCall({ kind }: Event): boolean {
  return kind === 'tool-call' || kind === 'tool-result';
}

/** Whether the agent writes Content-Length frames, which its first line shows. */
function isFramed(session: Session): boolean {
  for (const { from, event, head } of session.frames())
    if (from === 'agent' && event === null) return head !== undefined;
  return false;
}
