/**
 * Shapes of messages as plain data, and whether a value has one. A shape is a word (`string`, `integer|null`,
 * `'allow'|'block'`), or built of others. Fields that are not in the table are allowed, and so are types that are not:
 * a peer may be newer than this. Hostile values are walked no deeper than DEEPEST, and only the first few faults are told.
 */
import { isObject } from '../core/message.ts';
import type { ReadFrame } from '../session/read.ts';

/**
 * A word is `string`, `number`, `integer`, `boolean`, `null`, `object`, `list`, `any`, or a text in single quotes;
 * several are joined by `|`. An object has these fields, a list in brackets has such items.
 */
export type Shape =
  | string
  | Fields
  | readonly [Shape]
  | Built
  /** For a shape that holds itself. */
  | (() => Shape);

/** A key that ends in `?` may be absent. */
export interface Fields {
  readonly [name: string]: Shape;
}

type Table<S> = Readonly<Record<string, S>>;
type Tagged = { by: string; shapes: Table<Fields> } | { by: string; under: string; bodies: Table<Shape> };

/** What is not plain data. */
export class Built {
  readonly of: { map: Shape } | { either: readonly Shape[] } | Tagged;

  constructor(of: Built['of']) {
    this.of = of;
  }
}

/** An object whose values are all alike. */
export const mapOf = (map: Shape) => new Built({ map });
export const either = (...shapes: Shape[]) => new Built({ either: shapes });
/** Which fields it has is told by one of them, which must be a string; an unknown word allows anything. */
export const tagged = (by: string, shapes: Table<Fields>) => new Built({ by, shapes });
/** As above, but what is told of lies under another key. */
export const wrapped = (by: string, under: string, bodies: Table<Shape>) => new Built({ by, under, bodies });

/** What a line should look like. */
export interface Expected {
  /** What it is, in a few words: `prompt`, `event ToolCall`, `answer to initialize`. */
  name: string;
  value: unknown;
  shape: Shape;
  /** Where the value lies in the line: `params`, `params.payload`, `result`. */
  at: string;
}

/** Fed all frames of a session, in order; null: nothing is known of this one. */
export type Expecting = (read: ReadFrame) => Expected | null;

/** Opened for each session. */
export interface Schemas {
  /** Where the shapes are laid down. */
  source: string;
  open(): Expecting;
}

export interface Misfit {
  /** As `params.user_input[0].type`. */
  path: string;
  /** What is wrong there: `is missing`, `is a number, not a string`. */
  what: string;
}

const DEEPEST = 32;
const MOST = 5;

/** What does not fit, in the order of the fields; `path` names the value itself. */
export function misfits(value: unknown, shape: Shape, path: string): Misfit[] {
  const found: Misfit[] = [];
  walk(value, shape, path, 0, found);
  return found;
}

function walk(value: unknown, shape: Shape, path: string, depth: number, found: Misfit[]): void {
  if (depth > DEEPEST || found.length >= MOST) return;
  if (typeof shape === 'function') return walk(value, shape(), path, depth, found);
  if (typeof shape === 'string') return word(value, shape, path, found);
  if (isList(shape)) return items(value, shape[0], path, depth, found);
  const built = shape instanceof Built ? shape.of : null;
  if (built && 'either' in built) return anyOf(value, built.either, path, depth, found);
  if (!isObject(value)) return wrong(value, 'an object', path, found);
  if (!built) return fields(value, shape as Fields, path, depth, found);
  if ('by' in built) return byTag(value, built, path, depth, found);
  for (const [key, item] of Object.entries(value)) walk(item, built.map, `${path}.${key}`, depth + 1, found);
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

function items(value: unknown, shape: Shape, path: string, depth: number, found: Misfit[]): void {
  if (!Array.isArray(value)) return wrong(value, 'a list', path, found);
  for (const [index, item] of value.entries()) {
    walk(item, shape, `${path}[${index}]`, depth + 1, found);
    if (found.length >= MOST) return;
  }
}

function byTag(value: Record<string, unknown>, shape: Tagged, path: string, depth: number, found: Misfit[]): void {
  const tag = Object.hasOwn(value, shape.by) ? value[shape.by] : undefined;
  if (typeof tag !== 'string') return field(value, fieldOf(shape.by, 'string'), path, depth, found);
  if ('shapes' in shape) {
    if (Object.hasOwn(shape.shapes, tag)) fields(value, shape.shapes[tag]!, path, depth, found);
  } else if (Object.hasOwn(shape.bodies, tag)) {
    field(value, fieldOf(shape.under, shape.bodies[tag]!), path, depth, found);
  }
}

interface Field {
  key: string;
  isOptional: boolean;
  shape: Shape;
}

function fieldOf(name: string, shape: Shape): Field {
  const isOptional = name.endsWith('?');
  return { key: isOptional ? name.slice(0, -1) : name, isOptional, shape };
}

/** Every line of a long session meets these tables: each is read once. */
const tables = new WeakMap<Fields, Field[]>();

function fieldsIn(table: Fields): Field[] {
  const known = tables.get(table);
  if (known) return known;
  const read = Object.entries(table).map(([name, shape]) => fieldOf(name, shape));
  tables.set(table, read);
  return read;
}

function fields(value: Record<string, unknown>, table: Fields, path: string, depth: number, found: Misfit[]): void {
  for (const one of fieldsIn(table)) field(value, one, path, depth, found);
}

function field(value: Record<string, unknown>, one: Field, path: string, depth: number, found: Misfit[]): void {
  const { key, isOptional, shape } = one;
  if (Object.hasOwn(value, key)) {
    const own = value[key];
    // Most fields are words that fit.
    if (typeof shape !== 'string' || !isWord(own, shape)) walk(own, shape, `${path}.${key}`, depth + 1, found);
  } else if (!isOptional && found.length < MOST) found.push({ path: `${path}.${key}`, what: 'is missing' });
}

/** What is told is what is wrong with the likeliest: the one in whose fields least is wrong. */
function anyOf(value: unknown, shapes: readonly Shape[], path: string, depth: number, found: Misfit[]): void {
  let nearest: Misfit[] | null = null;
  for (const shape of shapes) {
    const tried: Misfit[] = [];
    walk(value, shape, path, depth + 1, tried);
    if (tried.length === 0) return;
    if (tried[0]!.path !== path && tried.length < (nearest?.length ?? Infinity)) nearest = tried;
  }
  if (nearest) found.push(...nearest.slice(0, MOST - found.length));
  else wrong(value, shapes.map(named).join(' or '), path, found);
}

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  list: Array.isArray,
};

function word(value: unknown, shape: string, path: string, found: Misfit[]): void {
  if (!isWord(value, shape)) wrong(value, named(shape), path, found);
}

const words = new Map<string, string[]>();

function isWord(value: unknown, shape: string): boolean {
  let known = words.get(shape);
  if (!known) {
    known = shape.split('|');
    words.set(shape, known);
  }
  return known.some((one) => FITS[one]?.(value) ?? (typeof value === 'string' && one === `'${value}'`));
}

function wrong(value: unknown, wanted: string, path: string, found: Misfit[]): void {
  if (found.length < MOST) found.push({ path, what: `is ${seen(value, wanted)}, not ${wanted}` });
}

const NAMES: Readonly<Record<string, string>> = {
  integer: 'an integer',
  object: 'an object',
  null: 'null',
  any: 'any',
};

/** A shape in words, without what it is made of. */
function named(shape: Shape): string {
  if (typeof shape === 'function') return named(shape());
  if (typeof shape === 'string') return shape.split('|').map(wordFor).join(' or ');
  if (shape instanceof Built && 'either' in shape.of) return shape.of.either.map(named).join(' or ');
  return isList(shape) ? 'a list' : 'an object';
}

const wordFor = (one: string) => (one.startsWith("'") ? JSON.stringify(one.slice(1, -1)) : (NAMES[one] ?? `a ${one}`));

/** What fits in a few words is quoted. */
function seen(value: unknown, wanted: string): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') {
    const text = JSON.stringify(shortened(value));
    return wanted.includes('"') ? text : `the string ${text}`;
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const LONGEST = 60;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
