/** ACP: the handshake comes first, and each side sends what is its own to send. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import type { RpcLine, RpcSide } from '../../rules/rpc-line.ts';
import { defineRules, describeBatch, error, info, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

/** The methods of ACP: who sends them, and whether they are answered. Drafts that programs already speak are in it. */
interface AcpMethods {
  from: RpcSide | 'both';
  is: 'request' | 'notification';
  names: readonly string[];
}

const METHODS: readonly AcpMethods[] = [
  { from: 'client', is: 'request', names: ['initialize', 'authenticate', 'logout'] },
  { from: 'client', is: 'request', names: ['session/new', 'session/load', 'session/resume', 'session/fork'] },
  { from: 'client', is: 'request', names: ['session/list', 'session/close', 'session/delete', 'session/prompt'] },
  { from: 'client', is: 'request', names: ['session/set_mode', 'session/set_model', 'session/set_config_option'] },
  { from: 'client', is: 'notification', names: ['session/cancel'] },
  { from: 'agent', is: 'request', names: ['session/request_permission', 'fs/read_text_file', 'fs/write_text_file'] },
  { from: 'agent', is: 'request', names: ['terminal/create', 'terminal/output', 'terminal/wait_for_exit'] },
  { from: 'agent', is: 'request', names: ['terminal/kill', 'terminal/release', 'elicitation/create'] },
  { from: 'agent', is: 'notification', names: ['session/update', 'elicitation/complete'] },
  { from: 'both', is: 'notification', names: ['$/cancel_request'] },
];

const METHODS_V2: readonly AcpMethods[] = [
  {
    from: 'client',
    is: 'request',
    names: ['initialize', 'auth/login', 'auth/logout', 'session/new', 'session/resume'],
  },
  { from: 'client', is: 'request', names: ['session/list', 'session/close', 'session/delete', 'session/prompt'] },
  { from: 'client', is: 'request', names: ['session/set_config_option', 'session/fork', 'session/set_title'] },
  { from: 'client', is: 'request', names: ['tool_call/cancel', 'terminal/cancel'] },
  { from: 'client', is: 'notification', names: ['session/cancel'] },
  { from: 'agent', is: 'request', names: ['session/request_permission', 'elicitation/create'] },
  { from: 'agent', is: 'notification', names: ['session/update', 'elicitation/complete', 'auth/status_update'] },
  { from: 'both', is: 'notification', names: ['$/cancel_request'] },
];

const ONLY_V1_UPDATES = new Set(['tool_call', 'plan', 'current_mode_update']);
const ONLY_V2_UPDATES = new Set([
  ...['user_message', 'agent_message', 'agent_thought', 'state_update', 'tool_call_content_chunk'],
  ...['terminal_update', 'terminal_output_chunk'],
]);

const RULES = {
  'acp-initialize-first': error.unknown.needsClient(
    'nothing is sent before initialize is answered',
    'ACP v1, Initialization',
  ),
  'acp-initialize-again': warning.client('initialize is sent once', 'ACP v1, Initialization'),
  'acp-version': warning.client(
    'the client does not go on if the agent offers a newer protocol version than it asked for',
    'ACP v1, Initialization, Version Negotiation',
  ),
  'acp-direction': error.unknown('each side calls the methods of the other, not its own', 'ACP v1, Overview'),
  'acp-envelope': error.unknown(
    'requests have an id, and notifications have none',
    'ACP v1, Overview, Communication Model',
  ),
  'acp-extension': info.unknown(
    'methods outside ACP begin with an underscore (reported once for each)',
    'ACP v1, Extensibility, Extension Methods',
  ),
  'acp-version-method': error.unknown(
    'methods and updates are those of the version that both sides agreed on',
    'ACP v2, Migrating from v1',
  ),
  'acp-batch': error.unknown(
    'messages are sent one per line, not in batches',
    'ACP v1, Transports: individual JSON-RPC messages',
  ),
};

type AcpHandshakeRule = keyof typeof RULES;

class AcpHandshakeRules {
  readonly #lines = new AcpLines(1, 2);
  #initialize: { f: number; version: unknown } | null = null;
  #isInitialized = false;
  /** The client asked for something before it sent initialize. */
  #isEarly = false;
  /** The version that the agent named instead of the client's, until the client goes on. */
  #mismatch: { f: number; offered: number; wanted: number } | null = null;
  readonly #reportedMethods = new Set<string>();

  take(read: ReadFrame): RuleHit<AcpHandshakeRule>[] {
    const { f, from } = read.frame;
    if (Array.isArray(read.value) && (from === 'client' || from === 'agent')) {
      if (!this.#lines.isRead) return [];
      return [{ rule: 'acp-batch', f, fault: from, message: describeBatch(read.value) }];
    }
    const line = this.#lines.read(read);
    if (!line) return [];
    if (line.is === 'answer') {
      if (line.method === 'initialize') this.#takeAnswer(line);
      return [];
    }
    return [...this.#checkOrder(line), ...this.#checkMethod(line), ...this.#checkUpdate(line)];
  }

  #takeAnswer({ f, ok, result, params }: RpcLine): void {
    this.#isInitialized = true;
    const [offered, wanted] = [result.protocolVersion, params.protocolVersion];
    // A client may well speak an older version than it asked for, but none that is newer.
    const isNewer = typeof offered === 'number' && typeof wanted === 'number' && offered > wanted;
    if (ok && isNewer) this.#mismatch = { f, offered, wanted };
  }

  #checkOrder({ f, from, method, is, params }: RpcLine): RuleHit<AcpHandshakeRule>[] {
    if (method === 'initialize' && from === 'client') {
      const before = this.#initialize;
      this.#initialize = { f, version: params.protocolVersion };
      if (!before) return [];
      return [{ rule: 'acp-initialize-again', f, frames: [before.f], message: 'initialize is sent a second time' }];
    }
    const what = `the ${from} sent ${textOrJson(method)}`;
    // An agent that serves a client which is too early says what belongs to that.
    if (!this.#initialize && from === 'agent' && this.#isEarly) return [];
    if (!this.#initialize && from === 'client') this.#isEarly = true;
    if (!this.#initialize)
      return [{ rule: 'acp-initialize-first', f, fault: from, message: `${what} before initialize` }];
    if (!this.#isInitialized) {
      // A notification does no harm, and who asks too early may only be impatient.
      const severity = is === 'request' ? ('error' as const) : ('warning' as const);
      const message = `${what} before initialize was answered`;
      return [{ rule: 'acp-initialize-first', f, fault: from, severity, frames: [this.#initialize.f], message }];
    }
    if (from !== 'client' || !this.#mismatch || is !== 'request') return [];
    const { offered, wanted, f: at } = this.#mismatch;
    this.#mismatch = null;
    const message = `the agent offered version ${offered} instead of ${wanted}, and the client went on with ${textOrJson(method)}`;
    return [{ rule: 'acp-version', f, frames: [at], message }];
  }

  #checkMethod({ f, from, method, is }: RpcLine): RuleHit<AcpHandshakeRule>[] {
    const isV2 = this.#lines.version === 2;
    const known = findMethod(isV2 ? METHODS_V2 : METHODS, method);
    if (!known) {
      if (findMethod(isV2 ? METHODS : METHODS_V2, method)) return this.#otherVersion(f, from, method);
      if (method.startsWith('_') || this.#reportedMethods.has(method)) return [];
      this.#reportedMethods.add(method);
      return [{ rule: 'acp-extension', f, fault: from, message: `ACP has no method ${textOrJson(method)}` }];
    }
    if (known.from !== 'both' && known.from !== from) {
      const message = `the ${from} sent ${method}, which only the ${known.from} may send`;
      return [{ rule: 'acp-direction', f, fault: from, message }];
    }
    if (known.is === is) return [];
    const message =
      is === 'request' ? `${method} is a notification, but has an id` : `${method} is a request, but has no id`;
    return [{ rule: 'acp-envelope', f, fault: from, message }];
  }

  #checkUpdate({ f, from, method, params }: RpcLine): RuleHit<AcpHandshakeRule>[] {
    const { sessionUpdate } = objectOf(params.update);
    if (method !== 'session/update' || typeof sessionUpdate !== 'string') return [];
    const others = this.#lines.version === 2 ? ONLY_V1_UPDATES : ONLY_V2_UPDATES;
    return others.has(sessionUpdate) ? this.#otherVersion(f, from, sessionUpdate) : [];
  }

  /** Reported once for each name. */
  #otherVersion(f: number, from: RpcSide, name: string): RuleHit<AcpHandshakeRule>[] {
    if (this.#reportedMethods.has(name)) return [];
    this.#reportedMethods.add(name);
    const [version, other] = this.#lines.version === 2 ? [2, 1] : [1, 2];
    const message = `${textOrJson(name)} is in ACP ${other}, but this connection speaks version ${version}`;
    return [{ rule: 'acp-version-method', f, fault: from, message }];
  }
}

function findMethod(methods: readonly AcpMethods[], method: string): AcpMethods | undefined {
  return methods.find(({ names }) => names.includes(method));
}

export const ACP_HANDSHAKE_RULES = defineRules(['acp'], RULES, () => new AcpHandshakeRules());
