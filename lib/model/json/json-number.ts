/** Finds a number in a line of JSON as it was written, because `JSON.parse` rounds large numbers. */

const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * The digits of the number at this path of keys, or null. The text must be a JSON object. If a key occurs twice, the
 * last one counts, as for `JSON.parse`.
 */
export function numberAt(text: string, path: readonly string[]): string | null {
  const walk = new NumberFinder(text, path);
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"') at = walk.string(at) - 1;
    else if (c === '{' || c === '[') walk.depth++;
    else if (c === '}' || c === ']') walk.close();
  }
  return walk.found;
}

class NumberFinder {
  found: string | null = null;
  /** How many objects and arrays are open, and how many keys of the path have been matched. */
  depth = 0;
  #matched = 0;
  readonly #text: string;
  readonly #path: readonly string[];

  constructor(text: string, path: readonly string[]) {
    this.#text = text;
    this.#path = path;
  }

  close(): void {
    if (this.depth === this.#matched + 1 && this.#matched > 0) this.#matched--;
    this.depth--;
  }

  /** Skips a string. A string before a colon is a key. */
  string(at: number): number {
    const text = this.#text;
    const end = stringEnd(text, at);
    const colon = skipSpace(text, end);
    if (text[colon] !== ':' || this.depth !== this.#matched + 1) return end;
    if (isKey(text.slice(at, end), this.#path[this.#matched]!)) this.#key(skipSpace(text, colon + 1));
    return end;
  }

  /** A key of the path; its value starts here. */
  #key(at: number): void {
    const isLast = this.#matched + 1 === this.#path.length;
    NUMBER.lastIndex = at;
    this.found = isLast ? (NUMBER.exec(this.#text)?.[0] ?? null) : null;
    if (!isLast && this.#text[at] === '{') this.#matched++;
  }
}

function isKey(quoted: string, key: string): boolean {
  return quoted.includes('\\') ? JSON.parse(quoted) === key : quoted.slice(1, -1) === key;
}

/** From an opening quote to after the closing one. */
export function stringEnd(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote;
    while (text[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r' || text[at] === '\n') at++;
  return at;
}
