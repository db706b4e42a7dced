/**
 * qwen-rfc: the structured IO that was proposed for qwen-code before it adopted stream-json. It has OpenAI's
 * `chat.completion` and `chat.completion.chunk` lines, `x-qwen-*` lines, `result/*` answers to the client, and a flat
 * control channel.
 */
import { isObject } from '../../model/message.ts';
import { optionOf } from '../common/command-line.ts';
import { streamEnvelope } from '../common/control-channel.ts';
import { SiblingDialects } from '../common/siblings.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { StreamJsonReader } from '../stream-json/reader.ts';
import { RfcReader } from './reader.ts';
import { RFC_ENTRIES } from './rules/entries.ts';
import { RFC_RULES } from './rules/index.ts';
import { rfcSchemas } from './rules/shapes.ts';
import { qwenRfcTraits } from './traits.ts';

export const qwenRfc: Dialect = {
  name: 'qwen-rfc',
  traits: qwenRfcTraits,
  recognise({ command, lines }: FirstLines): number {
    if (lines.some(({ from, value }) => from === 'agent' && isOfAgent(value))) return 0.97;
    if (optionOf(command, '--output-format', '--input-format') === 'stream-chunk-json') return 0.9;
    // Lines from the client prove little: clients also send them to stream-json agents, which do not understand them.
    return lines.some(({ from, value }) => from === 'client' && isOfClient(value)) ? 0.6 : 0;
  },
  envelope: streamEnvelope,
  open: (session) => new SiblingDialects(new RfcReader(session), () => new StreamJsonReader(session)),
  conformance: {
    prefix: 'rfc',
    title: 'the RFC for structured IO of qwen',
    rules: RFC_RULES,
    shapes: rfcSchemas,
    entries: RFC_ENTRIES,
  },
};

function isOfAgent({ object, type, subtype, request }: JsonObject): boolean {
  if (object === 'chat.completion' || object === 'chat.completion.chunk') return true;
  if (type === 'control_request') return typeof subtype === 'string' && !isObject(request);
  return typeof type === 'string' && (type.startsWith('x-qwen-') || type.startsWith('result/'));
}

function isOfClient({ type, input, messages, jsonrpc }: JsonObject): boolean {
  if (type !== undefined)
    return type === 'heartbeat_request' || type === 'command_hint_request' || type === 'control/cancel';
  return jsonrpc === undefined && (isObject(input) || Array.isArray(messages));
}
