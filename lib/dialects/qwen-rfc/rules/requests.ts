/** The RFC of qwen's structured IO: requests of the client besides its prompts, and those of both on the control channel. */
import type { Event } from '../../../model/event.ts';
import type { Frame } from '../../../model/frame.ts';
import type { Ledger } from '../../../model/ledger/ledger.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { pairingRules } from '../../rules/pairing.ts';
import { defineRules, error, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { judgeAgentOmission } from '../../rules/session-end.ts';

const REF = 'qwen structured IO RFC';

const RULES = {
  'rfc-unanswered': error.agent(
    'the agent answers hints, heartbeats, cancels and commands with their result/*',
    `${REF}, 实时提示、心跳与中断; 事件分类与通道`,
  ),
  'rfc-turn-open': warning.agent(
    'a prompt ends with finish_reason stop or error, a command result, a cancel or a fatal error',
    `${REF}, stream-json 示例; 版本协商与错误语义`,
  ),
  'rfc-stray-result': warning.agent.needsClient(
    'a result/* answers a request (heartbeats may come without one)',
    `${REF}, 实时提示、心跳与中断`,
  ),
  'rfc-approval-answer': error.client(
    'can_use_tool is answered with the behavior approve or deny',
    `${REF}, 控制请求与响应`,
  ),
  'rfc-control-error': error.client('a callback that failed has an error.message', `${REF}, 控制请求与响应`),
  'rfc-tool-response': error.client(
    'a tool_response names the call that it answers, and the prompt_id of its turn',
    `${REF}, Qwen Chat Request 模式`,
  ),
  'rfc-tool-unknown': warning.unknown(
    'tool_call_id names an existing call (reported once for each)',
    `${REF}, 工具结果展示`,
  ),
};

type RfcRequestRule = keyof typeof RULES;

/** What is asked, and what answers it. */
const ANSWERS: Readonly<Record<string, string>> = {
  command_hint_request: 'result/command_hint',
  heartbeat_request: 'result/heartbeat',
  'control/cancel': 'result/cancel',
};
const COMMAND = 'result/command';

interface RfcRequest {
  /** The type of line that answers. */
  answer: string;
  f: number;
  what: string;
  prompt: string | null;
}

class RfcRequestRules {
  readonly #open: RfcRequest[] = [];
  /** Prompts that are not over, by their frames. */
  readonly #turns = new Set<number>();
  readonly #prompts = new Set<string>();
  readonly #reported = new Set<string>();

  take(read: ReadFrame): RuleHit<RfcRequestRule>[] {
    const { frame, value } = read;
    if (frame.form === 'event' || !isObject(value)) return [];
    for (const event of read.events) this.#trackTurn(frame, event);
    if (frame.from === 'client') return [...this.#checkRequest(read, value), ...checkApproval(read)];
    return frame.from === 'agent' ? this.#checkAnswer(read, value) : [];
  }

  end({ process }: Ledger): RuleHit<RfcRequestRule>[] {
    const { why, ...how } = judgeAgentOmission(process);
    const hits = this.#open.map(({ f, what }): RuleHit<RfcRequestRule> => {
      return { rule: 'rfc-unanswered', f, message: `the agent never answered ${what}, ${why}`, ...how };
    });
    for (const f of this.#turns) {
      hits.push({ rule: 'rfc-turn-open', f, message: `the prompt never ended, ${why}`, ...how });
    }
    return hits;
  }

  #trackTurn({ f, from }: Frame, event: Event): void {
    if (event.flags?.includes('foreign')) return;
    if (from === 'client' && event.kind === 'prompt') this.#turns.add(f);
    if (from !== 'agent') return;
    if (event.kind === 'prompt-answer' && event.prompt !== null) this.#turns.delete(event.prompt);
    // These do not say which prompt they end.
    if ((event.kind === 'cancel' && event.done) || event.kind === 'error') this.#turns.clear();
  }

  #checkRequest(read: ReadFrame, value: JsonObject): RuleHit<RfcRequestRule>[] {
    const { f } = read.frame;
    const type = stringOf(value.type);
    const prompt = stringOf(value.prompt_id);
    if (type !== null) {
      if (Object.hasOwn(ANSWERS, type)) this.#open.push({ answer: ANSWERS[type]!, f, what: type, prompt });
      // Who cancels a hint wants no answer to it.
      if (type === 'command_hint_cancel') this.#remove(ANSWERS.command_hint_request!, prompt);
      return [];
    }
    const input = objectOf(value.input);
    if (!isObject(value.input)) return [];
    if (isObject(input.command)) {
      this.#turns.delete(f);
      this.#open.push({ answer: COMMAND, f, what: 'a command', prompt });
    }
    const hits = input.origin === 'tool_response' ? this.#checkToolResponse(read, value) : [];
    if (prompt !== null) this.#prompts.add(prompt);
    return hits;
  }

  #checkToolResponse(read: ReadFrame, value: JsonObject): RuleHit<RfcRequestRule>[] {
    const { f } = read.frame;
    const call = stringOf(value.tool_call_id) ?? stringOf(objectOf(value.input).tool_call_id);
    if (call === null) return [{ rule: 'rfc-tool-response', f, message: 'a tool_response without a tool_call_id' }];
    const prompt = stringOf(value.prompt_id);
    if (prompt === null || !this.#prompts.has(prompt)) {
      const message = `a tool_response with the prompt_id ${quoted(prompt)}, but no prompt has it`;
      return [{ rule: 'rfc-tool-response', f, severity: 'warning', message }];
    }
    return this.#checkKnown(read, call, 'client');
  }

  #checkAnswer(read: ReadFrame, value: JsonObject): RuleHit<RfcRequestRule>[] {
    const type = stringOf(value.type) ?? '';
    if (type === 'x-qwen-tool-display') return this.#checkKnown(read, stringOf(value.tool_call_id), 'agent');
    if (!type.startsWith('result/')) return [];
    const prompt = stringOf(value.prompt_id);
    // A hint may say first that it is being prepared.
    if (value.status === 'loading' && this.#find(type, prompt) >= 0) return [];
    if (this.#remove(type, prompt) || type === 'result/heartbeat') return [];
    return [{ rule: 'rfc-stray-result', f: read.frame.f, message: `${textOrJson(type)} without a request` }];
  }

  #checkKnown(
    { frame: { f }, ledger }: ReadFrame,
    call: string | null,
    fault: 'client' | 'agent',
  ): RuleHit<RfcRequestRule>[] {
    if (call === null || ledger.calls.latestAnnounced(call) || this.#reported.has(call)) return [];
    this.#reported.add(call);
    return [
      { rule: 'rfc-tool-unknown', f, fault, message: `tool_call_id is ${textOrJson(call)}, but there is no such call` },
    ];
  }

  #find(answer: string, prompt: string | null): number {
    const isMeant = (request: RfcRequest) => prompt === null || request.prompt === null || request.prompt === prompt;
    return this.#open.findIndex((request) => request.answer === answer && isMeant(request));
  }

  /** The oldest that it can be about is done with. */
  #remove(answer: string, prompt: string | null): boolean {
    const at = this.#find(answer, prompt);
    if (at >= 0) this.#open.splice(at, 1);
    return at >= 0;
  }
}

function checkApproval({ frame: { f }, pairing, message }: ReadFrame): RuleHit<RfcRequestRule>[] {
  const exchange = pairing?.exchange;
  if (exchange?.asker !== 'agent') return [];
  const frames = [exchange.askedF];
  const { subtype, result, error } = objectOf(message.body);
  if (subtype === 'error') {
    if (stringOf(objectOf(error).message)) return [];
    return [{ rule: 'rfc-control-error', f, frames, message: 'the error has no message' }];
  }
  if (exchange.method !== 'can_use_tool') return [];
  const { behavior } = objectOf(result);
  if (behavior === 'approve' || behavior === 'deny') return [];
  const text = `the behavior is ${quoted(behavior)}, not approve or deny`;
  return [{ rule: 'rfc-approval-answer', f, frames, message: text }];
}

export const RFC_REQUEST_RULES = [
  ...pairingRules({
    ...{ prefix: 'rfc', dialects: ['qwen-rfc'], source: `${REF}, 控制请求与响应` },
    withdraws: ({ type, request_id }) => (type === 'control_cancel_request' ? request_id : undefined),
  }),
  ...defineRules(['qwen-rfc'], RULES, () => new RfcRequestRules()),
];
