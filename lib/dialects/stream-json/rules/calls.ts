/** stream-json: messages about tool calls name calls that were made. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { type CheckedSession, defineRules, error, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { isForeign, messagesOf, StreamProgram } from './program.ts';

const REF = 'qwen-stream-json-acp-mcp';

const RULES = {
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

type StreamCallRule = keyof typeof RULES;

const REMEMBERED = 10_000;

class ToolUses {
  readonly #program: StreamProgram;
  /** Seen in a stream, before the line that makes the call. */
  readonly #streamed = new LimitedMap<string, true>(REMEMBERED);
  /** The model's own tools run where the model is: their results need not come. */
  readonly #ofModel = new LimitedMap<string, true>(REMEMBERED);
  readonly #reportedParents = new Set<string>();
  /** Requests about calls that no line has made yet, and their frames: Claude may ask first. */
  readonly #pendingAsks = new LimitedMap<string, number>(REMEMBERED);

  constructor(session: CheckedSession) {
    this.#program = new StreamProgram(session);
  }

  take(read: ReadFrame): RuleHit<StreamCallRule>[] {
    if (read.frame.from !== 'agent' || isForeign(read)) return [];
    const named = messagesOf(read).flatMap((line) => this.#checkLine(read, line));
    return [...named, ...this.#checkResults(read), ...this.#findLeftOpen(read)];
  }

  #checkLine({ frame: { f }, ledger }: ReadFrame, line: JsonObject): RuleHit<StreamCallRule>[] {
    if (line.type === 'stream_event') this.#addStreamed(objectOf(objectOf(line.event).content_block));
    if (line.type === 'assistant')
      for (const block of listOf(objectOf(line.message).content)) this.#addModelTool(objectOf(block));
    const isUnknown = (id: unknown): id is string => typeof id === 'string' && !this.#isKnown(ledger, id);
    const hits: RuleHit<StreamCallRule>[] = [];
    const { parent_tool_use_id: parent } = line;
    if (isUnknown(parent) && !this.#reportedParents.has(parent)) {
      this.#reportedParents.add(parent);
      const message = `parent_tool_use_id is ${textOrJson(parent)}, but there is no such call`;
      hits.push({ rule: 'stream-parent-unknown', f, message });
    }
    const { subtype, tool_use_id: requestedCall } = objectOf(line.request);
    if (line.type === 'control_request' && subtype === 'can_use_tool' && isUnknown(requestedCall))
      this.#pendingAsks.set(requestedCall, f);
    if (line.type === 'result') hits.push(...this.#findUnmade(ledger));
    for (const denial of line.type === 'result' ? listOf(line.permission_denials) : []) {
      const { tool_use_id: id } = objectOf(denial);
      if (!isUnknown(id)) continue;
      const message = `permission_denials names ${textOrJson(id)}, but there is no such call`;
      hits.push({ rule: 'stream-denial-unknown', f, message });
    }
    return hits;
  }

  end(ledger: Ledger): RuleHit<StreamCallRule>[] {
    return this.#findUnmade(ledger);
  }

  /** What was asked about calls that were never made. */
  #findUnmade(ledger: Ledger): RuleHit<StreamCallRule>[] {
    const hits: RuleHit<StreamCallRule>[] = [];
    for (const [id, f] of [...this.#pendingAsks.entries()]) {
      this.#pendingAsks.delete(id);
      if (this.#isKnown(ledger, id)) continue;
      hits.push({
        rule: 'stream-ask-unknown',
        f,
        message: `can_use_tool for ${textOrJson(id)}, but there is no such call`,
      });
    }
    return hits;
  }

  #addStreamed({ type, id }: JsonObject): void {
    if (typeof id === 'string' && typeof type === 'string' && type.endsWith('tool_use')) this.#streamed.set(id, true);
  }

  #addModelTool({ type, id }: JsonObject): void {
    if (type === 'server_tool_use' && typeof id === 'string') this.#ofModel.set(id, true);
  }

  #checkResults({ frame: { f }, events, ledger }: ReadFrame): RuleHit<StreamCallRule>[] {
    return events.flatMap((event, n): RuleHit<StreamCallRule>[] => {
      const { agent, call } = ledger.notes[n]!;
      if (event.kind !== 'tool-result' || event.call === null || !agent || call?.announced) return [];
      const id = textOrJson(event.call);
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
  #findLeftOpen({ frame: { f }, events, ledger }: ReadFrame): RuleHit<StreamCallRule>[] {
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
      const message = `the turn succeeded, but ${textOrJson(call.id!)} has no result`;
      return { rule: 'stream-call-open', f, frames: [call.f], message };
    });
  }

  #isKnown({ calls }: Ledger, id: string): boolean {
    return this.#program.isResumed || this.#streamed.has(id) || calls.latestAnnounced(id) !== null;
  }
}

export const STREAM_CALL_RULES = defineRules(['stream-json'], RULES, (session) => new ToolUses(session));
