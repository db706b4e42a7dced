/** What lines say of which neutral words say too little: handshakes, controls, and messages that no dialect knows. */
import { isObject } from '../core/message.ts';
import type { Item } from '../core/timeline/shape.ts';
import type { ReadFrame } from '../session/read.ts';
import type { Fields, RawItem } from './face.ts';
import { hashOf, type Leaf } from './hash.ts';
import { Places } from './places.ts';

const RAW = new Set<Item['kind']>(['handshake', 'control', 'other']);

export interface Raw extends RawItem {
  from: string;
  asks: boolean;
}

/** A request of a handshake and its answer, or a line in which a side introduces itself. */
export interface Handshaken {
  f: number;
  name: string;
  raw: RawItem;
}

/** Real sessions have a few. */
const MOST_HANDSHAKES = 1000;

export class RawLines {
  /** What the two sides said of themselves, in order. */
  readonly handshakes: Handshaken[] = [];
  readonly #items = new Map<number, Raw>();
  readonly #places: Places;
  readonly #leaf: Leaf;
  /** By name: what was said last without being asked. */
  readonly #latest = new Map<string, number>();

  /** `volatile`: paths of values that differ from run to run. */
  constructor(volatile: readonly string[], leaf: Leaf) {
    this.#places = new Places(volatile);
    this.#leaf = leaf;
  }

  take(read: ReadFrame): void {
    const { events } = read;
    const kind = events[0]?.kind;
    if (kind !== undefined && RAW.has(kind)) this.#keep(read, kind === 'handshake');
    else if (events.length > 1 && events.some((event) => event.kind === 'handshake')) this.#introduced(read);
  }

  of({ f }: Item): Raw | undefined {
    return this.#items.get(f);
  }

  forget({ f }: Item): void {
    this.#items.delete(f);
  }

  clear(): void {
    this.#items.clear();
  }

  #keep(read: ReadFrame, isHandshake: boolean): void {
    const { frame, where, message } = read;
    const f = where.item ?? frame.f;
    const { body, volatile } = this.#read(read);
    const known = this.#items.get(f);
    if (known) {
      known.answer = body;
      known.volatile = { ...known.volatile, answer: volatile };
      return;
    }
    const raw = { from: frame.from, request: body, volatile, asks: message.envelope === 'request' };
    this.#items.set(f, raw);
    if (!isHandshake) return;
    if (raw.asks) this.#add(f, nameOf(read), raw);
    else this.#addNew(f, nameOf(read), raw);
  }

  /** A line that says more than that, as one that begins a turn. */
  #introduced(read: ReadFrame): void {
    const { body, volatile } = this.#read(read);
    this.#addNew(read.frame.f, nameOf(read), { request: body, volatile });
  }

  /** What is said in every turn is told once. */
  #addNew(f: number, name: string, raw: RawItem): void {
    const hash = hashOf(raw.request, this.#leaf);
    if (this.#latest.get(name) === hash) return;
    this.#latest.set(name, hash);
    this.#add(f, name, raw);
  }

  #add(f: number, name: string, raw: RawItem): void {
    if (this.handshakes.length < MOST_HANDSHAKES) this.handshakes.push({ f, name, raw });
  }

  #read({ value }: ReadFrame): { body: unknown; volatile: Fields } {
    const volatile = isObject(value) ? this.#places.only(value) : {};
    const lasting = isObject(value) ? this.#places.without(value) : (value ?? null);
    return { body: withoutCounts(bodyOf(lasting), volatile, '', 0), volatile };
  }
}

/** `initialize`, `system/init`. */
const nameOf = ({ message }: ReadFrame): string => message.method ?? message.type ?? '';

/** Without its envelope. */
function bodyOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { method, jsonrpc, params, result, error, request, response } = value;
  if (method !== undefined || jsonrpc !== undefined) return params ?? result ?? error ?? null;
  if (isObject(request)) return request;
  return isObject(response) ? (response.response ?? response.error ?? response) : value;
}

/** Numbers that count tokens, name a process, or say when something was or how long it took. */
const COUNTED = /tokens?$|(?:_|^)p?pid$|(?:_|^)(?:ms|at|seconds)$|(?:Ms|At|Seconds)$|timestamp|duration|cost/i;

/** Moves them to what is volatile. */
function withoutCounts(value: unknown, volatile: Fields, at: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one, i) => withoutCounts(one, volatile, `${at}/${i}`, depth + 1));
  const out: Fields = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && COUNTED.test(key)) volatile[`${at}/${key}`] = inner;
    else out[key] = withoutCounts(inner, volatile, `${at}/${key}`, depth + 1);
  }
  return out;
}

/** Deeper values are kept as they are. */
const DEEPEST = 64;
