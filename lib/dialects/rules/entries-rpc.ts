/** Explanations of these rules: JSON-RPC 2.0 itself. */
import type { RuleExplanation } from './entry.ts';

export const RPC_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'rpc-version': {
    means: 'A message does not say `"jsonrpc":"2.0"`. Strict readers reject it.',
    fix: 'Add the field to every message, answers included.',
  },
  'rpc-id': {
    means:
      'The id is neither a string nor a whole number, or a request has the id null. Its answer cannot be matched to it.',
    fix: 'Use strings or whole numbers. Leave the id out of a notification instead of sending null.',
  },
  'rpc-both': {
    means: 'An answer has both a result and an error, so one reader takes it for a success and another for a failure.',
    fix: 'Leave out the one that does not apply; do not send it as null.',
  },
  'rpc-neither': {
    means: 'The object has no method, and no id with a result or an error. It is not a message, and readers drop it.',
    fix: 'Check what was serialised: often an inner object without its envelope.',
  },
  'rpc-error-object': {
    means: 'The error is not an object with a whole number `code` and a text `message`. Readers lose the reason.',
    fix: 'Send `{"code":-32603,"message":"..."}`; put the rest under `data`.',
  },
  'rpc-params': {
    means: 'The params are neither an object nor an array. Strict readers refuse the message.',
    fix: 'Wrap the value in an object, or leave params out.',
  },
  'rpc-unread': {
    means:
      'One side could not read a line of the other: it sent an error with the id null, which answers no request. The unreadable line is usually the one just before.',
    fix: 'Look at the last line of the other side before this frame: often it is not valid JSON, or its id is a number where a string is required.',
  },
};
