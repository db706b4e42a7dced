/** Which table of shapes a dialect has. A new one is a line here. */
import { acpSchemas } from './acp/shapes.ts';
import { printSchemas } from './kimi-print.ts';
import { mcpSchemas } from './mcp/shapes.ts';
import { rfcSchemas } from './qwen-rfc/shapes.ts';
import type { Schemas } from './shape.ts';
import { streamSchemas } from './stream-json/shapes.ts';
import { legacySchemas, wireSchemas } from './wire/schemas.ts';

export const SCHEMAS: Readonly<Record<string, Schemas>> = {
  wire: wireSchemas,
  'wire-legacy': legacySchemas,
  acp: acpSchemas,
  mcp: mcpSchemas,
  'stream-json': streamSchemas,
  'qwen-rfc': rfcSchemas,
  'kimi-print': printSchemas,
};
