/**
 * A pass over a session that still grows: fed frame by frame. Its dialect is guessed from the lines that are there; if a
 * later line shows that the guess was wrong, the pass starts over with a fresh observer.
 */

import { DialectDetector } from '../dialects/detect.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Frame } from '../model/frame.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import type { Timeline } from '../model/timeline/entries.ts';
import { FrameReader } from './frame-reader.ts';
import { type HeldFrame, holdFrame, knownDialect, type PassInfo } from './pass.ts';
import type { Source } from './source.ts';

/** Gets every frame, and where its line begins in the tape, if that is known. */
export interface GrowingObserver {
  take(read: ReadFrame, offset: number): void;
}

interface EarlyFrame extends HeldFrame {
  offset: number;
}

/** The dialect is not the one that was guessed, and the frames so far were not kept: read them again in a new pass. */
export class DialectChanged extends Error {}

/** Some agents log a lot before the first message. */
const MAX_EARLY_FRAMES = 10_000;
const isMessageLine = ({ frame: { from } }: EarlyFrame) => from === 'client' || from === 'agent';

export class GrowingPass<O extends GrowingObserver> {
  readonly #command: readonly string[];
  readonly #observe: (info: PassInfo) => O;
  readonly #keepsEarly: boolean;
  readonly #keepsTree: boolean;
  /** Set as long as the dialect may still turn out to be another one. */
  #detector: DialectDetector | null;
  #reader: FrameReader | null = null;
  #observer: O | null = null;
  /** Frames that came before the dialect was certain: not passed on yet, or kept in case the pass starts over. */
  #early: EarlyFrame[] = [];

  /**
   * `keepEarly`: false throws `DialectChanged` instead of starting over, and keeps no frames for that. `tree`: the timeline
   * keeps its entries, so memory grows with the session.
   */
  constructor(
    source: Pick<Source, 'command' | 'dialect'>,
    observe: (info: PassInfo) => O,
    { keepEarly = true, tree = false }: { keepEarly?: boolean; tree?: boolean } = {},
  ) {
    this.#command = source.command;
    this.#observe = observe;
    this.#keepsEarly = keepEarly;
    this.#keepsTree = tree;
    const known = knownDialect(source);
    this.#detector = known ? null : new DialectDetector(source.command);
    if (known) this.#begin(known.dialect);
  }

  /** Held back until the dialect is certain, or `flush` is called. */
  take(frame: Frame, offset = 0): void {
    if (!this.#detector) return this.#observer!.take(this.#reader!.read(frame), offset);
    const early: EarlyFrame = { ...holdFrame(frame, this.#detector), offset };
    if (!this.#reader) this.#early.push(early);
    else this.#takeGuess(early, this.#detector.best.dialect);
    if (!this.#detector.decided) return;
    this.flush();
    this.#detector = null;
    this.#early = [];
  }

  /** Passes on the frames that are held back, in the dialect that is the best guess now. */
  flush(): void {
    if (this.#reader) return;
    this.#start(this.#detector!.best.dialect);
    if (!this.#keepsEarly) this.#early = [];
  }

  /** No later frame can show another dialect. */
  get isDecided(): boolean {
    return this.#detector === null;
  }

  /** Frames have been passed on, so `observer`, `dialect` and `timeline` exist. */
  get hasBegun(): boolean {
    return this.#reader !== null;
  }

  /** The one that has got every frame. */
  get observer(): O {
    return this.#observer!;
  }

  get dialect(): string {
    return this.#reader!.dialect.name;
  }

  get timeline(): Timeline {
    return this.#reader!.timeline;
  }

  #takeGuess(early: EarlyFrame, dialect: Dialect): void {
    const isWrong = dialect !== this.#reader!.dialect;
    if (isWrong && !this.#keepsEarly) throw new DialectChanged();
    if (this.#keepsEarly && this.#early.push(early) > MAX_EARLY_FRAMES) this.#early = this.#early.filter(isMessageLine);
    if (isWrong) this.#start(dialect);
    else this.#deliver(early);
  }

  #start(dialect: Dialect): void {
    this.#begin(dialect);
    for (const early of this.#early) this.#deliver(early);
  }

  #begin(dialect: Dialect): void {
    const command = this.#command;
    this.#reader = new FrameReader(dialect, { command }, this.#keepsTree);
    this.#observer = this.#observe({ command, dialect: dialect.name });
  }

  #deliver({ frame, value, offset }: EarlyFrame): void {
    this.#observer!.take(this.#reader!.read(frame, value), offset);
  }
}
