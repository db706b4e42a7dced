/**
 * The rule `shape`: a message that its dialect knows has the fields that it must have, of the types that they must have. What
 * to expect of a line is told by the dialect's table.
 */
import { acpSchemas } from './acp/shapes.ts';
import { printSchemas } from './kimi-print.ts';
import { mcpSchemas } from './mcp/shapes.ts';
import { rfcSchemas } from './qwen-rfc/shapes.ts';
import { error, type Rule } from './rule.ts';
import { misfits, type Schemas } from './schema.ts';
import { streamSchemas } from './stream-json/shapes.ts';
import { legacySchemas, wireSchemas } from './wire/schemas.ts';

/** Which table of shapes a dialect has. A new one is a line here. */
const SCHEMAS: Readonly<Record<string, Schemas>> = {
  wire: wireSchemas,
  'wire-legacy': legacySchemas,
  acp: acpSchemas,
  mcp: mcpSchemas,
  'stream-json': streamSchemas,
  'qwen-rfc': rfcSchemas,
  'kimi-print': printSchemas,
};

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
