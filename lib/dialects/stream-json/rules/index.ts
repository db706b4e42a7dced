/** The rules of stream-json, as qwen-code ships it and Claude Code has it. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { STREAM_CALL_RULES } from './calls.ts';
import { STREAM_CONTROL_RULES } from './control.ts';
import { STREAM_TURN_RULES } from './turns.ts';

export const STREAM_RULES: readonly RuleDefinition[] = [
  ...STREAM_CONTROL_RULES,
  ...STREAM_TURN_RULES,
  ...STREAM_CALL_RULES,
];
