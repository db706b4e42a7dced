/** The rules of pi's RPC mode. */

import { objectOf } from '../../common/fields.ts';
import { pairingRules } from '../../rules/pairing.ts';
import type { RuleDefinition } from '../../rules/rule.ts';
import { isUnknownCommand, PI_RUN_RULES } from './runs.ts';
import { SOURCE } from './shapes.ts';

const PAIRS = pairingRules({
  prefix: 'pi',
  dialects: ['pi'],
  source: SOURCE,
  withdraws: () => undefined,
  // pi leaves the id out when it does not know the command, which another rule reports. A dialog with a time limit
  // answers itself.
  ignores: () => (read) => isUnknownCommand(read) || typeof objectOf(read.value).timeout === 'number',
});

export const PI_RULES: readonly RuleDefinition[] = [...PAIRS, ...PI_RUN_RULES];
