/** ACP: permission is asked with options that can be chosen, and answered with one of them. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const RULES = {
  'acp-permission-options': error.agent(
    'a permission request has options, each with its own id',
    'ACP v1, Tool Calls, Requesting Permission; zed#52782',
  ),
  'acp-permission-answer': error.client(
    'a permission request is answered with cancelled, or with one of its options',
    'ACP v1, Tool Calls, Requesting Permission; QwenPaw#7726',
  ),
  'acp-permission-idle': warning.agent.needsClient(
    'the agent asks for permission only during a turn',
    'ACP v1, Prompt Turn',
  ),
  'acp-permission-cancelled': warning.client(
    'after the turn is cancelled, open permission requests are answered with cancelled',
    'ACP v1, Prompt Turn, Cancellation',
  ),
};

type AcpPermissionRule = keyof typeof RULES;

interface PermissionRequest {
  options: string[];
  session: string;
  /** The client cancelled its turn after it was asked. */
  cancelF: number | null;
}

class AcpPermissionRules {
  readonly #lines = new AcpLines(1, 2);
  readonly #requests = new Map<number, PermissionRequest>();
  /** Open prompts by their frames, and their sessions. */
  readonly #prompts = new Map<number, string>();

  take(read: ReadFrame): RuleHit<AcpPermissionRule>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    const { f, is, method, params, askedF } = line;
    const session = stringOf(params.sessionId) ?? '';
    if (method === 'session/prompt') {
      if (is === 'request') this.#prompts.set(f, session);
      else if (is === 'answer') this.#prompts.delete(askedF);
    } else if (method === 'session/cancel') {
      for (const request of this.#requests.values()) if (request.session === session) request.cancelF ??= f;
    } else if (method === 'session/request_permission') {
      return is === 'answer' ? this.#checkAnswer(line) : this.#checkRequest(line, session);
    }
    return [];
  }

  #checkRequest({ f, params }: RpcLine, session: string): RuleHit<AcpPermissionRule>[] {
    const options = listOf(params.options).map((option) => stringOf(objectOf(option).optionId) ?? '');
    this.#requests.set(f, { options, session, cancelF: null });
    const hits: RuleHit<AcpPermissionRule>[] = [];
    if (options.length === 0) hits.push({ rule: 'acp-permission-options', f, message: 'the request has no options' });
    const twice = options.find((id, index) => options.indexOf(id) !== index);
    if (twice !== undefined) {
      hits.push({ rule: 'acp-permission-options', f, message: `two options have the id ${quoted(twice)}` });
    }
    // In ACP 2, work in the background may ask too.
    if (this.#lines.version === 1 && ![...this.#prompts.values()].includes(session)) {
      const message = 'the agent asks for permission, but no prompt of the session is open';
      hits.push({ rule: 'acp-permission-idle', f, message });
    }
    return hits;
  }

  #checkAnswer({ f, ok, result, askedF }: RpcLine): RuleHit<AcpPermissionRule>[] {
    const request = this.#requests.get(askedF);
    this.#requests.delete(askedF);
    if (!request || !ok) return [];
    const { outcome, optionId } = objectOf(result.outcome);
    if (outcome === 'cancelled') return [];
    const wrong = findFault(result.outcome, request.options);
    if (wrong !== null) return [{ rule: 'acp-permission-answer', f, frames: [askedF], message: wrong }];
    if (request.cancelF === null) return [];
    const message = `${quoted(optionId)} was chosen, after the turn was cancelled in f${request.cancelF}`;
    return [{ rule: 'acp-permission-cancelled', f, frames: [askedF, request.cancelF], message }];
  }
}

function findFault(value: unknown, options: string[]): string | null {
  const offered = `the options were ${textOrJson(options.join(', ')) || 'none'}`;
  if (!isObject(value))
    return `the outcome is ${quoted(value)}, not an object with an outcome and an optionId; ${offered}`;
  const { outcome, optionId } = value;
  if (outcome !== 'selected') return `the outcome is ${quoted(outcome)}, not selected or cancelled; ${offered}`;
  if (typeof optionId === 'string' && options.includes(optionId)) return null;
  return `${quoted(optionId)} was chosen, but ${offered}`;
}

export const ACP_PERMISSION_RULES = defineRules(['acp'], RULES, () => new AcpPermissionRules());
