/** MCP: neither side uses what the other did not declare. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { type RpcLine, type RpcSide, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, type RuleHit, type Severity, textOrJson, warning } from '../../rules/rule.ts';
import { Era } from './era.ts';

const RULES = {
  'mcp-client-capability': error.agent.needsClient(
    'the server requests only what the client declared',
    'MCP, Lifecycle, Capability Negotiation',
  ),
  'mcp-server-capability': error.client(
    'the client requests only what the server declared',
    'MCP, Lifecycle, Capability Negotiation',
  ),
  'mcp-undeclared-notification': warning.unknown.needsClient(
    'a side sends notifications of changes only if it declared them (reported once for each)',
    'MCP, Lifecycle, Capability Negotiation',
  ),
};

type McpCapabilityRule = keyof typeof RULES;

/** What a method needs, as a path: the client's of the server, the server's of the client. */
const NEEDS: Readonly<Record<RpcSide, Readonly<Record<string, string>>>> = {
  client: {
    'tools/list': 'tools',
    'tools/call': 'tools',
    'resources/list': 'resources',
    'resources/templates/list': 'resources',
    'resources/read': 'resources',
    'resources/subscribe': 'resources.subscribe',
    'resources/unsubscribe': 'resources.subscribe',
    'prompts/list': 'prompts',
    'prompts/get': 'prompts',
    'logging/setLevel': 'logging',
    'completion/complete': 'completions',
  },
  agent: {
    'sampling/createMessage': 'sampling',
    'elicitation/create': 'elicitation',
    'roots/list': 'roots',
  },
};

/** What a side must have declared to send this notification. */
const NOTIFICATION_NEEDS: Readonly<Record<RpcSide, Readonly<Record<string, string>>>> = {
  client: { 'notifications/roots/list_changed': 'roots.listChanged' },
  agent: {
    'notifications/tools/list_changed': 'tools.listChanged',
    'notifications/resources/list_changed': 'resources.listChanged',
    'notifications/prompts/list_changed': 'prompts.listChanged',
    'notifications/resources/updated': 'resources.subscribe',
    'notifications/message': 'logging',
  },
};

class McpCapabilityRules {
  readonly #era = new Era();
  readonly #can: Record<RpcSide, JsonObject | null> = { client: null, agent: null };
  #version = '';
  readonly #reported = new Set<string>();

  take(read: ReadFrame): RuleHit<McpCapabilityRule>[] {
    const line = rpcLine(read);
    this.#era.take(read);
    if (!line || this.#era.isStateless) return [];
    if (line.method === 'initialize') {
      this.#learn(line);
      return [];
    }
    if (line.is === 'answer') return [];
    return line.is === 'request' ? this.#checkRequest(line) : this.#checkNotification(line);
  }

  #learn({ is, ok, params, result }: RpcLine): void {
    if (is === 'request') this.#can.client = objectOf(params.capabilities);
    if (is !== 'answer' || !ok) return;
    this.#can.agent = objectOf(result.capabilities);
    this.#version = stringOf(result.protocolVersion) ?? '';
  }

  #checkRequest({ f, from, method, params }: RpcLine): RuleHit<McpCapabilityRule>[] {
    const rule = from === 'client' ? 'mcp-server-capability' : 'mcp-client-capability';
    const can = this.#can[from === 'client' ? 'agent' : 'client'];
    let needs = Object.hasOwn(NEEDS[from], method) ? NEEDS[from][method]! : null;
    if (needs === 'completions' && this.#version < '2025-03-26') return [];
    if (method === 'elicitation/create' && params.mode === 'url') needs = 'elicitation.url';
    if (needs === null || !can || hasCapability(can, needs)) return [];
    // Many clients ask every server for all its lists, and a server that has none answers so.
    const severity: Severity = method.endsWith('/list') && from === 'client' ? 'warning' : 'error';
    const message = `${textOrJson(method)}, but the ${from === 'client' ? 'server' : 'client'} did not declare ${needs}`;
    return [{ rule, f, severity, message }];
  }

  #checkNotification({ f, from, method }: RpcLine): RuleHit<McpCapabilityRule>[] {
    const needs = Object.hasOwn(NOTIFICATION_NEEDS[from], method) ? NOTIFICATION_NEEDS[from][method]! : null;
    const can = this.#can[from];
    if (needs === null || !can || hasCapability(can, needs) || this.#reported.has(method)) return [];
    this.#reported.add(method);
    const message = `${textOrJson(method)}, but the ${from === 'client' ? 'client' : 'server'} did not declare ${needs}`;
    return [{ rule: 'mcp-undeclared-notification', f, fault: from, message }];
  }
}

/** `tools` is declared by any object; `tools.listChanged` by true, or by an object. */
function hasCapability(can: JsonObject, path: string): boolean {
  const [name, member] = path.split('.') as [string, string | undefined];
  const capability = can[name];
  if (capability === undefined || capability === null || capability === false) return false;
  if (member === undefined) return true;
  const value = objectOf(capability)[member];
  return value !== undefined && value !== null && value !== false;
}

export const MCP_CAPABILITY_RULES = defineRules(['mcp'], RULES, () => new McpCapabilityRules());
