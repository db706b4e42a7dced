/**
 * gemini-json: `gemini -p … --output-format stream-json`. Text comes in parts, calls and results in whole lines, and
 * `result` ends the turn with the tokens of the whole run.
 */
import type { Event } from '../../model/event.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  jsonText,
  numberOf,
  objectOf,
  stringOf,
  tokensOf,
  withText,
} from '../common/fields.ts';
import { endTurn, OneShotReader, recogniseByLines, repeatPrompt, typedEnvelope } from '../common/one-shot.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { geminiJsonTraits } from './traits.ts';

const WRITERS = new Set(['run_shell_command', 'write_file', 'replace', 'edit']);

export const geminiJson: Dialect = {
  name: 'gemini-json',
  traits: geminiJsonTraits,
  recognise: (first: FirstLines) => recogniseByLines(first, isStreaming(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(readAgentLine),
};

function isStreaming(command: readonly string[]): boolean {
  return isProgram(command, 'gemini') && optionOf(command, '--output-format') === 'stream-json';
}

/** Every line has a time, and names that other agents use with other fields. */
function isOurs(value: JsonObject): boolean {
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

function readAgentLine(value: JsonObject): Event[] | null {
  switch (value.type) {
    case 'init': {
      const agent = { name: 'gemini-cli', version: null };
      return [handshakeEvent({ agent, model: stringOf(value.model), session: stringOf(value.session_id) })];
    }
    case 'message':
      return [readMessage(value)];
    case 'tool_use':
      return [readToolCall(value)];
    case 'tool_result':
      return [readToolResult(value)];
    case 'error':
      return [withText({ kind: 'error', code: null }, stringOf(value.message))];
    case 'result':
      return readResult(value);
    default:
      return null;
  }
}

function readMessage({ role, content, delta }: JsonObject): Event {
  const text = stringOf(content);
  if (role === 'user') return repeatPrompt(text);
  const event: Event = { kind: 'text' };
  if (delta === true) event.delta = true;
  return withText(event, text);
}

function readToolCall({ tool_name, tool_id, parameters }: JsonObject): Event {
  const tool = stringOf(tool_name);
  const event: Event = { kind: 'tool-call', call: stringOf(tool_id), tool, args: jsonText(parameters), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function readToolResult({ tool_id, status, output, error }: JsonObject): Event {
  const blocks = blocksOf(output ?? errorText(error));
  const event: Event = { kind: 'tool-result', call: stringOf(tool_id), ok: status === 'success', blocks, displays: [] };
  if (objectOf(error).type === 'policy_violation') event.ruling = { decision: 'deny', by: 'agent' };
  return withText(event, readable(blocks));
}

/** Cached tokens are part of the input. */
function readResult({ status, error, stats }: JsonObject): Event[] {
  const end = endTurn(stringOf(status) ?? 'error', errorText(error));
  const { input_tokens, cached, output_tokens } = objectOf(stats);
  if (typeof input_tokens !== 'number') return [end];
  const input = Math.max(0, input_tokens - (numberOf(cached) ?? 0));
  const usage = tokensOf(input, cached, 0, output_tokens);
  return [{ kind: 'usage', usage, total: false, context: null }, end];
}
