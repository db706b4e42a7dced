/** stream-json: messages about tool calls name calls that were made. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import type { Json } from '../../dialect.ts';
import { type CheckedSession, error, type Told, warning, watch, word } from '../../rules/rule.ts';
import { isForeign, messagesOf, Program } from './program.ts';

const REF = 'qwen-stream-json-acp-mcp';

const HEADS = {
  'stream-parent-unknown': error.agent(
    'parent_tool_use_id names an existing call (reported once for each)',
    `${REF} 2.5`,
  ),
  'stream-result-unknown': error.agent(
    'a tool_result belongs to an earlier tool_use',
    `${REF} 2.3; Anthropic Messages API, tool use`,
  ),
  'stream-result-twice': warning.agent('a tool_use has only one tool_result', 'Anthropic Messages API, tool use'),
  'stream-call-open': warning.agent(
    'when a turn succeeds, every tool_use has a tool_result',
    'Anthropic Messages API, tool use',
  ),
  'stream-ask-unknown': warning.agent(
    'can_use_tool names an existing call',
    `${REF} 2.4: assistant, control_request, control_response, user; opencode#12133`,
  ),
  'stream-denial-unknown': error.agent('permission_denials name existing calls', `${REF} 2.3`),
};

type Id = keyof typeof HEADS;

const REMEMBERED = 10_000;

class ToolUses {
  readonly #program: Program;
  /** Seen in a stream, before the line that makes the call. */
  readonly #streamed = new Recent<string, true>(REMEMBERED);
  /** The model's own tools run where the model is: their results need not come. */
  readonly #ofModel = new Recent<string, true>(REMEMBERED);
  readonly #told = new Set<string>();
  /** Requests about calls that no line has made yet, and their frames: Claude may ask first. */
  readonly #asked = new Recent<string, number>(REMEMBERED);

  constructor(session: CheckedSession) {
    this.#program = new Program(session);
  }

  take(read: ReadFrame): Told<Id>[] {
    if (read.frame.from !== 'agent' || isForeign(read)) return [];
    const named = messagesOf(read).flatMap((line) => this.#line(read, line));
    return [...named, ...this.#results(read), ...this.#leftOpen(read)];
  }

  #line({ frame: { f }, ledger }: ReadFrame, line: Json): Told<Id>[] {
    if (line.type === 'stream_event') this.#streams(objectOf(objectOf(line.event).content_block));
    if (line.type === 'assistant')
      for (const block of listOf(objectOf(line.message).content)) this.#says(objectOf(block));
    const isUnknown = (id: unknown): id is string => typeof id === 'string' && !this.#isKnown(ledger, id);
    const told: Told<Id>[] = [];
    const { parent_tool_use_id: parent } = line;
    if (isUnknown(parent) && !this.#told.has(parent)) {
      this.#told.add(parent);
      const message = `parent_tool_use_id is ${word(parent)}, but there is no such call`;
      told.push({ rule: 'stream-parent-unknown', f, message });
    }
    const { subtype, tool_use_id: asked } = objectOf(line.request);
    if (line.type === 'control_request' && subtype === 'can_use_tool' && isUnknown(asked)) this.#asked.set(asked, f);
    if (line.type === 'result') told.push(...this.#unmade(ledger));
    for (const denial of line.type === 'result' ? listOf(line.permission_denials) : []) {
      const { tool_use_id: id } = objectOf(denial);
      if (!isUnknown(id)) continue;
      const message = `permission_denials names ${word(id)}, but there is no such call`;
      told.push({ rule: 'stream-denial-unknown', f, message });
    }
    return told;
  }

  end(ledger: Ledger): Told<Id>[] {
    return this.#unmade(ledger);
  }

  /** What was asked about calls that were never made. */
  #unmade(ledger: Ledger): Told<Id>[] {
    const told: Told<Id>[] = [];
    for (const [id, f] of [...this.#asked.entries()]) {
      this.#asked.delete(id);
      if (this.#isKnown(ledger, id)) continue;
      told.push({ rule: 'stream-ask-unknown', f, message: `can_use_tool for ${word(id)}, but there is no such call` });
    }
    return told;
  }

  #streams({ type, id }: Json): void {
    if (typeof id === 'string' && typeof type === 'string' && type.endsWith('tool_use')) this.#streamed.set(id, true);
  }

  #says({ type, id }: Json): void {
    if (type === 'server_tool_use' && typeof id === 'string') this.#ofModel.set(id, true);
  }

  #results({ frame: { f }, events, ledger }: ReadFrame): Told<Id>[] {
    return events.flatMap((event, n): Told<Id>[] => {
      const { agent, call } = ledger.notes[n]!;
      if (event.kind !== 'tool-result' || event.call === null || !agent || call?.announced) return [];
      const id = word(event.call);
      const before = ledger.calls.latestAnnounced(event.call);
      if (before?.result) {
        const message = `a second tool_result for ${id}, after f${before.result.f}`;
        return [{ rule: 'stream-result-twice', f, frames: [before.f, before.result.f], message }];
      }
      if (this.#isKnown(ledger, event.call)) return [];
      return [{ rule: 'stream-result-unknown', f, message: `a tool_result for ${id}, but there is no such call` }];
    });
  }

  /** What has no result when its turn succeeds. */
  #leftOpen({ frame: { f }, events, ledger }: ReadFrame): Told<Id>[] {
    // Refused calls have no result, and neither has any call if the agent prints only its final answer.
    const refused = events.flatMap((event) => (event.kind === 'prompt-answer' ? (event.denied ?? []) : []));
    const left = ledger.calls.cut.filter(
      ({ id, subagent, turn }) =>
        id !== null &&
        subagent === null &&
        turn?.status === 'success' &&
        !this.#ofModel.has(id) &&
        !refused.includes(id),
    );
    return left.map((call) => {
      const message = `the turn succeeded, but ${word(call.id!)} has no result`;
      return { rule: 'stream-call-open', f, frames: [call.f], message };
    });
  }

  #isKnown({ calls }: Ledger, id: string): boolean {
    return this.#program.isResumed || this.#streamed.has(id) || calls.latestAnnounced(id) !== null;
  }
}

export const STREAM_CALL_RULES = watch(['stream-json'], HEADS, (session) => new ToolUses(session));
