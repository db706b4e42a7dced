/**
 * Random queries from a seed, as text: of every qualifier, path and text, with every form of value, nested and negated.
 * Values come from a small stock, so that many queries match something. Give your own stock to match your frames.
 */
import { QUALIFIERS, type Qualifier } from '../../lib/analysis/query/qualifiers.ts';

export type Random = () => number;

/** Numbers from 0 to 1, the same ones for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Stock {
  /** Values of qualifiers of type text, session and path. */
  values: readonly string[];
  /** To search for. */
  texts: readonly string[];
  numbers: readonly number[];
  /** Without the `@`. */
  paths: readonly string[];
  /** ISO. */
  times: readonly string[];
  /** What is really there, by the name of a qualifier, or by a path with its `@`. */
  known?: Readonly<Record<string, readonly (string | number)[]>>;
}

export const STOCK: Stock = {
  values: [
    ...[
      'Shell',
      'WriteFile',
      'request',
      'session/prompt',
      'zed 0.9',
      'Kimi Code CLI',
      '1.10',
      'k3f9',
      '20261116',
      '42',
    ],
    ...[
      'ticket=42',
      '/home/me/Shop',
      'a,b',
      'say "hi"',
      'back\\slash',
      '100%',
      "o'neil",
      'x; DROP TABLE frames',
      '名前',
    ],
    ...['', '*', '?', '/x/', '1..2', '>=3', '-1', 'true', 'null', 'Ünï', 'a..b', 'OR', '[0]', 'ß', 'İ'],
  ],
  texts: [
    ...['reset', 'connection reset', '错误', 'rm -rf', 'http://x', '"', '\\', '%', '_', '-', 'OR', 'not', '(', "'; --"],
    ...['İstanbul', '🙂', 'a\nb', 'e\u0301', '@x', '*', 'tool:Shell', '--wire'],
  ],
  numbers: [-32000, -1, 0, 1, 2, 3, 17, 0.5, 1.5, 61.25, 300, 1048576, 9007199254740991, 1e21],
  paths: [
    ...[
      'params',
      'params.payload.sender',
      'params.payload.display[*].path',
      'id',
      'result',
      '[*]',
      '[0].x',
      'a."b c"[1]',
    ],
    ...['__proto__', 'constructor.name', 'params.*', '"*"', '"say \\"hi\\""', 'error.code', '名前.値'],
  ],
  times: ['2026-11-16', '2026-11-16T02:29', '2026-11-16T02:29:12Z', '2026-11-16T02:29:12.5', '2026-11-16T04:29+02:00'],
};

/** A query that can be read, as text. `only` limits its terms: those of frames, or those of sessions. */
export function randomQuery(random: Random, stock: Stock = STOCK, only: 'frame' | 'session' | null = null): string {
  return new Generator(random, stock, only).expr(1 + Math.floor(random() * 3));
}

class Generator {
  readonly #random: Random;
  readonly #stock: Stock;
  readonly #only: 'frame' | 'session' | null;

  constructor(random: Random, stock: Stock, only: 'frame' | 'session' | null) {
    this.#random = random;
    this.#stock = stock;
    this.#only = only;
  }

  expr(depth: number): string {
    if (depth === 0) return this.#term();
    const parts = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#part(depth - 1));
    return parts.join(this.#pick([' ', ' ', ' AND ', ' OR ', ' OR ']));
  }

  #part(depth: number): string {
    const roll = this.#random();
    if (roll < 0.3 && depth > 0) return `(${this.expr(depth)})`;
    if (roll < 0.4) return `NOT (${this.expr(depth)})`;
    if (roll < 0.5) return `-${this.#term()}`;
    return roll < 0.6 ? `NOT ${this.#term()}` : this.#term();
  }

  #term(): string {
    const roll = this.#random();
    if (this.#only !== 'session' && roll < 0.05) return this.#regex(this.#pick(this.#stock.texts));
    if (this.#only !== 'session' && roll < 0.15) return this.#quoted(this.#pick(this.#stock.texts));
    if (this.#only !== 'session' && roll < 0.35) {
      const path = this.#pick(this.#stock.paths);
      return `@${path}:${this.#values(null, this.#stock.known?.[`@${path}`])}`;
    }
    const qualifier = this.#pick(QUALIFIERS.filter(({ of }) => this.#only === null || of === this.#only));
    return `${qualifier.name}:${this.#values(qualifier, this.#stock.known?.[qualifier.name])}`;
  }

  #values(qualifier: Qualifier | null, known: readonly (string | number)[] | undefined): string {
    const count = this.#random() < 0.7 ? 1 : 2 + Math.floor(this.#random() * 2);
    const one = () => {
      const value = known && known.length > 0 && this.#random() < 0.8 ? this.#pick(known) : null;
      return this.#random() < 0.1 ? '*' : this.#value(qualifier, value);
    };
    return Array.from({ length: count }, one).join(',');
  }

  /** `known`: a value that is there, or null for one of the stock. */
  #value(qualifier: Qualifier | null, known: string | number | null): string {
    const number = typeof known === 'number' ? known : null;
    const text = () => this.#text(known === null ? this.#pick(this.#stock.values) : `${known}`);
    switch (qualifier?.type) {
      case 'word':
      case 'mark':
        return this.#pattern(typeof known === 'string' ? known : this.#pick(qualifier.words!));
      case 'state':
        return this.#pattern(this.#pick(qualifier.words!));
      case 'exit':
        return this.#random() < 0.5 ? this.#pattern(this.#pick(qualifier.words!)) : this.#number('', number);
      case 'number':
      case 'frame':
        return this.#number('', number);
      case 'size':
        return this.#number(number === null ? this.#pick(['', 'b', 'kb', 'mb']) : '', number);
      case 'duration':
        return this.#number(number === null ? this.#pick(['', 's', 'ms', 'm', 'h']) : '', number);
      case 'time':
        return this.#time();
      case undefined:
        return number !== null || (known === null && this.#random() < 0.4) ? this.#number('', number) : text();
      default:
        // A folder may start with a slash: there, a regular expression has no blanks.
        return qualifier?.name === 'cwd' ? text().replaceAll(/, |[()]/g, '.') : text();
    }
  }

  /** One for the text: with anchors, repetitions and classes, of words that are there. */
  #regex(text: string): string {
    const word = text.replace(/[^\p{L}\p{N} ]/gu, '.') || 'e';
    const [first, last] = [word.slice(0, 2), word.slice(-2)];
    return this.#pick([
      ...[`/${word}/`, `/${word}/i`, `/^${first}/`, `/${last}$/`, `/${first}.*${last}/`, `/${first}[^x]{0,9}?${last}/`],
      ...[
        `/\\b${first}|${last}\\b/`,
        `/(?<=${first}).{1,3}$/`,
        `/[${first}]{2,}\\s?/`,
        '/\\d+/',
        '/^.$/',
        '/x*/',
        '/\\-/',
      ],
    ]);
  }

  /** A word that is known, or a pattern that fits it. */
  #pattern(word: string): string {
    const roll = this.#random();
    if (roll < 0.7) return word;
    return roll < 0.85 ? `${word.slice(0, 3)}*` : `/^${word.slice(0, 4)}/`;
  }

  #text(value: string): string {
    const roll = this.#random();
    if (roll < 0.7) return this.#quoted(value);
    const plain = value.replace(/[^\p{L}\p{N} ]/gu, '').split(' ')[0]!;
    if (plain === '') return this.#quoted(value);
    if (roll < 0.85)
      return this.#pick([`${plain.slice(0, 3)}*`, `*${plain.slice(-2)}`, `?${plain.slice(1)}`, `*${plain}*`]);
    return this.#pick([`/${plain}/`, `/^${plain.slice(0, 2)}/i`, `/[${plain}]$/`, '/\\//', '/a|b, (c)/', '/\\-/']);
  }

  #number(unit: string, known: number | null): string {
    const any = () => known ?? this.#pick(this.#stock.numbers);
    const one = () => `${any()}${unit}`;
    const [low, high] = [any(), this.#pick(this.#stock.numbers)].sort((a, b) => a - b);
    const sign = this.#pick(['>', '>=', '<', '<=']);
    return this.#pick([one(), one(), `${low}${unit}..${high}${unit}`, `${one()}..*`, `*..${one()}`, `${sign}${one()}`]);
  }

  #time(): string {
    const [low, high] = [this.#pick(this.#stock.times), this.#pick(this.#stock.times)];
    const sign = this.#pick(['>', '>=', '<', '<=']);
    return this.#pick([low, `${low}..*`, `*..${low}`, `${sign}${low}`, low === high ? `${low}..${high}` : high]);
  }

  #quoted(text: string): string {
    const bare = /^[\p{L}\p{N}]+$/u.test(text) && text !== 'OR' && this.#random() < 0.5;
    return bare ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }
}
