/**
 * Shapes of messages as plain data. A shape is a word (`string`, `integer|null`, `'allow'|'block'`), or built from others.
 * Fields and types that are not in the tables are allowed: a peer may be newer than the tables.
 */
import type { ReadFrame } from '../../model/read-frame.ts';

/**
 * A word is `string`, `number`, `integer`, `boolean`, `null`, `object`, `list`, `any`, or a text in single quotes;
 * several are joined by `|`. An object has the given fields, and a list in brackets has items of the given shape.
 */
export type JsonShape =
  | string
  | FieldShapes
  | readonly [JsonShape]
  | CompositeShape
  /** For a shape that contains itself. */
  | (() => JsonShape);

/** A key that ends in `?` may be absent. */
export interface FieldShapes {
  readonly [name: string]: JsonShape;
}

export type ShapeTable<S> = Readonly<Record<string, S>>;
export type TaggedShape =
  | { by: string; shapes: ShapeTable<FieldShapes> }
  | { by: string; under: string; bodies: ShapeTable<JsonShape> };

/** A shape that is not plain data. */
export class CompositeShape {
  readonly of: { map: JsonShape } | { either: readonly JsonShape[] } | TaggedShape;

  constructor(of: CompositeShape['of']) {
    this.of = of;
  }
}

/** An object whose values all have this shape. */
export const mapOf = (map: JsonShape) => new CompositeShape({ map });
export const either = (...shapes: JsonShape[]) => new CompositeShape({ either: shapes });
/** One field, which must be a string, decides which other fields there are; an unknown value allows anything. */
export const tagged = (by: string, shapes: ShapeTable<FieldShapes>) => new CompositeShape({ by, shapes });
/** As above, but the fields that it decides are under another key. */
export const wrapped = (by: string, under: string, bodies: ShapeTable<JsonShape>) =>
  new CompositeShape({ by, under, bodies });

/** What a line should look like. */
export interface ExpectedShape {
  /** What it is, in a few words: `prompt`, `event ToolCall`, `answer to initialize`. */
  name: string;
  value: unknown;
  shape: JsonShape;
  /** Where the value lies in the line: `params`, `params.payload`, `result`. */
  at: string;
}

/** Called with all frames of a session, in order; null: nothing is known about this one. */
export type ExpectShape = (read: ReadFrame) => ExpectedShape | null;

/** Opened for each session. */
export interface MessageSchemas {
  /** Where the shapes are specified. */
  source: string;
  open(): ExpectShape;
}
