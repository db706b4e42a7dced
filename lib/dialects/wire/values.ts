/** What a peer sends may have any shape: these take a value for what it should be, or for nothing. */
import { isObject } from '../../core/message.ts';

export type Loose = Record<string, unknown>;

const EMPTY: Loose = Object.freeze({});

export const object = (value: unknown): Loose => (isObject(value) ? value : EMPTY);

export const string = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Deeper than any real input; whatever is deeper is not the same. */
const DEEPEST = 64;

/** Whether two values say the same: a key that is null is one that is absent. */
export function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index], depth + 1));
  if (!isObject(a) || !isObject(b)) return false;
  return (
    Object.keys(b).every((key) => b[key] === null || (Object.hasOwn(a, key) && a[key] !== null)) &&
    Object.keys(a).every((key) => a[key] === null || (Object.hasOwn(b, key) && isSame(a[key], b[key], depth + 1)))
  );
}
