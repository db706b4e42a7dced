/**
 * Messages on one line, because a line feed is missing between them or between a message and another text. Called only
 * for lines that are not JSON. The cost grows with the length of the line, whatever is in it.
 */
import type { Frame } from '../frame.ts';
import { isObject, parseJson, textOf } from '../message.ts';
import { objectEnd } from './json-line.ts';

/** Bytes of a line, from `at` to before `end`: a message, or another text. */
export interface LineSegment {
  at: number;
  end: number;
  isMessage: boolean;
}

const OPENING_BRACE = 0x7b;
/** At most this many braces that do not begin a JSON object are tried. */
const MAX_BRACE_TRIES = 32;
/** White space, and what people put between values. One more closing bracket is a slip of another kind. */
const SEPARATORS = new Set([...' \t\r,;}])'].map((character) => character.charCodeAt(0)));
const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The segments of a line with a message and something else on it; null for every other line. */
export function findJoined(raw: Uint8Array): LineSegment[] | null {
  const found: LineSegment[] = [];
  let tries = 0;
  let from = 0;
  let at = raw.indexOf(OPENING_BRACE);
  while (at >= 0 && tries <= MAX_BRACE_TRIES) {
    const end = objectEnd(raw, at, raw.length);
    const isMessage = end > 0 && isMessageText(textOf(raw.subarray(at, end)));
    if (isMessage) {
      addText(found, raw, from, at);
      found.push({ at, end, isMessage });
      from = end;
    } else tries++;
    at = raw.indexOf(OPENING_BRACE, end > 0 ? end : at + 1);
  }
  addText(found, raw, from, raw.length);
  const messages = found.filter(({ isMessage }) => isMessage);
  if (messages.length === 0 || found.length === 1) return null;
  // A log may quote a message.
  return messages.length === 1 && !found[0]!.isMessage && !isEnvelope(raw, messages[0]!) ? null : found;
}

function addText(found: LineSegment[], raw: Uint8Array, from: number, to: number): void {
  let [at, end] = [from, to];
  while (at < end && SEPARATORS.has(raw[at]!)) at++;
  while (end > at && SEPARATORS.has(raw[end - 1]!)) end--;
  if (at < end) found.push({ at, end, isMessage: false });
}

/** An object that some protocol sends: with a method, a type, or an answer. */
function isMessageText(text: string | null): boolean {
  const value = parseJson(text);
  if (!isObject(value)) return false;
  const { method, type, result, error } = value;
  return typeof method === 'string' || typeof type === 'string' || result !== undefined || error !== undefined;
}

function isEnvelope(raw: Uint8Array, { at, end }: LineSegment): boolean {
  const value = parseJson(textOf(raw.subarray(at, end)));
  return isObject(value) && value.jsonrpc !== undefined && end === raw.length;
}

/** Whether a line that is not JSON has a message with this method, which nobody could read. */
export function hasJoinedMethod(raw: Uint8Array, method: string): boolean {
  return (findJoined(raw) ?? []).some(({ at, end, isMessage }) => {
    const value = isMessage ? parseJson(textOf(raw.subarray(at, end))) : null;
    return isObject(value) && value.method === method;
  });
}

/** What is wrong with a line that is not JSON, if that is a missing line feed; else null. */
export function describeJoinedLine(line: Pick<Frame, 'raw' | 'head'>): string | null {
  const segments = findJoined(line.raw);
  return segments && describeJoined(segments, line);
}

/** `two messages on one line; the line feed is missing after byte 57`. */
export function describeJoined(segments: readonly LineSegment[], { raw, head }: Pick<Frame, 'raw' | 'head'>): string {
  const messages = segments.filter(({ isMessage }) => isMessage).length;
  const many = messages === 1 ? 'a message' : `${NUMBER_WORDS[messages] ?? messages} messages`;
  const where = head ? 'in one body' : 'on one line';
  const other = messages === segments.length ? '' : ' and other text';
  const ends = segments.slice(0, -1).map(({ end }) => end);
  if (head) return `${many}${other} ${where}; the first ends after byte ${ends[0]}`;
  const isOne = ends.length === 1;
  const places = `after byte${isOne ? '' : 's'} ${listPositions(ends)}`;
  const instead = ends.every((end) => raw[end] === 0x0d)
    ? `, where ${isOne ? 'a carriage return stands' : 'carriage returns stand'}`
    : '';
  return `${many}${other} ${where}; ${isOne ? 'the line feed is' : 'line feeds are'} missing ${places}${instead}`;
}

/** At most this many positions are named. */
const MAX_NAMED_POSITIONS = 5;

function listPositions(ends: readonly number[]): string {
  if (ends.length > MAX_NAMED_POSITIONS)
    return `${ends.slice(0, MAX_NAMED_POSITIONS).join(', ')}, and ${ends.length - MAX_NAMED_POSITIONS} more`;
  return ends.length === 1 ? `${ends[0]}` : `${ends.slice(0, -1).join(', ')} and ${ends.at(-1)}`;
}
