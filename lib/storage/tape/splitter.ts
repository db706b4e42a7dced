/**
 * Splits a stream into lines, or into Content-Length frames if it begins with such a header. The first bytes decide.
 * Where a header is due and there is none, lines follow, up to the next line that ends with `Content-Length: N`: its
 * front part, if there is one, is a line without an end. Every byte belongs to a line, a header or a body.
 */
import { announcedLength, endsHeader, fitsHeader, MAX_HEADER_CHARS } from '../../model/content-length.ts';

const LF = 0x0a;
/** The name of the field, 15 digits, spaces and the line end. */
const MAX_LENGTH_FIELD = 64;
const LENGTH_FIELD_AT_END = /content-length[ \t]*:[ \t]*\d{1,15}[ \t]*\r?\n$/i;

/** Why a stream is no longer split by headers. */
export type FramingLoss = 'no header' | 'header without a length' | 'header too long' | 'header cut off';

/** Called with the parts of a stream. */
export interface SplitterOutput {
  /** More bytes of the current line or body. `at`: their place in the journal; null if they were held here. */
  part(t: number, buf: Buffer, start: number, end: number, at: number | null): void;
  /** The parts since the last end are a line. `without`: its last bytes, which begin a header, are not part of it. */
  line(without: number): void;
  /** They are a body. `t0`: when the first byte of its header came. */
  body(head: string, t0: number): void;
  /** There was no header where one was expected. */
  lost(why: FramingLoss): void;
}

const PLAIN_HEADER_START = Buffer.from('Content-Length: ');
const PLAIN_HEADER_END = Buffer.from('\r\n\r\n');
/** Fewer than a header may have, because almost all bodies are short. */
const MAX_PLAIN_DIGITS = 12;

/** The end of a whole header as almost everybody writes it; 0 for any other. */
function plainHeader(buf: Buffer, start: number, end: number): number {
  if (!has(buf, start, end, PLAIN_HEADER_START)) return 0;
  const digits = start + PLAIN_HEADER_START.length;
  let at = digits;
  while (at < end && buf[at]! >= 0x30 && buf[at]! <= 0x39) at++;
  const isNumber = at > digits && at - digits <= MAX_PLAIN_DIGITS;
  return isNumber && has(buf, at, end, PLAIN_HEADER_END) ? at + PLAIN_HEADER_END.length : 0;
}

function has(buf: Buffer, at: number, end: number, bytes: Buffer): boolean {
  if (at + bytes.length > end) return false;
  for (let i = 0; i < bytes.length; i++) if (buf[at + i] !== bytes[i]) return false;
  return true;
}

export class StreamSplitter {
  #state: 'header' | 'body' | 'line' = 'header';
  #wasFramed = false;
  /** Lines follow where a header was expected. */
  #isLost = false;
  /** Of a header that is not complete: its bytes, in the pieces in which they came, and its last line. */
  #headerPieces: { t: number; text: string }[] = [];
  #headerLine = '';
  /** Of a body. */
  #head = '';
  #t0 = 0;
  #left = 0;
  /** The end of the current line. */
  #tail = '';

  /** The stream has no headers, and needs no splitter. */
  get isPlain(): boolean {
    return this.#state === 'line' && !this.#wasFramed;
  }

  /** What is there of a header, or of the frame's header while its body is not complete. */
  get header(): string {
    return this.#state === 'body' ? this.#head : this.#text;
  }

  /** The bytes of the body that are missing; null outside of one. */
  get missing(): number | null {
    return this.#state === 'body' ? this.#left : null;
  }

  /** When the first byte of the header came. */
  get headerAt(): number {
    return this.#state === 'body' ? this.#t0 : (this.#headerPieces[0]?.t ?? 0);
  }

  /** Takes bytes up to `end`, or up to where the stream turns out to be plain, and returns that position. */
  feed(t: number, buf: Buffer, start: number, end: number, at: number, to: SplitterOutput): number {
    let i = start;
    while (i < end && !this.isPlain) {
      if (this.#state === 'header') i = this.#header(t, buf, i, end, to);
      else if (this.#state === 'body') i = this.#body(t, buf, i, end, at + (i - start), to);
      else i = this.#lines(t, buf, i, end, at + (i - start), to);
    }
    return i;
  }

  /** Ends what is not complete: the stream has ended, or a part of it is missing. */
  end(to: SplitterOutput): void {
    if (this.#state === 'body') to.body(this.#head, this.#t0);
    else if (this.#headerPieces.length > 0) this.#loseFraming('header cut off', to);
    to.line(0);
    this.#tail = '';
    if (!this.#wasFramed) return;
    this.#state = 'line';
    this.#isLost = true;
  }

  get #text(): string {
    return this.#headerPieces.map(({ text }) => text).join('');
  }

  #header(t: number, buf: Buffer, start: number, end: number, to: SplitterOutput): number {
    const plain = this.#headerPieces.length === 0 ? plainHeader(buf, start, end) : 0;
    if (plain > 0) {
      this.#headerPieces.push({ t, text: buf.toString('latin1', start, plain) });
      this.#beginBody(to);
      return plain;
    }
    const lf = buf.indexOf(LF, start);
    const stop = lf < 0 || lf >= end ? end : lf + 1;
    const isFirst = this.#text.length === this.#headerLine.length;
    const piece = buf.toString('latin1', start, Math.min(stop, start + MAX_HEADER_CHARS));
    const line = this.#headerLine + piece;
    if (!fitsHeader(line, isFirst)) return this.#loseFraming('no header', to, start);
    if (this.#text.length + (stop - start) > MAX_HEADER_CHARS) return this.#loseFraming('header too long', to, start);
    this.#headerPieces.push({ t, text: piece });
    this.#headerLine = line.endsWith('\n') ? '' : line;
    if (endsHeader(line)) this.#beginBody(to);
    return stop;
  }

  #beginBody(to: SplitterOutput): void {
    const head = this.#text;
    const length = announcedLength(head);
    if (length === null) {
      this.#loseFraming('header without a length', to);
      return;
    }
    this.#wasFramed = true;
    this.#isLost = false;
    this.#state = 'body';
    this.#head = head;
    this.#t0 = this.#headerPieces[0]!.t;
    this.#left = length;
    this.#headerPieces = [];
    if (length === 0) this.#endBody(to);
  }

  #body(t: number, buf: Buffer, start: number, end: number, at: number, to: SplitterOutput): number {
    const stop = Math.min(end, start + this.#left);
    to.part(t, buf, start, stop, at);
    this.#left -= stop - start;
    if (this.#left === 0) this.#endBody(to);
    return stop;
  }

  #endBody(to: SplitterOutput): void {
    this.#state = 'header';
    to.body(this.#head, this.#t0);
  }

  /** What was held as a header are lines. Returns `next`, where the stream goes on. */
  #loseFraming(why: FramingLoss, to: SplitterOutput, next = 0): number {
    const begun = this.#headerPieces;
    this.#state = 'line';
    this.#headerPieces = [];
    this.#tail = this.#headerLine;
    this.#headerLine = '';
    if (this.#wasFramed && !this.#isLost) to.lost(why);
    this.#isLost = true;
    for (const { t, text } of begun) {
      const bytes = Buffer.from(text, 'latin1');
      // A piece never goes beyond the end of a line.
      to.part(t, bytes, 0, bytes.length, null);
      if (text.endsWith('\n')) to.line(0);
    }
    return next;
  }

  #lines(t: number, buf: Buffer, start: number, end: number, at: number, to: SplitterOutput): number {
    const lf = buf.indexOf(LF, start);
    const isWhole = lf >= 0 && lf < end;
    const stop = isWhole ? lf + 1 : end;
    to.part(t, buf, start, stop, at);
    const tail = this.#tail + buf.toString('latin1', Math.max(start, stop - MAX_LENGTH_FIELD), stop);
    this.#tail = isWhole ? '' : tail.slice(-MAX_LENGTH_FIELD);
    if (!isWhole) return stop;
    const field = LENGTH_FIELD_AT_END.exec(tail)?.[0] ?? '';
    to.line(field.length);
    if (field !== '') {
      this.#state = 'header';
      this.#headerPieces = [{ t, text: field }];
    }
    return stop;
  }
}
