/**
 * Kimi Wire 1.0-1.10: kimi-cli 0.59 and later, kimi-agent-rs. JSON-RPC with two methods of the agent, `event` and
 * `request`, whose types carry everything. Whatever has a name in some version is known, whatever the version says it is.
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
