/** RFC 6901 pointers, and patterns of them: `*` is any one step, `**` any number of steps. */

export const pointerStep = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

interface LocatedChange {
  path: string;
  path_b?: string;
  element?: string;
}

/**
 * Where a changed value is on both sides: `/options/2→1/about`, if an element of a list has another place there, and what
 * the element is called.
 */
export function describePath({ path, path_b = path, element }: LocatedChange): string {
  const steps = path_b.split('/');
  const words = path.split('/').map((step, i) => (step === steps[i] ? step : `${step}→${steps[i]}`));
  return element === undefined ? words.join('/') : `${words.join('/')} (${element})`;
}

/**
 * A pattern matches a pointer and everything below it. Keys are recorded text and may be long, so this takes no more time than
 * steps and stars there are: a regular expression could take forever.
 */
export class PointerPatterns {
  readonly #patterns: readonly (readonly string[])[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => pattern.replace(/\/+$/, '').split('/').slice(1));
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  has(pointer: string): boolean {
    if (this.isEmpty) return false;
    const steps = pointer.split('/').slice(1);
    return this.#patterns.some((pattern) => matchesPrefix(pattern, steps));
  }
}

/** Whether the first steps are what the pattern says. */
function matchesPrefix(pattern: readonly string[], steps: readonly string[]): boolean {
  // To how many steps the pattern can lead so far.
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    if (part === '**') for (let n = Math.min(...reached); n <= steps.length; n++) next.add(n);
    else for (const n of reached) if (n < steps.length && matchesStep(part, steps[n]!)) next.add(n + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return true;
}

/** Whether the whole step is the pattern, in which `*` is any text. */
function matchesStep(pattern: string, step: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return step === first;
  if (!step.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = step.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return step.length - last.length >= at && step.endsWith(last);
}
