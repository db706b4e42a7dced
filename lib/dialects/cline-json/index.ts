/**
 * cline-json: `cline --json`. `agent_event` lines have the content of a run, iteration by iteration, `hook_event` lines
 * its ends, and `run_result` is the answer.
 */
import type { Event } from '../../model/event.ts';
import { isProgram } from '../common/command-line.ts';
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
import { endTurn, OneShotReader, recogniseByLines, typedEnvelope } from '../common/one-shot.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { clineJsonTraits } from './traits.ts';

const WRITERS = new Set(['run_commands', 'editor', 'apply_patch']);

export const clineJson: Dialect = {
  name: 'cline-json',
  traits: clineJsonTraits,
  recognise: (first: FirstLines) => recogniseByLines(first, isJson(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(readAgentLine, true),
};

function isJson(command: readonly string[]): boolean {
  return isProgram(command, 'cline') && command.includes('--json');
}

function isOurs({ type, event, hookEventName, finishReason }: JsonObject): boolean {
  if (type === 'agent_event') return typeof objectOf(event).type === 'string';
  if (type === 'hook_event') return typeof hookEventName === 'string';
  return type === 'run_result' && typeof finishReason === 'string';
}

function readAgentLine(value: JsonObject): Event[] | null {
  switch (value.type) {
    case 'hook_event':
      return [{ kind: 'status', name: stringOf(value.hookEventName) }];
    case 'agent_event':
      return readAgentEvent(objectOf(value.event));
    case 'run_result':
      return [readGreeting(objectOf(value.model)), endTurn(stringOf(value.finishReason) ?? 'error')];
    case 'error':
      return [withText({ kind: 'error', code: null }, stringOf(value.message))];
    default:
      return null;
  }
}

function readGreeting({ id }: JsonObject): Event {
  return handshakeEvent({ agent: { name: 'cline', version: null }, model: stringOf(id) });
}

function readAgentEvent(event: JsonObject): Event[] {
  switch (event.type) {
    case 'iteration_start':
      return [{ kind: 'step-begin', n: numberOf(event.iteration) }];
    case 'iteration_end':
      return [{ kind: 'step-end' }];
    case 'content_start':
    case 'content_update':
      return event.contentType === 'tool' ? [readToolCall(event)] : [readText(event, true)];
    case 'content_end':
      return event.contentType === 'tool' ? [readToolResult(event)] : [readText(event, false)];
    case 'usage':
      return [readUsage(event)];
    case 'error':
      return [withText({ kind: 'error', code: null }, errorText(event.error) ?? stringOf(event.message))];
    case 'notice':
    case 'done':
      return [{ kind: 'status', name: stringOf(event.type) }];
    default:
      return [unknownEvent(event)];
  }
}

/** A text comes in parts, each called its start; its end is the whole of it. */
function readText({ contentType, text, reasoning }: JsonObject, isPart: boolean): Event {
  const event: Event = { kind: contentType === 'reasoning' ? 'thinking' : 'text' };
  if (isPart) event.delta = true;
  else event.restates = true;
  return withText(event, stringOf(text) ?? stringOf(reasoning));
}

/** Cached tokens are part of the input. */
function readUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: JsonObject): Event {
  const cached = (numberOf(cacheReadTokens) ?? 0) + (numberOf(cacheWriteTokens) ?? 0);
  const input = Math.max(0, (numberOf(inputTokens) ?? 0) - cached);
  const counts = tokensOf(input, cacheReadTokens, cacheWriteTokens, outputTokens);
  return { kind: 'usage', usage: counts, total: false, context: null };
}

function readToolCall({ type, toolCallId, toolName, input, update }: JsonObject): Event {
  const call = stringOf(toolCallId);
  if (type === 'content_update') return withText({ kind: 'progress', call }, stringOf(update));
  const tool = stringOf(toolName);
  const event: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function readToolResult({ toolCallId, output, error }: JsonObject): Event {
  const failed = error ?? objectOf(output).error;
  const blocks = failed === undefined ? blocksOf(jsonText(output)) : blocksOf(errorText(failed));
  const ok = failed === undefined;
  return withText({ kind: 'tool-result', call: stringOf(toolCallId), ok, blocks, displays: [] }, readable(blocks));
}
