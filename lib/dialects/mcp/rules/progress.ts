/** MCP: progress and cancellation belong to open requests. */
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { objectOf } from '../../common/fields.ts';
import { other, type RpcLine, rpcLine, type Side } from '../../rules/rpc-line.ts';
import { error, quoted, type Told, watch, word } from '../../rules/rule.ts';
import { Era } from './era.ts';

const HEADS = {
  'mcp-progress-unknown': error.unknown.needsClient(
    'progress is reported with the token of an open request',
    'MCP, Utilities, Progress',
  ),
  'mcp-progress-order': error.unknown('progress increases each time', 'MCP, Utilities, Progress'),
  'mcp-progress-token': error.unknown('open requests have different progress tokens', 'MCP, Utilities, Progress'),
  'mcp-cancel-unknown': error.unknown('a side cancels only its own requests', 'MCP, Utilities, Cancellation'),
  'mcp-cancel-initialize': error.client('initialize is not cancelled', 'MCP, Utilities, Cancellation'),
};

type Id = keyof typeof HEADS;

/** So many open requests are remembered, and a tenth as many that are answered. */
const REMEMBERED = 100_000;

interface Token {
  f: number;
  /** The highest so far. */
  reached: number | null;
  /** Where its request was answered. */
  endF: number | null;
  cancelled: boolean;
}

interface Request {
  method: string;
  token: string | null;
  isAnswered: boolean;
}

class Progress {
  readonly #era = new Era();
  readonly #tokens = new Recent<string, Token>(REMEMBERED, ({ endF, cancelled }) => endF === null && !cancelled);
  readonly #requests = new Recent<string, Request>(REMEMBERED, ({ isAnswered }) => !isAnswered);
  /** What is reported only once, not for each progress report. */
  readonly #told = new Set<string>();

  take(read: ReadFrame): Told<Id>[] {
    const line = rpcLine(read);
    this.#era.take(read);
    if (!line) return [];
    if (line.is === 'request') return this.#asked(line);
    if (line.is === 'answer') this.#answered(line);
    else if (line.method === 'notifications/progress') return this.#progress(line);
    else if (line.method === 'notifications/cancelled') return this.#cancelled(line);
    return [];
  }

  #asked({ f, from, id, method, params }: RpcLine): Told<Id>[] {
    const { progressToken } = objectOf(params._meta);
    const hasToken = progressToken !== undefined && progressToken !== null;
    const token = hasToken ? key(from, progressToken) : null;
    this.#requests.set(key(from, id), { method, token, isAnswered: false });
    if (token === null) return [];
    const before = this.#tokens.get(token);
    this.#tokens.set(token, { f, reached: null, endF: null, cancelled: false });
    if (!before || before.endF !== null || before.cancelled) return [];
    const message = `${word(method)} reuses the progress token ${quoted(progressToken)} of f${before.f}, which is still open`;
    return [{ rule: 'mcp-progress-token', f, fault: from, frames: [before.f], message }];
  }

  #answered({ f, from, id, result }: RpcLine): void {
    const request = this.#requests.get(key(other(from), id));
    if (!request) return;
    request.isAnswered = true;
    // A task goes on after its request is answered.
    const token = request.token === null || result.task !== undefined ? undefined : this.#tokens.get(request.token);
    if (token) token.endF = f;
  }

  #progress({ f, from, params }: RpcLine): Told<Id>[] {
    const name = quoted(params.progressToken);
    const at = key(other(from), params.progressToken);
    const token = this.#tokens.get(at);
    const once = (what: string, told: Pick<Told<Id>, 'rule' | 'message' | 'frames' | 'severity'>) =>
      this.#once(`${what} ${at}`, { f, fault: from, ...told });
    if (!token)
      return once('unknown', { rule: 'mcp-progress-unknown', message: `no request has the progress token ${name}` });
    const { progress } = params;
    const before = token.reached;
    if (typeof progress === 'number') token.reached = Math.max(progress, before ?? progress);
    if (token.endF !== null && !token.cancelled) {
      const message = `progress for the token ${name}, whose request was answered in f${token.endF}`;
      const frames = [token.f, token.endF];
      return once('late', { rule: 'mcp-progress-unknown', severity: 'warning', frames, message });
    }
    if (before === null || typeof progress !== 'number' || progress > before) return [];
    const message = `progress for the token ${name} is ${progress}, after ${before}`;
    return once('order', { rule: 'mcp-progress-order', frames: [token.f], message });
  }

  #cancelled({ f, from, params }: RpcLine): Told<Id>[] {
    const request = this.#requests.get(key(from, params.requestId));
    if (!request) {
      // A task is cancelled by other means, and needs no id here.
      if (params.requestId === undefined) return [];
      // Without a handshake, a server ends what the client listens to.
      if (this.#era.isStateless && this.#requests.has(key(other(from), params.requestId))) return [];
      const message = `the ${from} cancels the request ${quoted(params.requestId)}, which it never made`;
      return [{ rule: 'mcp-cancel-unknown', f, fault: from, message }];
    }
    const token = request.token === null ? undefined : this.#tokens.get(request.token);
    if (token) token.cancelled = true;
    if (request.method !== 'initialize') return [];
    return [{ rule: 'mcp-cancel-initialize', f, fault: from, message: 'initialize was cancelled' }];
  }

  #once(what: string, told: Told<Id>): Told<Id>[] {
    if (this.#told.has(what)) return [];
    this.#told.add(what);
    return [told];
  }
}

/** Each side chooses its own tokens and ids; `1` is not `"1"`. */
function key(asker: Side, id: unknown): string {
  return `${asker} ${toJson(id)}`;
}

export const MCP_PROGRESS_RULES = watch(['mcp'], HEADS, () => new Progress());
