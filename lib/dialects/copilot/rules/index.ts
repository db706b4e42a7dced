/** The Copilot SDK: answers to what its events ask. JSON-RPC and the framing have their own rules. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import { defineRules, error, quoted, type RuleDefinition, type RuleHit } from '../../rules/rule.ts';
import { decisionOf } from '../asks.ts';

const RULES = {
  'copilot-permission-answer': error.client(
    'a permission request is answered with a decision that Copilot knows',
    '@github/copilot-sdk 1.0, PermissionDecision',
  ),
};

type CopilotRule = keyof typeof RULES;

class CopilotAnswerRules {
  take({ frame: { f, from }, value, message, pairing }: ReadFrame): RuleHit<CopilotRule>[] {
    if (from !== 'client' || message.envelope !== 'response') return [];
    if (!pairing?.exchange?.method.startsWith('permission.request')) return [];
    const { params, result } = objectOf(value);
    const { kind } = objectOf(objectOf(params ?? result).result);
    if (decisionOf(stringOf(kind)) !== null) return [];
    return [
      { rule: 'copilot-permission-answer', f, message: `the decision is ${quoted(kind)}, which Copilot does not know` },
    ];
  }
}

export const COPILOT_RULES: readonly RuleDefinition[] = defineRules(['copilot'], RULES, () => new CopilotAnswerRules());
