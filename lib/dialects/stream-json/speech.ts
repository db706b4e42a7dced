/**
 * What agents say: whole blocks in `assistant` and `user` lines, and the same blocks in pieces with partial messages.
 * One model answer may span several `assistant` lines, each with its own id (qwen) or all with the same (Claude).
 */
import type { Event, Usage } from '../../model/event.ts';
import { blocksOf, readable } from '../common/content.ts';
import { flag, jsonText, listOf, objectOf, say, stringOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';
import { by, type Calls } from './calls.ts';
import { rulingOf } from './ruling.ts';
import { type Block, Stream } from './stream.ts';
import { added, usageEvent, usageOf } from './usage.ts';

/** The state of one agent. */
class Voice {
  readonly stream = new Stream();
  /** The next event begins a new model answer (rule S2). */
  fresh = true;
  /** The id of the latest answer. */
  id: string | null = null;
  used: Usage | null = null;
  /** The usage with which the answer that is being streamed began; null if none is. */
  began: Json | null = null;
}

export class Speech {
  readonly #calls: Calls;
  readonly #voices = new Map<string | null, Voice>();
  /** Whether this agent counts cached tokens as input; null until it has introduced itself. */
  cachedIsInput: boolean | null = null;
  /** The main agent's last text. */
  latest: string | null = null;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** A turn of the main agent begins. */
  begin(): void {
    this.#voices.delete(null);
    this.#calls.reset();
    this.latest = null;
  }

  #voice(subagent: string | null): Voice {
    const known = this.#voices.get(subagent);
    if (known) return known;
    const voice = new Voice();
    this.#voices.set(subagent, voice);
    return voice;
  }

  assistant(value: Json): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    const voice = this.#voice(subagent);
    const { content, usage: told, id } = objectOf(value.message);
    const events = this.#blocks(content, voice, subagent);
    const same = id !== undefined && id === voice.id;
    const usage = usageOf(told, this.cachedIsInput);
    const more = usage && added(usage, same ? voice.used : null);
    if (more) events.push(by(usageEvent(more, false), subagent));
    if (events.length === 0) events.push(by({ kind: 'text', text: '' }, subagent));
    if (voice.fresh && !same) events[0]!.step = true;
    // Claude repeats each block as soon as it is streamed, within the answer.
    voice.fresh = usage !== null && voice.began === null;
    voice.id = stringOf(id);
    voice.used = usage;
    return events;
  }

  #blocks(content: unknown, voice: Voice, subagent: string | null): Event[] {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
    return blocks.map((block) => by(this.#block(objectOf(block), voice, subagent), subagent));
  }

  #block(block: Json, voice: Voice, subagent: string | null): Event {
    const { type } = block;
    if (type === 'text') {
      const text = stringOf(block.text) ?? '';
      if (subagent === null) this.latest = text;
      return restated({ kind: 'text', text }, voice.stream.settle('text'));
    }
    if (type === 'thinking' || type === 'redacted_thinking') {
      const text = stringOf(block.thinking) ?? '';
      return restated({ kind: 'thinking', text }, voice.stream.settle('thinking'));
    }
    if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      voice.stream.settle('tool-args');
      return this.#call(block, subagent);
    }
    return typeof type === 'string' && type.endsWith('tool_result')
      ? this.#result(block)
      : { kind: 'text', block: blocksOf(block)[0]! };
  }

  #call({ id, name, input }: Json, subagent: string | null): Event {
    const call = stringOf(id);
    const tool = stringOf(name);
    const event: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
    const writes = this.#calls.writes(tool);
    if (writes !== undefined) event.writes = writes;
    if (call !== null && !this.#calls.announce(call, tool, subagent, input)) event.restates = true;
    return event;
  }

  /** The calls that were refused, which no other line reports. */
  denied(denials: readonly Json[]): Event[] {
    const calls = denials.map(({ tool_use_id, tool_name, tool_input }) =>
      this.#call({ id: tool_use_id, name: tool_name, input: tool_input }, null),
    );
    if (calls[0]) calls[0].step = true;
    return calls;
  }

  /** `of`: the line that it is in. */
  #result({ tool_use_id, is_error, content }: Json, of: Json = {}): Event {
    const call = stringOf(tool_use_id);
    if (call !== null) this.#calls.close(call);
    const blocks = blocksOf(content);
    const event: Event = { kind: 'tool-result', call, ok: is_error !== true, blocks, displays: [] };
    const ruling = rulingOf(call, of.tool_result_meta);
    if (ruling) event.ruling = ruling;
    if (objectOf(of.tool_use_result).interrupted === true) event.stopped = true;
    return say(event, readable(blocks));
  }

  /** Tool results, prompts of subagents, and notices. The client's own prompt is not echoed. */
  user(value: Json): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    Object.assign(this.#voice(subagent), { fresh: true, began: null });
    const { content } = objectOf(value.message);
    const results = listOf(content).filter((block) => objectOf(block).type === 'tool_result');
    const events = results.map((block) => by(this.#result(objectOf(block), value), subagent));
    if (objectOf(value.tool_use_result).status === 'async_launched') events.push(...launched(events));
    if (results.length === 0 || results.length < listOf(content).length) events.push(userText(content, subagent));
    // Claude sends lines of an earlier run again with this mark.
    if (value.isReplay === true) for (const event of events) flag(event, 'replayed').restates = true;
    return events;
  }

  /** A piece of a block that an `assistant` line will repeat as a whole. */
  piece(value: Json): Event[] {
    const subagent = stringOf(value.parent_tool_use_id);
    const event = objectOf(value.event);
    const voice = this.#voice(subagent);
    const read = this.#piece(event, voice);
    if (read.kind !== 'progress' && read.kind !== 'status' && event.type === 'content_block_start' && voice.fresh) {
      voice.fresh = false;
      read.step = true;
    }
    return [by(read, subagent)];
  }

  #piece(event: Json, voice: Voice): Event {
    switch (event.type) {
      case 'message_start':
        voice.fresh = false;
        voice.stream.restart();
        voice.id = stringOf(objectOf(event.message).id);
        voice.used = null;
        voice.began = objectOf(objectOf(event.message).usage);
        return { kind: 'step-begin', n: null };
      case 'message_stop':
        voice.began = null;
        return { kind: 'step-end' };
      case 'content_block_start':
        return part(voice.stream.start(event), null);
      case 'content_block_delta':
        return part(voice.stream.at(event), event.delta);
      case 'content_block_stop':
        return closed(voice.stream.at(event));
      case 'message_delta':
        return this.#counts(objectOf(event.usage), voice);
      case 'tool_progress':
        return say({ kind: 'progress', call: stringOf(event.tool_use_id) }, stringOf(event.content));
      case 'goal_state':
      case 'active_goal':
        return { kind: 'status', name: event.type };
      default:
        return { kind: 'other', name: stringOf(event.type) };
    }
  }

  /** Claude's whole lines came before and have only the usage at the beginning; qwen's follow and have all (rule U3). */
  #counts(told: Json, voice: Voice): Event {
    const isClaude = this.cachedIsInput === false;
    const usage = usageOf(isClaude ? { ...voice.began, ...told } : told, this.cachedIsInput);
    const event: Event = { kind: 'usage', usage, total: false, context: null };
    if (!isClaude) return { ...event, restates: true };
    event.usage = usage && added(usage, voice.used);
    voice.used = usage ?? voice.used;
    return event;
  }
}

function userText(content: unknown, subagent: string | null): Event {
  const text = readable(blocksOf(content).filter(({ type }) => type === 'text'));
  if (subagent === null) return say({ kind: 'notice', name: null }, text);
  return by(say({ kind: 'turn-begin', nested: true }, text), subagent);
}

/** The agent that this call started goes on in the background, whether or not the call said so. */
function launched([result]: Event[]): Event[] {
  if (result?.kind !== 'tool-result' || result.call === null) return [];
  return [by({ kind: 'subagent', call: result.call, name: null, background: true }, result.call)];
}

function restated(event: Event, streamed: boolean): Event {
  if (streamed) event.restates = true;
  return event;
}

/** The end of a block. A text that was repeated as a whole is not begun again. */
function closed(block: Block): Event {
  const event = part(block, null);
  return event.kind === 'tool-args' ? event : restated(event, block.whole);
}

/** The event for a piece: the kind of its block, and the text that it adds. */
function part(block: Block, delta: unknown): Event {
  const { text, thinking, partial_json } = objectOf(delta);
  const adds = stringOf(text) ?? stringOf(thinking) ?? stringOf(partial_json) ?? '';
  if (block.kind === 'tool-args') {
    return { kind: 'tool-args', call: block.call, tool: block.tool, text: adds, delta: true };
  }
  return { kind: block.kind, text: adds, delta: true };
}
