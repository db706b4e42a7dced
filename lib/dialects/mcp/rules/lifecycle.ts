/** MCP: the order of the handshake, and what each side may send before it is over. */
import { hasJoined } from '../../../model/json/joined-messages.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { stringOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { error, quoted, type Told, warning, watch, word } from '../../rules/rule.ts';
import { Era } from './era.ts';

const HEADS = {
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

type Id = keyof typeof HEADS;

/** So many ids of each side are remembered, the latest, besides those that count up. */
const REMEMBERED = 100_000;
const READY = 'notifications/initialized';
const WITH_BATCHES = '2025-03-26';

/** The ids of one side. Almost all count up from the first, which takes two numbers. */
class UsedIds {
  #first = Number.NaN;
  #last = Number.NaN;
  readonly #others = new Recent<unknown, true>(REMEMBERED);

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

class Lifecycle {
  readonly #era = new Era();
  #asked: number | null = null;
  #answered: number | null = null;
  #initialized = false;
  /** The unreadable line that contains notifications/initialized, because a line feed is missing. */
  #lostIn: number | null = null;
  #version: string | null = null;
  #toldInitialized = false;
  readonly #ids = { client: new UsedIds(), agent: new UsedIds() };
  readonly #reused = new Set<string>();

  take(read: ReadFrame): Told<Id>[] {
    const { f, from } = read.frame;
    if (Array.isArray(read.value) && (from === 'client' || from === 'agent')) return this.#batch(f, from, read.value);
    if (from === 'client' && read.value === undefined && hasJoined(read.frame.raw, READY)) this.#lostIn = f;
    const line = rpcLine(read);
    this.#era.take(read);
    if (!line || this.#era.isStateless) return [];
    if (line.is === 'answer') return line.method === 'initialize' ? this.#welcomed(line) : [];
    const told = line.is === 'request' ? this.#id(line) : [];
    told.push(...(line.from === 'client' ? this.#client(line) : this.#agent(line)));
    return told;
  }

  #batch(f: number, fault: 'client' | 'agent', values: unknown[]): Told<Id>[] {
    if (values.some((value) => isObject(value) && value.method === 'initialize')) {
      return [{ rule: 'mcp-batch', f, fault, message: 'initialize is part of a batch' }];
    }
    if (this.#version === WITH_BATCHES) return [];
    const message = `a batch of ${values.length} messages, in version ${word(this.#version ?? 'unknown')}`;
    return [{ rule: 'mcp-batch', f, fault, message }];
  }

  #id({ f, from, id, method }: RpcLine): Told<Id>[] {
    if (id === null) return [];
    const used = this.#ids[from];
    if (used.isNew(id)) return [];
    if (this.#reused.has(from)) return [];
    this.#reused.add(from);
    return [{ rule: 'mcp-id-reused', f, fault: from, message: `${word(method)} reuses the id ${quoted(id)}` }];
  }

  #client({ f, method, is }: RpcLine): Told<Id>[] {
    if (method === 'initialize') {
      const before = this.#asked;
      this.#asked = f;
      if (before === null) return [];
      return [{ rule: 'mcp-initialize-again', f, frames: [before], message: 'initialize is sent a second time' }];
    }
    if (method === 'ping' || method === 'notifications/cancelled') return [];
    if (this.#asked === null)
      return [{ rule: 'mcp-initialize-first', f, message: `${word(method)} before initialize` }];
    if (method === READY) {
      this.#initialized = true;
      if (this.#answered !== null) return [];
      const message = `${word(method)} before initialize was answered`;
      return [{ rule: 'mcp-initialized', f, frames: [this.#asked], message }];
    }
    if (is !== 'request') return [];
    if (this.#answered === null) {
      const message = `${word(method)} before initialize was answered`;
      return [{ rule: 'mcp-initialize-first', f, severity: 'warning', frames: [this.#asked], message }];
    }
    if (this.#initialized || this.#toldInitialized) return [];
    this.#toldInitialized = true;
    const why =
      this.#lostIn === null
        ? `the client never sent ${READY}`
        : `${READY} is in f${this.#lostIn}, which is not valid JSON`;
    const frames = [this.#answered, ...(this.#lostIn === null ? [] : [this.#lostIn])];
    return [{ rule: 'mcp-initialized', f, frames, message: `${word(method)}, but ${why}` }];
  }

  #agent({ f, method, is }: RpcLine): Told<Id>[] {
    if (is !== 'request' || method === 'ping' || this.#initialized) return [];
    const message = `${word(method)} before the client sent notifications/initialized`;
    return [{ rule: 'mcp-server-early', f, message }];
  }

  #welcomed({ f, ok, params, result, askedF }: RpcLine): Told<Id>[] {
    if (!ok) return [];
    this.#answered = f;
    const [wanted, offered] = [stringOf(params.protocolVersion), stringOf(result.protocolVersion)];
    this.#version = offered;
    // Versions are dates.
    if (wanted === null || offered === null || offered <= wanted) return [];
    const message = `the client asked for ${word(wanted)}, but the server answered with ${word(offered)}`;
    return [{ rule: 'mcp-version', f, frames: [askedF], message }];
  }
}

export const MCP_LIFECYCLE_RULES = watch(['mcp'], HEADS, () => new Lifecycle());
