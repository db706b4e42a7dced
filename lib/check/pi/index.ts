/** The rules of pi's RPC mode. */
import { pairingRules } from '../common/pairing.ts';
import type { Rule } from '../rule.ts';
import { isNoCommand, PI_RUN_RULES } from './runs.ts';
import { SOURCE } from './shapes.ts';

const PAIRS = pairingRules({
  prefix: 'pi',
  dialects: ['pi'],
  source: SOURCE,
  withdraws: () => undefined,
  // pi leaves the id out when it does not know the command: that is told by its own rule.
  ignores: () => isNoCommand,
});

export const PI_RULES: readonly Rule[] = [...PAIRS, ...PI_RUN_RULES];
