/**
 * The ids of a recorded session and those of the live one. What the live side sends is learned where it matches a recorded
 * line; what the recorded side would send gets fresh ids of the same shape, which stay the same for the whole run. The
 * numbering of requests is kept apart by who asks, because both sides count from 0.
 */

import { exactJson, isId } from '../model/id.ts';
import { eachId, type IdScope, type IdTree, rewrite } from './id-tree.ts';
import type { LineRole, ReplaySide } from './script-step.ts';

type IdSpace = 'shared' | ReplaySide | `${ReplaySide} token`;

/** An id must have a random part like this to be replaced by a fresh one. Counters stay as they are. */
const RANDOM_PART = /^(?=.*\d)[A-Za-z0-9]{12,}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What stands before the random part and stays: `call_`, `session_`. */
const ID_PREFIX = /^(?:[A-Za-z]+[_:.-])+/;
const ID_WORD = /[A-Za-z0-9][A-Za-z0-9_:.-]{10,}[A-Za-z0-9]/g;
/** How many ids are remembered. Older ones stay as they were recorded. */
const MAX_REMEMBERED_IDS = 100_000;

export interface IdOptions {
  /** Recorded ids stay, unless the live side has another one for the same thing. */
  keep: boolean;
  random: () => number;
}

export class Ids {
  /** Recorded to live, as JSON text, for each numbering. */
  readonly #live: Record<IdSpace, Map<string, string>> = {
    ...{ shared: new Map(), client: new Map(), agent: new Map() },
    ...{ 'client token': new Map(), 'agent token': new Map() },
  };
  /** Recorded ids that look random, and their replacements wherever they occur. */
  readonly #fresh = new Map<string, string>();
  readonly #tree: IdTree;
  readonly #options: IdOptions;
  /** Whether any id differs, so that lines must be looked at. */
  #isTrivial = true;
  /** Of the line that is looked at. */
  #hasIds = false;
  #role: LineRole | null = null;

  constructor(tree: IdTree, options: IdOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** The live id for a recorded one, as JSON text; undefined if it is not known. */
  liveOf(recorded: unknown, place: IdScope, role: LineRole): string | undefined {
    return this.#live[spaceOf(place, role)].get(exactJson(recorded));
  }

  /** The live side used this id where the tape has that one. */
  learn(recorded: unknown, live: unknown, place: IdScope, role: LineRole): void {
    if (!isId(recorded) || !isId(live)) return;
    this.#set(spaceOf(place, role), exactJson(recorded), exactJson(live));
    // The other side may repeat it anywhere, as it does with its own ids.
    if (typeof recorded === 'string' && typeof live === 'string' && looksRandom(recorded) && recorded !== live)
      remember(this.#fresh, recorded, live);
  }

  /** A recorded line of ours, with the ids of the live session. `value` is the line as JSON. */
  toLive(text: string, value: unknown, role: LineRole): string {
    // Most lines have no id, and are not looked at twice.
    if (this.#isTrivial && this.#options.keep) return text;
    const hasIds = value !== null && typeof value === 'object' && this.#makeFresh(value, role);
    if (this.#isTrivial) return text;
    const changed = hasIds ? rewrite(text, this.#tree, (token, place) => this.#tokenFor(token, place, role)) : text;
    return this.textToLive(changed);
  }

  /** Agents repeat ids in texts, in other ids and on stderr. One that looks random can mean nothing else. */
  textToLive(text: string): string {
    if (this.#fresh.size === 0) return text;
    return text.replace(ID_WORD, (word) => this.#fresh.get(word) ?? word);
  }

  #tokenFor(token: string, place: IdScope, role: LineRole): string {
    if (place === 'volatile' || place === 'introduction') return token;
    const recorded = canonicalId(token);
    const live = this.#live[spaceOf(place, role)].get(recorded);
    return live === undefined || live === recorded ? token : live;
  }

  /** Returns whether the line has ids. */
  #makeFresh(value: unknown, role: LineRole): boolean {
    this.#hasIds = false;
    this.#role = role;
    eachId(value, this.#tree, this.#visit);
    return this.#hasIds;
  }

  /** One function for all lines. */
  readonly #visit = (id: unknown, place: IdScope): void => {
    this.#hasIds ||= isId(id);
    const role = this.#role!;
    if (this.#options.keep || typeof id !== 'string' || isOfReceiver(place) || (place === 'request' && role.isAnswer))
      return;
    const space = spaceOf(place, role);
    const token = JSON.stringify(id);
    if (this.#live[space].has(token)) return;
    const fresh = this.#freshOf(id);
    if (fresh !== null) this.#set(space, token, JSON.stringify(fresh));
  };

  /** The same id gets the same fresh one, wherever it is. */
  #freshOf(id: string): string | null {
    const known = this.#fresh.get(id);
    if (known !== undefined) return known;
    if (!looksRandom(id)) return null;
    const prefix = prefixOf(id);
    const rest = id.slice(prefix.length);
    const fresh = prefix + shapedLike(rest, this.#options.random);
    remember(this.#fresh, id, fresh);
    return fresh;
  }

  #set(space: IdSpace, recorded: string, live: string): void {
    remember(this.#live[space], recorded, live);
    if (recorded !== live) this.#isTrivial = false;
  }
}

function remember(map: Map<string, string>, key: string, value: string): void {
  if (map.size >= MAX_REMEMBERED_IDS && !map.has(key)) map.delete(map.keys().next().value!);
  map.set(key, value);
}

/** An id as it is usually written: the same value may be written with escapes, or as `1.0`. */
function canonicalId(token: string): string {
  if (!/[\\.eE]/.test(token) || (token.startsWith('"') && !token.includes('\\'))) return token;
  try {
    return JSON.stringify(JSON.parse(token));
  } catch {
    return token;
  }
}

function spaceOf(place: IdScope, { from, isAnswer }: LineRole): IdSpace {
  if (place === 'request') return isAnswer ? otherSide(from) : from;
  if (place === 'sender') return from;
  if (place === 'token') return `${from} token`;
  if (place === 'token-of-receiver') return `${otherSide(from)} token`;
  return place === 'receiver' ? otherSide(from) : 'shared';
}

function isOfReceiver(place: IdScope): boolean {
  return place === 'receiver' || place === 'token-of-receiver';
}

function prefixOf(id: string): string {
  return ID_PREFIX.exec(id)?.[0] ?? '';
}

function looksRandom(id: string): boolean {
  return RANDOM_PART.test(id.slice(prefixOf(id).length));
}

export function otherSide(side: ReplaySide): ReplaySide {
  return side === 'client' ? 'agent' : 'client';
}

/** A run of hexadecimal digits: an id may begin with a time and go on with any letters. */
const HEX_RUN = /[0-9a-f]{8,}|[0-9A-F]{8,}/g;

/** Random characters of the same classes, so that a program that checks the form of its ids accepts them. */
function shapedLike(id: string, random: () => number): string {
  if (/^.{8}-.{4}-.{4}-.{4}-.{12}$/.test(id)) {
    // The version and the variant of a UUID stay.
    return [...id].map((c, i) => (i === 14 || i === 19 ? c : randomLike(c, true, random))).join('');
  }
  const isHex = new Set<number>();
  for (const { 0: run, index } of id.matchAll(HEX_RUN)) for (let i = 0; i < run.length; i++) isHex.add(index + i);
  return [...id].map((c, i) => randomLike(c, isHex.has(i), random)).join('');
}

function randomLike(c: string, isHex: boolean, random: () => number): string {
  const pick = (all: string): string => all[Math.floor(random() * all.length)]!;
  if (isHex && /[0-9a-f]/.test(c)) return pick('0123456789abcdef');
  if (isHex && /[A-F]/.test(c)) return pick('0123456789ABCDEF');
  if (/\d/.test(c)) return pick('0123456789');
  if (/[a-z]/.test(c)) return pick('abcdefghijklmnopqrstuvwxyz');
  return /[A-Z]/.test(c) ? pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ') : c;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
