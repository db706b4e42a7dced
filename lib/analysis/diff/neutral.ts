/**
 * Sessions of two protocols compared in the words that both have: prompts, texts, calls and their results, decisions and
 * answers. What only one of them can say is left out and counted.
 */
import { isObject } from '../../model/message.ts';
import type { Entry, Item } from '../../model/timeline/shape.ts';
import type { Face, Fields } from './face.ts';
import type { Leaf } from './hash.ts';
import type { Change } from './result.ts';

/** Kinds that every protocol with turns can say. */
const COMMON = new Set<string>(['text', 'tool-call', 'approval', 'error', 'steer', 'cancel', 'turn-begin', 'prompt']);
/** Kinds that some can: they are compared if both sessions have them. */
const PERHAPS = new Set<string>(['thinking', 'plan', 'question', 'client-call']);

export class Neutral {
  readonly leftOut: Record<string, number> = {};
  /** How often each kind came that some protocols do not have. */
  readonly perhaps = new Map<string, number>();
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
  laidOut(entry: Entry): Entry[] {
    if (entry.is !== 'item') return [entry];
    // What it was asked is in the call that started it.
    if (entry.kind === 'turn-begin' && entry.entries.length > 0) return this.#flat(entry.entries);
    if (!entry.call) return [entry];
    this.hasTitles ||= /\s/.test(entry.call.tool ?? '');
    const inner = entry.entries.filter((one) => !isAsk(one));
    this.nests.calls ||= inner.some((one) => has(one, ({ call }) => call !== null));
    this.nests.texts ||= inner.some((one) => has(one, ({ kind }) => kind === 'text'));
    return this.isFlat ? [entry, ...this.#flat(inner)] : [entry];
  }

  #flat(entries: readonly Entry[]): Entry[] {
    return entries.flatMap((one) => this.laidOut(one));
  }

  /** What remains inside of it. */
  inside(entry: Entry, entries: Entry[]): Entry[] {
    return this.isFlat && entry.is === 'item' && entry.call ? entries.filter(isAsk) : entries;
  }

  /** Counts what it leaves out. */
  keeps(entry: Entry): boolean {
    if (entry.is !== 'item' || entry.entries.length > 0) return true;
    const { kind } = entry;
    if (PERHAPS.has(kind)) this.perhaps.set(kind, (this.perhaps.get(kind) ?? 0) + 1);
    if (!this.#without.has(kind) && (COMMON.has(kind) || PERHAPS.has(kind))) return true;
    this.leftOut[kind] = (this.leftOut[kind] ?? 0) + 1;
    return false;
  }
}

/** One of the two tells which calls a subagent made, but not which texts it said, as the other does. */
export function isToBeFlat({ nests: a }: Neutral, { nests: b }: Neutral): boolean {
  return a.calls && b.calls && a.texts !== b.texts;
}

const has = (entry: Entry, is: (item: Item) => boolean): boolean =>
  (entry.is === 'item' && is(entry)) || entry.entries.some((one) => has(one, is));

const isAsk = (entry: Entry): boolean => entry.is === 'item' && entry.ask !== null;

/** Kinds of the first that the second never has. */
export function missingIn(a: Neutral, b: Neutral): Set<string> {
  return new Set([...a.perhaps.keys()].filter((kind) => !b.perhaps.has(kind)));
}

/** What both protocols can say of an entry. `leaf`: how texts are read. */
export function neutralFace(face: Face, { isNameless }: Neutral, leaf: Leaf): Face {
  const { kind, fields } = face;
  if (kind === 'turn') return { ...face, fields: turnFields(fields), volatile: {} };
  if (kind === 'tool-call') return callFace(face, isNameless, leaf);
  if (kind === 'approval') return { ...face, fields: only(fields, 'decision'), keys: [], volatile: {} };
  if (kind === 'question') return { ...face, fields: only(fields, 'questions', 'answers'), volatile: {} };
  if (kind === 'client-call') return { ...face, fields: only(fields, 'arguments', 'answer'), volatile: {} };
  return { ...face, fields: only({ ...fields, text: trimmed(fields.text) }, 'text', 'blocks', 'code'), volatile: {} };
}

/** Words of protocols for a turn that ended as it should, and for one that the client ended. */
const ENDED = new Set(['finished', 'completed', 'end_turn', 'success', 'stop']);
const CANCELLED = new Set(['cancelled', 'canceled', 'interrupted', 'aborted', 'error_during_execution']);

function turnFields({ prompt, status }: Fields): Fields {
  const word = String(status);
  return { prompt, status: ENDED.has(word) ? 'ended' : CANCELLED.has(word) ? 'cancelled' : word };
}

/** Recognised by its arguments, if it has any: protocols have their own names for the same tool. */
function callFace(face: Face, isNameless: boolean, leaf: Leaf): Face {
  const { tool, ...fields } = callFields(face.fields, leaf);
  const keys = ['arguments'];
  if (isNameless) return { ...face, fields, keys, volatile: { tool } };
  const named = tool === undefined ? fields : { tool, ...fields };
  return { ...face, fields: named, keys: fields.arguments === undefined ? ['tool'] : keys, volatile: {} };
}

/** Without displays, which belong to a protocol. */
function callFields({ tool, arguments: given, result }: Fields, leaf: Leaf): Fields {
  const { status, output } = (result ?? {}) as Fields;
  const name = typeof tool === 'string' ? withoutServer(spelled(tool)) : tool;
  return {
    ...kept({ tool: name, arguments: isObject(given) ? argumentsIn(given, leaf) : given }),
    result: kept({ status, output: trimmed(output) || undefined }),
  };
}

/** Some protocols name the server of a tool: `calc.add`, `mcp__calc__add`. */
const withoutServer = (tool: string): string =>
  tool.length > LONGEST_NAME ? tool : tool.replace(/^(?:mcp__)?[\w-]+?(?:\.|__)(?=\w+$)/, '');

const LONGEST_NAME = 200;

/** Not every protocol says that a command runs where the agent does, or says it as a list too. */
function argumentsIn(given: Fields, leaf: Leaf): Fields {
  const all = Object.values(given);
  const isAgain = (value: unknown) => Array.isArray(value) && value.length === 1 && all.includes(value[0]);
  const told = Object.entries(given).filter(([, value]) =>
    typeof value === 'string' ? leaf(value) !== '<cwd>' : !isAgain(value),
  );
  return Object.fromEntries(
    told.map(([key, value]) => [spelled(key), /^(?:command|cmd)$/.test(key) ? bare(value) : plain(value)]),
  );
}

/** A command without the shell that some protocols name. */
function bare(command: unknown): unknown {
  const words = Array.isArray(command) && command.every((word) => typeof word === 'string') ? command : null;
  if (words?.length === 3 && SHELL.test(`${words[0]} ${words[1]} `)) return words[2];
  if (typeof command !== 'string' || !SHELL.test(command)) return command;
  const script = command.replace(SHELL, '');
  const [, single, double] = /^(?:'([\s\S]*)'|"([\s\S]*)")$/.exec(script) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'");
  return double === undefined ? script : double.replace(/\\(["\\$`])/g, '$1');
}

const SHELL = /^(?:\/[\w./-]*\/)?(?:ba|da|z)?sh -l?c /;

/** Deeper values are kept as they are. */
const DEEPEST = 64;

/** `{ "type": "add" }` as `add`. */
function plain(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1));
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && typeof value.type === 'string') return value.type;
  return Object.fromEntries(keys.map((key) => [key, plain(value[key], depth + 1)]));
}

/** `fileChange` as `file_change`: protocols of one agent differ in that. */
const spelled = (name: string): string =>
  /^[a-z]\w*$/.test(name) ? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

/** Protocols differ in empty lines around a text, and some put output into a fence of Markdown. */
function trimmed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const [, inside] = /^```\w*\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  return (inside ?? text).replace(/^\n+/, '').trimEnd();
}

/** Without arguments and output that only one of two protocols reports, of calls that ended alike. */
export function withoutSilence(changes: readonly Change[]): Change[] {
  const endedAlike = changes.every(({ path }) => path !== '/result/status');
  const isSilence = ({ op, path }: Change) =>
    op !== 'changed' && (path === '/arguments' || (path === '/result/output' && endedAlike));
  return changes.filter((change) => !isSilence(change));
}

const only = (fields: Fields, ...keys: string[]): Fields =>
  kept(Object.fromEntries(keys.map((key) => [key, fields[key]])));
const kept = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
