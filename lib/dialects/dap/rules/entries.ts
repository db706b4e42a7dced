/** Explanations of the rules of debug adapters. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const DAP_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'dap-message': {
    means: 'The message lacks what every message has: a number, its type, and the name of its command or event.',
    fix: 'Send seq, type and command or event; a response also needs request_seq and success.',
  },
  'dap-seq': {
    means:
      'The number of the message is not above that of the one before. Few readers depend on it, but a log cannot be sorted by it.',
    fix: 'Count seq up from 1 over all messages, events included.',
  },
  'dap-initialize-first': {
    means: 'The client sent a request before the adapter had answered initialize. Adapters may refuse or lose it.',
    fix: 'Client: send initialize, wait for its answer, then launch or attach.',
  },
};
