/**
 * cline-json: `cline --json`. `agent_event` lines have the content of a run, iteration by iteration, `hook_event` lines
 * its ends, and `run_result` is the answer.
 */
import type { Event } from '../../model/event.ts';
import { isProgram } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, hello, jsonText, numberOf, objectOf, say, stringOf, tokensOf } from '../common/fields.ts';
import { ended, OneShotReader, recognised, typedEnvelope } from '../common/one-shot.ts';
import { unknown } from '../common/siblings.ts';
import type { Dialect, FirstLook, Json } from '../dialect.ts';
import { clineJsonTraits } from './traits.ts';

const WRITERS = new Set(['run_commands', 'editor', 'apply_patch']);

export const clineJson: Dialect = {
  name: 'cline-json',
  traits: clineJsonTraits,
  recognise: (first: FirstLook) => recognised(first, isJson(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(spoken, true),
};

function isJson(command: readonly string[]): boolean {
  return isProgram(command, 'cline') && command.includes('--json');
}

function isOurs({ type, event, hookEventName, finishReason }: Json): boolean {
  if (type === 'agent_event') return typeof objectOf(event).type === 'string';
  if (type === 'hook_event') return typeof hookEventName === 'string';
  return type === 'run_result' && typeof finishReason === 'string';
}

function spoken(value: Json): Event[] | null {
  switch (value.type) {
    case 'hook_event':
      return [{ kind: 'status', name: stringOf(value.hookEventName) }];
    case 'agent_event':
      return happened(objectOf(value.event));
    case 'run_result':
      return [greeting(objectOf(value.model)), ended(stringOf(value.finishReason) ?? 'error')];
    case 'error':
      return [say({ kind: 'error', code: null }, stringOf(value.message))];
    default:
      return null;
  }
}

function greeting({ id }: Json): Event {
  return hello({ agent: { name: 'cline', version: null }, model: stringOf(id) });
}

function happened(event: Json): Event[] {
  switch (event.type) {
    case 'iteration_start':
      return [{ kind: 'step-begin', n: numberOf(event.iteration) }];
    case 'iteration_end':
      return [{ kind: 'step-end' }];
    case 'content_start':
    case 'content_update':
      return event.contentType === 'tool' ? [toolCall(event)] : [spelled(event, true)];
    case 'content_end':
      return event.contentType === 'tool' ? [toolResult(event)] : [spelled(event, false)];
    case 'usage':
      return [usage(event)];
    case 'error':
      return [say({ kind: 'error', code: null }, errorText(event.error) ?? stringOf(event.message))];
    case 'notice':
    case 'done':
      return [{ kind: 'status', name: stringOf(event.type) }];
    default:
      return [unknown(event)];
  }
}

/** A text comes in parts, each called its start; its end is the whole of it. */
function spelled({ contentType, text, reasoning }: Json, isPart: boolean): Event {
  const event: Event = { kind: contentType === 'reasoning' ? 'thinking' : 'text' };
  if (isPart) event.delta = true;
  else event.restates = true;
  return say(event, stringOf(text) ?? stringOf(reasoning));
}

/** Cached tokens are part of the input. */
function usage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Json): Event {
  const cached = (numberOf(cacheReadTokens) ?? 0) + (numberOf(cacheWriteTokens) ?? 0);
  const input = Math.max(0, (numberOf(inputTokens) ?? 0) - cached);
  const counts = tokensOf(input, cacheReadTokens, cacheWriteTokens, outputTokens);
  return { kind: 'usage', usage: counts, total: false, context: null };
}

function toolCall({ type, toolCallId, toolName, input, update }: Json): Event {
  const call = stringOf(toolCallId);
  if (type === 'content_update') return say({ kind: 'progress', call }, stringOf(update));
  const tool = stringOf(toolName);
  const event: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
  if (tool !== null && WRITERS.has(tool)) event.writes = true;
  return event;
}

function toolResult({ toolCallId, output, error }: Json): Event {
  const failed = error ?? objectOf(output).error;
  const blocks = failed === undefined ? blocksOf(jsonText(output)) : blocksOf(errorText(failed));
  const ok = failed === undefined;
  return say({ kind: 'tool-result', call: stringOf(toolCallId), ok, blocks, displays: [] }, readable(blocks));
}
