/** Lines for which neutral words are not enough: handshakes, controls, and messages that no dialect knows. */
import { isObject } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Item } from '../../model/timeline/entries.ts';
import { withoutCounts } from './counts.ts';
import type { ContentFields, RawContent } from './entry-content.ts';
import { hashOf, type NormaliseText } from './hash.ts';
import { ValuePaths } from './value-paths.ts';

const RAW_KINDS = new Set<Item['kind']>(['handshake', 'control', 'other']);

export interface RawLine extends RawContent {
  from: string;
  asks: boolean;
}

/** A request of a handshake and its answer, or a line in which a side introduces itself. */
export interface HandshakeLine {
  f: number;
  name: string;
  raw: RawContent;
}

/** Values that differ from run to run. */
interface VolatilePaths {
  paths: readonly string[];
  /** Paths that only some lines have. */
  more: ((line: Record<string, unknown>) => readonly string[]) | undefined;
}

/** Real sessions have a few. */
const MAX_HANDSHAKES = 1000;

export class RawLineReader {
  /** What the two sides said of themselves, in order. */
  readonly handshakes: HandshakeLine[] = [];
  readonly #items = new Map<number, RawLine>();
  /** Where volatile values are in this line. */
  readonly #pathsIn: (line: Record<string, unknown>) => ValuePaths;
  readonly #normalise: NormaliseText;
  /** By name: the last one that was sent without a request. */
  readonly #latest = new Map<string, number>();

  constructor(volatile: VolatilePaths, normalise: NormaliseText) {
    const places = new ValuePaths(volatile.paths);
    this.#pathsIn = (line) => {
      const more = volatile.more?.(line) ?? [];
      return more.length === 0 ? places : new ValuePaths([...volatile.paths, ...more]);
    };
    this.#normalise = normalise;
  }

  take(read: ReadFrame): void {
    const { events } = read;
    const kind = events[0]?.kind;
    if (kind !== undefined && RAW_KINDS.has(kind)) this.#keep(read, kind === 'handshake');
    else if (events.length > 1 && events.some((event) => event.kind === 'handshake')) this.#addIntroduction(read);
  }

  of({ f }: Item): RawLine | undefined {
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
  #addIntroduction(read: ReadFrame): void {
    const { body, volatile } = this.#read(read);
    this.#addNew(read.frame.f, nameOf(read), { request: body, volatile });
  }

  /** What is sent again in every turn is reported once. */
  #addNew(f: number, name: string, raw: RawContent): void {
    const hash = hashOf(raw.request, this.#normalise);
    if (this.#latest.get(name) === hash) return;
    this.#latest.set(name, hash);
    this.#add(f, name, raw);
  }

  #add(f: number, name: string, raw: RawContent): void {
    if (this.handshakes.length < MAX_HANDSHAKES) this.handshakes.push({ f, name, raw });
  }

  #read({ value }: ReadFrame): { body: unknown; volatile: ContentFields } {
    if (!isObject(value)) return { body: value ?? null, volatile: {} };
    const places = this.#pathsIn(value);
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
