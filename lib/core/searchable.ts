/**
 * The text that a search looks through: every string that a line holds, decoded, in lower case. What a line is (`type`,
 * the envelope's `jsonrpc` and `method`) is no text: there are better words to ask for it. Text that comes in pieces is
 * one text, and what runs over several pieces belongs to the frame in which it ends.
 */

import { withoutData } from './base64.ts';
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

/** How a text that comes in pieces has ended so far. */
interface End {
  text: string;
  /** The first half of a character, which is said with its other half. */
  half: string;
}

const NO_END: End = { text: '', half: '' };

/** Frames in order; remembers how each text that comes in pieces ended. All that it gives is well-formed. */
export class Listener {
  readonly #ends = new Recent<string, End>(1000);

  take({ frame, value, events, where }: Heard): Said {
    if (frame.form === 'event') {
      const [event] = events;
      return event?.text ? { own: searched(event.text), more: null } : NOTHING_SAID;
    }
    if (value === undefined) {
      const text = isUnread(events) ? firstPart(frame.raw) : textOf(frame.raw);
      return text === null ? NOTHING_SAID : { own: searched(text), more: null };
    }
    const piece = pieceOf(events);
    const own = searched(stringsOf(value, piece?.text));
    if (!piece) return { own, more: null };
    if (where.item === null) return { own: `${own}${BETWEEN}${searched(piece.text)}`, more: null };
    const stream = `${where.item} ${piece.kind}`;
    const end = this.#ends.get(stream) ?? NO_END;
    const whole = `${end.half}${piece.text}`;
    const half = FIRST_HALF.test(whole) ? whole.at(-1)! : '';
    const text = searched(whole.slice(0, whole.length - half.length));
    const before = end.text;
    this.#ends.delete(stream);
    this.#ends.set(stream, { text: endOf(`${before}${text}`), half });
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
const FIRST_HALF = /[\ud800-\udbff]$/;

/** Text as it is searched: in lower case, halves of characters left out. */
function searched(text: string): string {
  const folded = fold(text);
  return HALVES.test(folded) ? folded.replace(/\p{Surrogate}/gu, BETWEEN) : folded;
}

/** As much of what was said before as may matter for what is said next. */
export function endOf(text: string): string {
  const end = text.slice(1 - LONGEST_TERM);
  return SECOND_HALF.test(end) ? end.slice(1) : end;
}

const SECOND_HALF = /^[\udc00-\udfff]/;

/** Whether anything can have this in it. */
export function isFindable(term: string): boolean {
  return !term.includes(BETWEEN) && term.length <= LONGEST_TERM && !HALVES.test(term);
}

/** Whether a frame's text has this in it; of a text in pieces, whether it ends in this one. */
export function says({ own, more }: Said, term: string | RegExp): boolean {
  if (typeof term !== 'string')
    return matches(term, '', own) || (more !== null && matches(term, more.before, more.text));
  if (!isFindable(term)) return false;
  if (own.includes(term)) return true;
  if (!more) return false;
  return `${more.before}${more.text}`.includes(term, Math.max(0, more.before.length - term.length + 1));
}

/** With the flag that finds one match after the other. */
const searching = new WeakMap<RegExp, RegExp>();

/**
 * Whether a regular expression matches within one string of a text, so that the match ends in what is new: `before` is the
 * end of what was said before, as `endOf` gives it. May take any time: it belongs where it can be stopped.
 */
export function matches(regex: RegExp, before: string, text: string): boolean {
  const whole = `${before}${text}`;
  for (let from = 0; from < whole.length; ) {
    const between = whole.indexOf(BETWEEN, from);
    const to = between < 0 ? whole.length : between;
    // An empty string has nothing to match.
    if (to > from && to > before.length && endsBehind(regex, whole.slice(from, to), before.length - from)) return true;
    from = to + 1;
  }
  return false;
}

function endsBehind(regex: RegExp, text: string, old: number): boolean {
  if (old <= 0) return regex.test(text);
  const all = searching.get(regex) ?? new RegExp(regex, `${regex.flags}g`);
  searching.set(regex, all);
  for (const match of text.matchAll(all)) if (match.index + match[0].length > old) return true;
  return false;
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
  if (text === '' || text === apart) return;
  const inside = JSON_INSIDE.test(text) ? parseJson(text) : undefined;
  if (inside === undefined) into.push(...withoutData(text));
  else collect(inside, depth + 1, apart, into);
}
