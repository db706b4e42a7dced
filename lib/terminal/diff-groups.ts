/** Changes that are alike, as one: short elements that came to a list or went from it, and one value in many elements. */
import type { Change } from '../diff/result.ts';
import { inline } from '../diff/value-lines.ts';

/** Fewer elements with the same value are told one by one. */
const LEAST = 3;
const LAST_INDEX = /\d+$/;
const INDEX = /(?<=\/)\d+(?=\/|$)/g;

/** The indices of those that are told together are `*`. */
export function grouped(changes: readonly Change[]): Change[] {
  const groups = new Map<string, Change[]>();
  for (const [n, change] of changes.entries()) {
    const key = keyOf(change) ?? String(n);
    const known = groups.get(key);
    if (known) known.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [Change, ...Change[]];
    if (group.length > 1 && isElement(first)) return [told(first, LAST_INDEX, group.map(words).join(', '))];
    return group.length < LEAST ? group : [told(first, INDEX, `${words(first)} (×${group.length})`)];
  });
}

/** Equal for those that may be told together. */
function keyOf(change: Change): string | null {
  const { op, path } = change;
  if (op === 'changed') return null;
  if (isElement(change)) return `${op} ${path.replace(LAST_INDEX, '*')}`;
  const value = words(change);
  const any = path.replace(INDEX, '*');
  return value === null || any === path || any.endsWith('*') ? null : `${op} ${any} ${value}`;
}

/** A name, or little more than that. */
function isElement(change: Change): boolean {
  const value = words(change);
  return /\/\d+$/.test(change.path) && value !== null && (!value.startsWith('{') || value.length <= NAMED);
}

const NAMED = 40;

/** The value, if it is short. */
const words = ({ op, a, b, masked }: Change): string | null =>
  inline(op === 'added' ? (masked?.b ?? b) : (masked?.a ?? a));

function told({ op, path }: Change, index: RegExp, value: string): Change {
  return { op, path: path.replace(index, '*'), a: op === 'added' ? null : value, b: op === 'added' ? value : null };
}
