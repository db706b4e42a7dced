/**
 * The leak scan: whether anything that should have been replaced is in a finished artefact. It shares the list of key
 * formats with the redaction and nothing of its machinery: it parses JSON, decodes what looks encoded, joins the texts
 * that a session streams, and searches all of it with plain expressions.
 */
import { KEY_FORMATS } from '../../model/text/key-formats.ts';
import { PRIVATE_KEY } from '../../model/text/secret.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';

/** A part of an artefact: where it is, in words, and its text. */
export interface ArtefactPiece {
  where: string;
  text: string;
}

/** What was found, without showing it. */
export interface Leak {
  kind: string;
  where: string;
}

export interface ScanOptions {
  /** Values that were replaced. */
  values?: Iterable<string>;
  keeps?: (value: string) => boolean;
}

const LEAK_FORMS: readonly { kind: string; regex: RegExp }[] = [
  ...KEY_FORMATS.map(({ kind, form }) => ({ kind, regex: new RegExp(`(?<![A-Za-z0-9])(?:${form.source})`, 'g') })),
  { kind: 'private-key', regex: new RegExp(PRIVATE_KEY, 'g') },
  {
    kind: 'password',
    regex: /(?<=\w:\/\/[^\s/:@"'<>\\]{1,99}:)(?!\[|\*|\$|<|%|your|example)[^\s/@"'<>\\]{3,300}(?=@)/gi,
  },
  {
    kind: 'email',
    regex:
      /(?<![A-Za-z0-9._+-])(?!git@)[A-Za-z0-9_][A-Za-z0-9._+-]{0,62}@(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|io|dev|de|cn|uk|fr|jp|ai|eu)(?![A-Za-z0-9@.])/g,
  },
];
/** What each form starts with. A key is looked for only in words that are as long as keys are. */
const KEY_START = new RegExp(
  [...new Set(KEY_FORMATS.flatMap(({ starts }) => starts))]
    .map((start) => start.replace(/[.\\+*?^$()[\]{}|/-]/g, '\\$&'))
    .join('|'),
);
const OTHER_START = /@|-----BEGIN/;
/** Words that are as long as the shortest key. */
const LONG_WORD: WordShape = { of: charactersOf('_.+/=~-'), shortest: 12 };
const MAX_DEPTH = 12;
const MAX_LEAKS = 100;

/** The leaks in these pieces, at most a hundred. */
export function scanForLeaks(pieces: Iterable<ArtefactPiece>, options: ScanOptions = {}): Leak[] {
  const leaks = new Map<string, Leak>();
  const needles = expressionsFor(options.values ?? []);
  for (const { where, text } of pieces) {
    if (leaks.size >= MAX_LEAKS) break;
    for (const kind of kindsOf(text, needles, options.keeps)) leaks.set(`${kind} ${where}`, { kind, where });
  }
  return [...leaks.values()];
}

/** What cannot be read counts as a leak. */
function kindsOf(text: string, needles: readonly RegExp[], keeps: ScanOptions['keeps']): string[] {
  try {
    return [...readings(text, 0)].flatMap((reading) => kindsIn(reading, needles, keeps));
  } catch (error) {
    if (error instanceof RangeError) return ['unreadable'];
    throw error;
  }
}

function kindsIn(text: string, needles: readonly RegExp[], keeps: ScanOptions['keeps']): string[] {
  const kinds: string[] = [];
  if (needles.some((needle) => needle.test(text))) kinds.push('replaced-value');
  if (!OTHER_START.test(text) && !hasStart(text)) return kinds;
  for (const { kind, regex } of LEAK_FORMS)
    for (const [found] of text.matchAll(regex)) if (!keeps?.(found)) kinds.push(kind);
  return kinds;
}

/** Whether a key may start in one of the long words. */
function hasStart(text: string): boolean {
  return longWords(text, LONG_WORD).some((word) => KEY_START.test(word));
}

/** Which words are looked at: of these characters, by code, and not shorter. */
interface WordShape {
  of: Uint8Array;
  shortest: number;
}

function charactersOf(more: string): Uint8Array {
  const all = new Uint8Array(128);
  for (let code = 0; code < all.length; code++) if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) all[code] = 1;
  for (const c of more) all[c.charCodeAt(0)] = 1;
  return all;
}

/** A word that is long enough has no other character in so many places: most of a text need not be read. */
function longWords(text: string, { of, shortest }: WordShape): string[] {
  const found: string[] = [];
  let from = 0;
  while (from + shortest <= text.length) {
    let at = from + shortest - 1;
    while (at >= from && isOf(of, text.charCodeAt(at))) at--;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let end = from + shortest;
    while (end < text.length && isOf(of, text.charCodeAt(end))) end++;
    found.push(text.slice(from, end));
    from = end + 1;
  }
  return found;
}

const isOf = (of: Uint8Array, code: number): boolean => code < 128 && of[code] === 1;

const VALUES_PER_EXPRESSION = 200;
const DOCUMENT_NUMBER = /^[A-Z]{0,2}[0-9]{7,18}[A-Za-z]?$/;

function expressionsFor(values: Iterable<string>): RegExp[] {
  const all = [...values].map((value) => {
    const written = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    // The number of a document is replaced as a word: it may be a part of a longer number.
    return DOCUMENT_NUMBER.test(value) ? `(?<![A-Za-z0-9])${written}(?![A-Za-z0-9])` : written;
  });
  const expressions: RegExp[] = [];
  for (let i = 0; i < all.length; i += VALUES_PER_EXPRESSION)
    expressions.push(new RegExp(all.slice(i, i + VALUES_PER_EXPRESSION).join('|')));
  return expressions;
}

/** What may be base64. */
const BASE64: WordShape = { of: charactersOf('+/_-'), shortest: 16 };

/** A text and everything that it stands for. */
function* readings(text: string, depth: number): Generator<string> {
  yield text;
  if (depth > MAX_DEPTH) return;
  const seen = asSeen(text);
  if (seen !== text) yield* readings(seen, depth + 1);
  const value = jsonIn(text);
  if (value !== undefined) {
    // Without other escapes, a string that needs none stands in the line as it is.
    const isPlain = !ESCAPED.test(text);
    for (const inner of stringsOf(value)) if (!isPlain || NEEDS_ESCAPE.test(inner)) yield* readings(inner, depth + 1);
  }
  if (/%[0-9A-Fa-f]{2}/.test(text)) {
    const decoded = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, fromPercent);
    if (decoded !== text) yield* readings(decoded, depth + 1);
  }
  for (const run of longWords(text, BASE64)) {
    const decoded = fromBase64(run);
    if (decoded !== null) yield* readings(decoded, depth + 1);
  }
}

/** Colours and other sequences of a terminal, also as a program prints their ESC, and characters without a width. */
const SEQUENCE =
  /(?:\x1b|\\x1b|\\u001b|\\033|\\e(?=\[))(?:\[[\d;?:]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78MDEHc])/gi;
const WITHOUT_WIDTH = /[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** As a terminal shows it. */
function asSeen(text: string): string {
  if (!/\x1b|\\(?:x1b|u001b|033|e\[)|[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/i.test(text)) return text;
  return text.replace(SEQUENCE, '').replace(WITHOUT_WIDTH, '');
}

/** `\u0041` or `\/`. */
const ESCAPED = /\\[u/]/;
const NEEDS_ESCAPE = /["\\\x00-\x1f]/;

/** Not parsed if nothing in it is escaped: then it has no other reading than itself. */
function jsonIn(text: string): unknown {
  if (!text.includes('\\') || !/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* stringsOf(value: unknown): Generator<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string') yield one;
    else if (one !== null && typeof one === 'object') {
      if (!Array.isArray(one)) yield* Object.keys(one);
      for (const inner of Object.values(one)) open.push(inner);
    }
  }
}

function fromPercent(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

function fromBase64(run: string): string | null {
  // Another length is no base64, and an error takes longer than to decode it.
  if (run.length % 4 === 1) return null;
  const decoded = atob(run.replace(/-/g, '+').replace(/_/g, '/'));
  return /^[\x09\x0a\x0d\x20-\x7e\x80-\xff]+$/.test(decoded) ? decoded : null;
}

/** Everything that a session says: metadata, names, each line, each event, and what is streamed, joined. */
export function* piecesOf(session: Session): Generator<ArtefactPiece> {
  yield { where: 'metadata', text: JSON.stringify(session.metadata) };
  yield { where: 'names', text: JSON.stringify({ id: session.id, ...session.names }) };
  const joined = new Map<number, { f: number; text: string }>();
  for (const { frame, events, where } of new Pass(session)) {
    const text = frame.form === 'event' ? JSON.stringify(frame.detail) : new TextDecoder().decode(frame.raw);
    yield { where: `f${frame.f}`, text: frame.head === undefined ? text : `${frame.head}\n${text}` };
    if (frame.head !== undefined) yield { where: `f${frame.f}`, text };
    for (const block of frame.cut?.whole() ?? []) yield { where: `f${frame.f}`, text: new TextDecoder().decode(block) };
    const streamed = events.filter(({ delta }) => delta).map(({ text }) => text ?? '');
    if (where.item === null || streamed.length === 0) continue;
    const earlier = joined.get(where.item) ?? { f: frame.f, text: '' };
    earlier.text += streamed.join('');
    joined.set(where.item, earlier);
    if (earlier.text.length < MAX_JOINED_CHARS && joined.size < MAX_OPEN_TEXTS) continue;
    for (const one of joined.values()) yield { where: `text from f${one.f} on`, text: one.text };
    joined.clear();
  }
  for (const one of joined.values()) yield { where: `text from f${one.f} on`, text: one.text };
}

const MAX_JOINED_CHARS = 1 << 20;
const MAX_OPEN_TEXTS = 2000;
