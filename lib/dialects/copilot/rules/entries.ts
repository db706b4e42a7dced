/** Explanations of the rules of the Copilot SDK. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const COPILOT_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'copilot-permission-answer': {
    means:
      'The client answered a permission request with a decision that Copilot does not know, so the call does not run.',
    fix: 'Answer with approve-once, approve-for-session, approve-for-location, approve-permanently, reject or user-not-available.',
  },
};
