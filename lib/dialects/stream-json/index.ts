/**
 * stream-json, the protocol of qwen-code and Claude Code: `system`, `assistant`, `user`, `result` and `stream_event`
 * lines, and a control channel in both directions. It has no version and no times, and a turn may end without a
 * `result`.
 */
import { isProgram, optionOf } from '../common/command-line.ts';
import { streamEnvelope } from '../common/control-channel.ts';
import { objectOf } from '../common/fields.ts';
import { SiblingDialects } from '../common/siblings.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { RfcReader } from '../qwen-rfc/reader.ts';
import { StreamJsonReader } from './reader.ts';
import { STREAM_ENTRIES } from './rules/entries.ts';
import { STREAM_RULES } from './rules/index.ts';
import { mcpServers } from './rules/mcp-servers.ts';
import { streamSchemas } from './rules/shapes.ts';
import { streamJsonTraits } from './traits.ts';

export const streamJson: Dialect = {
  name: 'stream-json',
  traits: streamJsonTraits,
  recognise({ command, lines }: FirstLines): number {
    if (lines.some(({ value }) => isOurs(value))) return 0.95;
    // The lines outweigh the command line: gemini and copilot have the same options and other lines.
    if (lines.some(({ from }) => from === 'agent')) return 0;
    const format = optionOf(command, '--output-format');
    if ((format !== 'stream-json' && format !== 'json') || isProgram(command, 'kimi')) return 0;
    return isProgram(command, 'qwen') || isProgram(command, 'claude') ? 0.7 : 0.5;
  },
  envelope: streamEnvelope,
  open: (session) => new SiblingDialects(new StreamJsonReader(session), () => new RfcReader(session)),
  conformance: {
    prefix: 'stream',
    title: 'stream-json',
    rules: STREAM_RULES,
    shapes: streamSchemas,
    entries: STREAM_ENTRIES,
    carries: mcpServers,
  },
};

function isOurs({ type, subtype, message, request, response, event }: JsonObject): boolean {
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
