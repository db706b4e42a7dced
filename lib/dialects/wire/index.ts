/**
 * Kimi Wire 1.0-1.10: kimi-cli 0.59 and later, kimi-agent-rs. JSON-RPC in which the agent has two methods, `event` and
 * `request`, with many types. All names of all versions are known, whatever version the session reports.
 */
import { type Dialect, envelopeWith } from '../dialect.ts';
import { WireReader } from './reader.ts';
import { recogniseWire } from './recognise.ts';
import { WIRE_ENTRIES } from './rules/entries.ts';
import { EXEMPT_RULES } from './rules/exempt.ts';
import { WIRE_RULES } from './rules/index.ts';
import { wireSchemas } from './rules/schemas.ts';
import { wireTraits } from './traits.ts';

export const wire: Dialect = {
  name: 'wire',
  traits: wireTraits,
  recognise: recogniseWire,
  envelope: envelopeWith(({ type }) => type),
  open: () => new WireReader(false),
  conformance: {
    prefix: 'wire',
    title: 'Kimi Wire',
    rules: WIRE_RULES,
    shapes: wireSchemas,
    entries: WIRE_ENTRIES,
    exempt: EXEMPT_RULES,
  },
};
