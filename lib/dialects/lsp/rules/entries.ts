/** Explanations of the rules of language servers. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const LSP_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'lsp-initialize-first': {
    means: 'The client sent something before the server had answered initialize. The server refuses or ignores it.',
    fix: 'Client: send initialize, wait for its answer, send initialized, and then the rest.',
  },
  'lsp-server-early': {
    means: 'Before it had answered initialize, the server sent something that a client need not understand yet.',
    fix: 'Server: answer initialize first; only messages to show or log, telemetry and progress may come before.',
  },
  'lsp-after-shutdown': {
    means: 'The client sent something after shutdown. The server answers requests with an error, and ignores the rest.',
    fix: 'Client: after shutdown, wait for its answer, send exit, and nothing else.',
  },
};
