/** What the rules of these families mean, and what to do: language servers, debug adapters and the Copilot SDK. */
import type { Entry } from './entry.ts';

export const FRAMED_ENTRIES: Readonly<Record<string, Entry>> = {
  'lsp-initialize-first': {
    means: 'The client sent something before the server had answered initialize. The server refuses or ignores it.',
    fix: 'Client: send initialize, wait for its answer, send initialized, and then the rest.',
  },
  'lsp-server-early': {
    means: 'The server sent something before it had answered initialize that a client need not understand by then.',
    fix: 'Server: answer initialize first; only messages to show or log, telemetry and progress may come before.',
  },
  'lsp-after-shutdown': {
    means: 'The client sent something after shutdown. The server answers requests with an error, and ignores the rest.',
    fix: 'Client: after shutdown, wait for its answer, send exit, and nothing else.',
  },
  'dap-message': {
    means: 'The message lacks what every message has: a number, its type, and the name of its command or event.',
    fix: 'Send seq, type and command or event; a response also needs request_seq and success.',
  },
  'dap-seq': {
    means:
      'The number of the message is not above that of the one before. Few readers care, but the log cannot be sorted by it.',
    fix: 'Count seq up from 1 over all messages, events included.',
  },
  'dap-initialize-first': {
    means: 'The client sent a request before the adapter had answered initialize. Adapters may refuse or lose it.',
    fix: 'Client: send initialize, wait for its answer, then launch or attach.',
  },
  'copilot-permission-answer': {
    means:
      'The client answered a permission with a decision that Copilot does not know, so that the call does not run.',
    fix: 'Answer with approve-once, approve-for-session, approve-for-location, approve-permanently, reject or user-not-available.',
  },
};
