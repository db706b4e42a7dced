/** Tools that the client runs: it registers them, and the agent asks it to execute each call. */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import { requestName } from '../common/control-channel.ts';
import { objectOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine } from '../dialect.ts';

const METHOD = 'execute_external_tool';

export function externalCall({ value, message }: DialectLine): Event | null {
  const { subtype, tool_call_id, tool_name, input } = objectOf(value.request);
  if (subtype !== METHOD) return null;
  const call = stringOf(tool_call_id);
  const tool = stringOf(tool_name);
  const event: Event = {
    kind: 'client-call',
    request: requestName(message),
    what: METHOD,
    call,
    tool,
    arguments: input,
  };
  // The call itself was announced before.
  return call === null ? event : { ...event, restates: true };
}

export function externalAnswer({ message, pairing }: DialectLine): Event | null {
  const exchange = pairing?.exchange;
  if (exchange?.method !== METHOD) return null;
  const { subtype, content, is_error } = objectOf(message.body);
  const blocks = blocksOf(content);
  const ok = subtype === 'external_tool_result' && is_error !== true;
  return withText({ kind: 'client-call-answer', request: requestName(message), ok, blocks }, readable(blocks));
}
