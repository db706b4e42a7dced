/**
 * The rule `shape`: a message that its dialect knows has the fields that it must have, of the types that they must have. What
 * to expect of a line is told by the dialect's table in schemas.ts.
 */
import type { ReadFrame } from '../session/read.ts';
import { error, type Rule } from './rule.ts';
import { misfits, type Shape } from './schema.ts';
import { SCHEMAS } from './schemas.ts';

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
  ref: string;
  open(): Expecting;
}

export const shape: Rule = {
  ...{ id: 'shape', dialects: Object.keys(SCHEMAS) },
  ...error.unknown(
    'a message has its required fields, and known fields have their types',
    'the schemas of each dialect',
  ),
  open({ dialect }) {
    const { ref, open } = SCHEMAS[dialect]!;
    const expecting = open();
    return (read) => {
      const expected = expecting(read);
      if (!expected) return [];
      const { name, value, shape, at } = expected;
      const found = misfits(value, shape, at);
      if (found.length === 0) return [];
      const { f, from } = read.frame;
      const message = `${name}: ${found.map(({ path, what }) => `${path} ${what}`).join('; ')}`;
      return [{ f, message, fault: from === 'client' || from === 'agent' ? from : 'unknown', ref }];
    };
  },
};
