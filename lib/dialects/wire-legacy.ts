/**
 * What kimi-cli 0.46-0.58 spoke before Wire: `run` and `interrupt`, events in snake_case, `approval` requests answered
 * without their id. Nothing brackets a turn: the first step after a run is its beginning.
 */
import { type Dialect, envelopeWith } from './dialect.ts';
import { WireReader } from './wire/reader.ts';
import { sureOfLegacy } from './wire/recognise.ts';

export const wireLegacy: Dialect = {
  name: 'wire-legacy',
  recognise: sureOfLegacy,
  envelope: envelopeWith(({ type }) => type),
  open: () => new WireReader(true),
};
