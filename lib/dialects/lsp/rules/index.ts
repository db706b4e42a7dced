/** Language Server Protocol: the handshake and the shutdown, in their order. JSON-RPC and the framing have their own rules. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, type RuleDefinition, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';

const RULES = {
  'lsp-initialize-first': error.client.needsClient(
    'the first request is initialize, and only exit is sent before its answer',
    'LSP 3.17, Lifecycle Messages, Initialize Request',
  ),
  'lsp-server-early': warning.agent.needsClient(
    'before it answers initialize, the server only shows messages, logs and reports progress',
    'LSP 3.17, Lifecycle Messages, Initialize Request',
  ),
  'lsp-after-shutdown': error.client(
    'after shutdown the client sends nothing but exit',
    'LSP 3.17, Lifecycle Messages, Shutdown Request',
  ),
};

type LspRule = keyof typeof RULES;

const EARLY = new Set([
  ...['window/showMessage', 'window/logMessage', 'window/showMessageRequest', 'telemetry/event', '$/progress'],
  ...['$/logTrace', '$/cancelRequest'],
]);

class LspLifecycleRules {
  #initializeF: number | null = null;
  #isInitialized = false;
  #shutdownF: number | null = null;

  take(read: ReadFrame): RuleHit<LspRule>[] {
    const line = rpcLine(read);
    if (!line) return [];
    if (line.is !== 'answer') return line.from === 'client' ? this.#checkClient(line) : this.#checkAgent(line);
    if (line.method === 'initialize' && line.from === 'agent') this.#isInitialized = true;
    return [];
  }

  #checkClient({ f, method, is }: RpcLine): RuleHit<LspRule>[] {
    if (method === 'exit') return [];
    if (method === 'initialize' && this.#initializeF === null) {
      this.#initializeF = f;
      return [];
    }
    if (this.#shutdownF !== null) return [this.#makeLateHit(f, method)];
    if (method === 'shutdown' && is === 'request' && this.#isInitialized) this.#shutdownF = f;
    if (this.#isInitialized) return [];
    const frames = this.#initializeF === null ? [] : [this.#initializeF];
    const when = this.#initializeF === null ? 'initialize' : 'initialize was answered';
    return [{ rule: 'lsp-initialize-first', f, frames, message: `${textOrJson(method)} before ${when}` }];
  }

  #makeLateHit(f: number, method: string): RuleHit<LspRule> {
    const message = `${textOrJson(method)} after shutdown (f${this.#shutdownF})`;
    // What was withdrawn or answered late may cross the request.
    const severity = method.startsWith('$/') ? 'info' : 'error';
    return { rule: 'lsp-after-shutdown', f, frames: [this.#shutdownF!], message, severity };
  }

  #checkAgent({ f, method }: RpcLine): RuleHit<LspRule>[] {
    if (this.#isInitialized || EARLY.has(method)) return [];
    return [{ rule: 'lsp-server-early', f, message: `${textOrJson(method)} before initialize was answered` }];
  }
}

export const LSP_RULES: readonly RuleDefinition[] = defineRules(['lsp'], RULES, () => new LspLifecycleRules());
