/**
 * copilot-json: `copilot -p … --output-format json`. Its lines are the events of a session, `{type, data, id, timestamp,
 * parentId}`, and a last `result` with the exit code. What needs leave is refused, unless an option allows it.
 */
import type { Event } from '../../model/event.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import { ended, OneShotReader, recognised, repeated, typedEnvelope } from '../common/one-shot.ts';
import { readEvent, Streamed } from '../copilot/events.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { copilotJsonTraits } from './traits.ts';

const FAMILIES = /^(?:session|user|assistant|model|tool|permission|subagent|hook|system)\./;

export const copilotJson: Dialect = {
  name: 'copilot-json',
  traits: copilotJsonTraits,
  recognise: (first: FirstLook) => recognised(first, isJson(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const streamed = new Streamed();
    return new OneShotReader((value) => {
      const events = spoken(value);
      return events && streamed.mark(objectOf(value.data), events);
    }, true);
  },
};

function isJson(command: readonly string[]): boolean {
  return isProgram(command, 'copilot') && optionOf(command, '--output-format') === 'json';
}

function isOurs({ type, data, id, timestamp, exitCode }: Json): boolean {
  if (type === 'result') return typeof exitCode === 'number';
  const isEvent = typeof id === 'string' && typeof timestamp === 'string' && typeof data === 'object';
  return isEvent && typeof type === 'string' && FAMILIES.test(type);
}

function spoken(value: Json): Event[] | null {
  if (value.type === 'result') return [ended(value.exitCode === 0 ? 'finished' : 'error')];
  const data = objectOf(value.data);
  if (value.type === 'user.message') return [repeated(stringOf(data.content))];
  const events = readEvent(value.type, data);
  return events ?? (isOurs(value) ? [{ kind: 'status', name: stringOf(value.type) }] : null);
}
