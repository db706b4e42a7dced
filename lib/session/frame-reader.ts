/**
 * Turns the frames of a session into what observers get: decoded by its dialect, paired, and placed. This is the one
 * place where a `ReadFrame` is completed.
 */

import type { Dialect, SessionInfo } from '../dialects/dialect.ts';
import type { Frame } from '../model/frame.ts';
import type { ReadFrame } from '../model/read-frame.ts';
import { TimelineBuilder, type Where } from '../model/timeline/builder.ts';
import type { Timeline } from '../model/timeline/entries.ts';
import { History } from './history.ts';
import { SessionReader } from './reader.ts';

const NO_POSITION: Where = { turn: null, step: null, item: null };

export class FrameReader {
  readonly #reader: SessionReader;
  readonly #builder: TimelineBuilder;
  readonly #history: History | null;

  /**
   * `tree`: keep the entries of the timeline. Without it only sums are kept, and memory does not grow. `bounded`: it grows
   * only by the entries. `history`: only what was sent again, as if it were new.
   */
  constructor(dialect: Dialect, session: SessionInfo, tree: boolean, bounded = !tree, history = false) {
    this.#reader = new SessionReader(dialect, session);
    this.#builder = new TimelineBuilder({ keep: tree, bounded });
    this.#history = history ? new History() : null;
  }

  get dialect(): Dialect {
    return this.#reader.dialect;
  }

  get timeline(): Timeline {
    return this.#builder.timeline;
  }

  /** Too many requests or calls were open at once, and the oldest were forgotten. */
  get hasForgotten(): boolean {
    return this.#reader.forgotten > 0 || this.#builder.ledger.dropped > 0;
  }

  /** `value`: its line as JSON, if it was parsed already. */
  read(frame: Frame, value?: unknown): ReadFrame {
    const decoded = this.#reader.read(frame, value);
    // Later frames that continue this one must find it as it was, not as history.
    const read = this.#history ? { ...decoded } : decoded;
    read.where = this.#history?.take(read) === false ? NO_POSITION : this.#builder.take(read);
    read.ledger = this.#builder.ledger;
    return read as ReadFrame;
  }
}
