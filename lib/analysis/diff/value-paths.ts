/**
 * The places in a dialect's lines that hold ids or values that differ from run to run, as its traits list them. One walk
 * finds all of them.
 */
import { isObject } from '../../model/message.ts';

interface PathBranch {
  keys: Map<string, PathBranch>;
  /** Below any key or element. */
  any: PathBranch | null;
  isEnd: boolean;
}

const makeBranch = (): PathBranch => ({ keys: new Map(), any: null, isEnd: false });

export class ValuePaths {
  readonly #root = makeBranch();

  /** Paths are written as in queries, without the `@`: `message.content[*].id`. */
  constructor(paths: readonly string[]) {
    for (const path of paths) {
      let here = this.#root;
      for (const [, key] of path.matchAll(/\.?([^.[\]]+)/g)) {
        if (key === '*') here = here.any ??= makeBranch();
        else {
          const next = here.keys.get(key!) ?? makeBranch();
          here.keys.set(key!, next);
          here = next;
        }
      }
      here.isEnd = true;
    }
  }

  /** Calls back with each value at one of the places. */
  each(value: unknown, found: (value: unknown) => void): void {
    walk(value, this.#root, found);
  }

  /** A copy without them. What has none of them is shared with the original. */
  without(value: unknown): unknown {
    return copy(value, this.#root);
  }

  /** Only them, by their path. */
  only(value: unknown): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    collect(value, this.#root, '', found);
    return found;
  }
}

function* matchingValues(value: unknown, here: PathBranch): Generator<[string, unknown, PathBranch]> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [key, next] of here.keys) {
    if (Object.hasOwn(value, key)) yield [key, (value as Record<string, unknown>)[key], next];
  }
  if (here.any) for (const [key, inner] of Object.entries(value)) yield [key, inner, here.any];
}

function walk(value: unknown, here: PathBranch, found: (value: unknown) => void): void {
  if (here.isEnd) found(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, next] of here.keys)
    if (Object.hasOwn(value, key)) walk((value as Record<string, unknown>)[key], next, found);
  if (here.any) for (const inner of Object.values(value)) walk(inner, here.any, found);
}

function copy(value: unknown, here: PathBranch): unknown {
  let out: unknown = value;
  for (const [key, inner, next] of matchingValues(value, here)) {
    const kept = next.isEnd ? undefined : copy(inner, next);
    if (kept === inner) continue;
    if (out === value) out = Array.isArray(value) ? [...value] : { ...(value as object) };
    if (kept === undefined && !Array.isArray(out)) delete (out as Record<string, unknown>)[key];
    else (out as Record<string, unknown>)[key] = kept ?? null;
  }
  return out;
}

function collect(value: unknown, here: PathBranch, at: string, found: Record<string, unknown>): void {
  if (here.isEnd && value !== undefined) found[at] = value;
  for (const [key, inner, next] of matchingValues(value, here)) collect(inner, next, `${at}/${key}`, found);
}
