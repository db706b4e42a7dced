/** Explanations of these rules: pi's RPC mode. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const PI_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'pi-command': {
    means: 'pi does not have this command. Its answer is an error without the id, so a client that waits for it hangs.',
    fix: 'Client: send a command from its documentation, with its type in lower case.',
  },
  'pi-busy': {
    means:
      'A run was open, and the prompt did not say when pi should read it. pi refused the prompt, and will not act on it.',
    fix: 'Client: send `"streamingBehavior":"steer"` or `"followUp"`, or wait for agent_end.',
  },
  'pi-dialog-answer': {
    means:
      'The answer does not fit the dialog. The extension treats it as a no or as no answer, so a call that the user allowed may be blocked.',
    fix: 'Client: answer select with one of its options in `value`, confirm with `confirmed`, input and editor with `value`, or send `"cancelled":true`.',
  },
  'pi-call-unknown': {
    means: 'An update or the end of a call came without its start, or after its end.',
    fix: 'Agent: send tool_execution_start first, and one end.',
  },
  'pi-run': {
    means: 'A run ended without having begun. Clients that count runs lose track.',
    fix: 'Agent: send agent_start before the first event of a run.',
  },
};
