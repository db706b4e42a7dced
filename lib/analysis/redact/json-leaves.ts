/** The strings of a line of JSON and where they stand, without parsing it: what is replaced is replaced in its bytes. */
import { stringEnd } from '../../model/json/json-number.ts';

/**
 * From `start` to `end` between the quotes. `pathHash` is a number for the keys and indexes that lead to it; `path` are these,
 * if they were asked for, and valid only during the call.
 */
export type VisitLeaf = (
  start: number,
  end: number,
  isKey: boolean,
  pathHash: number,
  path: readonly (string | number)[],
) => void;

const mix = (hash: number, c: number): number => Math.imul(hash ^ c, 0x01000193) >>> 0;

/** Calls `visit` with each string of the line, which must be JSON. */
export function eachLeaf(text: string, visit: VisitLeaf, withPaths = false): void {
  const walk = new LeafWalk(text, visit, withPaths);
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = walk.string(at) - 1;
    else if (c === 0x7b || c === 0x5b) walk.open(c);
    else if (c === 0x7d || c === 0x5d) walk.close();
    else if (c === 0x2c) walk.comma();
  }
}

class LeafWalk {
  readonly #text: string;
  readonly #visit: VisitLeaf;
  readonly #withPaths: boolean;
  readonly #path: (string | number)[] = [];
  readonly #outers: number[] = [];
  readonly #counts: number[] = [];
  #hash = 0x811c9dc5;
  #outer = this.#hash;
  /** The number of values before this one in a list; -1 in an object. */
  #count = 0;

  constructor(text: string, visit: VisitLeaf, withPaths: boolean) {
    this.#text = text;
    this.#visit = visit;
    this.#withPaths = withPaths;
  }

  /** Returns where it ends. */
  string(at: number): number {
    const text = this.#text;
    const close = stringEnd(text, at);
    const end = Math.max(at + 1, close - 1);
    const isKey = this.#count < 0 && isColon(text, close);
    this.#visit(at + 1, end, isKey, this.#hash, this.#path);
    if (!isKey) return close;
    let hash = this.#outer;
    for (let i = at + 1; i < end; i++) hash = mix(hash, text.charCodeAt(i));
    this.#hash = hash;
    if (this.#withPaths) this.#path[this.#path.length - 1] = keyOf(text.slice(at, close));
    return close;
  }

  open(c: number): void {
    this.#outers.push(this.#outer);
    this.#counts.push(this.#count);
    this.#hash = mix(this.#hash, c);
    this.#outer = this.#hash;
    this.#count = c === 0x7b ? -1 : 0;
    if (this.#withPaths) this.#path.push(c === 0x7b ? '' : 0);
  }

  close(): void {
    this.#outer = this.#outers.pop() ?? this.#outer;
    this.#count = this.#counts.pop() ?? 0;
    if (this.#withPaths) this.#path.pop();
  }

  comma(): void {
    if (this.#count < 0) return;
    this.#hash = mix(this.#outer, ++this.#count);
    if (this.#withPaths && this.#path.length > 0) this.#path[this.#path.length - 1] = this.#count;
  }
}

function isColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === 0x3a;
}

function keyOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
