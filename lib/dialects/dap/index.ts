/**
 * Debug Adapter Protocol: a debugger's requests by `seq`, answers by `request_seq`, and events. Either side may ask. There
 * are no turns, and nothing is approved.
 */
import { isId } from '../../model/id.ts';
import { type Message, NO_MESSAGE } from '../../model/message.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { DapReader } from './reader.ts';
import { DAP_ENTRIES } from './rules/entries.ts';
import { DAP_RULES } from './rules/index.ts';
import { dapTraits } from './traits.ts';

export const dap: Dialect = {
  name: 'dap',
  traits: dapTraits,
  recognise,
  envelope,
  open: () => new DapReader(),
  conformance: { prefix: 'dap', title: 'Debug Adapter Protocol', rules: DAP_RULES, entries: DAP_ENTRIES },
};

function recognise({ command, lines }: FirstLines): number {
  if (lines.length === 0) return command.some((word) => /(?:^|\W)(?:debugpy\.adapter|dap)$/.test(word)) ? 0.5 : 0;
  const own = lines.filter(({ value }) => envelope(value).envelope !== 'none').length;
  return own > 0 && own * 2 >= lines.length ? 0.95 : 0;
}

/** No other protocol numbers all messages and names commands and events. */
function envelope(value: JsonObject): Message {
  const { seq, type, command, event, request_seq } = value;
  const message = { ...NO_MESSAGE, type: stringOf(type), body: value };
  if (!isNumber(seq)) return message;
  if (type === 'event' && typeof event === 'string')
    return { ...message, envelope: 'notification', method: event, body: value.body };
  if (typeof command !== 'string') return message;
  if (type === 'request') return { ...message, envelope: 'request', method: command, id: seq, body: value.arguments };
  if (type !== 'response' || !isId(request_seq)) return message;
  if (value.success !== false) return { ...message, envelope: 'response', id: request_seq, body: value.body };
  const { id } = objectOf(objectOf(value.body).error);
  return { ...message, envelope: 'error', id: request_seq, code: typeof id === 'number' ? id : null };
}

function isNumber(value: unknown): value is number | bigint {
  return isId(value) && typeof value !== 'string';
}
