/** MCP: the order of the handshake, and what each side may send before it is over. */
import { hasJoinedMethod } from '../../../model/json/joined-messages.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { stringOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, describeBatch, error, quoted, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { Era } from './era.ts';

const RULES = {
  'mcp-initialize-first': error.client.needsClient(
    'the first request is initialize, and only ping is sent before its answer',
    'MCP, Lifecycle, Initialization',
  ),
  'mcp-initialize-again': warning.client('initialize is sent once', 'MCP, Lifecycle, Initialization'),
  'mcp-initialized': error.client(
    'the client sends notifications/initialized after initialize is answered, and before anything else',
    'MCP, Lifecycle, Initialization',
  ),
  'mcp-server-early': warning.agent.needsClient(
    'the server sends no request but ping before notifications/initialized',
    'MCP, Lifecycle, Initialization',
  ),
  'mcp-version': warning.agent(
    'the server answers with the version that it was asked for, or an older one',
    'MCP, Lifecycle, Version Negotiation',
  ),
  'mcp-batch': error.unknown(
    'batches are sent only in the version that has them, 2025-03-26, and not for initialize',
    'MCP 2025-03-26, Batching; MCP 2025-06-18, Key Changes',
  ),
  'mcp-id-reused': error.unknown(
    'each side uses a new id for every request (reported once per side)',
    'MCP, Overview, Messages, Requests',
  ),
};

type McpLifecycleRule = keyof typeof RULES;

/** So many ids of each side are remembered, the latest, besides those that count up. */
const MAX_IDS = 100_000;
const READY = 'notifications/initialized';
const WITH_BATCHES = '2025-03-26';

/** The ids of one side. Almost all count up from the first, which takes two numbers. */
class UsedIds {
  #first = Number.NaN;
  #last = Number.NaN;
  readonly #others = new LimitedMap<unknown, true>(MAX_IDS);

  /** Whether it was not used before. It is used from then on. */
  isNew(id: unknown): boolean {
    if (typeof id === 'number' && id >= this.#first && id <= this.#last && Number.isInteger(id)) return false;
    if (this.#others.has(id)) return false;
    if (Number.isNaN(this.#first) && Number.isInteger(id)) this.#first = id as number;
    else if (id !== this.#last + 1) {
      this.#others.set(id, true);
      return true;
    }
    this.#last = id as number;
    return true;
  }
}

class McpLifecycleRules {
  readonly #era = new Era();
  #initializeF: number | null = null;
  #initializeAnswerF: number | null = null;
  #initialized = false;
  /** The unreadable line that contains notifications/initialized, because a line feed is missing. */
  #lostIn: number | null = null;
  #version: string | null = null;
  #hasReportedInitialized = false;
  readonly #ids = { client: new UsedIds(), agent: new UsedIds() };
  readonly #reused = new Set<string>();

  take(read: ReadFrame): RuleHit<McpLifecycleRule>[] {
    const { f, from } = read.frame;
    if (Array.isArray(read.value) && (from === 'client' || from === 'agent'))
      return this.#checkBatch(f, from, read.value);
    if (from === 'client' && read.value === undefined && hasJoinedMethod(read.frame.raw, READY)) this.#lostIn = f;
    const line = rpcLine(read);
    this.#era.take(read);
    if (!line || this.#era.isStateless) return [];
    if (line.is === 'answer') return line.method === 'initialize' ? this.#checkVersion(line) : [];
    const hits = line.is === 'request' ? this.#checkId(line) : [];
    hits.push(...(line.from === 'client' ? this.#checkClient(line) : this.#checkAgent(line)));
    return hits;
  }

  #checkBatch(f: number, fault: 'client' | 'agent', values: unknown[]): RuleHit<McpLifecycleRule>[] {
    if (values.some((value) => isObject(value) && value.method === 'initialize')) {
      return [{ rule: 'mcp-batch', f, fault, message: 'initialize is part of a batch' }];
    }
    if (this.#version === WITH_BATCHES) return [];
    const message = `${describeBatch(values)}, in version ${textOrJson(this.#version ?? 'unknown')}`;
    return [{ rule: 'mcp-batch', f, fault, message }];
  }

  #checkId({ f, from, id, method }: RpcLine): RuleHit<McpLifecycleRule>[] {
    if (id === null) return [];
    const used = this.#ids[from];
    if (used.isNew(id)) return [];
    if (this.#reused.has(from)) return [];
    this.#reused.add(from);
    return [{ rule: 'mcp-id-reused', f, fault: from, message: `${textOrJson(method)} reuses the id ${quoted(id)}` }];
  }

  #checkClient({ f, method, is }: RpcLine): RuleHit<McpLifecycleRule>[] {
    if (method === 'initialize') {
      const before = this.#initializeF;
      this.#initializeF = f;
      if (before === null) return [];
      return [{ rule: 'mcp-initialize-again', f, frames: [before], message: 'initialize is sent a second time' }];
    }
    if (method === 'ping' || method === 'notifications/cancelled') return [];
    if (this.#initializeF === null)
      return [{ rule: 'mcp-initialize-first', f, message: `${textOrJson(method)} before initialize` }];
    if (method === READY) {
      this.#initialized = true;
      if (this.#initializeAnswerF !== null) return [];
      const message = `${textOrJson(method)} before initialize was answered`;
      return [{ rule: 'mcp-initialized', f, frames: [this.#initializeF], message }];
    }
    if (is !== 'request') return [];
    if (this.#initializeAnswerF === null) {
      const message = `${textOrJson(method)} before initialize was answered`;
      return [{ rule: 'mcp-initialize-first', f, severity: 'warning', frames: [this.#initializeF], message }];
    }
    if (this.#initialized || this.#hasReportedInitialized) return [];
    this.#hasReportedInitialized = true;
    const why =
      this.#lostIn === null
        ? `the client never sent ${READY}`
        : `${READY} is in f${this.#lostIn}, which is not valid JSON`;
    const frames = [this.#initializeAnswerF, ...(this.#lostIn === null ? [] : [this.#lostIn])];
    return [{ rule: 'mcp-initialized', f, frames, message: `${textOrJson(method)}, but ${why}` }];
  }

  #checkAgent({ f, method, is }: RpcLine): RuleHit<McpLifecycleRule>[] {
    if (is !== 'request' || method === 'ping' || this.#initialized) return [];
    const message = `${textOrJson(method)} before the client sent notifications/initialized`;
    return [{ rule: 'mcp-server-early', f, message }];
  }

  #checkVersion({ f, ok, params, result, askedF }: RpcLine): RuleHit<McpLifecycleRule>[] {
    if (!ok) return [];
    this.#initializeAnswerF = f;
    const [wanted, offered] = [stringOf(params.protocolVersion), stringOf(result.protocolVersion)];
    this.#version = offered;
    // Versions are dates.
    if (wanted === null || offered === null || offered <= wanted) return [];
    const message = `the client asked for ${textOrJson(wanted)}, but the server answered with ${textOrJson(offered)}`;
    return [{ rule: 'mcp-version', f, frames: [askedF], message }];
  }
}

export const MCP_LIFECYCLE_RULES = defineRules(['mcp'], RULES, () => new McpLifecycleRules());
