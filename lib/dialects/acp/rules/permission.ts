/** ACP: permission is asked with options that can be chosen, and answered with one of them. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { error, quoted, type Told, warning, watch, word } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const HEADS = {
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

type Id = keyof typeof HEADS;

interface Request {
  options: string[];
  session: string;
  /** The client cancelled its turn after it was asked. */
  cancelF: number | null;
}

class Permission {
  readonly #lines = new AcpLines();
  readonly #requests = new Map<number, Request>();
  /** Open prompts by their frames, and their sessions. */
  readonly #prompts = new Map<number, string>();

  take(read: ReadFrame): Told<Id>[] {
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
      return is === 'answer' ? this.#answered(line) : this.#asked(line, session);
    }
    return [];
  }

  #asked({ f, params }: RpcLine, session: string): Told<Id>[] {
    const options = listOf(params.options).map((option) => stringOf(objectOf(option).optionId) ?? '');
    this.#requests.set(f, { options, session, cancelF: null });
    const told: Told<Id>[] = [];
    if (options.length === 0) told.push({ rule: 'acp-permission-options', f, message: 'the request has no options' });
    const twice = options.find((id, index) => options.indexOf(id) !== index);
    if (twice !== undefined) {
      told.push({ rule: 'acp-permission-options', f, message: `two options have the id ${quoted(twice)}` });
    }
    if (![...this.#prompts.values()].includes(session)) {
      const message = 'the agent asks for permission, but no prompt of the session is open';
      told.push({ rule: 'acp-permission-idle', f, message });
    }
    return told;
  }

  #answered({ f, ok, result, askedF }: RpcLine): Told<Id>[] {
    const request = this.#requests.get(askedF);
    this.#requests.delete(askedF);
    if (!request || !ok) return [];
    const { outcome, optionId } = objectOf(result.outcome);
    if (outcome === 'cancelled') return [];
    const wrong = fault(result.outcome, request.options);
    if (wrong !== null) return [{ rule: 'acp-permission-answer', f, frames: [askedF], message: wrong }];
    if (request.cancelF === null) return [];
    const message = `${quoted(optionId)} was chosen, after the turn was cancelled in f${request.cancelF}`;
    return [{ rule: 'acp-permission-cancelled', f, frames: [askedF, request.cancelF], message }];
  }
}

function fault(value: unknown, options: string[]): string | null {
  const offered = `the options were ${word(options.join(', ')) || 'none'}`;
  if (!isObject(value))
    return `the outcome is ${quoted(value)}, not an object with an outcome and an optionId; ${offered}`;
  const { outcome, optionId } = value;
  if (outcome !== 'selected') return `the outcome is ${quoted(outcome)}, not selected or cancelled; ${offered}`;
  if (typeof optionId === 'string' && options.includes(optionId)) return null;
  return `${quoted(optionId)} was chosen, but ${offered}`;
}

export const ACP_PERMISSION_RULES = watch(['acp'], HEADS, () => new Permission());
