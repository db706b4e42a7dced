/**
 * The protocol of kimi-cli 0.46-0.58 before Wire: `run` and `interrupt`, events in snake_case, and `approval` requests
 * answered without their id. Turns are not marked: the first step after a `run` begins its turn.
 */
import { type Dialect, envelopeWith } from '../dialect.ts';
import { WireReader } from '../wire/reader.ts';
import { recogniseLegacyWire } from '../wire/recognise.ts';
import { EXEMPT_RULES } from '../wire/rules/exempt.ts';
import { legacySchemas } from '../wire/rules/schemas.ts';
import { wireLegacyTraits } from '../wire/traits.ts';

export const wireLegacy: Dialect = {
  name: 'wire-legacy',
  traits: wireLegacyTraits,
  recognise: recogniseLegacyWire,
  envelope: envelopeWith(({ type }) => type),
  open: () => new WireReader(true),
  conformance: { prefix: 'wire', rules: [], shapes: legacySchemas, entries: {}, exempt: EXEMPT_RULES },
};
