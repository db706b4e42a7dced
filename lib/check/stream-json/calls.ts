/** stream-json: what is said of tool calls is said of calls that were made. */
import type { Json } from '../../dialects/dialect.ts';
import { listOf, objectOf, stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import { type GroupReader, type Told, watch } from '../common/watch.ts';
import { word } from '../common/words.ts';
import type { Rule, SessionToCheck } from '../rule.ts';
import { isForeign, messagesOf, Program } from './program.ts';

const REF = 'qwen-stream-json-acp-mcp';

const HEADS = {
  'stream-parent-unknown': {
    ...({ severity: 'error', fault: 'agent' } as const),
    title: 'parent_tool_use_id names a call that was made (told once for each)',
    ref: `${REF} 2.5`,
  },
  'stream-result-unknown': {
    ...({ severity: 'error', fault: 'agent' } as const),
    title: 'a tool_result is of a tool_use that came before it',
    ref: `${REF} 2.3; Anthropic Messages API, tool use`,
  },
  'stream-result-twice': {
    ...({ severity: 'warning', fault: 'agent' } as const),
    title: 'a tool_use has one tool_result',
    ref: 'Anthropic Messages API, tool use',
  },
  'stream-call-open': {
    ...({ severity: 'warning', fault: 'agent' } as const),
    title: 'a turn that succeeds leaves no tool_use without its tool_result',
    ref: 'Anthropic Messages API, tool use',
  },
  'stream-ask-unknown': {
    ...({ severity: 'warning', fault: 'agent' } as const),
    title: 'can_use_tool names a call that was made',
    ref: `${REF} 2.4: assistant, control_request, control_response, user; opencode#12133`,
  },
  'stream-denial-unknown': {
    ...({ severity: 'error', fault: 'agent' } as const),
    title: 'permission_denials name calls that were made',
    ref: `${REF} 2.3`,
  },
} as const;

type Id = keyof typeof HEADS;

interface Call {
  f: number;
  resultF: number | null;
  subagent: boolean;
}

class Calls implements GroupReader<Id> {
  readonly #program: Program;
  readonly #calls = new Map<string, Call>();
  readonly #told = new Set<string>();

  constructor(session: SessionToCheck) {
    this.#program = new Program(session);
  }

  take(read: ReadFrame): Told<Id>[] {
    if (read.frame.from !== 'agent' || isForeign(read)) return [];
    return messagesOf(read).flatMap((line) => this.#line(read.frame.f, line));
  }

  #line(f: number, line: Json): Told<Id>[] {
    const told = this.#parent(f, line);
    const subagent = typeof line.parent_tool_use_id === 'string';
    const blocks = listOf(objectOf(line.message).content).map(objectOf);
    if (line.type === 'assistant') for (const block of blocks) this.#announce(f, block, subagent);
    else if (line.type === 'stream_event') this.#announce(f, objectOf(objectOf(line.event).content_block), subagent);
    else if (line.type === 'user') for (const block of blocks) told.push(...this.#result(f, block));
    else if (line.type === 'control_request') told.push(...this.#asks(f, objectOf(line.request)));
    else if (line.type === 'result') told.push(...this.#ends(f, line));
    return told;
  }

  #announce(f: number, { type, id }: Json, subagent: boolean): void {
    if (typeof id !== 'string' || !(type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use'))
      return;
    const known = this.#calls.get(id);
    // Said again as a whole after it was streamed; an id that comes again after its result is another call.
    if (!known || known.resultF !== null) this.#calls.set(id, { f, resultF: null, subagent });
    // The model's own tools are run where the model is.
    if (type === 'server_tool_use') this.#calls.get(id)!.resultF = f;
  }

  #parent(f: number, { parent_tool_use_id: id }: Json): Told<Id>[] {
    if (typeof id !== 'string' || this.#isKnown(id) || this.#told.has(id)) return [];
    this.#told.add(id);
    return [{ rule: 'stream-parent-unknown', f, message: `parent_tool_use_id is ${word(id)}, which no call has` }];
  }

  #result(f: number, { type, tool_use_id: id }: Json): Told<Id>[] {
    if (type !== 'tool_result' || typeof id !== 'string') return [];
    const call = this.#calls.get(id);
    if (!call) {
      return this.#program.isResumed
        ? []
        : [{ rule: 'stream-result-unknown', f, message: `a tool_result for ${word(id)}, which no call has` }];
    }
    const before = call.resultF;
    call.resultF = f;
    if (before === null) return [];
    return [
      {
        rule: 'stream-result-twice',
        f,
        frames: [call.f, before],
        message: `a tool_result for ${word(id)}, which has one in f${before}`,
      },
    ];
  }

  #asks(f: number, { subtype, tool_use_id: id }: Json): Told<Id>[] {
    if (subtype !== 'can_use_tool' || typeof id !== 'string' || this.#isKnown(id)) return [];
    return [{ rule: 'stream-ask-unknown', f, message: `can_use_tool for ${word(id)}, which no call has` }];
  }

  #ends(f: number, { subtype, permission_denials }: Json): Told<Id>[] {
    const told: Told<Id>[] = [];
    for (const denial of listOf(permission_denials)) {
      const id = stringOf(objectOf(denial).tool_use_id);
      if (id === null || this.#isKnown(id)) continue;
      told.push({
        rule: 'stream-denial-unknown',
        f,
        message: `permission_denials names ${word(id)}, which no call has`,
      });
    }
    for (const [id, call] of this.#calls) {
      if (call.resultF !== null || call.subagent) continue;
      call.resultF = f;
      if (subtype !== 'success') continue;
      told.push({
        rule: 'stream-call-open',
        f,
        frames: [call.f],
        message: `the turn succeeds, and ${word(id)} has no result`,
      });
    }
    return told;
  }

  #isKnown(id: string): boolean {
    return this.#calls.has(id) || this.#program.isResumed;
  }
}

export const STREAM_CALL_RULES: readonly Rule[] = watch(['stream-json'], HEADS, (session) => new Calls(session));
