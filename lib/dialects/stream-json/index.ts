/**
 * stream-json, the protocol of qwen-code and Claude Code: `system`, `assistant`, `user`, `result` and `stream_event`
 * lines, and a control channel in both directions. It has no version and no times, and a turn may end without a
 * `result`.
 */
import { isProgram, optionOf } from '../command-line.ts';
import { streamEnvelope } from '../control-channel.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { objectOf } from '../fields.ts';
import { RfcReader } from '../qwen-rfc/reader.ts';
import { Siblings } from '../siblings.ts';
import { StreamJsonReader } from './reader.ts';

export const streamJson: Dialect = {
  name: 'stream-json',
  recognise({ command, lines }: FirstLook): number {
    if (lines.some(({ value }) => isOurs(value))) return 0.95;
    // What is said outweighs the command line: gemini and copilot have the same options and other lines.
    if (lines.some(({ from }) => from === 'agent')) return 0;
    const format = optionOf(command, '--output-format');
    if ((format !== 'stream-json' && format !== 'json') || isProgram(command, 'kimi')) return 0;
    return isProgram(command, 'qwen') || isProgram(command, 'claude') ? 0.7 : 0.5;
  },
  envelope: streamEnvelope,
  open: (session) => new Siblings(new StreamJsonReader(session), () => new RfcReader(session)),
};

function isOurs({ type, subtype, message, request, response, event }: Json): boolean {
  switch (type) {
    case 'system':
    case 'result':
      return typeof subtype === 'string';
    case 'assistant':
    case 'user':
      return typeof objectOf(message).role === 'string';
    case 'stream_event':
      return typeof objectOf(event).type === 'string';
    case 'control_request':
      return typeof objectOf(request).subtype === 'string';
    case 'control_response':
      return 'request_id' in objectOf(response);
    default:
      return false;
  }
}
