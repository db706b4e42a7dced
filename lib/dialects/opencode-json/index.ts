/**
 * opencode-json: `opencode run --format json`. Each line is a part of a message that is complete; a call comes with its
 * result. No line ends the turn: the exit of the process does.
 */
import type { Event } from '../../model/event.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, jsonText, objectOf, stringOf, tokensOf, withText } from '../common/fields.ts';
import { OneShotReader, recogniseByLines, typedEnvelope } from '../common/one-shot.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { opencodeJsonTraits } from './traits.ts';

const WRITERS = new Set(['bash', 'write', 'edit', 'patch', 'apply_patch', 'multiedit']);
/** What the agent says when its own rules refused a call: it cannot ask its client. */
const REFUSED = /rejected permission|specified a rule which prevents/;

export const opencodeJson: Dialect = {
  name: 'opencode-json',
  traits: opencodeJsonTraits,
  recognise: (first: FirstLines) => recogniseByLines(first, isRun(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(readAgentLine, true),
};

function isRun(command: readonly string[]): boolean {
  return isProgram(command, 'opencode') && command.includes('run') && optionOf(command, '--format') === 'json';
}

function isOurs({ type, sessionID, part, error }: JsonObject): boolean {
  if (typeof sessionID !== 'string') return false;
  return type === 'error' ? error !== undefined : typeof objectOf(part).type === 'string';
}

function readAgentLine(value: JsonObject): Event[] | null {
  const part = objectOf(value.part);
  switch (value.type) {
    case 'step_start':
      return [{ kind: 'step-begin', n: null }];
    case 'step_finish':
      return [readUsage(part), withText({ kind: 'step-end' }, stringOf(part.reason))];
    case 'text':
      return [withText({ kind: 'text' }, stringOf(part.text))];
    case 'reasoning':
      return [withText({ kind: 'thinking' }, stringOf(part.text))];
    case 'tool_use':
      return readToolUse(part);
    case 'error':
      return [withText({ kind: 'error', code: null }, errorOf(objectOf(value.error)))];
    default:
      return null;
  }
}

/** The cache stands beside the input. */
function readUsage({ tokens }: JsonObject): Event {
  const { input, output, cache } = objectOf(tokens);
  const { read, write } = objectOf(cache);
  return { kind: 'usage', usage: tokensOf(input, read, write, output), total: false, context: null };
}

function readToolUse({ tool, callID, state }: JsonObject): Event[] {
  const { status, input, output, error, metadata } = objectOf(state);
  const call = stringOf(callID);
  const name = stringOf(tool);
  const called: Event = { kind: 'tool-call', call, tool: name, args: jsonText(input), complete: true };
  if (name !== null && WRITERS.has(name)) called.writes = true;
  const events: Event[] = [called];
  // Only a command that was started has an exit code.
  if (typeof objectOf(metadata).exit === 'number') events.push({ kind: 'progress', call });
  const outputText = output ?? errorText(error);
  const blocks = blocksOf(outputText);
  const result: Event = { kind: 'tool-result', call, ok: status === 'completed', blocks, displays: [] };
  if (status === 'error' && REFUSED.test(stringOf(error) ?? '')) result.ruling = { decision: 'deny', by: 'agent' };
  events.push(withText(result, readable(blocks)));
  return events;
}

function errorOf({ name, data, message }: JsonObject): string | null {
  return stringOf(objectOf(data).message) ?? stringOf(message) ?? stringOf(name);
}
