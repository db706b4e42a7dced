/**
 * The rules of shapes: a message that its dialect knows has the fields that it must have, of the types that they must have. What
 * to expect of a line is told by the dialect's table.
 */
import { acpSchemas } from './acp/shapes.ts';
import { codexSchemas } from './codex/shapes.ts';
import { printSchemas } from './kimi-print.ts';
import { mcpSchemas } from './mcp/shapes.ts';
import { misfits } from './misfits.ts';
import { piSchemas } from './pi/shapes.ts';
import { rfcSchemas } from './qwen-rfc/shapes.ts';
import { error, NOTHING, type Rule } from './rule.ts';
import type { Schemas } from './schema.ts';
import { streamSchemas } from './stream-json/shapes.ts';
import { legacySchemas, wireSchemas } from './wire/schemas.ts';

/** Which table of shapes a dialect has, and whose rule it is. A new one is a line here. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<string, Schemas>>>> = {
  wire: { wire: wireSchemas, 'wire-legacy': legacySchemas },
  acp: { acp: acpSchemas },
  mcp: { mcp: mcpSchemas },
  codex: { codex: codexSchemas },
  stream: { 'stream-json': streamSchemas },
  rfc: { 'qwen-rfc': rfcSchemas },
  print: { 'kimi-print': printSchemas },
  pi: { pi: piSchemas },
};

export const SHAPE_RULES: readonly Rule[] = Object.entries(SCHEMAS).map(([family, schemas]): Rule => {
  const source = [...new Set(Object.values(schemas).map(({ source }) => source))].join('; ');
  return {
    ...{ id: `${family}-shape`, aliases: ['shape'], dialects: Object.keys(schemas), readsParts: true },
    ...error.unknown('a message has its required fields, and known fields have their types', source),
    open({ dialect }) {
      const expecting = schemas[dialect]!.open();
      return (read) => {
        const expected = expecting(read);
        if (!expected) return NOTHING;
        const { name, value, shape, at } = expected;
        const found = misfits(value, shape, at);
        if (found.length === 0) return NOTHING;
        const { f, from } = read.frame;
        const message = `${name}: ${found.map(({ path, what }) => `${path} ${what}`).join('; ')}`;
        return [{ f, message, fault: from === 'client' || from === 'agent' ? from : 'unknown' }];
      };
    },
  };
});
