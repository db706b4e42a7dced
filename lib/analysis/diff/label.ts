/** What an entry is, in a few words. It is recorded text: the caller must make it safe to print. */

import { isObject } from '../../model/message.ts';
import { maskedText } from '../../model/text/mask.ts';
import { ASKS, type Face } from './face.ts';
import type { Leaf } from './hash.ts';
import type { Node } from './node.ts';

const LONGEST = 100;
/** Masks make texts shorter. */
const LOOKED_AT = 1000;

/** `leaf`: how texts are read, so that it has no ids and folders. */
export function labelOf(node: Node, leaf: Leaf): string {
  return node.asked ?? brief(leaf(wordsIn(node, leaf).slice(0, LOOKED_AT)));
}

function wordsIn({ kind, name, face, inside }: Node, leaf: Leaf): string {
  if (kind === 'step') return [...(inside ?? [])].map((one) => labelOf(one, leaf)).join(', ');
  if (!face) return name ?? '';
  const { fields } = face;
  if (kind === 'tool-call') return named(name ?? 'tool', glance(fields.arguments, leaf), ' ', leaf);
  if (ASKS.has(kind)) return askWords(face, leaf);
  if (kind === 'text' || kind === 'thinking' || kind === 'steer' || kind === 'prompt') return textOf(fields.text);
  return [name ?? '', textOf(fields.text)].filter((word) => word !== '').join(' ');
}

/** What each side of an entry says beside what both are called: nothing, if they agree. */
export interface Names {
  a: { what?: string };
  b: { what?: string };
}

export const NAMELESS: Names = { a: {}, b: {} };

export const namesOf = (a: string, b: string): Names => (a === b ? NAMELESS : { a: { what: a }, b: { what: b } });

/** A name and more, unless a title says that already: `Editing a.txt`. */
export function named(name: string, more: string, between: string, leaf: Leaf): string {
  const isSaid = more === '' || leaf(name).includes(leaf(more));
  return isSaid ? name : `${name}${between}${more}`;
}

export const promptWords = ({ fields }: Face, leaf: Leaf): string =>
  brief(leaf(textOf(fields.prompt).slice(0, LOOKED_AT)));

function askWords({ name, fields }: Face, leaf: Leaf): string {
  const questions = Array.isArray(fields.questions) ? fields.questions : [];
  const [question] = questions;
  if (isObject(question)) return textOf(question.text);
  return textOf(fields.description) || [name ?? '', glance(fields.arguments, leaf)].join(' ').trim();
}

const TELLING = [
  'command',
  'cmd',
  'file_path',
  'path',
  'absolute_path',
  'filePath',
  'url',
  'pattern',
  'query',
  'question',
  'description',
];

/** The most telling argument; one that is only an id does not count. */
export function glance(value: unknown, leaf: Leaf): string {
  if (!isObject(value)) return textOf(value);
  const said = tellingIn(value);
  if (said !== null) return said;
  const isTelling = (one: unknown) => typeof one === 'string' && !/^<\w+>$/.test(leaf(one.slice(0, LOOKED_AT)));
  return (Object.values(value).find(isTelling) as string | undefined) ?? elementIn(value) ?? '';
}

function tellingIn(value: Record<string, unknown>): string | null {
  const key = TELLING.find((one) => typeof value[one] === 'string' || isCommand(value[one]));
  if (key === undefined) return null;
  return isCommand(value[key]) ? value[key].join(' ') : (value[key] as string);
}

/** What the first of several is about, such as the files of a patch: as a list, or by their paths. */
function elementIn(value: Record<string, unknown>): string | null {
  for (const inner of Object.values(value)) {
    const [first] = Array.isArray(inner) ? inner : [];
    if (isObject(first)) return tellingIn(first);
    const path = isObject(inner) ? Object.keys(inner).find((key) => key.startsWith('/')) : undefined;
    if (path !== undefined) return path;
  }
  return null;
}

/** A command in words. */
const isCommand = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.text === 'string' ? value.text : '';
}

/** One line. */
function brief(text: string): string {
  const line = maskedText(text.replace(/\s+/g, ' ').trim());
  return [...line].length > LONGEST ? `${[...line].slice(0, LONGEST).join('')}…` : line;
}
