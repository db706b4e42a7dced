/**
 * Sessions of two protocols compared in the words that both have: prompts, texts, calls and their results, decisions and
 * answers. What only one of them can say is left out and counted.
 */
import { isObject } from '../../model/message.ts';
import type { Entry, Item } from '../../model/timeline/entries.ts';
import type { ContentFields, EntryContent } from './entry-content.ts';
import type { NormaliseText } from './hash.ts';
import type { Change } from './result.ts';

/** Kinds that every protocol with turns can say. */
const COMMON_KINDS = new Set<string>([
  'text',
  'tool-call',
  'approval',
  'error',
  'steer',
  'cancel',
  'turn-begin',
  'prompt',
]);
/** Kinds that some can: they are compared if both sessions have them. */
const OPTIONAL_KINDS = new Set<string>(['thinking', 'plan', 'question', 'client-call']);

export class NeutralView {
  readonly leftOut: Record<string, number> = {};
  /** How often each kind came that some protocols do not have. */
  readonly optionalCounts = new Map<string, number>();
  /** It reports which calls and which texts are those of a subagent. */
  readonly nests = { calls: false, texts: false };
  /** A call has a title and no name. */
  hasTitles = false;
  readonly isFlat: boolean;
  /** Names of tools are not compared, because one of the two only has titles. */
  readonly isNameless: boolean;
  readonly #without: ReadonlySet<string>;

  /**
   * `without`: kinds that the other session does not have. `isFlat`: one of the two does not tell who said a text, so what a
   * subagent does stands behind the call that started it, not inside.
   */
  constructor(without: ReadonlySet<string>, { isFlat, isNameless }: { isFlat: boolean; isNameless: boolean }) {
    this.#without = without;
    this.isFlat = isFlat;
    this.isNameless = isNameless;
  }

  /** What stands in the place of an entry: what a subagent does in a turn of its own, or also behind its call. */
  flatten(entry: Entry): Entry[] {
    if (entry.is !== 'item') return [entry];
    // What it was asked is in the call that started it.
    if (entry.kind === 'turn-begin' && entry.entries.length > 0) return this.#flattenAll(entry.entries);
    if (!entry.call) return [entry];
    this.hasTitles ||= /\s/.test(entry.call.tool ?? '');
    const inner = entry.entries.filter((one) => !isAsk(one));
    this.nests.calls ||= inner.some((one) => has(one, ({ call }) => call !== null));
    this.nests.texts ||= inner.some((one) => has(one, ({ kind }) => kind === 'text'));
    return this.isFlat ? [entry, ...this.#flattenAll(inner)] : [entry];
  }

  #flattenAll(entries: readonly Entry[]): Entry[] {
    return entries.flatMap((one) => this.flatten(one));
  }

  /** What remains inside of it. */
  contentInside(entry: Entry, entries: Entry[]): Entry[] {
    return this.isFlat && entry.is === 'item' && entry.call ? entries.filter(isAsk) : entries;
  }

  /** Counts what it leaves out. */
  countAndKeep(entry: Entry): boolean {
    if (entry.is !== 'item' || entry.entries.length > 0) return true;
    const { kind } = entry;
    if (OPTIONAL_KINDS.has(kind)) this.optionalCounts.set(kind, (this.optionalCounts.get(kind) ?? 0) + 1);
    if (!this.#without.has(kind) && (COMMON_KINDS.has(kind) || OPTIONAL_KINDS.has(kind))) return true;
    this.leftOut[kind] = (this.leftOut[kind] ?? 0) + 1;
    return false;
  }
}

/** One of the two tells which calls a subagent made, but not which texts it said, as the other does. */
export function needsFlattening({ nests: a }: NeutralView, { nests: b }: NeutralView): boolean {
  return a.calls && b.calls && a.texts !== b.texts;
}

const has = (entry: Entry, is: (item: Item) => boolean): boolean =>
  (entry.is === 'item' && is(entry)) || entry.entries.some((one) => has(one, is));

const isAsk = (entry: Entry): boolean => entry.is === 'item' && entry.ask !== null;

/** Kinds of the first that the second never has. */
export function kindsMissingIn(a: NeutralView, b: NeutralView): Set<string> {
  return new Set([...a.optionalCounts.keys()].filter((kind) => !b.optionalCounts.has(kind)));
}

/** What both protocols can say of an entry. `normalise`: how texts are read. */
export function neutralContent(
  content: EntryContent,
  { isNameless }: NeutralView,
  normalise: NormaliseText,
): EntryContent {
  const { kind, fields } = content;
  if (kind === 'turn') return { ...content, fields: turnFields(fields), volatile: {} };
  if (kind === 'tool-call') return neutralCall(content, isNameless, normalise);
  if (kind === 'approval') return { ...content, fields: pick(fields, 'decision'), keys: [], volatile: {} };
  if (kind === 'question') return { ...content, fields: pick(fields, 'questions', 'answers'), volatile: {} };
  if (kind === 'client-call') return { ...content, fields: pick(fields, 'arguments', 'answer'), volatile: {} };
  return {
    ...content,
    fields: pick({ ...fields, text: trimText(fields.text) }, 'text', 'blocks', 'code'),
    volatile: {},
  };
}

/** Words of protocols for a turn that ended as it should, and for one that the client ended. */
const ENDED_STATUSES = new Set(['finished', 'completed', 'end_turn', 'success', 'stop']);
const CANCELLED_STATUSES = new Set(['cancelled', 'canceled', 'interrupted', 'aborted', 'error_during_execution']);

function turnFields({ prompt, status }: ContentFields): ContentFields {
  const word = String(status);
  return { prompt, status: ENDED_STATUSES.has(word) ? 'ended' : CANCELLED_STATUSES.has(word) ? 'cancelled' : word };
}

/** Recognised by its arguments, if it has any: protocols have their own names for the same tool. */
function neutralCall(content: EntryContent, isNameless: boolean, normalise: NormaliseText): EntryContent {
  const { tool, ...fields } = callFields(content.fields, normalise);
  const keys = ['arguments'];
  if (isNameless) return { ...content, fields, keys, volatile: { tool } };
  const named = tool === undefined ? fields : { tool, ...fields };
  return { ...content, fields: named, keys: fields.arguments === undefined ? ['tool'] : keys, volatile: {} };
}

/** Without displays, which belong to a protocol. */
function callFields({ tool, arguments: args, result }: ContentFields, normalise: NormaliseText): ContentFields {
  const { status, output } = (result ?? {}) as ContentFields;
  const name = typeof tool === 'string' ? withoutServer(toSnakeCase(tool)) : tool;
  return {
    ...withoutUndefined({ tool: name, arguments: isObject(args) ? argumentsIn(args, normalise) : args }),
    result: withoutUndefined({ status, output: trimText(output) || undefined }),
  };
}

/** Some protocols name the server of a tool: `calc.add`, `mcp__calc__add`. */
const withoutServer = (tool: string): string =>
  tool.length > MAX_TOOL_NAME_CHARS ? tool : tool.replace(/^(?:mcp__)?[\w-]+?(?:\.|__)(?=\w+$)/, '');

const MAX_TOOL_NAME_CHARS = 200;

/** Not every protocol says that a command runs where the agent does, or says it as a list too. */
function argumentsIn(args: ContentFields, normalise: NormaliseText): ContentFields {
  const all = Object.values(args);
  const isAgain = (value: unknown) => Array.isArray(value) && value.length === 1 && all.includes(value[0]);
  const counted = Object.entries(args).filter(([, value]) =>
    typeof value === 'string' ? normalise(value) !== '<cwd>' : !isAgain(value),
  );
  return Object.fromEntries(
    counted.map(([key, value]) => [
      toSnakeCase(key),
      /^(?:command|cmd)$/.test(key) ? withoutShell(value) : withoutTypeObjects(value),
    ]),
  );
}

/** A command without the shell that some protocols name. */
function withoutShell(command: unknown): unknown {
  const words = Array.isArray(command) && command.every((word) => typeof word === 'string') ? command : null;
  if (words?.length === 3 && SHELL_PREFIX.test(`${words[0]} ${words[1]} `)) return words[2];
  if (typeof command !== 'string' || !SHELL_PREFIX.test(command)) return command;
  const script = command.replace(SHELL_PREFIX, '');
  const [, single, double] = /^(?:'([\s\S]*)'|"([\s\S]*)")$/.exec(script) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'");
  return double === undefined ? script : double.replace(/\\(["\\$`])/g, '$1');
}

const SHELL_PREFIX = /^(?:\/[\w./-]*\/)?(?:ba|da|z)?sh -l?c /;

/** Deeper values are kept as they are. */
const MAX_VALUE_DEPTH = 64;

/** `{ "type": "add" }` as `add`. */
function withoutTypeObjects(value: unknown, depth = 0): unknown {
  if (depth > MAX_VALUE_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => withoutTypeObjects(one, depth + 1));
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && typeof value.type === 'string') return value.type;
  return Object.fromEntries(keys.map((key) => [key, withoutTypeObjects(value[key], depth + 1)]));
}

/** `fileChange` as `file_change`: protocols of one agent differ in that. */
const toSnakeCase = (name: string): string =>
  /^[a-z]\w*$/.test(name) ? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

/** Protocols differ in empty lines around a text, and some put output into a fence of Markdown. */
function trimText(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const [, contentInside] = /^```\w*\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  return (contentInside ?? text).replace(/^\n+/, '').trimEnd();
}

/** Without arguments and output that only one of two protocols reports, of calls that ended alike. */
export function withoutOneSided(changes: readonly Change[]): Change[] {
  const endedAlike = changes.every(({ path }) => path !== '/result/status');
  const isOneSided = ({ op, path }: Change) =>
    op !== 'changed' && (path === '/arguments' || (path === '/result/output' && endedAlike));
  return changes.filter((change) => !isOneSided(change));
}

const pick = (fields: ContentFields, ...keys: string[]): ContentFields =>
  withoutUndefined(Object.fromEntries(keys.map((key) => [key, fields[key]])));
const withoutUndefined = (fields: ContentFields): ContentFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
