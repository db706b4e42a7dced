/**
 * Sessions of two protocols compared in the words that both have: prompts, texts, calls and their results, decisions and
 * answers. What only one of them can say is left out and counted.
 */
import type { Entry, Item } from '../core/timeline/shape.ts';
import type { Face, Fields } from './face.ts';

/** Kinds that every protocol with turns can say. */
const COMMON = new Set<string>(['text', 'tool-call', 'approval', 'error', 'steer', 'cancel', 'turn-begin', 'prompt']);
/** Kinds that some can: they are compared if both sessions have them. */
const PERHAPS = new Set<string>(['thinking', 'plan', 'question', 'client-call']);

export class Neutral {
  readonly leftOut: Record<string, number> = {};
  /** How often each kind came that some protocols do not have. */
  readonly perhaps = new Map<string, number>();
  /** It tells which calls a subagent made, and which texts it said. */
  readonly nests = { calls: false, texts: false };
  readonly isFlat: boolean;
  readonly #without: ReadonlySet<string>;

  /**
   * `without`: kinds that the other session does not have. `isFlat`: one of the two does not tell who said a text, so what a
   * subagent does stands behind the call that started it, not inside.
   */
  constructor(without: ReadonlySet<string>, isFlat: boolean) {
    this.#without = without;
    this.isFlat = isFlat;
  }

  /** What stands in the place of an entry: what a subagent does in a turn of its own, or also behind its call. */
  laidOut(entry: Entry): Entry[] {
    if (entry.is !== 'item') return [entry];
    // What it was asked is in the call that started it.
    if (entry.kind === 'turn-begin' && entry.entries.length > 0) return this.#flat(entry.entries);
    if (!entry.call) return [entry];
    const inner = entry.entries.filter((one) => !isAsk(one));
    this.nests.calls ||= inner.some((one) => has(one, ({ call }) => call !== null));
    this.nests.texts ||= inner.some((one) => has(one, ({ kind }) => kind === 'text'));
    return this.isFlat ? [entry, ...this.#flat(inner)] : [entry];
  }

  #flat(entries: readonly Entry[]): Entry[] {
    return entries.flatMap((one) => this.laidOut(one));
  }

  /** What remains inside of it. */
  inside(entry: Entry, entries: Entry[]): Entry[] {
    return this.isFlat && entry.is === 'item' && entry.call ? entries.filter(isAsk) : entries;
  }

  /** Counts what it leaves out. */
  keeps(entry: Entry): boolean {
    if (entry.is !== 'item' || entry.entries.length > 0) return true;
    const { kind } = entry;
    if (PERHAPS.has(kind)) this.perhaps.set(kind, (this.perhaps.get(kind) ?? 0) + 1);
    if (!this.#without.has(kind) && (COMMON.has(kind) || PERHAPS.has(kind))) return true;
    this.leftOut[kind] = (this.leftOut[kind] ?? 0) + 1;
    return false;
  }
}

/** One of the two tells which calls a subagent made, but not which texts it said, as the other does. */
export function isToBeFlat({ nests: a }: Neutral, { nests: b }: Neutral): boolean {
  return a.calls && b.calls && a.texts !== b.texts;
}

const has = (entry: Entry, is: (item: Item) => boolean): boolean =>
  (entry.is === 'item' && is(entry)) || entry.entries.some((one) => has(one, is));

const isAsk = (entry: Entry): boolean => entry.is === 'item' && entry.ask !== null;

/** Kinds of the first that the second never has. */
export function missingIn(a: Neutral, b: Neutral): Set<string> {
  return new Set([...a.perhaps.keys()].filter((kind) => !b.perhaps.has(kind)));
}

/** What both protocols can say of an entry. */
export function neutralFace(face: Face): Face {
  const { kind, fields } = face;
  if (kind === 'turn') return { ...face, fields: turnFields(fields), volatile: {} };
  if (kind === 'tool-call') return { ...face, fields: callFields(fields), volatile: {} };
  if (kind === 'approval') return { ...face, fields: only(fields, 'decision'), keys: [], volatile: {} };
  if (kind === 'question') return { ...face, fields: only(fields, 'questions', 'answers'), volatile: {} };
  if (kind === 'client-call') return { ...face, fields: only(fields, 'arguments', 'answer'), volatile: {} };
  return { ...face, fields: only(fields, 'text', 'blocks', 'code'), volatile: {} };
}

/** Words of protocols for a turn that ended as it should, and for one that the client ended. */
const ENDED = new Set(['finished', 'completed', 'end_turn', 'success', 'stop']);
const CANCELLED = new Set(['cancelled', 'canceled', 'interrupted', 'aborted', 'error_during_execution']);

function turnFields({ prompt, status }: Fields): Fields {
  const word = String(status);
  return { prompt, status: ENDED.has(word) ? 'ended' : CANCELLED.has(word) ? 'cancelled' : word };
}

/** Without displays, which belong to a protocol. */
function callFields({ tool, arguments: given, result }: Fields): Fields {
  const { status, output } = (result ?? {}) as Fields;
  return { ...kept({ tool, arguments: given }), result: kept({ status, output: trimmed(output) }) };
}

/** Protocols differ in the last line end. */
const trimmed = (output: unknown): unknown => (typeof output === 'string' ? output.trimEnd() : output);

const only = (fields: Fields, ...keys: string[]): Fields =>
  kept(Object.fromEntries(keys.map((key) => [key, fields[key]])));
const kept = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
