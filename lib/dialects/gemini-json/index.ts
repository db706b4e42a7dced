/**
 * gemini-json: `gemini -p … --output-format stream-json`. Text comes in parts, calls and results in whole lines, and
 * `result` ends the turn with the tokens of the whole run.
 */
import type { Event } from '../../model/event.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, hello, jsonText, numberOf, objectOf, say, stringOf, tokensOf } from '../common/fields.ts';
import { ended, OneShotReader, recognised, repeated, typedEnvelope } from '../common/one-shot.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { geminiJsonTraits } from './traits.ts';

const WRITERS = new Set(['run_shell_command', 'write_file', 'replace', 'edit']);

export const geminiJson: Dialect = {
  name: 'gemini-json',
  traits: geminiJsonTraits,
  recognise: (first: FirstLook) => recognised(first, isStreaming(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(spoken),
};

function isStreaming(command: readonly string[]): boolean {
  return isProgram(command, 'gemini') && optionOf(command, '--output-format') === 'stream-json';
}

/** Every line has a time, and names that other agents use with other fields. */
function isOurs(value: Json): boolean {
  if (typeof value.timestamp !== 'string') return false;
  switch (value.type) {
    case 'init':
      return typeof value.session_id === 'string';
    case 'message':
      return typeof value.role === 'string' && typeof value.content === 'string';
    case 'tool_use':
      return typeof value.tool_name === 'string';
    case 'tool_result':
      return typeof value.tool_id === 'string';
    case 'error':
      return typeof value.severity === 'string' || typeof value.message === 'string';
    case 'result':
      return typeof value.status === 'string';
    default:
      return false;
  }
}

function spoken(value: Json): Event[] | null {
  switch (value.type) {
    case 'init': {
      const agent = { name: 'gemini-cli', version: null };
      return [hello({ agent, model: stringOf(value.model), session: stringOf(value.session_id) })];
    }
    case 'message':
      return [message(value)];
    case 'tool_use':
      return [toolCall(value)];
    case 'tool_result':
      return [toolResult(value)];
    case 'error':
      return [say({ kind: 'error', code: null }, stringOf(value.message))];
    case 'result':
      return result(value);
    default:
      return null;
  }
}

function message({ role, content, delta }: Json): Event {
  const text = stringOf(content);
  if (role === 'user') return repeated(text);
  const event: Event = { kind: 'text' };
  if (delta === true) event.delta = true;
  return say(event, text);
}

function toolCall({ tool_name, tool_id, parameters }: Json): Event {
  const tool = stringOf(tool_name);
  const event: Event = { kind: 'tool-call', call: stringOf(tool_id), tool, args: jsonText(parameters), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function toolResult({ tool_id, status, output, error }: Json): Event {
  const blocks = blocksOf(output ?? errorText(error));
  const event: Event = { kind: 'tool-result', call: stringOf(tool_id), ok: status === 'success', blocks, displays: [] };
  if (objectOf(error).type === 'policy_violation') event.ruling = { decision: 'deny', by: 'agent' };
  return say(event, readable(blocks));
}

/** Cached tokens are part of the input. */
function result({ status, error, stats }: Json): Event[] {
  const end = ended(stringOf(status) ?? 'error', errorText(error));
  const { input_tokens, cached, output_tokens } = objectOf(stats);
  if (typeof input_tokens !== 'number') return [end];
  const input = Math.max(0, input_tokens - (numberOf(cached) ?? 0));
  const usage = tokensOf(input, cached, 0, output_tokens);
  return [{ kind: 'usage', usage, total: false, context: null }, end];
}
