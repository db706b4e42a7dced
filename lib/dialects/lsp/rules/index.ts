/** Language Server Protocol: the handshake and the shutdown, in their order. JSON-RPC and the framing have their own rules. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { error, type RuleDefinition, type Told, warning, watch, word } from '../../rules/rule.ts';

const HEADS = {
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

type Id = keyof typeof HEADS;

const EARLY = new Set([
  ...['window/showMessage', 'window/logMessage', 'window/showMessageRequest', 'telemetry/event', '$/progress'],
  ...['$/logTrace', '$/cancelRequest'],
]);

class Lifecycle {
  #asked: number | null = null;
  #answered = false;
  #shutdown: number | null = null;

  take(read: ReadFrame): Told<Id>[] {
    const line = rpcLine(read);
    if (!line) return [];
    if (line.is !== 'answer') return line.from === 'client' ? this.#client(line) : this.#agent(line);
    if (line.method === 'initialize' && line.from === 'agent') this.#answered = true;
    return [];
  }

  #client({ f, method, is }: RpcLine): Told<Id>[] {
    if (method === 'exit') return [];
    if (method === 'initialize' && this.#asked === null) {
      this.#asked = f;
      return [];
    }
    if (this.#shutdown !== null) return [this.#late(f, method)];
    if (method === 'shutdown' && is === 'request' && this.#answered) this.#shutdown = f;
    if (this.#answered) return [];
    const frames = this.#asked === null ? [] : [this.#asked];
    const when = this.#asked === null ? 'initialize' : 'initialize was answered';
    return [{ rule: 'lsp-initialize-first', f, frames, message: `${word(method)} before ${when}` }];
  }

  #late(f: number, method: string): Told<Id> {
    const message = `${word(method)} after shutdown (f${this.#shutdown})`;
    // What was withdrawn or answered late may cross the request.
    const severity = method.startsWith('$/') ? 'info' : 'error';
    return { rule: 'lsp-after-shutdown', f, frames: [this.#shutdown!], message, severity };
  }

  #agent({ f, method }: RpcLine): Told<Id>[] {
    if (this.#answered || EARLY.has(method)) return [];
    return [{ rule: 'lsp-server-early', f, message: `${word(method)} before initialize was answered` }];
  }
}

export const LSP_RULES: readonly RuleDefinition[] = watch(['lsp'], HEADS, () => new Lifecycle());
