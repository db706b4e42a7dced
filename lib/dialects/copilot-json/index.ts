/**
 * copilot-json: `copilot -p … --output-format json`. Its lines are the events of a session, `{type, data, id, timestamp,
 * parentId}`, and a last `result` with the exit code. What needs leave is refused, unless an option allows it.
 */
import type { Event } from '../../model/event.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import { endTurn, OneShotReader, recogniseByLines, repeatPrompt, typedEnvelope } from '../common/one-shot.ts';
import { readEvent, StreamedMessages } from '../copilot/events.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { copilotJsonTraits } from './traits.ts';

const FAMILIES = /^(?:session|user|assistant|model|tool|permission|subagent|hook|system)\./;

export const copilotJson: Dialect = {
  name: 'copilot-json',
  traits: copilotJsonTraits,
  recognise: (first: FirstLines) => recogniseByLines(first, isJson(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const streamed = new StreamedMessages();
    return new OneShotReader((value) => {
      const events = readAgentLine(value);
      return events && streamed.mark(objectOf(value.data), events);
    }, true);
  },
};

function isJson(command: readonly string[]): boolean {
  return isProgram(command, 'copilot') && optionOf(command, '--output-format') === 'json';
}

function isOurs({ type, data, id, timestamp, exitCode }: JsonObject): boolean {
  if (type === 'result') return typeof exitCode === 'number';
  const isEvent = typeof id === 'string' && typeof timestamp === 'string' && typeof data === 'object';
  return isEvent && typeof type === 'string' && FAMILIES.test(type);
}

function readAgentLine(value: JsonObject): Event[] | null {
  if (value.type === 'result') return [endTurn(value.exitCode === 0 ? 'finished' : 'error')];
  const data = objectOf(value.data);
  if (value.type === 'user.message') return [repeatPrompt(stringOf(data.content))];
  const events = readEvent(value.type, data);
  return events ?? (isOurs(value) ? [{ kind: 'status', name: stringOf(value.type) }] : null);
}
