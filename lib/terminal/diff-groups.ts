/** Changes that are alike, as one: names that came to a list or went from it, and the same value in many elements. */
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
    if (group.length > 1 && isName(first)) return [told(first, LAST_INDEX, group.map(ownValue).join(', '))];
    return group.length < LEAST ? group : [told(first, INDEX, `${inline(ownValue(first))} (×${group.length})`)];
  });
}

/** Equal for those that may be told together. */
function keyOf(change: Change): string | null {
  const { op, path } = change;
  if (op === 'changed') return null;
  if (isName(change)) return `${op} ${path.replace(LAST_INDEX, '*')}`;
  const value = inline(ownValue(change));
  const any = path.replace(INDEX, '*');
  return value === null || any === path || any.endsWith('*') ? null : `${op} ${any} ${value}`;
}

/** An element of a list that is a word. */
function isName(change: Change): boolean {
  const value = ownValue(change);
  return typeof value === 'string' && inline(value) !== null && /\/\d+$/.test(change.path);
}

const ownValue = ({ op, a, b, masked }: Change): unknown => (op === 'added' ? (masked?.b ?? b) : (masked?.a ?? a));

function told({ op, path }: Change, index: RegExp, value: string): Change {
  return { op, path: path.replace(index, '*'), a: op === 'added' ? null : value, b: op === 'added' ? value : null };
}
