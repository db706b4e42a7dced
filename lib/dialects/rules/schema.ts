/**
 * Shapes of messages as plain data. A shape is a word (`string`, `integer|null`, `'allow'|'block'`), or built of others.
 * Fields that are not in the table are allowed, and so are types that are not: a peer may be newer than this.
 */
import type { ReadFrame } from '../../model/read-frame.ts';

/**
 * A word is `string`, `number`, `integer`, `boolean`, `null`, `object`, `list`, `any`, or a text in single quotes;
 * several are joined by `|`. An object has these fields, a list in brackets has such items.
 */
export type Shape =
  | string
  | Fields
  | readonly [Shape]
  | Built
  /** For a shape that holds itself. */
  | (() => Shape);

/** A key that ends in `?` may be absent. */
export interface Fields {
  readonly [name: string]: Shape;
}

export type Table<S> = Readonly<Record<string, S>>;
export type Tagged = { by: string; shapes: Table<Fields> } | { by: string; under: string; bodies: Table<Shape> };

/** What is not plain data. */
export class Built {
  readonly of: { map: Shape } | { either: readonly Shape[] } | Tagged;

  constructor(of: Built['of']) {
    this.of = of;
  }
}

/** An object whose values are all alike. */
export const mapOf = (map: Shape) => new Built({ map });
export const either = (...shapes: Shape[]) => new Built({ either: shapes });
/** Which fields it has is told by one of them, which must be a string; an unknown word allows anything. */
export const tagged = (by: string, shapes: Table<Fields>) => new Built({ by, shapes });
/** As above, but what is told of lies under another key. */
export const wrapped = (by: string, under: string, bodies: Table<Shape>) => new Built({ by, under, bodies });

/** What a line should look like. */
export interface Expected {
  /** What it is, in a few words: `prompt`, `event ToolCall`, `answer to initialize`. */
  name: string;
  value: unknown;
  shape: Shape;
  /** Where the value lies in the line: `params`, `params.payload`, `result`. */
  at: string;
}

/** Fed all frames of a session, in order; null: nothing is known of this one. */
export type Expecting = (read: ReadFrame) => Expected | null;

/** Opened for each session. */
export interface Schemas {
  /** Where the shapes are laid down. */
  source: string;
  open(): Expecting;
}
