/** Reads a line of any tape. The reader of tapes has a faster way for the lines that wiretape itself writes. */

import { isHeader } from './content-length.ts';
import { type Eol, type Form, type Frame, type From, type LineRemainder, NO_DETAIL, type Seal } from './frame.ts';
import { isObject, parseJson } from './message.ts';
import { decodeBase64Bytes } from './text/base64-bytes.ts';

export type LooseRecord = Record<string, unknown>;

function tryParse(text: string): LooseRecord | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** Three hundred years in seconds: later times are invalid. */
const MAX_SECONDS = 1e10;
const FRAME_SOURCES = new Set(['client', 'agent', 'stderr', 'proc']);

/** In seconds since the start of the session. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < MAX_SECONDS;
}

function isFrameHead(value: LooseRecord): boolean {
  const { f, t, from } = value;
  return Number.isSafeInteger(f) && (f as number) > 0 && isTime(t) && FRAME_SOURCES.has(from as string);
}

/** The same text can occur earlier inside the value of an unknown key, hence a few tries. */
const MAX_HEAD_TRIES = 4;

/** The keys before the content, whose key is always the last one, and where the content begins. */
export function headBefore(line: Uint8Array, key: Uint8Array): { head: LooseRecord; at: number } | null {
  for (let at = indexOfBytes(key, line, 0), tries = 0; at > 0 && tries < MAX_HEAD_TRIES; tries++) {
    const head = tryParse(`${decoded(line.subarray(0, at))}"message":0}`);
    if (head && isFrameHead(head) && head.event === undefined) return { head, at: at + key.length };
    at = indexOfBytes(key, line, at + 1);
  }
  return null;
}

/** Where these bytes are, or -1. */
function indexOfBytes(key: Uint8Array, bytes: Uint8Array, from: number): number {
  const [first] = key;
  for (let at = bytes.indexOf(first!, from); at >= 0; at = bytes.indexOf(first!, at + 1)) {
    let same = 1;
    while (same < key.length && bytes[at + same] === key[same]) same++;
    if (same === key.length) return at;
  }
  return -1;
}

const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const utf8Encoder = new TextEncoder();

const decoded = (bytes: Uint8Array): string => utf8Decoder.decode(bytes);

function isSeal(value: LooseRecord): value is LooseRecord & Seal {
  return (
    Number.isInteger(value.f) && isTime(value.t) && typeof value.at === 'string' && typeof value.sha256 === 'string'
  );
}

export function makeFrame(head: LooseRecord, form: Form, raw: Uint8Array, cut?: LineRemainder): Frame {
  const { f, t, t0, from, event, eol } = head;
  const header = form !== 'event' && typeof head.head === 'string' && isHeader(head.head) ? head.head : null;
  const frame: Frame = {
    f: f as number,
    t: t as number,
    t0: isTime(t0) ? t0 : null,
    from: from as From,
    form,
    raw,
    eol: header !== null ? '' : eol === '' || eol === '\r\n' ? (eol as Eol) : '\n',
    event: form === 'event' ? (event as string) : null,
    detail: form === 'event' ? detailOf(head) : NO_DETAIL,
  };
  const framed = header === null ? frame : { ...frame, head: header };
  return cut ? { ...framed, cut } : framed;
}

const FRAME_KEYS = new Set(['f', 't', 't0', 'from', 'event', 'eol', 'message', 'text', 'bytes']);

function detailOf(head: LooseRecord): LooseRecord {
  const detail: LooseRecord = {};
  for (const key of Object.keys(head)) {
    if (FRAME_KEYS.has(key)) continue;
    if (key !== '__proto__') detail[key] = head[key];
    else Object.defineProperty(detail, key, { value: head[key], enumerable: true, configurable: true, writable: true });
  }
  return detail;
}

/** A line that is not the first one of a tape. */
export type OtherLine = { is: 'frame'; frame: Frame } | { is: 'seal'; seal: Seal } | { is: 'unknown' };

const CONTENT_KEYS = ['message', 'text', 'bytes'] as const;
const CLOSING_BRACE = 0x7d;
const MESSAGE_KEY = utf8Encoder.encode('"message":');
const NO_BYTES = new Uint8Array(0);

/** Null if it is not a valid line of a tape. */
export function readOtherLine(line: Uint8Array): OtherLine | null {
  const message = messageFrame(line);
  if (message) return { is: 'frame', frame: message };
  const value = tryParse(decoded(line));
  if (!value) return null;
  if (value.type === 'seal') return isSeal(value) ? { is: 'seal', seal: value } : null;
  if (typeof value.type === 'string' && value.f === undefined) return { is: 'unknown' };
  if (!isFrameHead(value)) return null;
  const form = CONTENT_KEYS.find((key) => key in value);
  if (form === 'text' && typeof value.text === 'string')
    return { is: 'frame', frame: makeFrame(value, 'text', utf8Encoder.encode(value.text)) };
  if (form === 'bytes' && typeof value.bytes === 'string')
    return { is: 'frame', frame: makeFrame(value, 'bytes', decodeBase64Bytes(value.bytes)) };
  if (form === undefined && typeof value.event === 'string')
    return { is: 'frame', frame: makeFrame(value, 'event', NO_BYTES) };
  return null;
}

/** The raw line is the slice between `"message":` and the closing brace. */
function messageFrame(line: Uint8Array): Frame | null {
  const split = line[line.length - 1] === CLOSING_BRACE ? headBefore(line, MESSAGE_KEY) : null;
  return split && makeFrame(split.head, 'message', line.subarray(split.at, line.length - 1));
}
