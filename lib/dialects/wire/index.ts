/**
 * Kimi Wire 1.0-1.10: kimi-cli 0.59 and later, kimi-agent-rs. JSON-RPC in which the agent has two methods, `event` and
 * `request`, with many types. All names of all versions are known, whatever version the session reports.
 */
import { type Dialect, envelopeWith } from '../dialect.ts';
import { WireReader } from './reader.ts';
import { sureOfWire } from './recognise.ts';

export const wire: Dialect = {
  name: 'wire',
  recognise: sureOfWire,
  envelope: envelopeWith(({ type }) => type),
  open: () => new WireReader(false),
};
