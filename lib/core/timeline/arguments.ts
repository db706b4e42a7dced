/**
 * Describes the arguments of a tool call: the command, the path, the change; else `key: value`. It looks at keys, which
 * differ less between agents than tool names do.
 */
import { changedPaths } from '../changed-paths.ts';
import type { Block } from '../event.ts';
import { isObject, parseJson, toJson } from '../message.ts';
import { visible } from '../text.ts';

export interface Spoken {
  /** Each at most one line. */
  words: string[];
  /** What needs several lines. */
  blocks: Block[];
}

/** Longer arguments are not parsed. */
const LONGEST = 1 << 20;
const GLANCE = 4096;
const PATHS = ['file_path', 'path', 'absolute_path', 'filePath', 'notebook_path'];

/** `shown`: blocks of the call that are displayed anyway and need not be repeated. */
export function argumentWords(args: string, shown: Block[]): Spoken {
  const value = parsed(args);
  if (value === null) return { words: args === '' ? [] : [visible(args.slice(0, GLANCE))], blocks: [] };
  const left = new Map(Object.entries(value));
  const take = (...keys: string[]) => {
    const key = keys.find((name) => typeof left.get(name) === 'string');
    const text = key === undefined ? null : (left.get(key) as string);
    if (key !== undefined) left.delete(key);
    return text;
  };
  const blocks: Block[] = [];
  const words: string[] = [];
  const command = take('command', 'cmd');
  if (command !== null) {
    if (!command.trim().includes('\n')) words.push(`$ ${visible(command.trim())}`);
    else blocks.push({ type: 'shell', command, language: null });
  }
  const path = take(...PATHS);
  const has = (type: Block['type']) => shown.some((block) => block.type === type);
  for (const change of changesIn(left)) if (!has('diff')) blocks.push({ type: 'diff', path: path ?? '', ...change });
  // A diff already shows its path.
  const said = [...shown, ...blocks].some((block) => block.type === 'diff' && block.path === path);
  if (path !== null && !said) words.push(visible(path));
  const changed = changedPaths(left.get('changes'));
  if (changed.length > 0) left.delete('changes');
  const diffs = new Set(shown.flatMap((block) => (block.type === 'diff' ? [block.path] : [])));
  words.push(...changed.filter((one) => !diffs.has(one)).map((one) => visible(one)));
  const items = todosIn(left);
  if (items && !has('todo')) blocks.push({ type: 'todo', items });
  for (const [key, rest] of left) words.push(`${visible(key)}: ${plainly(rest)}`);
  return { words, blocks };
}

/** The same for arguments that are not text. */
export function valueWords(value: unknown, shown: Block[]): Spoken {
  if (value === null || value === undefined) return { words: [], blocks: [] };
  return isObject(value) ? argumentWords(toJson(value), shown) : { words: [plainly(value)], blocks: [] };
}

type Values = Map<string, unknown>;

/** The changes in the arguments. A whole file counts as added. Removes the keys that it has read. */
function changesIn(left: Values): { before: string; after: string }[] {
  const edits = left.get('edits') ?? left.get('edit');
  const found = (Array.isArray(edits) ? edits : [edits]).map((edit) => changeIn(entriesOf(edit)));
  if (found.length > 0 && found.every((change) => change !== null)) {
    left.delete('edits');
    left.delete('edit');
    return found;
  }
  const one = changeIn(left);
  if (one) {
    for (const key of [...OLD, ...NEW]) left.delete(key);
    return [one];
  }
  const content = left.get('content');
  if (typeof content !== 'string' || !content.includes('\n')) return [];
  left.delete('content');
  return [{ before: '', after: content }];
}

const OLD = ['old_string', 'oldText', 'old_str', 'old'];
const NEW = ['new_string', 'newText', 'new_str', 'new'];

function changeIn(values: Values): { before: string; after: string } | null {
  const text = (keys: string[]) => keys.map((key) => values.get(key)).find((value) => typeof value === 'string');
  const [before, after] = [text(OLD), text(NEW)];
  return before === undefined || after === undefined ? null : { before: before as string, after: after as string };
}

function todosIn(left: Values): { title: string; status: string }[] | null {
  const todos = left.get('todos');
  if (!Array.isArray(todos) || todos.length === 0) return null;
  const items = todos.map((todo) => {
    const { title, content, status } = (todo ?? {}) as Record<string, unknown>;
    return { title: title ?? content, status: String(status ?? 'pending') };
  });
  if (!items.every(({ title }) => typeof title === 'string')) return null;
  left.delete('todos');
  return items as { title: string; status: string }[];
}

function entriesOf(value: unknown): Values {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function parsed(args: string): Record<string, unknown> | null {
  const value = args.length > LONGEST ? undefined : parseJson(args);
  return isObject(value) ? value : null;
}

/** A value as text; strings without quotes. */
export function plainly(value: unknown): string {
  const text = typeof value === 'string' ? value : toJson(value);
  return visible(text.length > GLANCE ? `${text.slice(0, GLANCE)}…` : text);
}
