/** stream-json: the control channel. Every request is answered, in a form that the other side accepts. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { pairingRules } from '../../rules/pairing.ts';
import {
  type CheckedSession,
  defineRules,
  error,
  quoted,
  type RuleHit,
  type Severity,
  textOrJson,
  warning,
} from '../../rules/rule.ts';
import { isForeign, messagesOf, StreamProgram } from './program.ts';

const REF = 'qwen-stream-json-acp-mcp';

const RULES = {
  'stream-direct-mode': error.client(
    'the first line is control_request initialize: otherwise qwen ignores control lines',
    `${REF} 2.1`,
  ),
  'stream-approval-answer': error.client(
    'can_use_tool is answered with allow (for Claude, with updatedInput) or with deny and a message',
    `${REF} 2.4 and 4; openclaw#95171`,
  ),
  'stream-no-type': error.unknown('every line has a type', `${REF} 2.6: a line without one ends the agent`),
  'stream-foreign': error.client(
    'no line belongs to the RFC for structured IO, which no released agent reads',
    `${REF} 1`,
  ),
  'stream-error-text': warning.unknown('an error on the control channel says what is wrong', `${REF} 1, error object`),
};

type StreamControlRule = keyof typeof RULES;

/** How qwen started, by the first line of its client. */
class StartMode {
  readonly program: StreamProgram;
  #first: 'initialize' | 'user' | 'other' | null = null;

  constructor(session: CheckedSession) {
    this.program = new StreamProgram(session);
  }

  /** Why qwen ignores a line of the client; null if it reads it. Called with all frames, in order. */
  ignoredReason(read: ReadFrame): string | null {
    for (const line of messagesOf(read)) if (read.frame.from === 'agent') this.program.take(line);
    if (read.frame.from !== 'client' || read.frame.form === 'event') return null;
    const line = objectOf(read.value);
    const isFirst = this.#first === null;
    if (isFirst) this.#first = classifyFirstLine(line);
    if (!this.program.isQwen || !stringOf(line.type)?.startsWith('control_') || isForeign(read)) return null;
    if (this.#first === 'user') return 'the first line was a user message';
    return isFirst && this.#first === 'other' ? 'it is the first line, but not initialize' : null;
  }
}

function classifyFirstLine({ type, request }: JsonObject): 'initialize' | 'user' | 'other' {
  if (type === 'user') return 'user';
  return type === 'control_request' && objectOf(request).subtype === 'initialize' ? 'initialize' : 'other';
}

class ControlRules {
  readonly #mode: StartMode;

  constructor(session: CheckedSession) {
    this.#mode = new StartMode(session);
  }

  take(read: ReadFrame): RuleHit<StreamControlRule>[] {
    const why = this.#mode.ignoredReason(read);
    const { f, from, form } = read.frame;
    const { value } = read;
    if (form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return [];
    if (why !== null)
      return [{ rule: 'stream-direct-mode', f, message: `qwen ignores ${textOrJson(nameOf(value))}: ${why}` }];
    if (isForeign(read))
      return [
        {
          rule: 'stream-foreign',
          f,
          fault: from,
          message: `a line of the RFC for structured IO: ${textOrJson(nameOf(value))}`,
        },
      ];
    if (typeof value.type !== 'string') {
      const keys = Object.keys(value).slice(0, 5).join(', ');
      const message = `a line without a type (its keys: ${textOrJson(keys) || 'none'})`;
      return [{ rule: 'stream-no-type', f, fault: from, message }];
    }
    return [...this.#checkApproval(read), ...checkErrorText(f, from, value)];
  }

  #checkApproval({ frame: { f, from }, pairing, message }: ReadFrame): RuleHit<StreamControlRule>[] {
    const exchange = pairing?.exchange;
    if (from !== 'client' || exchange?.method !== 'can_use_tool' || exchange.asker !== 'agent') return [];
    const answer = objectOf(message.body);
    if (answer.subtype === 'error') return [];
    const wrong = findFault(answer.response, this.#mode.program.isClaude);
    return wrong ? [{ rule: 'stream-approval-answer', f, frames: [exchange.askedF], ...wrong }] : [];
  }
}

function findFault(body: unknown, isClaude: boolean): { message: string; severity: Severity } | null {
  if (!isObject(body)) return { message: 'the answer has no response', severity: 'error' };
  const { behavior, updatedInput, message } = body;
  if (behavior === 'allow') {
    if (isObject(updatedInput) || !isClaude) return null;
    return { message: 'allow without updatedInput', severity: 'error' };
  }
  if (behavior !== 'deny') {
    return { message: `the behavior is ${quoted(behavior)}, not allow or deny`, severity: 'error' };
  }
  if (typeof message === 'string') return null;
  return { message: 'deny without a message', severity: isClaude ? 'error' : 'warning' };
}

function checkErrorText(
  f: number,
  fault: 'client' | 'agent',
  { type, response }: JsonObject,
): RuleHit<StreamControlRule>[] {
  const { subtype, error } = objectOf(response);
  if (type !== 'control_response' || subtype !== 'error') return [];
  if (stringOf(error) || stringOf(objectOf(error).message)) return [];
  return [{ rule: 'stream-error-text', f, fault, message: 'an error that does not say what is wrong' }];
}

function nameOf({ type, object, subtype, request, input, messages }: JsonObject): string {
  const untyped =
    input !== undefined ? 'a chat request' : messages !== undefined ? 'messages' : 'a line without a type';
  const name = stringOf(type) ?? stringOf(object) ?? untyped;
  return [name, stringOf(subtype) ?? stringOf(objectOf(request).subtype)].filter((part) => part !== null).join(' ');
}

export const STREAM_CONTROL_RULES = [
  ...pairingRules({
    prefix: 'stream',
    // The channel is the same, but its requests are not.
    dialects: ['stream-json', 'letta'],
    source: `${REF} 2.2 and 2.4`,
    withdraws: ({ type, request_id }) => (type === 'control_cancel_request' ? request_id : undefined),
    ignores(session) {
      const mode = new StartMode(session);
      return (read) => mode.ignoredReason(read) !== null || isForeign(read);
    },
  }),
  ...defineRules(['stream-json'], RULES, (session) => new ControlRules(session)),
];
