/** MCP: progress and cancellation belong to open requests. */

import { LimitedMap } from '../../../model/limited-map.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf } from '../../common/fields.ts';
import { otherSide, type RpcLine, type RpcSide, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, textOrJson } from '../../rules/rule.ts';
import { Era } from './era.ts';

const RULES = {
  'mcp-progress-unknown': error.unknown.needsClient(
    'progress is reported with the token of an open request',
    'MCP, Utilities, Progress',
  ),
  'mcp-progress-order': error.unknown('progress increases each time', 'MCP, Utilities, Progress'),
  'mcp-progress-token': error.unknown('open requests have different progress tokens', 'MCP, Utilities, Progress'),
  'mcp-cancel-unknown': error.unknown('a side cancels only its own requests', 'MCP, Utilities, Cancellation'),
  'mcp-cancel-initialize': error.client('initialize is not cancelled', 'MCP, Utilities, Cancellation'),
};

type McpProgressRule = keyof typeof RULES;

/** So many open requests are remembered, and a tenth as many that are answered. */
const MAX_REQUESTS = 100_000;

interface ProgressToken {
  f: number;
  /** The highest so far. */
  reached: number | null;
  /** Where its request was answered. */
  endF: number | null;
  cancelled: boolean;
}

interface ProgressRequest {
  method: string;
  token: string | null;
  isAnswered: boolean;
}

class McpProgressRules {
  readonly #era = new Era();
  readonly #tokens = new LimitedMap<string, ProgressToken>(
    MAX_REQUESTS,
    ({ endF, cancelled }) => endF === null && !cancelled,
  );
  readonly #requests = new LimitedMap<string, ProgressRequest>(MAX_REQUESTS, ({ isAnswered }) => !isAnswered);
  /** What is reported only once, not for each progress report. */
  readonly #reported = new Set<string>();

  take(read: ReadFrame): RuleHit<McpProgressRule>[] {
    const line = rpcLine(read);
    this.#era.take(read);
    if (!line) return [];
    if (line.is === 'request') return this.#addRequest(line);
    if (line.is === 'answer') this.#takeAnswer(line);
    else if (line.method === 'notifications/progress') return this.#checkProgress(line);
    else if (line.method === 'notifications/cancelled') return this.#checkCancel(line);
    return [];
  }

  #addRequest({ f, from, id, method, params }: RpcLine): RuleHit<McpProgressRule>[] {
    const { progressToken } = objectOf(params._meta);
    const hasToken = progressToken !== undefined && progressToken !== null;
    const token = hasToken ? keyOf(from, progressToken) : null;
    this.#requests.set(keyOf(from, id), { method, token, isAnswered: false });
    if (token === null) return [];
    const before = this.#tokens.get(token);
    this.#tokens.set(token, { f, reached: null, endF: null, cancelled: false });
    if (!before || before.endF !== null || before.cancelled) return [];
    const message = `${textOrJson(method)} reuses the progress token ${quoted(progressToken)} of f${before.f}, which is still open`;
    return [{ rule: 'mcp-progress-token', f, fault: from, frames: [before.f], message }];
  }

  #takeAnswer({ f, from, id, result }: RpcLine): void {
    const request = this.#requests.get(keyOf(otherSide(from), id));
    if (!request) return;
    request.isAnswered = true;
    // A task goes on after its request is answered.
    const token = request.token === null || result.task !== undefined ? undefined : this.#tokens.get(request.token);
    if (token) token.endF = f;
  }

  #checkProgress({ f, from, params }: RpcLine): RuleHit<McpProgressRule>[] {
    const name = quoted(params.progressToken);
    const at = keyOf(otherSide(from), params.progressToken);
    const token = this.#tokens.get(at);
    const reportOnce = (
      what: string,
      hit: Pick<RuleHit<McpProgressRule>, 'rule' | 'message' | 'frames' | 'severity'>,
    ) => this.#reportOnce(`${what} ${at}`, { f, fault: from, ...hit });
    if (!token)
      return reportOnce('unknown', {
        rule: 'mcp-progress-unknown',
        message: `no request has the progress token ${name}`,
      });
    const { progress } = params;
    const before = token.reached;
    if (typeof progress === 'number') token.reached = Math.max(progress, before ?? progress);
    if (token.endF !== null && !token.cancelled) {
      const message = `progress for the token ${name}, whose request was answered in f${token.endF}`;
      const frames = [token.f, token.endF];
      return reportOnce('late', { rule: 'mcp-progress-unknown', severity: 'warning', frames, message });
    }
    if (before === null || typeof progress !== 'number' || progress > before) return [];
    const message = `progress for the token ${name} is ${progress}, after ${before}`;
    return reportOnce('order', { rule: 'mcp-progress-order', frames: [token.f], message });
  }

  #checkCancel({ f, from, params }: RpcLine): RuleHit<McpProgressRule>[] {
    const request = this.#requests.get(keyOf(from, params.requestId));
    if (!request) {
      // A task is cancelled by other means, and needs no id here.
      if (params.requestId === undefined) return [];
      // Without a handshake, a server ends what the client listens to.
      if (this.#era.isStateless && this.#requests.has(keyOf(otherSide(from), params.requestId))) return [];
      const message = `the ${from} cancels the request ${quoted(params.requestId)}, which it never made`;
      return [{ rule: 'mcp-cancel-unknown', f, fault: from, message }];
    }
    const token = request.token === null ? undefined : this.#tokens.get(request.token);
    if (token) token.cancelled = true;
    if (request.method !== 'initialize') return [];
    return [{ rule: 'mcp-cancel-initialize', f, fault: from, message: 'initialize was cancelled' }];
  }

  #reportOnce(what: string, hit: RuleHit<McpProgressRule>): RuleHit<McpProgressRule>[] {
    if (this.#reported.has(what)) return [];
    this.#reported.add(what);
    return [hit];
  }
}

/** Each side chooses its own tokens and ids; `1` is not `"1"`. */
function keyOf(asker: RpcSide, id: unknown): string {
  return `${asker} ${toJson(id)}`;
}

export const MCP_PROGRESS_RULES = defineRules(['mcp'], RULES, () => new McpProgressRules());
