/**
 * Whether a value has a shape, and what does not fit. Hostile values are walked only to a certain depth, and only the
 * first few mismatches are reported.
 */

import { isObject } from '../../model/message.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { CompositeShape, type FieldShapes, type JsonShape, type ShapeTable, type TaggedShape } from './schema.ts';

export interface ShapeMismatch {
  /** Such as `params.user_input[0].type`. */
  path: string;
  /** What is wrong there: `is missing`, `is a number, not a string`. */
  what: string;
}

const MAX_DEPTH = 32;
const MAX_MISMATCHES = 5;

/** What does not fit, in the order of the fields; `path` names the value itself. */
export function findMismatches(value: unknown, shape: JsonShape, path: string): readonly ShapeMismatch[] {
  const check = checkFor(shape);
  if (check(value, null, 0)) return NONE;
  const collector = new MismatchCollector(path);
  check(value, collector, 0);
  return collector.found;
}

const NONE: readonly ShapeMismatch[] = [];

/** Collects mismatches, and the path to the current value. Almost every value fits, and then none is made. */
class MismatchCollector {
  readonly #root: string;
  readonly keys: (string | number)[] = [];
  found: ShapeMismatch[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  get isFull(): boolean {
    return this.found.length >= MAX_MISMATCHES;
  }

  get path(): string {
    return this.#root + this.keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  }

  add(what: string): void {
    if (!this.isFull) this.found.push({ path: this.path, what });
  }
}

/** Whether a value fits. Mismatches are added to the collector; without one, the first mismatch ends the check. */
type ShapeCheck = (value: unknown, collector: MismatchCollector | null, depth: number) => boolean;

function reject(collector: MismatchCollector | null, value: unknown, wanted: string): false {
  collector?.add(`is ${describeValue(value, wanted)}, not ${wanted}`);
  return false;
}

const CHECKS = new Map<JsonShape, ShapeCheck>();

/** Made once for each shape: long sessions have a million values. */
function checkFor(shape: JsonShape): ShapeCheck {
  const known = CHECKS.get(shape);
  if (known) return known;
  const check = makeCheck(shape);
  CHECKS.set(shape, check);
  return check;
}

function makeCheck(shape: JsonShape): ShapeCheck {
  if (typeof shape === 'function') return (value, collector, depth) => checkFor(shape())(value, collector, depth);
  if (typeof shape === 'string') return checkWords(shape);
  if (isList(shape)) return checkItems(shape[0]);
  const built = shape instanceof CompositeShape ? shape.of : null;
  if (built && 'either' in built) return checkEither(built.either);
  return checkObject(
    !built ? checkFields(shape as FieldShapes) : 'by' in built ? checkTagged(built) : checkValues(built.map),
  );
}

const isList = (shape: JsonShape): shape is readonly [JsonShape] => Array.isArray(shape);

/** The same for a value that is known to be an object. */
type ObjectCheck = (value: Record<string, unknown>, collector: MismatchCollector | null, depth: number) => boolean;

const checkObject =
  (check: ObjectCheck): ShapeCheck =>
  (value, collector, depth) =>
    isObject(value) ? check(value, collector, depth) : reject(collector, value, 'an object');

function checkMember(
  check: ShapeCheck,
  value: unknown,
  key: string | number,
  collector: MismatchCollector | null,
  depth: number,
): boolean {
  if (depth >= MAX_DEPTH) return true;
  if (!collector) return check(value, null, depth + 1);
  if (collector.isFull) return true;
  collector.keys.push(key);
  const fits = check(value, collector, depth + 1);
  collector.keys.pop();
  return fits;
}

function checkValues(shape: JsonShape): ObjectCheck {
  const check = checkFor(shape);
  return (value, collector, depth) => {
    let fits = true;
    for (const key of Object.keys(value)) {
      if (!checkMember(check, value[key], key, collector, depth)) fits = false;
      if (!fits && !collector) break;
    }
    return fits;
  };
}

function checkItems(shape: JsonShape): ShapeCheck {
  const check = checkFor(shape);
  return (value, collector, depth) => {
    if (!Array.isArray(value)) return reject(collector, value, 'a list');
    let fits = true;
    for (let index = 0; index < value.length && !collector?.isFull; index++) {
      if (!checkMember(check, value[index], index, collector, depth)) fits = false;
      if (!fits && !collector) break;
    }
    return fits;
  };
}

function checkTagged(shape: TaggedShape): ObjectCheck {
  const untagged = checkFields({ [shape.by]: 'string' });
  const tables = 'shapes' in shape ? shape.shapes : wrapBodies(shape.under, shape.bodies);
  const checks = new Map(Object.entries(tables).map(([tag, table]) => [tag, checkFields(table)]));
  return (value, collector, depth) => {
    const tag = value[shape.by];
    if (typeof tag !== 'string') return untagged(value, collector, depth);
    return checks.get(tag)?.(value, collector, depth) ?? true;
  };
}

const wrapBodies = (under: string, bodies: ShapeTable<JsonShape>): ShapeTable<FieldShapes> =>
  Object.fromEntries(Object.entries(bodies).map(([tag, body]) => [tag, { [under]: body }]));

function checkFields(table: FieldShapes): ObjectCheck {
  const known = Object.entries(table).map(([name, shape]) => {
    const isOptional = name.endsWith('?');
    const key = isOptional ? name.slice(0, -1) : name;
    return { key, isOptional, isInherited: key in Object.prototype, judge: checkFor(shape) };
  });
  return (value, collector, depth) => {
    let fits = true;
    for (const { key, isOptional, isInherited, judge } of known) {
      const inner = value[key];
      if (inner !== undefined && (!isInherited || Object.hasOwn(value, key)))
        fits = checkMember(judge, inner, key, collector, depth) && fits;
      else if (!isOptional) fits = reportMissing(key, collector);
      if (!fits && !collector) break;
    }
    return fits;
  };
}

function reportMissing(key: string, collector: MismatchCollector | null): false {
  collector?.keys.push(key);
  collector?.add('is missing');
  collector?.keys.pop();
  return false;
}

/** If none fits, the mismatches of the likeliest shape are reported: the one with the fewest. */
function checkEither(shapes: readonly JsonShape[]): ShapeCheck {
  const checks = shapes.map(checkFor);
  const names = shapes.map(describeShape).join(' or ');
  return (value, collector, depth) => {
    if (depth >= MAX_DEPTH) return true;
    for (const check of checks) if (check(value, null, depth + 1)) return true;
    if (!collector) return false;
    const { found } = collector;
    let nearest: ShapeMismatch[] | null = null;
    for (const check of checks) {
      const tried: ShapeMismatch[] = [];
      collector.found = tried;
      check(value, collector, depth + 1);
      collector.found = found;
      if (tried[0]!.path !== collector.path && tried.length < (nearest?.length ?? Infinity)) nearest = tried;
    }
    if (!nearest) return reject(collector, value, names);
    found.push(...nearest.slice(0, MAX_MISMATCHES - found.length));
    return false;
  };
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

function checkWords(shape: string): ShapeCheck {
  const words = shape.split('|');
  const fits = words.flatMap((one) => FITS[one] ?? []);
  const texts = new Set(words.filter((one) => !FITS[one]).map((one) => one.slice(1, -1)));
  const [first] = fits;
  return (value, collector) => {
    if (first?.(value)) return true;
    for (let n = 1; n < fits.length; n++) if (fits[n]!(value)) return true;
    if (typeof value === 'string' && texts.has(value)) return true;
    return reject(collector, value, collector ? describeShape(shape) : '');
  };
}

const NAMES: Readonly<Record<string, string>> = {
  integer: 'an integer',
  object: 'an object',
  null: 'null',
  any: 'any',
};

/** A shape in words, without what it is made of. */
function describeShape(shape: JsonShape): string {
  if (typeof shape === 'function') return describeShape(shape());
  if (typeof shape === 'string') return shape.split('|').map(describeWord).join(' or ');
  if (shape instanceof CompositeShape && 'either' in shape.of) return shape.of.either.map(describeShape).join(' or ');
  return isList(shape) ? 'a list' : 'an object';
}

const describeWord = (one: string) =>
  one.startsWith("'") ? JSON.stringify(one.slice(1, -1)) : (NAMES[one] ?? `a ${one}`);

/** Short values are quoted. */
function describeValue(value: unknown, wanted: string): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') {
    const text = JSON.stringify(maskAndShorten(value, MAX_QUOTED_LENGTH));
    return wanted.includes('"') ? text : `the string ${text}`;
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const MAX_QUOTED_LENGTH = 60;
