/** The rules of Codex's app-server. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { CODEX_ANSWER_RULES } from './answers.ts';
import { CODEX_PROTOCOL_RULES } from './protocol.ts';
import { CODEX_TURN_RULES } from './turns.ts';

export const CODEX_RULES: readonly RuleDefinition[] = [
  ...CODEX_PROTOCOL_RULES,
  ...CODEX_ANSWER_RULES,
  ...CODEX_TURN_RULES,
];
