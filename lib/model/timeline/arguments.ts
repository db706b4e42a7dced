/**
 * Describes the arguments of a tool call: the command, the path, the change; else `key: value`. It looks at keys, which
 * differ less between agents than tool names do.
 */
import { changedPaths } from '../changed-paths.ts';
import type { Block } from '../event.ts';
import { isObject, parseJson, TOO_DEEP, toJson } from '../message.ts';
import { maskedText, maskedValue } from '../text/mask.ts';
import { textOfValue, visible } from '../text/text.ts';

export interface ArgumentSummary {
  /** Each at most one line. */
  words: string[];
  /** What needs several lines. */
  blocks: Block[];
}

/** Longer arguments are not parsed. */
const MAX_PARSED_CHARS = 1 << 20;
const MAX_SHOWN_CHARS = 4096;
const COMMAND_KEYS = ['command', 'cmd'];
const PATH_KEYS = ['file_path', 'path', 'absolute_path', 'filePath', 'notebook_path'];
const OLD_TEXT_KEYS = ['old_string', 'oldText', 'old_str', 'old'];
const NEW_TEXT_KEYS = ['new_string', 'newText', 'new_str', 'new'];

/** `shown`: blocks of the call that are displayed anyway and need not be repeated. */
export function describeArguments(args: string, shown: Block[]): ArgumentSummary {
  const values = parseArguments(args);
  return values === null ? verbatim(args) : describeValues(values, shown);
}

/** The same for arguments that are not text. */
export function describeValue(value: unknown, shown: Block[]): ArgumentSummary {
  if (value === null || value === undefined) return { words: [], blocks: [] };
  if (!isObject(value)) return { words: [plainText(value)], blocks: [] };
  const json = toJson(value);
  return json.length > MAX_PARSED_CHARS || json === TOO_DEEP
    ? verbatim(json)
    : describeValues(maskedValue(value), shown);
}

function verbatim(args: string): ArgumentSummary {
  return { words: args === '' ? [] : [visible(maskedText(args).slice(0, MAX_SHOWN_CHARS))], blocks: [] };
}

type ArgumentValues = Record<string, unknown>;

function describeValues(values: ArgumentValues, shown: Block[]): ArgumentSummary {
  const blocks: Block[] = [];
  const words: string[] = [];
  /** The keys that have been read. */
  const read = new Set<string>();
  const command = takeText(values, COMMAND_KEYS, read);
  if (command !== null) {
    if (!command.trim().includes('\n')) words.push(`$ ${visible(command.trim())}`);
    else blocks.push({ type: 'shell', command, language: null });
  }
  const path = takeText(values, PATH_KEYS, read);
  const has = (type: Block['type']) => shown.some((block) => block.type === type);
  for (const change of changesIn(values, read))
    if (!has('diff')) blocks.push({ type: 'diff', path: path ?? '', ...change });
  // A diff already shows its path.
  const isOfPath = (block: Block) => block.type === 'diff' && block.path === path;
  if (path !== null && !shown.some(isOfPath) && !blocks.some(isOfPath)) words.push(visible(path));
  const changed = changedPaths(values.changes);
  if (changed.length > 0) read.add('changes');
  for (const one of changed)
    if (!shown.some((block) => block.type === 'diff' && block.path === one)) words.push(visible(one));
  const items = todosIn(values, read);
  if (items && !has('todo')) blocks.push({ type: 'todo', items });
  for (const key of Object.keys(values))
    if (!read.has(key) && values[key] !== undefined) words.push(`${visible(key)}: ${plainText(values[key])}`);
  return { words, blocks };
}

/** The first of these keys that has a text. */
function keyIn(values: ArgumentValues, keys: readonly string[]): string | undefined {
  return keys.find((key) => typeof values[key] === 'string');
}

function takeText(values: ArgumentValues, keys: readonly string[], read: Set<string>): string | null {
  const key = keyIn(values, keys);
  if (key === undefined) return null;
  read.add(key);
  return values[key] as string;
}

interface TextChange {
  before: string;
  after: string;
}

/** The changes in the arguments. A whole file counts as added. */
function changesIn(values: ArgumentValues, read: Set<string>): TextChange[] {
  const edits = values.edits ?? values.edit;
  const found = (Array.isArray(edits) ? edits : [edits]).map((edit) => (isObject(edit) ? changeIn(edit) : null));
  if (found.length > 0 && found.every((change) => change !== null)) {
    read.add('edits').add('edit');
    return found;
  }
  const one = changeIn(values);
  if (one) {
    for (const key of OLD_TEXT_KEYS) read.add(key);
    for (const key of NEW_TEXT_KEYS) read.add(key);
    return [one];
  }
  const { content } = values;
  if (typeof content !== 'string' || !content.includes('\n')) return [];
  read.add('content');
  return [{ before: '', after: content }];
}

function changeIn(values: ArgumentValues): TextChange | null {
  const before = keyIn(values, OLD_TEXT_KEYS);
  const after = keyIn(values, NEW_TEXT_KEYS);
  if (before === undefined || after === undefined) return null;
  return { before: values[before] as string, after: values[after] as string };
}

function todosIn({ todos }: ArgumentValues, read: Set<string>): { title: string; status: string }[] | null {
  if (!Array.isArray(todos) || todos.length === 0) return null;
  const items = todos.map((todo) => {
    const { title, content, status } = (todo ?? {}) as Record<string, unknown>;
    return { title: title ?? content, status: textOfValue(status ?? 'pending') };
  });
  if (!items.every(({ title }) => typeof title === 'string')) return null;
  read.add('todos');
  return items as { title: string; status: string }[];
}

function parseArguments(args: string): Record<string, unknown> | null {
  const value = args.length > MAX_PARSED_CHARS ? undefined : parseJson(args);
  return isObject(value) ? maskedValue(value) : null;
}

/** A value as text; strings without quotes. */
export function plainText(value: unknown): string {
  const text = maskedText(typeof value === 'string' ? value : toJson(value));
  return visible(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text);
}
