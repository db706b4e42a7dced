/** Checks the keys before the content of a frame's line, and makes a frame from them. */
import { isHeader } from '../core/content-length.ts';
import { type Cut, type Eol, type Form, type Frame, type From, NO_DETAIL, type Seal } from '../core/frame.ts';

export type Loose = Record<string, unknown>;

export function tryParse(text: string): Loose | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Loose) : null;
  } catch {
    return null;
  }
}

/** Three hundred years in seconds: later times are invalid. */
const LONGEST = 1e10;
const SPEAKERS = new Set(['client', 'agent', 'stderr', 'proc']);

export function isFrameHead(value: Loose): boolean {
  const { f, t, from } = value;
  return (
    Number.isSafeInteger(f) &&
    (f as number) > 0 &&
    typeof t === 'number' &&
    t >= 0 &&
    t < LONGEST &&
    SPEAKERS.has(from as string)
  );
}

/** The same text can occur earlier inside the value of an unknown key, hence a few tries. */
const TRIES = 4;

/** The keys before the content, whose key is always the last one, and where the content begins. */
export function headBefore(line: Buffer, key: Buffer): { head: Loose; at: number } | null {
  for (let at = line.indexOf(key), tries = 0; at > 0 && tries < TRIES; tries++) {
    const head = tryParse(`${line.toString('utf8', 0, at)}"message":0}`);
    if (head && isFrameHead(head) && head.event === undefined) return { head, at: at + key.length };
    at = line.indexOf(key, at + 1);
  }
  return null;
}

export function isSeal(value: Loose): value is Loose & Seal {
  return (
    Number.isInteger(value.f) &&
    typeof value.t === 'number' &&
    typeof value.at === 'string' &&
    typeof value.sha256 === 'string'
  );
}

export function makeFrame(head: Loose, form: Form, raw: Buffer, cut?: Cut): Frame {
  const { f, t, t0, from, event, eol } = head;
  const header = form !== 'event' && typeof head.head === 'string' && isHeader(head.head) ? head.head : null;
  const frame: Frame = {
    f: f as number,
    t: t as number,
    t0: typeof t0 === 'number' ? t0 : null,
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

const OF_EVERY_FRAME = new Set(['f', 't', 't0', 'from', 'event', 'eol', 'message', 'text', 'bytes']);

function detailOf(head: Loose): Loose {
  const detail: Loose = {};
  for (const key of Object.keys(head)) {
    if (OF_EVERY_FRAME.has(key)) continue;
    if (key !== '__proto__') detail[key] = head[key];
    else Object.defineProperty(detail, key, { value: head[key], enumerable: true, configurable: true, writable: true });
  }
  return detail;
}
