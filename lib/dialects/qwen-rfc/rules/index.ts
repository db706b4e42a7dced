/** The rules of qwen's structured IO as its RFC has it. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { RFC_REQUEST_RULES } from './requests.ts';
import { RFC_STREAM_RULES } from './stream.ts';

export const RFC_RULES: readonly RuleDefinition[] = [...RFC_REQUEST_RULES, ...RFC_STREAM_RULES];
