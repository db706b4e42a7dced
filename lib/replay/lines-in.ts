/** The messages of a stream: lines, or the bodies of Content-Length frames if it begins with such a header. */
import type { Readable } from 'node:stream';
import { announcedLength, LONGEST_HEADER } from '../core/content-length.ts';
import type { Eol } from '../core/frame.ts';

const LF = 0x0a;
const CR = 0x0d;
const FIRST = 'content-';
const HEADER_END = /\r?\n\r?\n/;

/** Calls `take` with each message, without its line end, and `end` when the stream ends or breaks. */
export function readLines(stream: Readable, take: (line: string) => void, end: () => void): void {
  const reader = new MessageReader(({ raw }) => take(raw.toString('utf8')));
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
  /** Without its line end; the body of a frame. */
  raw: Buffer;
  eol: Eol;
  /** The header of a Content-Length frame. */
  head?: string;
}

/** Splits a stream on bytes. */
export class MessageReader {
  readonly #take: (message: StreamMessage) => void;
  #held: Buffer[] = [];
  #heldLength = 0;
  /** Null until enough has come to tell. */
  #isFramed: boolean | null = null;
  /** How many bytes must have come before the next message is complete. */
  #wanted = 0;

  constructor(take: (message: StreamMessage) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    if (this.#isFramed === null) return this.#begin(chunk);
    if (!this.#isFramed) return this.#lines(chunk);
    this.#hold(chunk);
    if (this.#heldLength >= this.#wanted) this.#bodies();
  }

  /** The first bytes tell, which may come one by one. */
  #begin(chunk: Buffer): void {
    const bytes = Buffer.concat([...this.#held, chunk]);
    this.#drop();
    const begin = bytes.toString('latin1', 0, FIRST.length).toLowerCase();
    if (begin.length < FIRST.length && FIRST.startsWith(begin)) return this.#hold(bytes);
    this.#isFramed = begin === FIRST;
    this.add(bytes);
  }

  end(): void {
    const raw = this.rest();
    if (raw.length > 0) this.#take({ raw, eol: '' });
  }

  /** What has come of a message that is not complete. It is forgotten. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#drop();
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
    const whole = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last]);
    this.#drop();
    const hasCr = whole.at(-1) === CR;
    this.#take({ raw: hasCr ? whole.subarray(0, -1) : whole, eol: hasCr ? '\r\n' : '\n' });
  }

  /** Takes every complete frame from what is held. A header that makes no sense ends the framing. */
  #bodies(): void {
    let bytes = Buffer.concat(this.#held);
    this.#drop();
    for (;;) {
      const header = HEADER_END.exec(bytes.toString('latin1', 0, LONGEST_HEADER));
      const from = header ? header.index + header[0].length : 0;
      const length = header ? announcedLength(bytes.toString('latin1', 0, from)) : 0;
      if (length === null || (!header && bytes.length > LONGEST_HEADER)) {
        this.#isFramed = false;
        return this.#lines(bytes);
      }
      this.#wanted = from + length;
      if (!header || bytes.length < this.#wanted) return this.#hold(bytes);
      const head = bytes.toString('latin1', 0, from);
      this.#take({ raw: bytes.subarray(from, this.#wanted), eol: '', head });
      bytes = bytes.subarray(this.#wanted);
    }
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
  }

  #drop(): void {
    this.#held = [];
    this.#heldLength = 0;
  }
}
