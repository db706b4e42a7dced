/**
 * The text that a search looks through: every string that a line holds, decoded, in lower case. What a line is (`type`,
 * the envelope's `jsonrpc` and `method`) is no text: there are better words to ask for it. Text that comes in pieces is
 * one text, and what runs over several pieces belongs to the frame in which it ends.
 */
import type { Event } from './event.ts';
import type { Frame } from './frame.ts';
import { parseJson, textOf } from './message.ts';
import { fold } from './text.ts';
import { Recent } from './timeline/recent.ts';
import { isUnread } from './too-large.ts';

/** Stands between two strings of one frame. Nobody can search for it. */
export const BETWEEN = '\u001f';
/** No term is longer (256, and lower case may double it): no more needs to be known of what came before. */
export const LONGEST_TERM = 512;

/** What a frame adds to the text of its session. */
export interface Said {
  /** Its strings, in lower case, but for what it adds to a stream. */
  own: string;
  /** What it adds to a text that came in pieces, and the end of that text before. */
  more: { stream: string; text: string; before: string } | null;
}

const NOTHING_SAID: Said = { own: '', more: null };

export interface Heard {
  frame: Frame;
  /** The line as JSON, undefined where it is none. */
  value: unknown;
  events: Event[];
  where: { item: number | null };
}

/** Frames in order; remembers how each text that comes in pieces ended. */
export class Listener {
  readonly #ends = new Recent<string, string>(1000);

  take({ frame, value, events, where }: Heard): Said {
    if (frame.form === 'event') {
      const [event] = events;
      return event?.text ? { own: fold(event.text), more: null } : NOTHING_SAID;
    }
    if (value === undefined) {
      const text = isUnread(events) ? firstPart(frame.raw) : textOf(frame.raw);
      return text === null ? NOTHING_SAID : { own: fold(text), more: null };
    }
    const piece = pieceOf(events);
    const own = fold(stringsOf(value, piece?.text));
    if (!piece) return { own, more: null };
    if (where.item === null) return { own: `${own}${BETWEEN}${fold(piece.text)}`, more: null };
    const stream = `${where.item} ${piece.kind}`;
    const text = fold(piece.text);
    const before = this.#ends.get(stream) ?? '';
    this.#ends.delete(stream);
    this.#ends.set(stream, `${before}${text}`.slice(1 - LONGEST_TERM));
    return { own, more: { stream, text, before } };
  }
}

/** Of a line that is not read, so many bytes are searched. */
const SEARCHED = 1 << 16;

function firstPart(raw: Uint8Array): string {
  return new TextDecoder().decode(raw.subarray(0, SEARCHED));
}

/** Half a character is found only with its other half. */
const HALVES = /\p{Surrogate}/u;

/** Whether anything can have this in it. */
export function isFindable(term: string): boolean {
  return !term.includes(BETWEEN) && term.length <= LONGEST_TERM && !HALVES.test(term);
}

/** Whether a frame's text has this in it; of a text in pieces, whether it ends in this one. */
export function says({ own, more }: Said, term: string): boolean {
  if (!isFindable(term)) return false;
  if (own.includes(term)) return true;
  if (!more) return false;
  return `${more.before}${more.text}`.includes(term, Math.max(0, more.before.length - term.length + 1));
}

/** What it adds to a text that comes in pieces. The arguments of a call begin with the call. */
function pieceOf(events: Event[]): { kind: string; text: string } | null {
  for (const event of events) {
    if (event.flags?.includes('replayed')) return null;
    if (event.delta && event.text) return { kind: event.kind, text: event.text };
    if (event.kind === 'tool-call' && !event.complete && event.args) return { kind: 'tool-args', text: event.args };
  }
  return null;
}

/** Strings nested deeper than this are not looked for. */
const DEEPEST = 200;
/** So much of a string without a blank is data: an image, a signature. */
const DATA = /^[\w+/=.:;,-]{1024}/;
/** A string may hold JSON: the arguments of a call. What is in it is text too. */
const JSON_INSIDE = /^\s*[{[][\s\S]*[}\]]\s*$/;
const ENVELOPE = new Set(['jsonrpc', 'method']);

/** Every string of a value that is text, in order. */
export function stringsIn(value: unknown): string[] {
  const strings: string[] = [];
  collect(value, 0, undefined, strings);
  return strings;
}

/** The same, joined, but for one that is kept apart. */
function stringsOf(value: unknown, apart: string | undefined): string {
  const strings: string[] = [];
  collect(value, 0, apart, strings);
  return strings.join(BETWEEN);
}

function collect(value: unknown, depth: number, apart: string | undefined, into: string[]): void {
  if (typeof value === 'string') return collectString(value, depth, apart, into);
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, depth + 1, apart, into);
    return;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    const isText = typeof inner !== 'string' || !(key === 'type' || (depth === 0 && ENVELOPE.has(key)));
    if (isText) collect(inner, depth + 1, apart, into);
  }
}

function collectString(text: string, depth: number, apart: string | undefined, into: string[]): void {
  if (text === '' || text === apart || DATA.test(text)) return;
  const inside = JSON_INSIDE.test(text) ? parseJson(text) : undefined;
  if (inside === undefined) into.push(text);
  else collect(inside, depth + 1, apart, into);
}
