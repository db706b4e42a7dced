/**
 * The text that a search looks through: every string in a line, decoded, in lower case. `type` and the envelope's
 * `jsonrpc` and `method` are left out, because they have qualifiers of their own. Text that arrives in pieces is one
 * text, and a match across several pieces belongs to the frame in which it ends.
 */

import type { Event, EventKind } from '../event.ts';
import type { Frame } from '../frame.ts';
import { isTooLargeToRead } from '../json/too-large.ts';
import { LimitedMap } from '../limited-map.ts';
import { parseJson, textOf } from '../message.ts';
import { processText } from './process-text.ts';
import { fold } from './text.ts';
import { withoutData } from './without-base64.ts';

/** Separates two strings of one frame. A search cannot contain it. */
export const STRING_SEPARATOR = '\u001f';
/** The longest term: 256 characters, which lower case may double. No more of the preceding text has to be kept. */
export const MAX_TERM_CHARS = 512;

/** What a frame adds to the text of its session. */
export interface FrameText {
  /** Its strings, in lower case, without what it adds to a stream. */
  own: string;
  /** What it adds to a text that arrives in pieces, and the end of that text before it. */
  more: { stream: string; text: string; before: string } | null;
}

export const NO_TEXT: FrameText = { own: '', more: null };

interface CollectedText {
  frame: Frame;
  /** The line as JSON; undefined if it is not JSON. */
  value: unknown;
  events: Event[];
  where: { item: number | null };
}

/** What a frame adds to a text that arrives in pieces. */
interface TextPiece {
  kind: EventKind;
  text: string;
}

/** What has to be known of a frame, besides its line, to search its text. */
export interface PrecedingText {
  /** What it adds to a text that arrives in pieces. */
  piece: TextPiece | null;
  /** The item that it is part of. */
  item: number | null;
  isTooLarge: boolean;
}

/**
 * The piece of a frame in a form that is short for most frames: which of the strings of its line it is, or its text if it
 * is none of them.
 */
export interface PiecePosition {
  kind: EventKind;
  at: number | string;
}

/** The end of a text that arrives in pieces. */
interface StreamEnd {
  text: string;
  /** The first half of a surrogate pair, until the other half arrives. */
  half: string;
}

const NO_END: StreamEnd = { text: '', half: '' };

/** Takes frames in order and keeps the end of each text that arrives in pieces. The result is well-formed. */
export class TextCollector {
  readonly #ends = new LimitedMap<string, StreamEnd>(1000);

  take({ frame, value, events, where }: CollectedText): FrameText {
    return this.add(frame, value, { piece: pieceOf(events), item: where.item, isTooLarge: isTooLargeToRead(events) });
  }

  add(frame: Frame, value: unknown, { piece, item, isTooLarge }: PrecedingText): FrameText {
    if (frame.form === 'event') {
      const text = processText(frame);
      return text === '' ? NO_TEXT : { own: searched(text), more: null };
    }
    if (value === undefined) {
      const text = isTooLarge ? firstPart(frame.raw) : textOf(frame.raw);
      return text === null ? NO_TEXT : { own: searched(text), more: null };
    }
    if (!piece) return { own: ownOf(value), more: null };
    if (item === null)
      return { own: `${ownOf(value, piece.text)}${STRING_SEPARATOR}${searched(piece.text)}`, more: null };
    const stream = `${item} ${piece.kind}`;
    const end = this.#ends.get(stream) ?? NO_END;
    const whole = `${end.half}${piece.text}`;
    const half = FIRST_HALF.test(whole) ? whole.at(-1)! : '';
    const text = searched(whole.slice(0, whole.length - half.length));
    const before = end.text;
    this.#ends.delete(stream);
    this.#ends.set(stream, { text: endOf(`${before}${text}`), half });
    return new PieceText(value, piece.text, { stream, text, before });
  }
}

const ownOf = (value: unknown, apart?: string): string => searched(stringsIn(value, apart).join(STRING_SEPARATOR));

/** A piece is most of its line, and few searches need the rest. */
class PieceText implements FrameText {
  readonly more: FrameText['more'];
  readonly #value: unknown;
  readonly #piece: string;

  constructor(value: unknown, piece: string, more: FrameText['more']) {
    this.#value = value;
    this.#piece = piece;
    this.more = more;
  }

  get own(): string {
    return ownOf(this.#value, this.#piece);
  }
}

/** How many bytes of a line that is too large to read are searched. */
const MAX_SEARCHED_BYTES = 1 << 16;

function firstPart(raw: Uint8Array): string {
  return new TextDecoder().decode(raw.subarray(0, MAX_SEARCHED_BYTES));
}

const HALVES = /\p{Surrogate}/u;
const FIRST_HALF = /[\ud800-\udbff]$/;

/** Text as it is searched: in lower case, without lone surrogates. */
function searched(text: string): string {
  const folded = fold(text);
  return HALVES.test(folded) ? folded.replace(/\p{Surrogate}/gu, STRING_SEPARATOR) : folded;
}

/** The end of a text: as much as a match in the next piece may reach back. */
export function endOf(text: string): string {
  const end = text.slice(1 - MAX_TERM_CHARS);
  return SECOND_HALF.test(end) ? end.slice(1) : end;
}

const SECOND_HALF = /^[\udc00-\udfff]/;

/** Whether any text can contain this term. */
export function isFindable(term: string): boolean {
  return !term.includes(STRING_SEPARATOR) && term.length <= MAX_TERM_CHARS && !HALVES.test(term);
}

/** Whether a frame's text contains this. In a text that arrives in pieces, the match must end in this frame. */
export function containsTerm({ own, more }: FrameText, term: string | RegExp): boolean {
  if (typeof term !== 'string')
    return matches(term, '', own) || (more !== null && matches(term, more.before, more.text));
  return isFindable(term) && (own.includes(term) || endsIn(more, term));
}

/** Whether a text that arrives in pieces contains this, and the match ends in this piece. */
export function endsIn(more: FrameText['more'], term: string): boolean {
  if (!more || !isFindable(term)) return false;
  return `${more.before}${more.text}`.includes(term, Math.max(0, more.before.length - term.length + 1));
}

/** The same expressions with the `g` flag. */
const searching = new WeakMap<RegExp, RegExp>();

/**
 * Whether a regular expression matches within one string, and the match ends in the new part. `before` is the end of
 * the preceding text, as `endOf` returns it. This may take any time, so call it where it can be stopped.
 */
export function matches(regex: RegExp, before: string, text: string): boolean {
  const whole = `${before}${text}`;
  for (let from = 0; from < whole.length; ) {
    const between = whole.indexOf(STRING_SEPARATOR, from);
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

/** What a frame adds to a text that arrives in pieces. The arguments of a call begin with the call. */
function pieceOf(events: Event[]): TextPiece | null {
  for (const event of events) {
    if (event.flags?.includes('replayed')) return null;
    if (event.delta && event.text) return { kind: event.kind, text: event.text };
    if (event.kind === 'tool-call' && !event.complete && event.args) return { kind: 'tool-args', text: event.args };
  }
  return null;
}

/** Where the piece of a frame is; null if it has none. `strings`: those of the value, if they are known. */
export function positionOfPiece(events: Event[], value: unknown, strings?: readonly string[]): PiecePosition | null {
  const piece = pieceOf(events);
  if (!piece) return null;
  const at = (strings ?? stringsAsSent(value)).indexOf(piece.text);
  return at < 0 ? { kind: piece.kind, at: piece.text } : positionAt(piece.kind, at);
}

const PIECE_POSITIONS = new Map<EventKind, PiecePosition[]>();

/** The same object for the same place: almost every frame of a long session has one of a few. */
function positionAt(kind: EventKind, at: number): PiecePosition {
  if (at > 100) return { kind, at };
  let known = PIECE_POSITIONS.get(kind);
  if (known === undefined) {
    known = [];
    PIECE_POSITIONS.set(kind, known);
  }
  known[at] ??= { kind, at };
  return known[at];
}

/** The piece at a place, which `positionOfPiece` has found in the same value. */
export function pieceAt({ kind, at }: PiecePosition, value: unknown): TextPiece {
  return { kind, text: typeof at === 'string' ? at : (stringsAsSent(value)[at] ?? '') };
}

/** Strings nested deeper than this are not searched. */
const MAX_DEPTH = 200;
/** A string may contain JSON, such as the arguments of a call. The strings inside are searched too. */
const JSON_INSIDE = /^\s*[{[][\s\S]*[}\]]\s*$/;
const isEnvelope = (key: string): boolean => key === 'jsonrpc' || key === 'method';

/** Every searchable string of a value except `apart`, in order. */
export function stringsIn(value: unknown, apart?: string): string[] {
  const strings: string[] = [];
  const taker: StringTaker = {
    take: (text, depth) => {
      if (text === '' || text === apart) return;
      const inside = JSON_INSIDE.test(text) ? parseJson(text) : undefined;
      if (inside === undefined) strings.push(...withoutData(text));
      else eachString(inside, depth + 1, taker);
    },
  };
  eachString(value, 0, taker);
  return strings;
}

/** The same strings as they were sent: JSON and data in them are left as they are. */
export function stringsAsSent(value: unknown): readonly string[] {
  const sent = new SentStrings();
  eachString(value, 0, sent);
  return sent.strings;
}

/** Is handed each string of a value, and how deep it is. */
interface StringTaker {
  take(text: string, depth: number): void;
}

/** A piece is mostly the only string of its line, and a list that is made with it is small. */
class SentStrings implements StringTaker {
  strings: string[] = NO_STRINGS;

  take(text: string): void {
    if (this.strings === NO_STRINGS) this.strings = [text];
    else this.strings.push(text);
  }
}

const NO_STRINGS: string[] = [];

function eachString(value: unknown, depth: number, taker: StringTaker): void {
  if (typeof value === 'string') return taker.take(value, depth);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const one of value) eachString(one, depth + 1, taker);
    return;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    const isText = typeof inner !== 'string' || !(key === 'type' || (depth === 0 && isEnvelope(key)));
    if (isText) eachString(inner, depth + 1, taker);
  }
}
