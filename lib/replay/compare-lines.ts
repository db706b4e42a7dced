/** Compares a live line with a recorded one: volatile values are ignored, and ids must correspond. */
import { exactJson, type Id, isId } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import { type IdScope, type IdTree, subtreeAt } from './id-tree.ts';
import type { Ids } from './ids.ts';
import { matchesRedacted } from './pseudonyms.ts';
import type { LineRole } from './script-step.ts';

export interface Difference {
  /** RFC 6901. */
  path: string;
  recorded: unknown;
  live: unknown;
}

export interface LineComparison {
  differences: Difference[];
  /** Ids that the two lines have in the same place. */
  pairs: [recorded: unknown, live: unknown, place: IdScope][];
}

export interface CompareOptions {
  tree: IdTree;
  ids: Ids;
  role: LineRole;
  /** Volatile values and what a client says about itself are compared too. */
  strict: boolean;
  /** The recorded working directory and the live one, which count as equal. */
  cwd: readonly [recorded: string, live: string] | null;
}

/** More differences than these are not of interest. */
const MAX_DIFFERENCES = 5;

export function compareLines(recorded: unknown, live: unknown, options: CompareOptions): LineComparison {
  const compared: LineComparison = { differences: [], pairs: [] };
  new LineComparer(options, compared).values(recorded, live, options.tree, '', 0);
  return compared;
}

/** A peer may nest deeper than the stack allows. */
const MAX_DEPTH = 500;

class LineComparer {
  readonly #options: CompareOptions;
  readonly #compared: LineComparison;

  constructor(options: CompareOptions, compared: LineComparison) {
    this.#options = options;
    this.#compared = compared;
  }

  values(recorded: unknown, live: unknown, tree: IdTree | null, path: string, depth: number): void {
    if (this.#compared.differences.length >= MAX_DIFFERENCES || depth > MAX_DEPTH) return;
    const place = tree?.place ?? null;
    if ((place === 'volatile' || place === 'introduction') && !this.#options.strict) return;
    if (place !== null && isId(recorded) && isId(live)) return this.#ids(recorded, live, place, path);
    if (Array.isArray(recorded) && Array.isArray(live)) return this.#arrays(recorded, live, tree, path, depth);
    if (isObject(recorded) && isObject(live)) return this.#objects(recorded, live, tree, path, depth);
    if (!this.#isSame(recorded, live)) this.#compared.differences.push({ path, recorded, live });
  }

  #ids(recorded: Id, live: Id, place: IdScope, path: string): void {
    const { ids, role } = this.#options;
    // Some clients leave out what they do not know yet.
    if (recorded === '' || live === '') return;
    const known = ids.liveOf(recorded, place, role);
    // A new request of the live side has a new id, and a new token.
    const isNew = known === undefined || (place === 'request' && !role.isAnswer) || place === 'token';
    if (isNew || known === exactJson(live)) this.#compared.pairs.push([recorded, live, place]);
    else this.#compared.differences.push({ path, recorded: JSON.parse(known), live });
  }

  #arrays(recorded: unknown[], live: unknown[], tree: IdTree | null, path: string, depth: number): void {
    const length = Math.max(recorded.length, live.length);
    for (let i = 0; i < length; i++) this.values(recorded[i], live[i], tree?.any ?? null, `${path}/${i}`, depth + 1);
  }

  #objects(
    recorded: Record<string, unknown>,
    live: Record<string, unknown>,
    tree: IdTree | null,
    path: string,
    depth: number,
  ): void {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(live)])) {
      const one = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
      const other = Object.hasOwn(live, key) ? live[key] : undefined;
      this.values(one, other, subtreeAt(tree, key), `${path}/${pointer(key)}`, depth + 1);
    }
  }

  #isSame(recorded: unknown, live: unknown): boolean {
    if (Object.is(recorded, live)) return true;
    const { strict, cwd, ids } = this.#options;
    // What the live side repeats has the ids of the live session.
    if (typeof recorded === 'string' && ids.textToLive(recorded) === live) return true;
    if (strict) return false;
    // Programs differ in whether they write what is missing.
    if ((recorded ?? null) === null && (live ?? null) === null) return true;
    if (typeof recorded !== 'string' || typeof live !== 'string') return false;
    const mapped = ids.textToLive(recorded);
    const moved = cwd === null ? mapped : mapped.replaceAll(cwd[0], cwd[1]);
    return moved === live || matchesRedacted(moved, live);
  }
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
