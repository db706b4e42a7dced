/**
 * Shapes of messages as plain data. A shape is a word (`string`, `integer|null`, `'allow'|'block'`), or built from others.
 * Fields and types that are not in the tables are allowed: a peer may be newer than the tables.
 */
import type { ReadFrame } from '../../model/read-frame.ts';

/**
 * A word is `string`, `number`, `integer`, `boolean`, `null`, `object`, `list`, `any`, or a text in single quotes;
 * several are joined by `|`. An object has the given fields, and a list in brackets has items of the given shape.
 */
export type Shape =
  | string
  | Fields
  | readonly [Shape]
  | Built
  /** For a shape that contains itself. */
  | (() => Shape);

/** A key that ends in `?` may be absent. */
export interface Fields {
  readonly [name: string]: Shape;
}

export type Table<S> = Readonly<Record<string, S>>;
export type Tagged = { by: string; shapes: Table<Fields> } | { by: string; under: string; bodies: Table<Shape> };

/** A shape that is not plain data. */
export class Built {
  readonly of: { map: Shape } | { either: readonly Shape[] } | Tagged;

  constructor(of: Built['of']) {
    this.of = of;
  }
}

/** An object whose values all have this shape. */
export const mapOf = (map: Shape) => new Built({ map });
export const either = (...shapes: Shape[]) => new Built({ either: shapes });
/** One field, which must be a string, decides which other fields there are; an unknown value allows anything. */
export const tagged = (by: string, shapes: Table<Fields>) => new Built({ by, shapes });
/** As above, but the fields that it decides are under another key. */
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

/** Called with all frames of a session, in order; null: nothing is known about this one. */
export type Expecting = (read: ReadFrame) => Expected | null;

/** Opened for each session. */
export interface Schemas {
  /** Where the shapes are specified. */
  source: string;
  open(): Expecting;
}
