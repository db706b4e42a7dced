/**
 * Finds what to replace in a text, as it stands. One look at each pair of characters decides whether anything can start
 * there; only then is a form tried. It runs over every text of a session, and over its decoded forms.
 */
import {
  eachKey,
  isTokenChar,
  KEY_FORMATS,
  type KeyStart,
  keyEnd,
  MAX_KEY_CHARS,
  pairAt,
  startsAt,
  startsWord,
} from '../../model/text/key-formats.ts';
import { PRIVATE_KEY } from '../../model/text/secret.ts';
import { emailHit } from './email.ts';
import { HarmlessIds } from './harmless-ids.ts';
import { homeHit } from './homes.ts';
import { anyAddressHit } from './hosts.ts';
import type { Hit } from './kinds.ts';
import { eachNamedSecret } from './named-secrets.ts';
import type { UserRule } from './options.ts';
import { PEOPLE_PAIRS, peopleHits } from './people.ts';
import { numberHit } from './personal-numbers.ts';
import { ALL_PRESETS, type CountryPresets } from './presets.ts';
import { eachRandomIn } from './random-text.ts';
import { ANNOUNCED_SECRETS, announcedHit, assignedHit, optionHit, urlHit } from './secret-names.ts';
import { eachServiceSecret } from './service-secrets.ts';
import { RedactionSieve } from './sieve.ts';

/** A text that is replaced wherever it stands. */
export interface Literal {
  text: string;
  kind: string;
  /** A `word` has no letter or digit beside it; after a `path` its name may not go on. */
  as: 'word' | 'path' | 'any';
}

const FORMAT = 1;
const LITERAL = 2;
const ASSIGN = 4;
const AT = 8;
const DASHES = 16;
const HOME = 32;
const NUMBER = 64;
const OTHER = 128;

const BASE_MARKS = new Uint8Array(1 << 14);
const mark = (pair: number, bit: number): void => {
  BASE_MARKS[pair]! |= bit;
};
for (let c = 0; c < 128; c++) {
  mark((0x3a << 7) | c, ASSIGN);
  mark((0x3d << 7) | c, ASSIGN);
  mark((0x40 << 7) | c, AT);
}
for (let a = 48; a < 58; a++) {
  for (let b = 48; b < 58; b++) mark((a << 7) | b, NUMBER);
}
for (const start of ['--']) mark(pairAt(start, 0), DASHES);
for (const start of ['/h', '/U', '/v', '/r', '\\U', '\\h']) mark(pairAt(start, 0), HOME);
for (const start of ['.a', 'Q~', ...PEOPLE_PAIRS]) mark(pairAt(start, 0), OTHER);
for (const { start } of ANNOUNCED_SECRETS) mark(pairAt(start, 0), OTHER);
for (const { starts } of KEY_FORMATS) for (const start of starts) mark(pairAt(start, 0), FORMAT);

const PRIVATE_KEY_BLOCK = new RegExp(PRIVATE_KEY, 'y');
const TERRAFORM_TOKEN = /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/y;
const AZURE_SECRET = /[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9])/y;

/** Shared by all texts without a hit, which are most. */
const NO_HITS: Hit[] = [];

export class RedactionDetector {
  /** What to ask first. */
  readonly sieve: RedactionSieve;
  /** What looks random and stays. */
  readonly known: HarmlessIds;
  readonly #marks = new Uint8Array(BASE_MARKS);
  readonly #literals = new Map<number, Literal[]>();
  readonly #rules: readonly UserRule[];
  readonly #keeps: (value: string) => boolean;
  readonly #presets: CountryPresets;
  readonly #addresses: boolean;
  #hits: Hit[] = NO_HITS;

  constructor(
    rules: readonly UserRule[] = [],
    keeps: (value: string) => boolean = () => false,
    { known = new HarmlessIds(), presets = ALL_PRESETS, addresses = false }: DetectorOptions = {},
  ) {
    this.#presets = presets;
    this.#addresses = addresses;
    this.known = known;
    this.sieve = new RedactionSieve(known);
    this.#rules = rules;
    this.#keeps = keeps;
    if (addresses)
      for (let pair = 0; pair < this.#marks.length; pair++)
        if (HEX_PAIR.test(charsOf(pair))) this.#marks[pair]! |= NUMBER;
    if (rules.length > 0 || addresses) this.sieve.passAll();
  }

  /** How many there are: if there are more, a text may have something that was not found before. */
  literals = 0;

  add(literal: Literal): void {
    if (literal.text.length < 2) return;
    const pair = pairAt(literal.text, 0);
    const there = this.#literals.get(pair) ?? [];
    if (there.some(({ text }) => text === literal.text)) return;
    // The longest comes first: a folder before the one that contains it.
    this.#literals.set(
      pair,
      [...there, literal].sort((a, b) => b.text.length - a.text.length),
    );
    this.#marks[pair]! |= LITERAL;
    this.sieve.add(literal.text);
    this.literals++;
  }

  /** In no particular order; they may overlap. */
  find(text: string): readonly Hit[] {
    this.#hits = NO_HITS;
    const marks = this.#marks;
    let pair = text.charCodeAt(0) & 127;
    for (let i = 1; i < text.length; i++) {
      pair = ((pair << 7) | (text.charCodeAt(i) & 127)) & 0x3fff;
      const bits = marks[pair]!;
      // Keys and numbers start with a word, and most pairs of letters are inside of one.
      if (bits !== 0 && ((bits & ~(FORMAT | NUMBER)) !== 0 || startsWord(text, i - 1)))
        this.#tryForms(text, i - 1, bits);
    }
    for (const rule of this.#rules)
      for (const found of rule.find(text)) this.#add(text, { kind: rule.kind, ...found, strong: true });
    for (const each of [eachNamedSecret, eachServiceSecret]) each(text, (hit) => this.#add(text, hit));
    eachRandomIn(text, this.known, (hit) => this.#add(text, hit));
    return this.#hits;
  }

  #add(text: string, hit: Hit | null): boolean {
    if (hit === null || hit.end <= hit.start || this.#keeps(text.slice(hit.start, hit.end))) return false;
    if (this.#hits === NO_HITS) this.#hits = [];
    this.#hits.push(hit);
    return true;
  }

  #tryForms(text: string, at: number, bits: number): void {
    if (bits & LITERAL) this.#add(text, this.#literalHit(text, at));
    if (bits & ASSIGN) this.#add(text, assignedHit(text, at));
    if (bits & AT && !this.#add(text, urlHit(text, at))) this.#add(text, emailHit(text, at));
    if (bits & DASHES) this.#add(text, dashesHit(text, at));
    if (bits & HOME) this.#add(text, homeHit(text, at));
    if (!(bits & (FORMAT | NUMBER | OTHER))) return;
    if (bits & OTHER) {
      this.#add(text, otherHit(text, at));
      for (const hit of peopleHits(text, at, this.#presets)) this.#add(text, hit);
    }
    if (!startsWord(text, at)) return;
    if (bits & NUMBER) this.#add(text, numberHit(text, at, this.#presets));
    if (bits & NUMBER && this.#addresses) this.#add(text, anyAddressHit(text, at));
    if (bits & FORMAT) this.#add(text, keyHit(text, at));
    if (bits & OTHER) this.#add(text, announcedHit(text, at));
  }

  #literalHit(text: string, at: number): Hit | null {
    for (const { text: value, kind, as } of this.#literals.get(pairAt(text, at)) ?? []) {
      if (!text.startsWith(value, at)) continue;
      const end = at + value.length;
      if (as === 'word' && (isWordAt(text, at - 1) || isWordAt(text, end))) continue;
      if (as === 'path' && (isWordAt(text, end) || text[end] === '-')) continue;
      const start = as === 'path' && /^[/\\]/.test(value) ? at + 1 : at;
      return { kind, start, end, from: at, strong: as === 'any' };
    }
    return null;
  }
}

/** What else a detector needs to know. */
export interface DetectorOptions {
  known?: HarmlessIds;
  presets?: CountryPresets;
  /** Public addresses of machines, and those of network cards, too. */
  addresses?: boolean;
}

const HEX_PAIR = /^[0-9a-f]{2}$/i;
const charsOf = (pair: number): string => String.fromCharCode(pair >> 7, pair & 127);

function isWordAt(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return c === 95 || (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c > 127;
}

function dashesHit(text: string, at: number): Hit | null {
  if (text[at - 1] === '-') return null;
  if (text[at + 2] !== '-') return optionHit(text, at);
  PRIVATE_KEY_BLOCK.lastIndex = at;
  return PRIVATE_KEY_BLOCK.test(text)
    ? { kind: 'private-key', start: at, end: PRIVATE_KEY_BLOCK.lastIndex, from: at, strong: true }
    : null;
}

/** Keys that are recognised by their middle. */
function otherHit(text: string, at: number): Hit | null {
  if (text[at] === '.') return hitAround(text, at - 14, TERRAFORM_TOKEN, 'terraform-token');
  return text[at] === 'Q' ? hitAround(text, at - 4, AZURE_SECRET, 'azure-client-secret') : null;
}

function hitAround(text: string, start: number, form: RegExp, kind: string): Hit | null {
  if (start < 0 || !startsWord(text, start)) return null;
  form.lastIndex = start;
  return form.test(text) ? { kind, start, end: form.lastIndex, from: start, strong: true } : null;
}

/** A key of a known format. It may be cut by the end of a line. */
function keyHit(text: string, at: number): Hit | null {
  const starts = startsAt(pairAt(text, at));
  if (starts === undefined) return null;
  for (const one of starts) {
    if (!text.startsWith(one.start, at)) continue;
    let whole = endAcrossLines(one, text, at, keyEnd(one, text, at));
    if (whole - at >= MAX_KEY_CHARS) while (isTokenChar(text.charCodeAt(whole))) whole++;
    if (whole >= 0) return { kind: one.format.kind, start: at, end: whole, from: at, strong: true };
  }
  return null;
}

/** A terminal breaks a key this often at most. */
const MAX_BREAKS = 8;
/** And has no longer lines. */
const MAX_LINE_CHARS = 400;
/** What goes on with a key on the next line: not a word. */
const CONTINUED_KEY =
  /[ \t]{0,8}(?=[A-Za-z_-]{0,60}[0-9])(?=[0-9_-]{0,60}[A-Za-z])[A-Za-z0-9_+/=.~-]{4,8192}(?=[\s"'\\]|$)/y;
const LINE_BREAK = /\r?\n[ \t]{0,8}/y;

/** The end of a key that was wrapped by a terminal; `end` if it was not. */
function endAcrossLines(start: KeyStart, text: string, at: number, end: number): number {
  const first = tokenEnd(text, end < 0 ? at : end);
  if (!isBreak(text, first)) return end;
  const next = afterBreak(text, first);
  // A whole key at the end of a line goes on only if the next line begins like the rest of one.
  if (end >= 0) {
    CONTINUED_KEY.lastIndex = next;
    if (!CONTINUED_KEY.test(text) || eachKey(text.slice(next, next + 40), (_, from) => from === 0)) return end;
  }
  let joined = text.slice(at, first);
  const ends: [length: number, end: number][] = [[joined.length, first]];
  for (let from = next; ends.length <= MAX_BREAKS; ) {
    const to = tokenEnd(text, from);
    joined += text.slice(from, to);
    ends.push([joined.length, to]);
    if (to === from || !isBreak(text, to)) break;
    from = afterBreak(text, to);
  }
  const length = keyEnd(start, joined, 0);
  if (length <= first - at) return end;
  const [whole, to] = ends.find(([upTo]) => length <= upTo)!;
  return to - (whole - length);
}

function isBreak(text: string, at: number): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n');
}

/** After a line end and the blanks that follow. */
function afterBreak(text: string, at: number): number {
  LINE_BREAK.lastIndex = at;
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex : at;
}

/** The end of what may be part of a key, from here on. */
function tokenEnd(text: string, from: number): number {
  let at = from;
  while (at - from < MAX_LINE_CHARS && isTokenChar(text.charCodeAt(at))) at++;
  return at;
}
