/**
 * Whether a value has a shape, and what does not fit. Hostile values are walked only to a certain depth, and only the
 * first few mismatches are reported.
 */

import { isObject } from '../../model/message.ts';
import { shortened } from '../../model/text/mask.ts';
import { Built, type Fields, type Shape, type Table, type Tagged } from './schema.ts';

export interface Misfit {
  /** Such as `params.user_input[0].type`. */
  path: string;
  /** What is wrong there: `is missing`, `is a number, not a string`. */
  what: string;
}

const DEEPEST = 32;
const MOST = 5;

/** What does not fit, in the order of the fields; `path` names the value itself. */
export function misfits(value: unknown, shape: Shape, path: string): readonly Misfit[] {
  const judge = judgeOf(shape);
  if (judge(value, null, 0)) return NONE;
  const tour = new Tour(path);
  judge(value, tour, 0);
  return tour.found;
}

const NONE: readonly Misfit[] = [];

/** Collects mismatches, and the path to the current value. Almost every value fits, and then none is made. */
class Tour {
  readonly #root: string;
  readonly keys: (string | number)[] = [];
  found: Misfit[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  get isOver(): boolean {
    return this.found.length >= MOST;
  }

  get path(): string {
    return this.#root + this.keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  }

  tell(what: string): void {
    if (!this.isOver) this.found.push({ path: this.path, what });
  }
}

/** Whether a value fits. Mismatches are added to the collector; without one, the first mismatch ends the check. */
type Judge = (value: unknown, tour: Tour | null, depth: number) => boolean;

function wrong(tour: Tour | null, value: unknown, wanted: string): false {
  tour?.tell(`is ${seen(value, wanted)}, not ${wanted}`);
  return false;
}

const JUDGES = new Map<Shape, Judge>();

/** Made once for each shape: long sessions have a million values. */
function judgeOf(shape: Shape): Judge {
  const known = JUDGES.get(shape);
  if (known) return known;
  const judge = makeJudge(shape);
  JUDGES.set(shape, judge);
  return judge;
}

function makeJudge(shape: Shape): Judge {
  if (typeof shape === 'function') return (value, tour, depth) => judgeOf(shape())(value, tour, depth);
  if (typeof shape === 'string') return word(shape);
  if (isList(shape)) return items(shape[0]);
  const built = shape instanceof Built ? shape.of : null;
  if (built && 'either' in built) return anyOf(built.either);
  return ofObject(!built ? fields(shape as Fields) : 'by' in built ? byTag(built) : values(built.map));
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** The same for a value that is known to be an object. */
type ObjectJudge = (value: Record<string, unknown>, tour: Tour | null, depth: number) => boolean;

const ofObject =
  (judge: ObjectJudge): Judge =>
  (value, tour, depth) =>
    isObject(value) ? judge(value, tour, depth) : wrong(tour, value, 'an object');

function inside(judge: Judge, value: unknown, key: string | number, tour: Tour | null, depth: number): boolean {
  if (depth >= DEEPEST) return true;
  if (!tour) return judge(value, null, depth + 1);
  if (tour.isOver) return true;
  tour.keys.push(key);
  const fits = judge(value, tour, depth + 1);
  tour.keys.pop();
  return fits;
}

function values(shape: Shape): ObjectJudge {
  const judge = judgeOf(shape);
  return (value, tour, depth) => {
    let fits = true;
    for (const key of Object.keys(value)) {
      if (!inside(judge, value[key], key, tour, depth)) fits = false;
      if (!fits && !tour) break;
    }
    return fits;
  };
}

function items(shape: Shape): Judge {
  const judge = judgeOf(shape);
  return (value, tour, depth) => {
    if (!Array.isArray(value)) return wrong(tour, value, 'a list');
    let fits = true;
    for (let index = 0; index < value.length && !tour?.isOver; index++) {
      if (!inside(judge, value[index], index, tour, depth)) fits = false;
      if (!fits && !tour) break;
    }
    return fits;
  };
}

function byTag(shape: Tagged): ObjectJudge {
  const untagged = fields({ [shape.by]: 'string' });
  const tables = 'shapes' in shape ? shape.shapes : wrappings(shape.under, shape.bodies);
  const judges = new Map(Object.entries(tables).map(([tag, table]) => [tag, fields(table)]));
  return (value, tour, depth) => {
    const tag = value[shape.by];
    if (typeof tag !== 'string') return untagged(value, tour, depth);
    return judges.get(tag)?.(value, tour, depth) ?? true;
  };
}

const wrappings = (under: string, bodies: Table<Shape>): Table<Fields> =>
  Object.fromEntries(Object.entries(bodies).map(([tag, body]) => [tag, { [under]: body }]));

function fields(table: Fields): ObjectJudge {
  const known = Object.entries(table).map(([name, shape]) => {
    const isOptional = name.endsWith('?');
    const key = isOptional ? name.slice(0, -1) : name;
    return { key, isOptional, isInherited: key in Object.prototype, judge: judgeOf(shape) };
  });
  return (value, tour, depth) => {
    let fits = true;
    for (const { key, isOptional, isInherited, judge } of known) {
      const inner = value[key];
      if (inner !== undefined && (!isInherited || Object.hasOwn(value, key)))
        fits = inside(judge, inner, key, tour, depth) && fits;
      else if (!isOptional) fits = missing(key, tour);
      if (!fits && !tour) break;
    }
    return fits;
  };
}

function missing(key: string, tour: Tour | null): false {
  tour?.keys.push(key);
  tour?.tell('is missing');
  tour?.keys.pop();
  return false;
}

/** If none fits, the mismatches of the likeliest shape are reported: the one with the fewest. */
function anyOf(shapes: readonly Shape[]): Judge {
  const judges = shapes.map(judgeOf);
  const names = shapes.map(named).join(' or ');
  return (value, tour, depth) => {
    if (depth >= DEEPEST) return true;
    for (const judge of judges) if (judge(value, null, depth + 1)) return true;
    if (!tour) return false;
    const { found } = tour;
    let nearest: Misfit[] | null = null;
    for (const judge of judges) {
      const tried: Misfit[] = [];
      tour.found = tried;
      judge(value, tour, depth + 1);
      tour.found = found;
      if (tried[0]!.path !== tour.path && tried.length < (nearest?.length ?? Infinity)) nearest = tried;
    }
    if (!nearest) return wrong(tour, value, names);
    found.push(...nearest.slice(0, MOST - found.length));
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

function word(shape: string): Judge {
  const words = shape.split('|');
  const fits = words.flatMap((one) => FITS[one] ?? []);
  const texts = new Set(words.filter((one) => !FITS[one]).map((one) => one.slice(1, -1)));
  const [first] = fits;
  return (value, tour) => {
    if (first?.(value)) return true;
    for (let n = 1; n < fits.length; n++) if (fits[n]!(value)) return true;
    if (typeof value === 'string' && texts.has(value)) return true;
    return wrong(tour, value, tour ? named(shape) : '');
  };
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

/** Short values are quoted. */
function seen(value: unknown, wanted: string): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') {
    const text = JSON.stringify(shortened(value, LONGEST));
    return wanted.includes('"') ? text : `the string ${text}`;
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const LONGEST = 60;
