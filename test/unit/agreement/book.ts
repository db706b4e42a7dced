/**
 * What one part of the program says about a session, in words that all parts share, so that any two of them can be
 * compared. A field that a part leaves undefined is one on which it has no opinion.
 */

export type Value = string | number | boolean | null;
export type Said = Record<string, Value | undefined>;

/** A turn is named by its number, a call by its frame and id, the rest by their frame. */
export type Subject = 'process' | 'session' | 'prompt' | 'turn' | 'call' | 'ask' | 'grant' | 'frame';

export class Book {
  readonly name: string;
  /** Of these it lists every one there is: one that it does not list, it denies. */
  readonly lists: readonly Subject[];
  readonly said = new Map<Subject, Map<string, Said>>();

  constructor(name: string, lists: readonly Subject[] = []) {
    this.name = name;
    this.lists = lists;
  }

  /** Later words add to earlier ones about the same thing. */
  say(subject: Subject, key: number | string, said: Said): void {
    const all = this.said.get(subject) ?? new Map<string, Said>();
    this.said.set(subject, all);
    const name = typeof key === 'number' ? `f${key}` : key;
    all.set(name, { ...all.get(name), ...said });
  }

  about(subject: Subject, key: string): Said | undefined {
    return this.said.get(subject)?.get(key);
  }
}

export const turnKey = (n: number) => `turn ${n}`;
export const callKey = (f: number, id: string | null) => `f${f} ${id ?? '-'}`;

/** Every disagreement, as `f17 ask.wait: timeline 1.2, audit null`, in the order of the frames. */
export function disagreements(books: readonly Book[]): string[] {
  const found: { f: number; text: string }[] = [];
  const subjects = new Set(books.flatMap(({ said }) => [...said.keys()]));
  for (const subject of subjects) {
    const keys = new Set(books.flatMap(({ said }) => [...(said.get(subject)?.keys() ?? [])]));
    for (const key of keys) {
      const f = Number(/^f(\d+)/.exec(key)?.[1] ?? 0);
      found.push(...aboutOne(books, subject, key).map((text) => ({ f, text })));
    }
  }
  return found.sort((a, b) => a.f - b.f || (a.text < b.text ? -1 : 1)).map(({ text }) => text);
}

function aboutOne(books: readonly Book[], subject: Subject, key: string): string[] {
  const known = books.flatMap((book) => {
    const said = book.about(subject, key);
    return said ? [{ book, said }] : [];
  });
  const missing = books.filter((book) => book.lists.includes(subject) && !book.about(subject, key));
  const out: string[] = [];
  if (missing.length > 0) {
    out.push(`${key} ${subject}: ${names(known.map(({ book }) => book))}, not ${names(missing)}`);
  }
  for (const field of new Set(known.flatMap(({ said }) => Object.keys(said)))) {
    const values = known.flatMap(({ book, said }) => {
      const value = said[field];
      return value === undefined ? [] : [{ name: book.name, value }];
    });
    if (values.every(({ value }) => isSame(value, values[0]!.value))) continue;
    const text = values.map(({ name, value }) => `${name} ${shown(value)}`).join(', ');
    out.push(`${key} ${subject}.${field}: ${text}`);
  }
  return out;
}

const names = (books: readonly Book[]) => books.map(({ name }) => name).join(' and ');

/** Times are known in microseconds; two roundings of one time may differ by one. */
const ROUNDING = 2e-6;

function isSame(a: Value, b: Value): boolean {
  return typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < ROUNDING : a === b;
}

const shown = (value: Value) => (typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : String(value));
