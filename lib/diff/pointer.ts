/** RFC 6901 pointers, and patterns of them: `*` is any one step, `**` any number of steps. */

export const stepOf = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

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
