/**
 * The frames of a session, forward one by one and back to any of them, with the timeline as it was at that frame. Going
 * back reads the session from its start again. A session that still runs is followed.
 */

import { traitsOf } from '../../dialects/index.ts';
import type { Event } from '../../model/event.ts';
import type { Frame, Metadata } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Timeline } from '../../model/timeline/entries.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import type { PassInfo } from '../../session/pass.ts';
import { type FollowedFrame, follow } from '../../storage/search/follow.ts';
import type { SessionPlace } from '../../storage/store/sessions.ts';
import type { RecentFrame } from '../terminal/play-view.ts';

export interface ReelOptions {
  metadata: Metadata;
  /** Null if it has to be found out while playing. */
  dialect: string | null;
  /** Frames after this one do not exist. */
  until: number;
}

/** Frames that keys can jump to, as far as the session was read. */
export interface Marks {
  turns: number[];
  asks: number[];
}

/** In a dialect without a timeline, at least this many frames can be scrolled back to. */
const MIN_RECENT_FRAMES = 200;

export class Reel {
  readonly #place: SessionPlace;
  readonly #options: ReelOptions;
  #stop = new AbortController();
  #frames: AsyncGenerator<FollowedFrame | null>;
  #pass: GrowingPass<ReelObserver>;
  #pending: Promise<void> | null = null;
  #next: Frame | null = null;
  /** The last frame that was taken. */
  #at: { f: number; t: number } = { f: 0, t: 0 };
  marks: Marks = { turns: [], asks: [] };
  /** All that has been recorded so far was read, and more may come. */
  atEdge = false;
  /** The next frame was not there when it was looked for. */
  isAwaited = false;
  /** No frame comes any more. */
  isOver = false;
  /** That is because the session has ended, and not because the last frame that was wanted is there. */
  hasEnded = false;

  constructor(place: SessionPlace, options: ReelOptions) {
    this.#place = place;
    this.#options = options;
    this.#frames = follow(place, this.#stop.signal);
    this.#pass = this.#newPass();
  }

  /** The frame that comes next, if it is there. */
  get next(): Frame | null {
    return this.#next;
  }

  get at(): { f: number; t: number } {
    return this.#at;
  }

  get timeline(): Timeline {
    this.#pass.flush();
    return this.#pass.timeline;
  }

  get dialect(): string {
    this.#pass.flush();
    return this.#pass.dialect;
  }

  get recent(): readonly RecentFrame[] {
    this.#pass.flush();
    return this.#pass.observer.recent;
  }

  /** Looks for the next frame. Resolves when there is one, or at the edge, or at the end. */
  loadNext(): Promise<void> {
    if (this.#next || this.isOver) return Promise.resolve();
    this.#pending ??= this.#read(this.#frames).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  /** Goes on to the next frame, which must be there. */
  take(): Frame {
    const frame = this.#next!;
    this.#next = null;
    // A tape may say anything.
    this.#at = { f: frame.f, t: Number.isFinite(frame.t) ? frame.t : this.#at.t };
    this.#pass.take(frame);
    this.#pass.flush();
    return frame;
  }

  /**
   * Goes to the last frame that is not after `f`, or to the first one for which `isThere` is true. `pause` is called now and
   * then, and returns whether to continue.
   */
  async goTo(f: number, pause: () => Promise<boolean>, isThere: () => boolean = () => false): Promise<void> {
    if (f < this.#at.f) await this.#rewind();
    for (let count = 1; ; count++) {
      await this.loadNext();
      if (!this.#next || this.#next.f > f) return;
      this.take();
      if (isThere()) return;
      if (count % FRAMES_PER_PAUSE === 0 && !(await pause())) return;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#pending;
    await this.#frames.return(undefined);
  }

  async #rewind(): Promise<void> {
    await this.close();
    this.#stop = new AbortController();
    this.#frames = follow(this.#place, this.#stop.signal);
    this.#next = null;
    this.#at = { f: 0, t: 0 };
    this.#pass = this.#newPass();
    this.isOver = false;
    this.hasEnded = false;
    this.atEdge = false;
  }

  #newPass(): GrowingPass<ReelObserver> {
    const { metadata, dialect } = this.#options;
    const observe = (info: PassInfo) => {
      // The dialect has turned out to be another one.
      if (this.#at.f > 0) this.marks = { turns: [], asks: [] };
      return new ReelObserver(info, this.marks);
    };
    return new GrowingPass({ command: metadata.command, dialect }, observe, { tree: true });
  }

  async #read(frames: AsyncGenerator<FollowedFrame | null>): Promise<void> {
    const { done, value } = await frames.next();
    if (done || (value && value.frame.f > this.#options.until)) {
      this.isOver = true;
      this.hasEnded = done === true;
      this.atEdge = false;
    } else {
      this.isAwaited = this.atEdge;
      this.atEdge = value === null;
      this.#next = value?.frame ?? null;
    }
  }
}

/** After this many frames, keys are handled and the screen is drawn. */
const FRAMES_PER_PAUSE = 1000;

/** Notes the frames that keys can jump to, and keeps the last ones. */
class ReelObserver {
  readonly recent: RecentFrame[] = [];
  readonly #isGeneric: boolean;
  readonly #marks: Marks;
  #turns = 0;

  constructor({ dialect }: PassInfo, marks: Marks) {
    this.#isGeneric = traitsOf(dialect).isGeneric;
    this.#marks = marks;
  }

  take({ frame, message, events, ledger }: ReadFrame): void {
    if (this.#isGeneric) this.recent.push({ frame, type: message.type });
    if (this.recent.length > 2 * MIN_RECENT_FRAMES) this.recent.splice(0, MIN_RECENT_FRAMES);
    if (ledger.turns.count > this.#turns) mark(this.#marks.turns, frame);
    this.#turns = ledger.turns.count;
    if (events.some(isAsk)) mark(this.#marks.asks, frame);
  }
}

const isAsk = ({ kind, flags }: Event): boolean =>
  (kind === 'approval' || kind === 'question') && !flags?.includes('replayed');

/** After going back, frames are read again. */
function mark(marks: number[], { f }: Frame): void {
  if (f > (marks.at(-1) ?? 0)) marks.push(f);
}
