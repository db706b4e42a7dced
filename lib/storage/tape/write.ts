/**
 * Makes the tape from journal records. It depends only on them: the writer process and any reader that finishes the
 * session of a dead recorder write the same bytes. There is a seal for each clock record, and one at the end.
 */
import { isUtf8 } from 'node:buffer';
import { type Form, type From, isoMicros, STREAMS, type Stream } from '../../model/frame.ts';
import { judgeJson } from '../../model/json/json-line.ts';
import { isObject, parseJson } from '../../model/message.ts';
import { decodeImportedLine } from './imported-line.ts';
import { RecordKind, STREAM_OF } from './journal.ts';
import type { ReadBack } from './journal-reader.ts';
import { base64Of, formOf, inMemory, judgeLine, writeEscaped } from './line-forms.ts';
import { type BlockedLine, MAX_HELD_BYTES, NO_END_KEY, PartialLine } from './partial-line.ts';
import { sealLine } from './seal.ts';
import type { TapeSink } from './sink.ts';
import { type SplitterOutput, StreamSplitter } from './splitter.ts';

export interface TapeLimits {
  /** Longer lines are always stored as base64: no reader could hold them as text. */
  longestText: number;
  /** Longer lines are not held in memory, but read from the journal again when they are complete. */
  mostHeld: number;
}

const DEFAULT_LIMITS: TapeLimits = { longestText: 256 * 1024 * 1024, mostHeld: MAX_HELD_BYTES };
const LF = 0x0a;
const CR = 0x0d;
/** Of a line. */
const MAX_LINE_END_BYTES = 2;

export class TapeBuilder {
  readonly #sink: TapeSink;
  readonly #readBack: ReadBack;
  readonly #limits: TapeLimits;
  readonly #partial: Record<Stream, PartialLine>;
  /** Of a line from a file. */
  readonly #parts: PartialLine;
  /** Of the streams that have headers, or may still turn out to have them. */
  readonly #splitters = new Map<Stream, StreamSplitter>([
    ['client', new StreamSplitter()],
    ['agent', new StreamSplitter()],
  ]);
  #f = 0;
  #headOf = '';
  #head: Uint8Array = new Uint8Array(0);
  #sealed = 0;
  /** The time of the latest record, and the latest pair of monotonic and wall time, in microseconds. */
  #t = 0;
  #clock = { t: 0, wall: 0 };
  /** Whether the metadata line is written: without it there is no tape. */
  started = false;
  /** True when the final seal is written. */
  ended = false;
  /** That of the latest seal. */
  digest: string | null = null;
  /** The last frame says that the recorder was killed, and the tape was finished later. */
  #lost = false;

  constructor(sink: TapeSink, readBack: ReadBack, limits: Partial<TapeLimits> = {}) {
    this.#sink = sink;
    this.#readBack = readBack;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    const { mostHeld } = this.#limits;
    this.#partial = {
      client: new PartialLine(RecordKind.client, mostHeld),
      agent: new PartialLine(RecordKind.agent, mostHeld),
      stderr: new PartialLine(RecordKind.stderr, mostHeld),
    };
    this.#parts = new PartialLine(RecordKind.part, mostHeld);
  }

  readonly take = (kind: RecordKind, t: number, buf: Buffer, start: number, end: number, at: number): void => {
    if (this.ended) return;
    this.#t = Math.max(this.#t, t);
    const stream = STREAM_OF[kind];
    if (stream) this.#data(stream, buf, start, end, at);
    else if (kind === RecordKind.part) this.#parts.add(this.#t, buf, start, end, at);
    else this.#other(kind, buf, start, end);
  };

  /** Ends the tape of a dead recorder with a `lost` event, the reason if it was not killed, and a seal. */
  endAsLost(why: 'unwritable' | null = null): void {
    if (this.ended || !this.started) return;
    this.#flushPartialLines();
    const at = isoMicros(this.#clock.wall + (this.#t - this.#clock.t));
    this.#event(JSON.stringify({ from: 'proc', event: 'lost', ...(why ? { why } : {}), at }));
    this.#seal(at, { recovered: true });
    this.ended = true;
  }

  #other(kind: RecordKind, buf: Buffer, start: number, end: number): void {
    switch (kind) {
      case RecordKind.metadata: {
        const line = buf.toString('utf8', start, end);
        // A journal from elsewhere may contain anything, but the metadata must be one line.
        if (this.started || line.includes('\n')) break;
        this.#sink.utf8(`${line}\n`);
        this.started = true;
        break;
      }
      case RecordKind.clock:
        this.#clock = { t: this.#t, wall: buf.readDoubleLE(start) };
        if (this.#f > this.#sealed) this.#seal(isoMicros(this.#clock.wall));
        break;
      case RecordKind.event: {
        const payload = buf.toString('utf8', start, end);
        const payloadValue = parseJson(payload);
        // As the metadata: it may be anything, and a line feed in it would end its line.
        if (!isObject(payloadValue) || payload[0] !== '{' || payload.includes('\n')) break;
        const { from, event } = payloadValue;
        if (event === 'eof' && STREAMS.includes(from as Stream)) this.#flush(from as Stream);
        if (event === 'exit') this.#flushPartialLines();
        this.#event(payload);
        this.#lost = event === 'lost';
        break;
      }
      case RecordKind.line:
        this.#wholeLine(buf, start, end);
        break;
      case RecordKind.gap: {
        const gap = parseJson(buf.toString('utf8', start, end));
        if (!isObject(gap) || !STREAMS.includes(gap.stream as Stream)) break;
        this.#flush(gap.stream as Stream);
        this.#event(JSON.stringify({ from: 'proc', event: 'gap', ...gap }));
        break;
      }
      case RecordKind.end:
        this.#seal(isoMicros(buf.readDoubleLE(start)), { recovered: this.#lost });
        this.ended = true;
        break;
      default:
      // Ignore kinds of later versions.
    }
  }

  #data(from: Stream, buf: Buffer, start: number, end: number, at: number): void {
    const partial = this.#partial[from];
    let i = this.#split(from, buf, start, end, at);
    if (i === end) return;
    const afterNumber = `,"t":${seconds(this.#t)},"from":"${from}",`;
    while (i < end) {
      const lf = buf.indexOf(LF, i);
      if (lf < 0 || lf >= end) {
        partial.add(this.#t, buf, i, end, at + (i - start));
        return;
      }
      if (partial.length > 0) {
        partial.add(this.#t, buf, i, lf + 1, at + (i - start));
        this.#flushLine(from);
      } else if (lf > i && buf[lf - 1] === CR) {
        this.#line(buf, i, lf - 1, `${afterNumber}"eol":"\\r\\n",`);
      } else {
        this.#line(buf, i, lf, afterNumber);
      }
      i = lf + 1;
    }
  }

  /** Takes bytes of a stream that has headers, and returns where plain lines begin. */
  #split(from: Stream, buf: Buffer, start: number, end: number, at: number): number {
    const splitter = this.#splitters.get(from);
    if (!splitter) return start;
    const stop = splitter.feed(this.#t, buf, start, end, at, this.#partsOf(from));
    if (splitter.isPlain) this.#splitters.delete(from);
    return stop;
  }

  #partsOf(from: Stream): SplitterOutput {
    const partial = this.#partial[from];
    return {
      part: (t, buf, start, end, at) => partial.add(t, buf, start, end, at),
      line: (without) => this.#flushLine(from, without),
      body: (head, t0) =>
        this.#write(partial, 0, `${this.#afterNumber(from, t0)}"head":${JSON.stringify(head)},`, false),
      lost: (reason) => this.#event(JSON.stringify({ from: 'proc', event: 'unframed', stream: from, reason })),
    };
  }

  #flushPartialLines(): void {
    for (const stream of STREAMS) this.#flush(stream);
  }

  /** Writes what is incomplete: a line without its line feed, or a part of a header or body. */
  #flush(from: Stream): void {
    this.#splitters.get(from)?.end(this.#partsOf(from));
    this.#flushLine(from);
  }

  /** Writes a line that came in several chunks. `without`: its last bytes are not part of it, and it has no end. */
  #flushLine(from: Stream, without = 0): void {
    const partial = this.#partial[from];
    if (partial.length === without) return partial.clear();
    const end = without > 0 ? { length: without, key: NO_END_KEY } : partial.end;
    this.#write(partial, end.length, this.#afterNumber(from, partial.t0) + end.key, true);
  }

  /** Writes an imported line, or one of its bodies. It may have any length, and contain line feeds. */
  #wholeLine(buf: Buffer, start: number, end: number): void {
    const line = decodeImportedLine(buf, start, end);
    const parts = this.#parts;
    if (!line) return parts.clear();
    this.#lost = false;
    const head = line.head === null ? '' : `"head":${JSON.stringify(line.head)},`;
    const eol = head !== '' || line.eol === '\n' ? '' : `"eol":${JSON.stringify(line.eol)},`;
    const afterNumber = `${this.#afterNumber(line.from, line.t0 ?? this.#t)}${eol}${head}`;
    if (parts.length > 0) this.#write(parts, 0, afterNumber, false);
    else this.#held(buf.subarray(line.start, end), afterNumber, false);
  }

  #afterNumber(from: From, t0: number): string {
    return `,"t":${seconds(this.#t)},${t0 < this.#t ? `"t0":${seconds(t0)},` : ''}"from":"${from}",`;
  }

  /** Writes what was collected, except for its last bytes. `isLine`: it has no line feed within. */
  #write(partial: PartialLine, without: number, afterNumber: string, isLine: boolean): void {
    const { length, held } = partial;
    if (held) this.#held(held.subarray(0, length - without), afterNumber, isLine);
    else {
      const line = partial.unheld(this.#readBack, without);
      // A line end does not change the judgement, but a header that follows does.
      const judge = without > MAX_LINE_END_BYTES ? judgeLine(line) : line.judge;
      const isText = length <= this.#limits.longestText;
      this.#content(isText ? formOf(line, judge, isLine || !judge.hasLineFeed) : 'bytes', line, afterNumber);
    }
    partial.clear();
  }

  #held(bytes: Buffer, afterNumber: string, isLine: boolean): void {
    if (bytes.length > this.#limits.longestText) this.#content('bytes', inMemory(bytes), afterNumber);
    else this.#line(bytes, 0, bytes.length, afterNumber, isLine || !bytes.includes(LF));
  }

  #line(buf: Buffer, start: number, end: number, afterNumber: string, mayBeVerbatim = true): void {
    if (end - start > this.#limits.mostHeld) {
      const line = inMemory(buf.subarray(start, end));
      return this.#content(formOf(line, judgeLine(line), mayBeVerbatim), line, afterNumber);
    }
    const verdict = mayBeVerbatim ? judgeJson(buf, start, end) : 'no';
    const f = ++this.#f;
    if (verdict === 'ascii' || (verdict === 'high' && isUtf8(buf.subarray(start, end)))) {
      // All lines of a chunk have the same head.
      if (afterNumber !== this.#headOf) {
        this.#headOf = afterNumber;
        this.#head = Buffer.from(`${afterNumber}"message":`);
      }
      return this.#sink.frame(f, this.#head, buf, start, end);
    }
    const bytes = buf.subarray(start, end);
    if (isUtf8(bytes)) this.#sink.utf8(`{"f":${f}${afterNumber}"text":${JSON.stringify(bytes.toString('utf8'))}}\n`);
    else this.#sink.latin1(`{"f":${f}${afterNumber}"bytes":"${bytes.toString('base64')}"}\n`);
  }

  /** Writes a long line in blocks. */
  #content(form: Form, { blocks }: BlockedLine, afterNumber: string): void {
    const sink = this.#sink;
    sink.latin1(`{"f":${++this.#f}${afterNumber}"${form}":${form === 'message' ? '' : '"'}`);
    if (form === 'bytes') for (const piece of base64Of(blocks())) sink.latin1(piece);
    else if (form === 'text') writeEscaped(sink, blocks());
    else for (const block of blocks()) sink.bytes(block);
    sink.latin1(form === 'message' ? '}\n' : '"}\n');
  }

  /** An event has no key `message`, `text` or `bytes`: they would make it a line. */
  #event(payload: string): void {
    this.#sink.utf8(`{"f":${++this.#f},"t":${seconds(this.#t)},${payload.slice(1)}\n`);
  }

  #seal(at: string, final?: { recovered: boolean }): void {
    this.#sealed = this.#f;
    this.digest = this.#sink.seal();
    this.#sink.latin1(`${sealLine(this.#f, seconds(this.#t), at, this.digest, final)}\n`);
  }
}

/** Formats microseconds as seconds with six decimals. */
function seconds(micros: number): string {
  const whole = Math.floor(micros / 1e6);
  return `${whole}.${String(Math.round(micros - whole * 1e6)).padStart(6, '0')}`;
}
