/** What an agent did, step by step: the events inside `context.append_loop_event` and their content. */
import type { Block, Event } from '../../model/event.ts';
import { blocksOf, partEvent, readable, todoOf } from '../common/content.ts';
import { jsonText, numberOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import type { JournalSpeaker } from './records.ts';

const WRITERS = new Set<unknown>(['Write', 'Edit', 'Bash']);
const DELEGATES = new Set<unknown>(['Agent', 'AgentSwarm']);

export const isDelegate = (tool: unknown): boolean => DELEGATES.has(tool);

export function readLoopEvent(event: JsonObject, speaker: JournalSpeaker): Event {
  speaker.hasSteps = true;
  switch (event.type) {
    case 'step.begin':
      return { kind: 'step-begin', n: numberOf(event.step) };
    case 'step.end':
      // Its tokens have their own record.
      return { kind: 'step-end' };
    case 'content.part':
      return partEvent(event.part);
    case 'tool.call':
      return toolCall(event.toolCallId, event.name, event.args, event.display);
    case 'tool.result': {
      const { output, isError, note } = objectOf(event.result);
      return toolResult(event.toolCallId, output, isError, note);
    }
    default:
      return { kind: 'other', name: stringOf(event.type) ?? 'context.append_loop_event' };
  }
}

export function toolCall(id: unknown, name: unknown, args: unknown, display: unknown): Event {
  const tool = stringOf(name);
  const event: Event = { kind: 'tool-call', call: stringOf(id), tool, args: jsonText(args), complete: true };
  if (WRITERS.has(tool) || DELEGATES.has(tool)) event.writes = WRITERS.has(tool);
  const blocks = displaysOf(display);
  if (blocks.length > 0) event.blocks = blocks;
  return event;
}

/** `note`: what the agent tells the model besides the output. */
export function toolResult(id: unknown, output: unknown, isError: unknown, note?: unknown): Event {
  const blocks = blocksOf(output);
  if (typeof note === 'string') blocks.push({ type: 'text', text: note });
  const event: Event = { kind: 'tool-result', call: stringOf(id), ok: isError !== true, blocks, displays: [] };
  return withText(event, readable(blocks));
}

/** What a person sees of a call. */
export function displaysOf(display: unknown): Block[] {
  const { kind, path, before, after, command, language, content, items } = objectOf(display);
  if (typeof kind !== 'string') return [];
  if (typeof path === 'string' && typeof before === 'string' && typeof after === 'string')
    return [{ type: 'diff', path, before, after }];
  if (kind === 'command' && typeof command === 'string')
    return [{ type: 'shell', command, language: stringOf(language) }];
  if (kind === 'file_io' && typeof path === 'string') return [{ type: 'resource', uri: path, text: stringOf(content) }];
  if (kind === 'todo_list') return [todoOf(items)];
  return [{ type: 'unknown', name: kind, value: display }];
}
