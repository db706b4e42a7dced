/**
 * MCP inside stream-json. A client may have MCP servers of its own; the agent talks to them through `mcp_message` on the
 * control channel. So the agent is the MCP client, and the client the server: each server's traffic is checked as an MCP
 * session with the sides exchanged. That a request has no answer is told of the control channel.
 */
import type { Exchange } from '../core/exchange.ts';
import type { Frame } from '../core/frame.ts';
import { isObject } from '../core/message.ts';
import { Recent } from '../core/recent.ts';
import type { Json } from '../dialects/dialect.ts';
import { objectOf, stringOf } from '../dialects/fields.ts';
import type { ReadFrame } from '../session/read.ts';
import { RPC_RULES } from './common/envelope.ts';
import { MCP_RULES } from './mcp/index.ts';
import { Messages } from './messages.ts';
import { type Fault, type Finding, type Rule, word } from './rule.ts';
import { SHAPE_RULES } from './shape.ts';

const OF_MCP = new Set<Rule>([...RPC_RULES, ...MCP_RULES, ...SHAPE_RULES]);
const OF_CHANNEL = /-unanswered-by-/;
const OTHER: Readonly<Record<Fault, Fault>> = { client: 'agent', agent: 'client', unknown: 'unknown' };

/** So many servers of one session are checked, and so many of their requests may be open. */
const SERVERS = 100;

/** Those of these rules that hold for an MCP session inside another. */
export function embeddable(rules: readonly Rule[]): Rule[] {
  return rules.filter((rule) => OF_MCP.has(rule) && rule.dialects?.includes('mcp') && !OF_CHANNEL.test(rule.id));
}

interface Server {
  messages: Messages;
  check: (read: ReadFrame) => Finding[];
}

export class EmbeddedMcp {
  readonly #open: () => Server['check'];
  readonly #servers = new Map<string, Server>();
  /** Servers by what was asked of them, if that is itself a request. */
  readonly #asked = new Recent<Exchange, string>();

  /** `open`: checks one MCP session. */
  constructor(open: () => Server['check']) {
    this.#open = open;
  }

  get isThere(): boolean {
    return this.#servers.size > 0;
  }

  take(read: ReadFrame): Finding[] {
    const { value, pairing } = read;
    if (!isObject(value)) return [];
    if (value.type === 'control_request') {
      const request = objectOf(value.request);
      const name = stringOf(request.server_name);
      if (request.subtype !== 'mcp_message' || name === null || !isObject(request.message)) return [];
      if (pairing?.role === 'asks-again') return [];
      if (pairing?.exchange && 'id' in request.message) this.#asked.set(pairing.exchange, name);
      return this.#says(name, read, request.message);
    }
    if (value.type !== 'control_response' || pairing?.role !== 'answers') return [];
    // A notification is answered too, with something that means nothing.
    const name = this.#asked.get(pairing.exchange!);
    const answer = objectOf(objectOf(value.response).response).mcp_response;
    return name === undefined || !isObject(answer) ? [] : this.#says(name, read, answer);
  }

  #says(name: string, read: ReadFrame, message: Json): Finding[] {
    const server = this.#server(name);
    if (!server) return [];
    const from = read.frame.from === 'client' ? 'agent' : 'client';
    // A frame of a tape has its bytes behind a getter, which a copy would lose.
    const frame: Frame = { ...read.frame, raw: read.frame.raw, from };
    const inside = server.messages.part({ ...read, frame }, message);
    return server.check(inside).map((finding) => ({
      ...finding,
      fault: OTHER[finding.fault],
      message: `MCP server ${word(name)}, whose client is the agent: ${finding.message}`,
    }));
  }

  #server(name: string): Server | null {
    const known = this.#servers.get(name);
    if (known || this.#servers.size >= SERVERS) return known ?? null;
    const server = { messages: new Messages(), check: this.#open() };
    this.#servers.set(name, server);
    return server;
  }
}
