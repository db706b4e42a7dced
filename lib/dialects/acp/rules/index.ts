/** The rules of the Agent Client Protocol, versions 1 and 2. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { ACP_CALL_RULES } from './calls.ts';
import { ACP_CAPABILITY_RULES } from './capabilities.ts';
import { ACP_FILE_RULES } from './files.ts';
import { ACP_HANDSHAKE_RULES } from './handshake.ts';
import { ACP_PERMISSION_RULES } from './permission.ts';
import { ACP_SESSION_RULES } from './sessions.ts';
import { ACP_STATE_RULES } from './states.ts';

export const ACP_RULES: readonly RuleDefinition[] = [
  ...[...ACP_HANDSHAKE_RULES, ...ACP_CAPABILITY_RULES, ...ACP_SESSION_RULES],
  ...[...ACP_PERMISSION_RULES, ...ACP_CALL_RULES, ...ACP_FILE_RULES, ...ACP_STATE_RULES],
];
