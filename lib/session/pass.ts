/**
 * One pass over a session: finds its dialect from the first lines, then decodes, pairs and places every frame and gives it
 * to the observers. Nothing is read or parsed twice: the lines that the dialect was found from are held until then.
 */

import { type Detected, DialectDetector } from '../dialects/detect.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { Frame, Seal } from '../model/frame.ts';
import { keepFrame } from '../model/kept-frame.ts';
import { parseFrame, textIn } from '../model/message.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import type { Timeline } from '../model/timeline/entries.ts';
import { FrameReader } from './frame-reader.ts';
import type { OtherLineObserver, Source } from './source.ts';

/** Gets every frame, in order. */
export interface Observer {
  take(read: ReadFrame): void;
}

/** What an observer may have to know before the first frame. */
export interface PassInfo {
  readonly command: readonly string[];
  readonly dialect: string;
}

/** A frame that outlives its buffer, and its line as JSON. */
export interface HeldFrame {
  frame: Frame;
  value: unknown;
}

interface PassOptions {
  tree?: boolean | ((dialect: string) => boolean);
  bounded?: boolean;
  history?: boolean;
}

interface OpenPass {
  reader: FrameReader;
  confidence: number;
  held: HeldFrame[];
  /** The frames after those. */
  remaining: Iterator<Frame>;
}

export class Pass implements Iterable<ReadFrame>, PassInfo {
  /** Invalid lines of the tape, so far. */
  damaged = 0;
  /** The last seal, if no frame came after it. */
  seal: Seal | null = null;
  readonly #source: Source;
  readonly #keepsTree: (dialect: string) => boolean;
  readonly #isBounded: boolean;
  readonly #onlyHistory: boolean;
  readonly #others: OtherLineObserver = {
    seal: (seal) => {
      this.seal = seal;
    },
    damaged: () => {
      this.damaged++;
    },
  };
  #opened: OpenPass | null = null;

  /**
   * `tree`: the timeline keeps its entries, or keeps them in some dialects. Otherwise it only has sums, and memory does not
   * grow with the session. `bounded`: an observer takes the oldest entries out, and nothing else grows. `history`: only what
   * the agent sent again from earlier sessions, as if it were new.
   */
  constructor(source: Source, { tree = false, bounded = false, history = false }: PassOptions = {}) {
    this.#source = source;
    this.#onlyHistory = history;
    this.#isBounded = bounded;
    this.#keepsTree = typeof tree === 'boolean' ? () => tree : tree;
  }

  get command(): readonly string[] {
    return this.#source.command;
  }

  /** Reads the first lines, if the pass has not begun. */
  get dialect(): string {
    return this.#open().reader.dialect.name;
  }

  /** How sure that is, from 0 to 1. */
  get confidence(): number {
    return this.#open().confidence;
  }

  /** As far as the pass has come. */
  get timeline(): Timeline {
    return this.#open().reader.timeline;
  }

  /** So far, too many requests or calls were open at once, and the oldest were forgotten. */
  get hasForgotten(): boolean {
    return this.#open().reader.hasForgotten;
  }

  /** Every frame, once. A generator would take longer for a frame than finding its line does. */
  [Symbol.iterator](): IterableIterator<ReadFrame, undefined> {
    const over = { done: true, value: undefined } as const;
    const iterator: IterableIterator<ReadFrame, undefined> = {
      next: () => {
        const value = this.next();
        return value === null ? over : { done: false, value };
      },
      return: () => {
        this.close();
        return over;
      },
      [Symbol.iterator]: () => iterator,
    };
    return iterator;
  }

  /** Gives every frame to these. The same as iterating, but faster. */
  run(...observers: Observer[]): this {
    try {
      for (let read = this.next(); read !== null; read = this.next()) {
        for (const observer of observers) observer.take(read);
      }
    } finally {
      this.close();
    }
    return this;
  }

  /** The next frame; null: there are no more. A caller that stops before the end must call `close`. */
  next(): ReadFrame | null {
    const { reader, held, remaining: rest } = this.#open();
    try {
      if (held.length > 0) {
        const { frame, value } = held.shift()!;
        return reader.read(frame, value);
      }
      const next = rest.next();
      return next.done ? null : reader.read(this.#clearSeal(next.value));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Lets go of the source, for a pass that is not finished. */
  close(): void {
    this.#opened?.remaining.return?.();
  }

  #open(): OpenPass {
    this.#opened ??= this.#begin();
    return this.#opened;
  }

  #begin(): OpenPass {
    const { command } = this.#source;
    const held: HeldFrame[] = [];
    const rest = this.#source.frames(this.#others)[Symbol.iterator]();
    const { dialect, confidence } =
      knownDialect(this.#source) ?? this.#lookAhead(new DialectDetector(command), rest, held);
    const keepsTree = this.#keepsTree(dialect.name);
    const bounded = this.#isBounded || !keepsTree;
    const reader = new FrameReader(dialect, { command }, keepsTree, bounded, this.#onlyHistory);
    return { reader, confidence, held, remaining: rest };
  }

  #lookAhead(detector: DialectDetector, frames: Iterator<Frame>, held: HeldFrame[]): Detected {
    for (let next = frames.next(); !next.done; next = frames.next()) {
      held.push(holdFrame(this.#clearSeal(next.value), detector));
      if (detector.decided) break;
    }
    return detector.best;
  }

  /** A seal that was read so far is before this frame, so it is not the last line. */
  #clearSeal(frame: Frame): Frame {
    this.seal = null;
    return frame;
  }
}

/** The dialect that the caller named, if there is one of that name. */
export function knownDialect({ dialect: name }: Pick<Source, 'dialect'>): Detected | null {
  const dialect = name ? dialectNamed(name) : undefined;
  return dialect ? { dialect, confidence: 1 } : null;
}

/** Keeps a frame that the detector has looked at, with what was parsed for that. */
export function holdFrame(frame: Frame, detector: DialectDetector): HeldFrame {
  if (frame.form === 'event') return { frame, value: undefined };
  const text = textIn(frame);
  const value = frame.from === 'stderr' ? undefined : parseFrame(frame, text);
  detector.takeParsed(frame, value);
  return { frame: keepFrame(frame, text), value };
}
