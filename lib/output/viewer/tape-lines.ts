/**
 * The lines of a chunk of a tape. The chunk is decoded as a whole, because that takes much less time than line by line. A
 * message as wiretape writes it is cut out of its line; all others are read as the reader of tapes reads them.
 */
import { type Eol, type Frame, type From, NO_DETAIL } from '../../model/frame.ts';
import { readOtherLine } from '../../model/tape-line.ts';
import type { SourceLine } from './source.ts';

const LF = 0x0a;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function linesIn(chunk: Uint8Array): SourceLine[] {
  const lines: SourceLine[] = [];
  const texts = utf8.decode(chunk).split('\n');
  let start = 0;
  // A last line without its end is no frame.
  for (let n = 0; n < texts.length - 1; n++) {
    const end = chunk.indexOf(LF, start);
    const bytes = chunk.subarray(start, end);
    const frame = messageIn(texts[n]!, bytes) ?? otherIn(bytes);
    if (frame) lines.push({ bytes, frame });
    start = end + 1;
  }
  return lines;
}

function otherIn(line: Uint8Array): Frame | null {
  const entry = readOtherLine(line);
  return entry?.is === 'frame' ? entry.frame : null;
}

/** Numbers with more digits would not be exact; a frame has no number 0. */
const OWN =
  /^\{"f":([1-9]\d{0,14}),"t":(0|[1-9]\d{0,8})\.(\d{6}),"from":"(agent|client|stderr)",("eol":"(?:\\r\\n)?",)?"message":/;
/** In the text itself, or in place of bytes that are not UTF-8. */
const REPLACED = '\ufffd';

function messageIn(line: string, bytes: Uint8Array): Frame | null {
  const [head, f, seconds, micros, from, eol] = OWN.exec(line) ?? [];
  if (head === undefined || !line.endsWith('}') || line.includes(REPLACED)) return null;
  const t = (Number(seconds) * 1e6 + Number(micros)) / 1e6;
  const end: Eol = eol === undefined ? '\n' : eol.includes('r') ? '\r\n' : '';
  return new MessageFrame(Number(f), t, from as From, end, line.slice(head.length, -1), bytes, head.length);
}

class MessageFrame implements Frame {
  readonly f: number;
  readonly t: number;
  readonly t0 = null;
  readonly from: From;
  readonly form = 'message';
  readonly text: string;
  readonly eol: Eol;
  readonly event = null;
  readonly detail = NO_DETAIL;
  readonly #line: Uint8Array;
  readonly #start: number;

  /** `start`: where the message begins in its line. What is before it is ASCII. */
  constructor(f: number, t: number, from: From, eol: Eol, text: string, line: Uint8Array, start: number) {
    this.f = f;
    this.t = t;
    this.from = from;
    this.eol = eol;
    this.text = text;
    this.#line = line;
    this.#start = start;
  }

  get raw(): Uint8Array {
    return this.#line.subarray(this.#start, -1);
  }
}
