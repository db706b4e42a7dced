/** What an entry is, in a few words. Recorded text: whoever prints it makes it harmless. */
import { isObject } from '../core/message.ts';
import type { Face } from './face.ts';
import type { Node } from './node.ts';

const LONGEST = 100;

export function labelOf({ kind, name, face, inside, asked }: Node): string {
  if (asked !== null) return asked;
  if (kind === 'step') return brief([...(inside ?? [])].map(labelOf).join(', '));
  if (!face) return name ?? '';
  const { fields } = face;
  if (kind === 'tool-call')
    return brief([name ?? 'tool', glance(fields.arguments)].filter((word) => word !== '').join(' '));
  if (kind === 'approval' || kind === 'question' || kind === 'hook' || kind === 'client-call')
    return brief(askWords(face));
  if (kind === 'text' || kind === 'thinking' || kind === 'steer' || kind === 'prompt')
    return brief(textOf(fields.text));
  return brief([name ?? '', textOf(fields.text)].filter((word) => word !== '').join(' '));
}

export const promptWords = ({ fields }: Face): string => brief(textOf(fields.prompt));

function askWords({ name, fields }: Face): string {
  const questions = Array.isArray(fields.questions) ? fields.questions : [];
  const [question] = questions;
  if (isObject(question)) return textOf(question.text);
  return textOf(fields.description) || [name ?? '', glance(fields.arguments)].join(' ').trim();
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
  'description',
];

/** The argument that says most. */
export function glance(value: unknown): string {
  if (!isObject(value)) return textOf(value);
  const key = TELLING.find((one) => typeof value[one] === 'string');
  if (key !== undefined) return value[key] as string;
  return (Object.values(value).find((one) => typeof one === 'string') as string) ?? '';
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.text === 'string' ? value.text : '';
}

/** One line. */
function brief(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].length > LONGEST ? `${[...line].slice(0, LONGEST).join('')}…` : line;
}
