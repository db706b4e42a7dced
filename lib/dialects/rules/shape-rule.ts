/**
 * The rule of shapes: a message that its dialect knows has its required fields, and known fields have the right types. The
 * tables of the dialect say what to expect.
 */

import { error, NOTHING, type Rule } from './rule.ts';
import type { MessageSchemas } from './schema.ts';
import { findMismatches } from './shape-mismatches.ts';

/** One rule for related dialects; their shapes by the name of each. */
export function makeShapeRule(prefix: string, schemas: Readonly<Record<string, MessageSchemas>>): Rule {
  const source = [...new Set(Object.values(schemas).map(({ source }) => source))].join('; ');
  return {
    ...error.unknown('a message has its required fields, and known fields have the right type', source),
    ...{ id: `${prefix}-shape`, aliases: ['shape'], dialects: Object.keys(schemas), readsParts: true },
    open({ dialect }) {
      const expecting = schemas[dialect]!.open();
      return (read) => {
        const expected = expecting(read);
        if (!expected) return NOTHING;
        const { name, value, shape, at } = expected;
        const found = findMismatches(value, shape, at);
        if (found.length === 0) return NOTHING;
        const { f, from } = read.frame;
        const message = `${name}: ${found.map(({ path, what }) => `${path} ${what}`).join('; ')}`;
        return [{ f, message, fault: from === 'client' || from === 'agent' ? from : 'unknown' }];
      };
    },
  };
}
