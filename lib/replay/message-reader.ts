/** The messages of a stream: lines, or the bodies of Content-Length frames if it begins with such a header. */
import type { Readable } from 'node:stream';
import { announcedLength, MAX_HEADER_CHARS } from '../model/content-length.ts';
import type { Eol } from '../model/frame.ts';
import { humanBytes } from '../model/text/text.ts';
import { FIRST_PART_BYTES, MAX_LINE_BYTES } from '../storage/tape/long-line.ts';

const LF = 0x0a;
const CR = 0x0d;
const HEADER_START = 'content-';
const HEADER_END = /\r?\n\r?\n/;

/** A longer line counts as endless. */
const MAX_MESSAGE_BYTES = 512 << 20;

export const ENDLESS_LINE = `a line of more than ${humanBytes(MAX_MESSAGE_BYTES)}`;

/**
 * Calls `take` with each message, without its line end, and `end` when the stream ends or breaks. `endless`: a line does
 * not end; nothing more is read.
 */
export function readLines(
  stream: Readable,
  take: (line: string) => void,
  end: () => void,
  endless: () => void = end,
): void {
  const reader = new MessageReader(
    ({ raw }) => take(raw.toString('utf8')),
    () => endless(),
  );
  let hasEnded = false;
  const finish = () => {
    if (hasEnded) return;
    hasEnded = true;
    reader.end();
    end();
  };
  stream.on('data', (chunk: Buffer | string) => reader.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  stream.on('end', finish);
  stream.on('close', finish);
  stream.on('error', finish);
}

export interface StreamMessage {
  /** Without its line end; the body of a frame. Of a line that is too long to keep in memory, only the first part. */
  raw: Buffer;
  eol: Eol;
  /** The header of a Content-Length frame. */
  head?: string;
}

/** Splits a stream on bytes. It holds a bounded part of a message, however long that is. */
export class MessageReader {
  readonly #take: (message: StreamMessage) => void;
  readonly #endless: () => void;
  #held: Buffer[] = [];
  /** How many bytes have come of the message; those that are not held are forgotten. */
  #length = 0;
  #isCut = false;
  #isOver = false;
  /** Null until enough bytes have come to decide. */
  #isFramed: boolean | null = null;
  /** How many bytes must have come before the next message is complete. */
  #wanted = 0;

  /** `endless`: nothing more is read from now on. */
  constructor(take: (message: StreamMessage) => void, endless: () => void = () => {}) {
    this.#take = take;
    this.#endless = endless;
  }

  add(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#isFramed === null) return this.#begin(chunk);
    if (!this.#isFramed) return this.#lines(chunk);
    if (this.#wanted > MAX_LINE_BYTES) return this.#longBody(chunk);
    this.#hold(chunk);
    if (this.#length >= this.#wanted) this.#bodies();
  }

  /** The first bytes decide, which may come one by one. */
  #begin(chunk: Buffer): void {
    const bytes = Buffer.concat([...this.#held, chunk]);
    this.#clear();
    const begin = bytes.toString('latin1', 0, HEADER_START.length).toLowerCase();
    if (begin.length < HEADER_START.length && HEADER_START.startsWith(begin)) return this.#hold(bytes);
    this.#isFramed = begin === HEADER_START;
    this.add(bytes);
  }

  end(): void {
    const raw = this.rest();
    if (raw.length > 0) this.#take({ raw, eol: '' });
  }

  /** What has come of a message that is not complete. It is forgotten. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#clear();
    return rest;
  }

  #lines(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      this.#line(bytes.subarray(from, at));
      from = at + 1;
    }
    if (from < bytes.length) this.#hold(Buffer.from(bytes.subarray(from)));
  }

  #line(last: Buffer): void {
    const whole = this.#withHeld(last);
    if (this.#isOver) return;
    this.#clear();
    const hasCr = whole.at(-1) === CR;
    this.#take({ raw: hasCr ? whole.subarray(0, -1) : whole, eol: hasCr ? '\r\n' : '\n' });
  }

  /** Takes every complete frame from what is held. A header that makes no sense ends the framing. */
  #bodies(): void {
    let bytes = Buffer.concat(this.#held);
    this.#clear();
    for (;;) {
      const header = HEADER_END.exec(bytes.toString('latin1', 0, MAX_HEADER_CHARS));
      const from = header ? header.index + header[0].length : 0;
      const length = header ? announcedLength(bytes.toString('latin1', 0, from)) : 0;
      if (length === null || (!header && bytes.length > MAX_HEADER_CHARS)) {
        this.#isFramed = false;
        return this.#lines(bytes);
      }
      this.#wanted = from + length;
      if (this.#wanted > MAX_LINE_BYTES) return this.#longBody(bytes);
      if (!header || bytes.length < this.#wanted) return this.#hold(bytes);
      const head = bytes.toString('latin1', 0, from);
      this.#take({ raw: bytes.subarray(from, this.#wanted), eol: '', head });
      bytes = bytes.subarray(this.#wanted);
    }
  }

  /** The body of a frame that is too long to keep, and what comes behind it. */
  #longBody(bytes: Buffer): void {
    if (this.#wanted > MAX_MESSAGE_BYTES) return this.#fail();
    const rest = this.#wanted - this.#length;
    this.#hold(bytes.subarray(0, rest));
    if (this.#length < this.#wanted) return;
    const first = Buffer.concat(this.#held);
    const head = HEADER_END.exec(first.toString('latin1', 0, MAX_HEADER_CHARS))!;
    const from = head.index + head[0].length;
    this.#clear();
    this.#wanted = 0;
    this.#take({ raw: first.subarray(from), eol: '', head: first.toString('latin1', 0, from) });
    if (rest < bytes.length) this.add(bytes.subarray(rest));
  }

  #hold(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > MAX_MESSAGE_BYTES) return this.#fail();
    if (this.#isCut) return;
    this.#held.push(bytes);
    if (this.#length > MAX_LINE_BYTES) this.#cut();
  }

  #cut(): void {
    let length = 0;
    const first = this.#held.filter((piece) => {
      const isIn = length < FIRST_PART_BYTES;
      length += piece.length;
      return isIn;
    });
    this.#held = [Buffer.from(Buffer.concat(first).subarray(0, FIRST_PART_BYTES))];
    this.#isCut = true;
  }

  /** What is held and this; of a long message, its first part. */
  #withHeld(last: Buffer): Buffer {
    if (this.#held.length === 0 && last.length <= MAX_LINE_BYTES) return last;
    this.#hold(last);
    return Buffer.concat(this.#held);
  }

  #fail(): void {
    this.#isOver = true;
    this.#clear();
    this.#endless();
  }

  #clear(): void {
    this.#held = [];
    this.#length = 0;
    this.#isCut = false;
  }
}
