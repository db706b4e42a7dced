/** One stream of an older tape, whose lines are put together and split again, by Content-Length headers. */
import { isUtf8 } from 'node:buffer';
import { type Eol, type Form, type Frame, type LineRemainder, NO_DETAIL, type Stream } from '../../model/frame.ts';
import { judgeJson } from '../../model/json/json-line.ts';
import { incompleteBytes } from './line-judge.ts';
import { FIRST_PART_BYTES } from './long-line.ts';
import { type FramingLoss, type SplitterOutput, StreamSplitter } from './splitter.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Bytes of a line that is too long to hold. */
interface DistantBytes {
  cut: LineRemainder;
  from: number;
  to: number;
}

export class LinedStream implements SplitterOutput {
  readonly #from: Stream;
  readonly #onFrame: (frame: Frame) => void;
  readonly #splitter = new StreamSplitter();
  /** Nothing that is still to come is older; null when the stream has ended. */
  latest: number | null = 0;
  #t = 0;
  #t0 = 0;
  #pieces: (Buffer | DistantBytes)[] = [];
  #length = 0;
  /** Of the line that is being taken. */
  #cut: LineRemainder | null = null;

  constructor(from: Stream, onFrame: (frame: Frame) => void) {
    this.#from = from;
    this.#onFrame = onFrame;
  }

  take({ t, t0, raw, eol, cut }: Frame): void {
    // A body ended somewhere after its first byte; the header behind it came with the end of the line.
    const early = this.#splitter.missing ?? 0;
    this.#cut = cut ?? null;
    let at = 0;
    for (const block of cut?.whole() ?? [raw]) {
      const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
      const middle = Math.max(0, Math.min(bytes.length, early - at));
      this.#feed(t0 ?? t, bytes, 0, middle, at);
      this.#feed(t, bytes, middle, bytes.length, at + middle);
      at += bytes.length;
    }
    this.#cut = null;
    const end = Buffer.from(eol);
    this.#feed(t, end, 0, end.length, at);
    this.latest = t;
  }

  end(): void {
    if (this.latest === null) return;
    this.#splitter.end(this);
    this.latest = null;
  }

  #feed(t: number, buf: Buffer, start: number, end: number, at: number): void {
    if (start === end) return;
    this.#t = t;
    const stop = this.#splitter.feed(t, buf, start, end, at, this);
    // Only if the first header is not one after all: then these are the lines that they were.
    if (stop < end) this.#plain(t, buf, stop, end, at + (stop - start));
  }

  #plain(t: number, buf: Buffer, start: number, end: number, at: number): void {
    this.part(t, buf, start, end, at);
    if (buf[end - 1] === LF) this.line(0);
  }

  part(t: number, buf: Buffer, start: number, end: number, at: number | null): void {
    if (start === end) return;
    if (this.#length === 0) this.#t0 = t;
    this.#length += end - start;
    const last = this.#pieces.at(-1);
    const isDistant = this.#cut !== null && at !== null;
    if (isDistant && last && 'cut' in last && last.cut === this.#cut && last.to === at) last.to += end - start;
    else if (isDistant) this.#pieces.push({ cut: this.#cut!, from: at, to: at + (end - start) });
    else this.#pieces.push(Buffer.from(buf.subarray(start, end)));
  }

  line(without: number): void {
    if (this.#length > without) {
      const eol = without > 0 ? '' : this.#lineEnd();
      this.#frame({ t0: this.#t0, head: undefined, eol }, this.#length - without - eol.length);
    }
    this.#clear();
  }

  body(head: string, t0: number): void {
    this.#frame({ t0, head, eol: '' }, this.#length);
    this.#clear();
  }

  lost(reason: FramingLoss): void {
    const detail = { stream: this.#from, reason };
    const about = { f: 0, t: this.#t, t0: null, from: 'proc', form: 'event', eol: '\n', event: 'unframed' } as const;
    this.#onFrame({ ...about, detail, raw: Buffer.alloc(0) });
  }

  #clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  #lineEnd(): Eol {
    const last = Buffer.concat(this.#pieces.slice(-2).map((piece) => ('cut' in piece ? NO_BYTES : piece)));
    if (last.at(-1) !== LF) return '';
    return last.at(-2) === CR ? '\r\n' : '\n';
  }

  #frame({ t0, head, eol }: { t0: number; head: string | undefined; eol: Eol }, size: number): void {
    const pieces = this.#pieces;
    const isDistant = pieces.some((piece) => 'cut' in piece);
    const whole = () => upTo(size, blocksOf(pieces));
    const first = Buffer.concat(
      [...upTo(isDistant ? Math.min(FIRST_PART_BYTES, size) : size, blocksOf(pieces))].map(copy),
    );
    const raw = isDistant ? first.subarray(0, first.length - incompleteBytes(first, 0, first.length)) : first;
    const about = { f: 0, t: this.#t, t0: t0 < this.#t ? t0 : null, from: this.#from, head, eol };
    const frame: Frame = { ...about, form: formOf(raw, isDistant), raw, event: null, detail: NO_DETAIL };
    this.#onFrame(isDistant ? { ...frame, cut: { bytes: size - raw.length, whole } } : frame);
  }
}

const NO_BYTES = Buffer.alloc(0);
const copy = (bytes: Uint8Array): Buffer => Buffer.from(bytes);

/** A long one is not judged, because it is never parsed. */
function formOf(raw: Buffer, isDistant: boolean): Form {
  if (!isUtf8(raw)) return isDistant ? 'text' : 'bytes';
  return !isDistant && !raw.includes(LF) && judgeJson(raw, 0, raw.length) !== 'no' ? 'message' : 'text';
}

function* blocksOf(pieces: readonly (Buffer | DistantBytes)[]): Generator<Uint8Array> {
  for (const piece of pieces) {
    if ('cut' in piece) yield* bytesBetween(piece);
    else yield piece;
  }
}

function* bytesBetween({ cut, from, to }: DistantBytes): Generator<Uint8Array> {
  let at = 0;
  for (const block of cut.whole()) {
    const start = Math.max(0, from - at);
    const end = Math.min(block.length, to - at);
    if (end > start) yield block.subarray(start, end);
    at += block.length;
    if (at >= to) return;
  }
}

function* upTo(length: number, blocks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let left = length;
  for (const block of blocks) {
    if (left <= 0) return;
    yield left < block.length ? block.subarray(0, left) : block;
    left -= block.length;
  }
}
