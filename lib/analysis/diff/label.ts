/** What an entry is, in a few words. It is recorded text: the caller must make it safe to print. */

import { isObject } from '../../model/message.ts';
import { maskedText } from '../../model/text/mask.ts';
import { type EntryContent, REQUEST_KINDS } from './entry-content.ts';
import type { NormaliseText } from './hash.ts';
import type { DiffNode } from './node.ts';

const MAX_LABEL_CHARS = 100;
/** Masks make texts shorter. */
const MAX_LABEL_CHARS_READ = 1000;

/** `normalise`: how texts are read, so that it has no ids and folders. */
export function labelOf(node: DiffNode, normalise: NormaliseText): string {
  return node.promptLabel ?? shortLine(normalise(textOfNode(node, normalise).slice(0, MAX_LABEL_CHARS_READ)));
}

function textOfNode({ kind, name, content: face, inside }: DiffNode, normalise: NormaliseText): string {
  if (kind === 'step') return [...(inside ?? [])].map((one) => labelOf(one, normalise)).join(', ');
  if (!face) return name ?? '';
  const { fields } = face;
  if (kind === 'tool-call') return joinName(name ?? 'tool', glance(fields.arguments, normalise), ' ', normalise);
  if (REQUEST_KINDS.has(kind)) return askLabel(face, normalise);
  if (kind === 'text' || kind === 'thinking' || kind === 'steer' || kind === 'prompt') return textOf(fields.text);
  return [name ?? '', textOf(fields.text)].filter((word) => word !== '').join(' ');
}

/** What each side of an entry says beside what both are called: nothing, if they agree. */
export interface SideNames {
  a: { what?: string };
  b: { what?: string };
}

export const SAME_NAMES: SideNames = { a: {}, b: {} };

export const sideNames = (a: string, b: string): SideNames =>
  a === b ? SAME_NAMES : { a: { what: a }, b: { what: b } };

/** A name and more, unless a title says that already: `Editing a.txt`. */
export function joinName(name: string, more: string, separator: string, normalise: NormaliseText): string {
  const isRepeated = more === '' || normalise(name).includes(normalise(more));
  return isRepeated ? name : `${name}${separator}${more}`;
}

export const promptLabel = ({ fields }: EntryContent, normalise: NormaliseText): string =>
  shortLine(normalise(textOf(fields.prompt).slice(0, MAX_LABEL_CHARS_READ)));

function askLabel({ name, fields }: EntryContent, normalise: NormaliseText): string {
  const questions = Array.isArray(fields.questions) ? fields.questions : [];
  const [question] = questions;
  if (isObject(question)) return textOf(question.text);
  return textOf(fields.description) || [name ?? '', glance(fields.arguments, normalise)].join(' ').trim();
}

const INFORMATIVE_KEYS = [
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

/** The most informative argument; one that is only an id does not count. */
export function glance(value: unknown, normalise: NormaliseText): string {
  if (!isObject(value)) return textOf(value);
  const informative = informativeValue(value);
  if (informative !== null) return informative;
  const isTelling = (one: unknown) =>
    typeof one === 'string' && !/^<\w+>$/.test(normalise(one.slice(0, MAX_LABEL_CHARS_READ)));
  return (Object.values(value).find(isTelling) as string | undefined) ?? elementIn(value) ?? '';
}

function informativeValue(value: Record<string, unknown>): string | null {
  const key = INFORMATIVE_KEYS.find((one) => typeof value[one] === 'string' || isCommand(value[one]));
  if (key === undefined) return null;
  return isCommand(value[key]) ? value[key].join(' ') : (value[key] as string);
}

/** What the first of several is about, such as the files of a patch: as a list, or by their paths. */
function elementIn(value: Record<string, unknown>): string | null {
  for (const inner of Object.values(value)) {
    const [first] = Array.isArray(inner) ? inner : [];
    if (isObject(first)) return informativeValue(first);
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
function shortLine(text: string): string {
  const line = maskedText(text.replace(/\s+/g, ' ').trim());
  return [...line].length > MAX_LABEL_CHARS ? `${[...line].slice(0, MAX_LABEL_CHARS).join('')}…` : line;
}
