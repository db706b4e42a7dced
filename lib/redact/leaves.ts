/** The strings of a line of JSON and where they stand, without parsing it: what is replaced is replaced in its bytes. */
import { stringEnd } from '../core/json-number.ts';

/**
 * From `start` to `end` between the quotes. `place` is a number for the keys and indexes that lead to it; `path` are these,
 * if they were asked for, and valid only during the call.
 */
export type Visit = (
  start: number,
  end: number,
  isKey: boolean,
  place: number,
  path: readonly (string | number)[],
) => void;

const mix = (hash: number, c: number): number => Math.imul(hash ^ c, 0x01000193) >>> 0;

/** Calls `visit` with each string of the line, which must be JSON. */
export function eachLeaf(text: string, visit: Visit, withPaths = false): void {
  const hashes: number[] = [];
  /** The number of values before this one in a list; -1 in an object. */
  const counts: number[] = [];
  const path: (string | number)[] = [];
  let hash = 0x811c9dc5;
  let outer = hash;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      const close = stringEnd(text, at);
      const end = Math.max(at + 1, close - 1);
      const isKey = count < 0 && isColon(text, close);
      visit(at + 1, end, isKey, hash, path);
      if (isKey) {
        hash = outer;
        for (let i = at + 1; i < end; i++) hash = mix(hash, text.charCodeAt(i));
        if (withPaths) path[path.length - 1] = keyOf(text.slice(at, close));
      }
      at = close - 1;
    } else if (c === 0x7b || c === 0x5b) {
      hashes.push(outer);
      counts.push(count);
      hash = mix(hash, c);
      outer = hash;
      count = c === 0x7b ? -1 : 0;
      if (withPaths) path.push(c === 0x7b ? '' : 0);
    } else if (c === 0x7d || c === 0x5d) {
      outer = hashes.pop() ?? outer;
      count = counts.pop() ?? 0;
      if (withPaths) path.pop();
    } else if (c === 0x2c && count >= 0) {
      count++;
      hash = mix(outer, count);
      if (withPaths) path[path.length - 1] = count;
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
