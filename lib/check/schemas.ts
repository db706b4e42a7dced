/** Which table of shapes a dialect has. A new one is a line here. */
import type { Schemas } from './shape.ts';
import { legacySchemas, wireSchemas } from './wire/schemas.ts';

export const SCHEMAS: Readonly<Record<string, Schemas>> = {
  wire: wireSchemas,
  'wire-legacy': legacySchemas,
};
