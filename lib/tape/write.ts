/**
 * Makes the tape out of journal records. It is a pure function of them: the recorder's writer process and any reader that
 * finishes a dead recorder's session write the same bytes. Seals stand where clock records stand, and at the end.
 */
import { isUtf8 } from 'node:buffer';
import { isoMicros, STREAMS, type Stream } from '../core/frame.ts';
import { judgeJson } from '../core/json-line.ts';
import { Kind } from './journal.ts';
import { PartialLine, type Piece } from './lines.ts';
import type { TapeSink } from './sink.ts';
import { decodeLine } from './whole-line.ts';

/** Longer lines are kept as base64, piece by piece: no JavaScript string can hold them. */
const LONGEST_TEXT = 256 * 1024 * 1024;
const FINAL_AFTER_KILL = ',"final":true,"recovered":true';
const LF = 0x0a;
const CR = 0x0d;

export class TapeBuilder {
  readonly #sink: TapeSink;
  readonly #readBack: (at: number, into: Buffer) => void;
  readonly #longestText: number;
  readonly #partial: Record<Stream, PartialLine> = {
    client: new PartialLine(),
    agent: new PartialLine(),
    stderr: new PartialLine(),
  };
  #f = 0;
  #mid = '';
  #head: Uint8Array = new Uint8Array(0);
  #sealed = 0;
  /** Time of the newest record, and the newest pair of monotonic and wall time, all in microseconds. */
  #t = 0;
  #clock = { t: 0, wall: 0 };
  #started = false;
  #ended = false;
  /** The last frame says that a recorder was killed: the tape was finished after it. */
  #lost = false;

  constructor(sink: TapeSink, readBack: (at: number, into: Buffer) => void, longestText = LONGEST_TEXT) {
    this.#sink = sink;
    this.#readBack = readBack;
    this.#longestText = longestText;
  }

  /** False until the metadata line is there: without it there is no tape. */
  get started(): boolean {
    return this.#started;
  }

  /** True when the final seal is written. */
  get ended(): boolean {
    return this.#ended;
  }

  readonly take = (kind: Kind, t: number, buf: Buffer, start: number, end: number, at: number): void => {
    if (this.#ended) return;
    this.#t = Math.max(this.#t, t);
    if (kind === Kind.client) this.#data('client', buf, start, end, at);
    else if (kind === Kind.agent) this.#data('agent', buf, start, end, at);
    else if (kind === Kind.stderr) this.#data('stderr', buf, start, end, at);
    else this.#other(kind, buf, start, end);
  };

  /** The journal stops here and its recorder is dead: says so, with the reason if it was not killed, and seals. */
  endAsLost(why: 'unwritable' | null = null): void {
    if (this.#ended || !this.#started) return;
    this.#flushPartialLines();
    const at = isoMicros(this.#clock.wall + (this.#t - this.#clock.t));
    this.#event(JSON.stringify({ from: 'proc', event: 'lost', ...(why ? { why } : {}), at }));
    this.#seal(at, FINAL_AFTER_KILL);
    this.#ended = true;
  }

  #other(kind: Kind, buf: Buffer, start: number, end: number): void {
    switch (kind) {
      case Kind.metadata: {
        const line = buf.toString('utf8', start, end);
        // A journal from elsewhere may hold anything; the first line of a tape is one line.
        if (this.#started || line.includes('\n')) break;
        this.#sink.utf8(`${line}\n`);
        this.#started = true;
        break;
      }
      case Kind.clock:
        this.#clock = { t: this.#t, wall: buf.readDoubleLE(start) };
        if (this.#f > this.#sealed) this.#seal(isoMicros(this.#clock.wall), '');
        break;
      case Kind.event: {
        const payload = buf.toString('utf8', start, end);
        const { from, event } = JSON.parse(payload) as { from: Stream; event: string };
        if (event === 'eof' && STREAMS.includes(from)) this.#flush(from);
        if (event === 'exit') this.#flushPartialLines();
        this.#event(payload);
        this.#lost = event === 'lost';
        break;
      }
      case Kind.line:
        this.#wholeLine(buf, start, end);
        break;
      case Kind.gap: {
        const gap = JSON.parse(buf.toString('utf8', start, end)) as { stream: Stream; missing: number };
        this.#flush(gap.stream);
        this.#event(JSON.stringify({ from: 'proc', event: 'gap', ...gap }));
        break;
      }
      case Kind.end:
        this.#seal(isoMicros(buf.readDoubleLE(start)), this.#lost ? FINAL_AFTER_KILL : ',"final":true');
        this.#ended = true;
        break;
      default:
      // A kind of a later version: the tape does without it.
    }
  }

  #data(from: Stream, buf: Buffer, start: number, end: number, at: number): void {
    const partial = this.#partial[from];
    const mid = `,"t":${seconds(this.#t)},"from":"${from}",`;
    let i = start;
    while (i < end) {
      const lf = buf.indexOf(LF, i);
      if (lf < 0 || lf >= end) {
        partial.add(this.#t, buf, i, end, at + (i - start));
        return;
      }
      if (partial.length > 0) {
        partial.add(this.#t, buf, i, lf + 1, at + (i - start));
        this.#flush(from);
      } else if (lf > i && buf[lf - 1] === CR) {
        this.#line(buf, i, lf - 1, `${mid}"eol":"\\r\\n",`);
      } else {
        this.#line(buf, i, lf, mid);
      }
      i = lf + 1;
    }
  }

  #flushPartialLines(): void {
    for (const stream of STREAMS) this.#flush(stream);
  }

  /** Writes the line gathered from several chunks, whole or (without its line feed) cut off. */
  #flush(from: Stream): void {
    const partial = this.#partial[from];
    if (partial.length === 0) return;
    const t0 = partial.t0 < this.#t ? `"t0":${seconds(partial.t0)},` : '';
    const mid = `,"t":${seconds(this.#t)},${t0}"from":"${from}",`;
    const length = partial.length;
    const pieces = partial.take();
    if (length > this.#longestText) return this.#longLine(pieces, length, mid);
    const line = this.#assemble(pieces, length);
    const end = lineEnd(line);
    this.#line(line, 0, length - end.length, mid + end.key);
  }

  #assemble(pieces: Piece[], length: number): Buffer {
    const line = Buffer.allocUnsafe(length);
    let done = 0;
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) line.set(piece, done);
      else this.#readBack(piece.offset, line.subarray(done, done + piece.length));
      done += piece.length;
    }
    return line;
  }

  /** A line from a file. It may be of any length, and hold a line feed, which no verbatim line does. */
  #wholeLine(buf: Buffer, start: number, end: number): void {
    const line = decodeLine(buf, start, end);
    if (!line) return;
    const t0 = line.t0 !== null && line.t0 < this.#t ? `"t0":${seconds(line.t0)},` : '';
    const eol = line.eol === '\n' ? '' : `"eol":${JSON.stringify(line.eol)},`;
    const mid = `,"t":${seconds(this.#t)},${t0}"from":"${line.from}",${eol}`;
    const raw = buf.subarray(line.start, end);
    this.#lost = false;
    if (raw.length > this.#longestText) this.#inBase64(++this.#f, raw, mid);
    else this.#line(buf, line.start, end, mid, !raw.includes(LF));
  }

  #line(buf: Buffer, start: number, end: number, mid: string, mayBeVerbatim = true): void {
    const verdict = mayBeVerbatim ? judgeJson(buf, start, end) : 'no';
    const f = ++this.#f;
    if (verdict === 'ascii' || (verdict === 'high' && isUtf8(buf.subarray(start, end)))) {
      // All lines of a chunk have the same head.
      if (mid !== this.#mid) {
        this.#mid = mid;
        this.#head = Buffer.from(`${mid}"message":`);
      }
      return this.#sink.frame(f, this.#head, buf, start, end);
    }
    const text = isUtf8(buf.subarray(start, end)) ? asJsonString(buf, start, end) : null;
    if (text !== null) {
      this.#sink.utf8(`{"f":${f}${mid}"text":${text}}\n`);
      return;
    }
    this.#inBase64(f, buf.subarray(start, end), mid);
  }

  #inBase64(f: number, bytes: Buffer, mid: string): void {
    this.#sink.latin1(`{"f":${f}${mid}"bytes":"`);
    this.#base64(bytes);
    this.#sink.latin1('"}\n');
  }

  /** A line that no string can hold, as base64, a few megabytes at a time. */
  #longLine(pieces: Piece[], length: number, mid: string): void {
    const end = lineEnd(this.#assemble(lastBytes(pieces, 2), 2));
    let left = length - end.length;
    this.#sink.latin1(`{"f":${++this.#f}${mid}${end.key}"bytes":"`);
    let carry = Buffer.alloc(0);
    for (const piece of pieces) {
      if (left <= 0) break;
      const bytes = Buffer.concat([carry, this.#assemble([piece], piece.length)]).subarray(0, carry.length + left);
      left -= bytes.length - carry.length;
      const whole = left > 0 ? bytes.length - (bytes.length % 3) : bytes.length;
      this.#sink.latin1(bytes.subarray(0, whole).toString('base64'));
      carry = Buffer.from(bytes.subarray(whole));
    }
    this.#sink.latin1('"}\n');
  }

  #base64(bytes: Buffer): void {
    const step = 3 << 20;
    for (let i = 0; i < bytes.length; i += step) this.#sink.latin1(bytes.subarray(i, i + step).toString('base64'));
  }

  /** An event's own keys never include `message`, `text` or `bytes`: they would make it a line. */
  #event(payload: string): void {
    this.#sink.utf8(`{"f":${++this.#f},"t":${seconds(this.#t)},${payload.slice(1)}\n`);
  }

  #seal(at: string, more: string): void {
    const sha256 = this.#sink.seal();
    this.#sealed = this.#f;
    this.#sink.latin1(
      `{"type":"seal","f":${this.#f},"t":${seconds(this.#t)},"at":"${at}","sha256":"${sha256}"${more}}\n`,
    );
  }
}

/** The text as a JSON string, or null where escaping makes it longer than a string can be. */
function asJsonString(buf: Buffer, start: number, end: number): string | null {
  try {
    return JSON.stringify(buf.toString('utf8', start, end));
  } catch {
    return null;
  }
}

/** How a line ends that may have been cut off: the bytes of its end, and the key that says so where it is not `\n`. */
function lineEnd(line: Uint8Array): { length: number; key: string } {
  if (line.at(-1) !== LF) return { length: 0, key: '"eol":"",' };
  return line.at(-2) === CR ? { length: 2, key: '"eol":"\\r\\n",' } : { length: 1, key: '' };
}

function lastBytes(pieces: Piece[], count: number): Piece[] {
  const out: Piece[] = [];
  let need = count;
  for (let i = pieces.length - 1; i >= 0 && need > 0; i--) {
    const piece = pieces[i]!;
    const n = Math.min(need, piece.length);
    out.unshift(
      piece instanceof Uint8Array
        ? piece.subarray(piece.length - n)
        : { offset: piece.offset + piece.length - n, length: n },
    );
    need -= n;
  }
  return out;
}

/** Microseconds as seconds with six digits. */
function seconds(micros: number): string {
  const whole = Math.floor(micros / 1e6);
  return `${whole}.${String(Math.round(micros - whole * 1e6)).padStart(6, '0')}`;
}
