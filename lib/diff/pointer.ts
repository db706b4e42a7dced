/** RFC 6901 pointers, and patterns of them: `*` is any one step, `**` any number of steps. */

export const stepOf = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

interface Located {
  path: string;
  path_b?: string;
  element?: string;
}

/**
 * Where a changed value is on both sides: `/options/2→1/about`, if an element of a list has another place there, and what
 * the element is called.
 */
export function pathWords({ path, path_b = path, element }: Located): string {
  const steps = path_b.split('/');
  const words = path.split('/').map((step, i) => (step === steps[i] ? step : `${step}→${steps[i]}`));
  return element === undefined ? words.join('/') : `${words.join('/')} (${element})`;
}

/** A pattern matches a pointer and everything below it. */
export class Pointers {
  readonly #patterns: RegExp[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => {
      const steps = pattern.replace(/\/+$/, '').split('/').slice(1);
      const source = steps.map((step) => (step === '**' ? '(?:/[^/]*)*' : `/${glob(step)}`)).join('');
      return new RegExp(`^${source}(?:/|$)`);
    });
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  has(pointer: string): boolean {
    return this.#patterns.some((pattern) => pattern.test(pointer));
  }
}

const glob = (step: string): string => step.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
