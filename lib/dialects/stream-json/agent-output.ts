/**
 * What agents say: whole blocks in `assistant` and `user` lines, and the same blocks in pieces with partial messages.
 * One model answer may span several `assistant` lines, each with its own id (qwen) or all with the same (Claude).
 */
import type { Event, Usage } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import { flag, jsonText, listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { bySubagent, type StreamCalls } from './calls.ts';
import { rulingOf } from './ruling.ts';
import { BlockStream, type StreamedBlock } from './stream.ts';
import { addedUsage, usageEvent, usageOf } from './usage.ts';

/** The state of one agent. */
class SpeakerState {
  readonly stream = new BlockStream();
  /** The next event begins a new model answer (rule S2). */
  fresh = true;
  /** The id of the latest answer. */
  id: string | null = null;
  used: Usage | null = null;
  /** The usage with which the answer that is being streamed began; null if none is. */
  began: JsonObject | null = null;
}

export class AgentOutput {
  readonly #calls: StreamCalls;
  readonly #speakers = new Map<string | null, SpeakerState>();
  /** Whether this agent counts cached tokens as input; null until it has introduced itself. */
  cachedIsInput: boolean | null = null;
  /** The main agent's last text. */
  latest: string | null = null;

  constructor(calls: StreamCalls) {
    this.#calls = calls;
  }

  /** A turn of the main agent begins. */
  begin(): void {
    this.#speakers.delete(null);
    this.#calls.reset();
    this.latest = null;
  }

  #speaker(subagent: string | null): SpeakerState {
    const known = this.#speakers.get(subagent);
    if (known) return known;
    const speaker = new SpeakerState();
    this.#speakers.set(subagent, speaker);
    return speaker;
  }

  readAssistant(value: JsonObject): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    const speaker = this.#speaker(subagent);
    const { content, usage: reported, id } = objectOf(value.message);
    const events = this.#readBlocks(content, speaker, subagent);
    const same = id !== undefined && id === speaker.id;
    const usage = usageOf(reported, this.cachedIsInput);
    const more = usage && addedUsage(usage, same ? speaker.used : null);
    if (more) events.push(bySubagent(usageEvent(more, false), subagent));
    if (events.length === 0) events.push(bySubagent({ kind: 'text', text: '' }, subagent));
    if (speaker.fresh && !same) events[0]!.step = true;
    // Claude repeats each block as soon as it is streamed, within the answer.
    speaker.fresh = usage !== null && speaker.began === null;
    speaker.id = stringOf(id);
    speaker.used = usage;
    return events;
  }

  #readBlocks(content: unknown, speaker: SpeakerState, subagent: string | null): Event[] {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    return blocks.map((block) => bySubagent(this.#readBlock(objectOf(block), speaker, subagent), subagent));
  }

  #readBlock(block: JsonObject, speaker: SpeakerState, subagent: string | null): Event {
    const { type } = block;
    if (type === 'text') {
      const text = stringOf(block.text) ?? '';
      if (subagent === null) this.latest = text;
      return markRestated({ kind: 'text', text }, speaker.stream.settle('text'));
    }
    if (type === 'thinking' || type === 'redacted_thinking') {
      const text = stringOf(block.thinking) ?? '';
      return markRestated({ kind: 'thinking', text }, speaker.stream.settle('thinking'));
    }
    if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      speaker.stream.settle('tool-args');
      return this.#readCall(block, subagent);
    }
    return typeof type === 'string' && type.endsWith('tool_result')
      ? this.#readResult(block)
      : { kind: 'text', block: blocksOf(block)[0]! };
  }

  #readCall({ id, name, input }: JsonObject, subagent: string | null): Event {
    const call = stringOf(id);
    const tool = stringOf(name);
    const event: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
    const writes = this.#calls.writes(tool);
    if (writes !== undefined) event.writes = writes;
    if (call !== null && !this.#calls.announce(call, tool, subagent, input)) event.restates = true;
    return event;
  }

  /** The calls that were refused, which no other line reports. */
  readDenied(denials: readonly JsonObject[]): Event[] {
    const calls = denials.map(({ tool_use_id, tool_name, tool_input }) =>
      this.#readCall({ id: tool_use_id, name: tool_name, input: tool_input }, null),
    );
    if (calls[0]) calls[0].step = true;
    return calls;
  }

  /** `of`: the line that it is in. */
  #readResult({ tool_use_id, is_error, content }: JsonObject, of: JsonObject = {}): Event {
    const call = stringOf(tool_use_id);
    if (call !== null) this.#calls.close(call);
    const blocks = blocksOf(content);
    const event: Event = { kind: 'tool-result', call, ok: is_error !== true, blocks, displays: [] };
    const ruling = rulingOf(call, of.tool_result_meta);
    if (ruling) event.ruling = ruling;
    if (objectOf(of.tool_use_result).interrupted === true) event.stopped = true;
    return withText(event, readable(blocks));
  }

  /** Tool results, prompts of subagents, and notices. The client's own prompt is not echoed. */
  readUser(value: JsonObject): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    Object.assign(this.#speaker(subagent), { fresh: true, began: null });
    const { content } = objectOf(value.message);
    const results = listOf(content).filter((block) => objectOf(block).type === 'tool_result');
    const events = results.map((block) => bySubagent(this.#readResult(objectOf(block), value), subagent));
    if (objectOf(value.tool_use_result).status === 'async_launched') events.push(...backgroundEvents(events));
    if (results.length === 0 || results.length < listOf(content).length) events.push(readUserText(content, subagent));
    // Claude sends lines of an earlier run again with this mark.
    if (value.isReplay === true) for (const event of events) flag(event, 'replayed').restates = true;
    return events;
  }

  /** A piece of a block that an `assistant` line will repeat as a whole. */
  readPiece(value: JsonObject): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    const event = objectOf(value.event);
    const speaker = this.#speaker(subagent);
    const read = this.#readPiece(event, speaker);
    if (read.kind !== 'progress' && read.kind !== 'status' && event.type === 'content_block_start' && speaker.fresh) {
      speaker.fresh = false;
      read.step = true;
    }
    return [bySubagent(read, subagent)];
  }

  #readPiece(event: JsonObject, speaker: SpeakerState): Event {
    switch (event.type) {
      case 'message_start':
        speaker.fresh = false;
        speaker.stream.restart();
        speaker.id = stringOf(objectOf(event.message).id);
        speaker.used = null;
        speaker.began = objectOf(objectOf(event.message).usage);
        return { kind: 'step-begin', n: null };
      case 'message_stop':
        speaker.began = null;
        return { kind: 'step-end' };
      case 'content_block_start':
        return pieceEvent(speaker.stream.start(event), null);
      case 'content_block_delta':
        return pieceEvent(speaker.stream.at(event), event.delta);
      case 'content_block_stop':
        return closeBlock(speaker.stream.at(event));
      case 'message_delta':
        return this.#readCounts(objectOf(event.usage), speaker);
      case 'tool_progress':
        return withText({ kind: 'progress', call: stringOf(event.tool_use_id) }, stringOf(event.content));
      case 'goal_state':
      case 'active_goal':
        return { kind: 'status', name: event.type };
      default:
        return { kind: 'other', name: stringOf(event.type) };
    }
  }

  /** Claude's whole lines came before and have only the usage at the beginning; qwen's follow and have all (rule U3). */
  #readCounts(reported: JsonObject, speaker: SpeakerState): Event {
    const isClaude = this.cachedIsInput === false;
    const usage = usageOf(isClaude ? { ...speaker.began, ...reported } : reported, this.cachedIsInput);
    const event: Event = { kind: 'usage', usage, total: false, context: null };
    if (!isClaude) return { ...event, restates: true };
    event.usage = usage && addedUsage(usage, speaker.used);
    speaker.used = usage ?? speaker.used;
    return event;
  }
}

function readUserText(content: unknown, subagent: string | null): Event {
  const text = readable(blocksOf(content).filter(({ type }) => type === 'text'));
  if (subagent === null) return withText({ kind: 'notice', name: null }, text);
  return bySubagent(withText({ kind: 'turn-begin', nested: true }, text), subagent);
}

/** The agent that this call started goes on in the background, whether or not the call said so. */
function backgroundEvents([result]: Event[]): Event[] {
  if (result?.kind !== 'tool-result' || result.call === null) return [];
  return [bySubagent({ kind: 'subagent', call: result.call, name: null, background: true }, result.call)];
}

function markRestated(event: Event, streamed: boolean): Event {
  if (streamed) event.restates = true;
  return event;
}

/** The end of a block. A text that was repeated as a whole is not begun again. */
function closeBlock(block: StreamedBlock): Event {
  const event = pieceEvent(block, null);
  return event.kind === 'tool-args' ? event : markRestated(event, block.whole);
}

/** The event for a piece: the kind of its block, and the text that it adds. */
function pieceEvent(block: StreamedBlock, delta: unknown): Event {
  const { text, thinking, partial_json } = objectOf(delta);
  const adds = stringOf(text) ?? stringOf(thinking) ?? stringOf(partial_json) ?? '';
  if (block.kind === 'tool-args') {
    return { kind: 'tool-args', call: block.call, tool: block.tool, text: adds, delta: true };
  }
  return { kind: block.kind, text: adds, delta: true };
}
