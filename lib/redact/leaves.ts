/** The strings of a line of JSON and where they stand, without parsing it: what is replaced is replaced in its bytes. */
import { stringEnd } from '../core/json-number.ts';

export interface Leaf {
  /** Between the quotes. */
  start: number;
  end: number;
  isKey: boolean;
  /** A number for its place: the keys and indexes that lead to it. */
  place: number;
  /** The keys and indexes; empty unless they were asked for. */
  path: readonly (string | number)[];
}

const mix = (hash: number, c: number): number => Math.imul(hash ^ c, 0x01000193) >>> 0;

/** Calls `visit` with each string of the line, which must be JSON. */
export function eachLeaf(text: string, visit: (leaf: Leaf) => void, withPaths = false): void {
  const hashes: number[] = [];
  /** The number of values before this one in a list; -1 in an object. */
  const counts: number[] = [];
  const path: (string | number)[] = [];
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      const close = stringEnd(text, at);
      const isKey = counts.length > 0 && counts.at(-1)! < 0 && isColon(text, close);
      const leaf = {
        start: at + 1,
        end: Math.max(at + 1, close - 1),
        isKey,
        place: hash,
        path: withPaths ? [...path] : path,
      };
      visit(leaf);
      if (isKey) {
        hash = hashes.at(-1)!;
        for (let i = leaf.start; i < leaf.end; i++) hash = mix(hash, text.charCodeAt(i));
        if (withPaths) path[path.length - 1] = keyOf(text.slice(at, close));
      }
      at = close - 1;
    } else if (c === 0x7b || c === 0x5b) {
      hash = mix(hash, c);
      hashes.push(hash);
      counts.push(c === 0x7b ? -1 : 0);
      if (withPaths) path.push(c === 0x7b ? '' : 0);
    } else if (c === 0x7d || c === 0x5d) {
      hashes.pop();
      counts.pop();
      path.pop();
    } else if (c === 0x2c && counts.length > 0) {
      const count = counts.at(-1)!;
      if (count < 0) continue;
      counts[counts.length - 1] = count + 1;
      hash = mix(hashes.at(-1)!, count + 1);
      if (withPaths) path[path.length - 1] = count + 1;
    }
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
