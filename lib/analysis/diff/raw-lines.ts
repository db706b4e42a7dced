/** Lines for which neutral words are not enough: handshakes, controls, and messages that no dialect knows. */
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Item } from '../../model/timeline/shape.ts';
import { withoutCounts } from './counts.ts';
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

/** Values that differ from run to run. */
interface Volatile {
  paths: readonly string[];
  /** Paths that only some lines have. */
  more: ((line: Record<string, unknown>) => readonly string[]) | undefined;
}

/** Real sessions have a few. */
const MOST_HANDSHAKES = 1000;

export class RawLines {
  /** What the two sides said of themselves, in order. */
  readonly handshakes: Handshaken[] = [];
  readonly #items = new Map<number, Raw>();
  /** Where volatile values are in this line. */
  readonly #placesIn: (line: Record<string, unknown>) => Places;
  readonly #leaf: Leaf;
  /** By name: the last one that was sent without a request. */
  readonly #latest = new Map<string, number>();

  constructor(volatile: Volatile, leaf: Leaf) {
    const places = new Places(volatile.paths);
    this.#placesIn = (line) => {
      const more = volatile.more?.(line) ?? [];
      return more.length === 0 ? places : new Places([...volatile.paths, ...more]);
    };
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

  /** What is sent again in every turn is reported once. */
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
    if (!isObject(value)) return { body: value ?? null, volatile: {} };
    const places = this.#placesIn(value);
    const volatile = places.only(value);
    return { body: withoutCounts(bodyOf(places.without(value)), volatile, ''), volatile };
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
