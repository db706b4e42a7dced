/**
 * Older tapes have Content-Length frames as lines: a body ends only with the next header, so it comes late, and out of
 * order. This makes frames of such lines, as a recorder makes them now: each body with its header, at the time of the
 * first byte of its line, and all frames in the order of their times, with new numbers. Other tapes are left alone.
 */
import { isHeader } from '../../model/content-length.ts';
import type { Frame, Seal, Stream } from '../../model/frame.ts';
import { LinedStream } from './lined-stream.ts';
import { FIRST_PART_BYTES } from './long-line.ts';

/** Frames beyond this size are no longer held to be put in order. */
const MAX_HELD_BYTES = 64 << 20;

/** Called with lines of a tape that are not frames, in order. */
export interface NonFrameLines {
  seal(seal: Seal): void;
  damaged(): void;
}

export class Rejoiner {
  readonly #streams = new Map<Stream, LinedStream | null>();
  #isActive = false;
  #hasClientLine = false;
  #hasAgentLine = false;
  #last = { f: 0, t: 0 };
  /** In the order of their times. */
  readonly #held: Frame[] = [];
  #bytes = 0;
  readonly #maxHeld: number;
  /** The last seal, if no frame came after it. */
  seal: Seal | null = null;

  constructor(maxHeld = MAX_HELD_BYTES) {
    this.#maxHeld = maxHeld;
  }

  /** The frames of this tape are made of lines. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Whether the frame must be given to `take`; otherwise it is as it should be. */
  wants(frame: Frame): boolean {
    if (this.#isActive) return true;
    // It is asked for every frame of every tape.
    const { from } = frame;
    const isFirst = from === 'agent' ? !this.#hasAgentLine : from === 'client' && !this.#hasClientLine;
    return isFirst && frame.form !== 'event';
  }

  /** The frames that come next: the frame itself, if there is nothing to do. */
  take(frame: Frame): readonly Frame[] {
    const { from, form } = frame;
    const isLine = form !== 'event' && (from === 'client' || from === 'agent');
    if (isLine && !this.#streams.has(from)) this.#begin(from, frame);
    if (!this.#isActive) return [frame];
    this.seal = null;
    const stream = isLine ? this.#streams.get(from) : null;
    if (stream) stream.take(frame);
    else {
      if (form === 'event') this.#end(frame);
      this.#hold(copyOf(frame));
    }
    return this.#ready();
  }

  /** Passes on lines that are not frames. A seal comes after the frames before it, so the last one waits for the end. */
  beside(others: NonFrameLines | undefined): NonFrameLines {
    const seal = (seal: Seal) => {
      if (!this.#isActive) return others?.seal(seal);
      this.seal = { ...seal };
    };
    return { seal, damaged: () => others?.damaged() };
  }

  /** The rest. */
  end(): readonly Frame[] {
    for (const stream of this.#streams.values()) stream?.end();
    return this.#ready();
  }

  /** The first line of a stream decides. */
  #begin(from: Stream, frame: Frame): void {
    const isLined = beginsWithHeader(frame);
    if (from === 'agent') this.#hasAgentLine = true;
    else this.#hasClientLine = true;
    this.#streams.set(from, isLined ? new LinedStream(from, (made) => this.#hold(made)) : null);
    if (!isLined || this.#isActive) return;
    this.#isActive = true;
    this.#last.f = frame.f - 1;
  }

  #end({ from, event }: Frame): void {
    if (event === 'eof') this.#streams.get(from as Stream)?.end();
    if (event === 'exit' || event === 'lost') for (const stream of this.#streams.values()) stream?.end();
  }

  #hold(frame: Frame): void {
    let at = this.#held.length;
    while (at > 0 && this.#held[at - 1]!.t > frame.t) at--;
    this.#held.splice(at, 0, frame);
    this.#bytes += frame.raw.length;
  }

  #ready(): Frame[] {
    let latest = Number.POSITIVE_INFINITY;
    for (const stream of this.#streams.values()) latest = Math.min(latest, stream?.latest ?? latest);
    let count = 0;
    for (; count < this.#held.length; count++) {
      const { t, raw } = this.#held[count]!;
      if (t > latest && this.#bytes <= this.#maxHeld) break;
      this.#bytes -= raw.length;
    }
    return this.#held.splice(0, count).map((frame) => {
      this.#last = { f: this.#last.f + 1, t: Math.max(this.#last.t, frame.t) };
      return { ...frame, ...this.#last };
    });
  }
}

/** As a recorder wrote it that split every stream into lines. */
function beginsWithHeader({ head, eol, raw }: Frame): boolean {
  return !head && eol !== '' && isHeader(`${Buffer.from(raw).toString('latin1', 0, FIRST_PART_BYTES)}\r\n\r\n`);
}

function copyOf({ f, t, t0, from, form, raw, head, eol, event, detail, cut }: Frame): Frame {
  const frame = { f, t, t0, from, form, raw: Buffer.from(raw), head, eol, event, detail };
  return cut ? { ...frame, cut } : frame;
}
