/** Groups similar changes: elements that were added to or removed from a list, and one value in many elements. */

import { titleIn } from '../../analysis/diff/lists.ts';
import type { Change } from '../../analysis/diff/result.ts';
import { inlineValue } from '../../analysis/diff/value-lines.ts';
import { cells, clip } from '../../model/text/text.ts';

/** Fewer elements with the same value are listed one by one. */
const MIN_GROUP = 3;
const LAST_INDEX = /\d+$/;
const INDEX = /(?<=\/)\d+(?=\/|$)/g;

/** The index of a group is `*`. `full`: elements with more than a name are listed one by one. */
export function groupChanges(changes: readonly Change[], full: boolean): Change[] {
  const brief = full ? changes : groupNamedElements(changes);
  const groups = new Map<string, Change[]>();
  for (const [n, change] of brief.entries()) {
    const key = keyOf(change) ?? String(n);
    const known = groups.get(key);
    if (known) known.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [Change, ...Change[]];
    if (group.length > 1 && isElement(first))
      return [groupedChange(first, LAST_INDEX, group.map(shortValue).join(', '))];
    return group.length < MIN_GROUP ? group : [groupedChange(first, INDEX, `${shortValue(first)} (×${group.length})`)];
  });
}

/** Fewer elements with a name are listed one by one. */
const MIN_NAMED_GROUP = 3;

/** Many elements with a name as one change: their names and descriptions. */
function groupNamedElements(changes: readonly Change[]): Change[] {
  const groups = new Map<string, NamedElement[]>();
  const keys = changes.map((change) => {
    const named = namedElement(change);
    if (!named) return null;
    const key = `${change.op} ${change.path.replace(LAST_INDEX, '*')}`;
    const known = groups.get(key);
    if (known) known.push(named);
    else groups.set(key, [named]);
    return key;
  });
  const done = new Set<string>();
  return changes.flatMap((change, n) => {
    const key = keys[n] ?? null;
    const group = key === null ? [] : groups.get(key)!;
    if (key === null || group.length < MIN_NAMED_GROUP) return [change];
    if (done.has(key)) return [];
    done.add(key);
    const note = group.some(({ isMore }) => isMore) ? ' (names; --full for more)' : '';
    return [groupedChange(change, LAST_INDEX, namesIn(group), note)];
  });
}

/** An element by its name. */
interface NamedElement {
  name: string;
  /** Its description, in one line. */
  about: string;
  /** It has more than a name and a description. */
  isMore: boolean;
}

const ABOUT_WIDTH = 70;

function namedElement({ op, path, a, b }: Change): NamedElement | null {
  const value = op === 'added' ? b : a;
  const titled = titleIn(value);
  if (op === 'changed' || !/\/\d+$/.test(path) || !titled) return null;
  const { [titled.key]: _, description, ...rest } = value as Record<string, unknown>;
  const about = typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : '';
  const isMore = Object.values(rest).some(hasContent) || cells(about) > ABOUT_WIDTH;
  return { name: titled.title, about: clip(about, ABOUT_WIDTH), isMore };
}

/** It is there, and not empty. */
const hasContent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== '';

function namesIn(group: readonly NamedElement[]): string {
  if (group.every(({ about }) => about === '')) return group.map(({ name }) => name).join(', ');
  return group.map(({ name, about }) => (about === '' ? name : `${name}: ${about}`)).join('\n');
}

/** Equal for changes of one group. */
function keyOf(change: Change): string | null {
  const { op, path } = change;
  if (op === 'changed') return null;
  if (isElement(change)) return `${op} ${path.replace(LAST_INDEX, '*')}`;
  const value = shortValue(change);
  const any = path.replace(INDEX, '*');
  return value === null || any === path || any.endsWith('*') ? null : `${op} ${any} ${value}`;
}

/** A name, or little more than that. */
function isElement(change: Change): boolean {
  const value = shortValue(change);
  return /\/\d+$/.test(change.path) && value !== null && (!value.startsWith('{') || value.length <= MAX_ELEMENT_CHARS);
}

const MAX_ELEMENT_CHARS = 40;

/** The value, if it is short. */
const shortValue = ({ op, a, b, masked }: Change): string | null =>
  inlineValue(op === 'added' ? (masked?.b ?? b) : (masked?.a ?? a));

/** `note`: a text after the path. */
function groupedChange({ op, path }: Change, index: RegExp, value: string, note = ''): Change {
  const [a, b] = op === 'added' ? [null, value] : [value, null];
  return { op, path: path.replace(index, '*') + note, a, b };
}
