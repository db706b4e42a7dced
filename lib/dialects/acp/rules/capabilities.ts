/** ACP: neither side asks for what the other did not say it can do. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import type { RpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, textOrJson } from '../../rules/rule.ts';
import { AcpLines } from './lines.ts';

const RULES = {
  'acp-client-capability': error.agent.needsClient(
    'the agent uses files and terminals only if the client declared them',
    'ACP v1, Initialization, Client Capabilities; File System; Terminals',
  ),
  'acp-agent-capability': error.client(
    'the client calls only methods that the agent declared',
    'ACP v1, Initialization, Agent Capabilities; Session Setup',
  ),
  'acp-prompt-capability': error.client(
    'a prompt has only types of content that the agent declared',
    'ACP v1, Initialization, Prompt Capabilities',
  ),
  'acp-mcp-capability': error.client(
    'the client passes MCP servers only with transports that the agent declared',
    'ACP v1, Session Setup, MCP Servers; open-design#7313',
  ),
  'acp-auth-method': error.client(
    'the client authenticates with a method that the agent offered',
    'ACP v1, Initialization, Authentication',
  ),
};

type AcpCapabilityRule = keyof typeof RULES;

/** Kinds of content that are not for every agent, and what allows them. */
const CONTENT: Readonly<Record<string, string>> = { image: 'image', audio: 'audio', resource: 'embeddedContext' };
const OPTIONAL = new Set(['list', 'resume', 'fork', 'close', 'delete']);
const OPENS = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

class AcpCapabilityRules {
  readonly #lines = new AcpLines(1);
  #client: JsonObject | null = null;
  #agent: JsonObject | null = null;
  #logins: string[] | null = null;

  take(read: ReadFrame): RuleHit<AcpCapabilityRule>[] {
    const line = this.#lines.read(read);
    if (!line) return [];
    if (line.method === 'initialize') {
      this.#learn(line);
      return [];
    }
    if (line.is !== 'request') return [];
    return line.from === 'agent' ? this.#checkClient(line) : this.#checkAgent(line);
  }

  #learn({ is, ok, params, result }: RpcLine): void {
    if (is === 'request') this.#client = objectOf(params.clientCapabilities);
    if (is !== 'answer' || !ok) return;
    this.#agent = objectOf(result.agentCapabilities);
    this.#logins = listOf(result.authMethods).map((one) => stringOf(objectOf(one).id) ?? '');
  }

  #checkClient({ f, method }: RpcLine): RuleHit<AcpCapabilityRule>[] {
    if (!this.#client) return [];
    const { fs, terminal } = this.#client;
    const tell = (name: string): RuleHit<AcpCapabilityRule>[] => [
      { rule: 'acp-client-capability', f, message: `${textOrJson(method)}, but the client did not declare ${name}` },
    ];
    if (method === 'fs/read_text_file' && objectOf(fs).readTextFile !== true) return tell('fs.readTextFile');
    if (method === 'fs/write_text_file' && objectOf(fs).writeTextFile !== true) return tell('fs.writeTextFile');
    return method.startsWith('terminal/') && terminal !== true ? tell('terminal') : [];
  }

  #checkAgent({ f, method, params }: RpcLine): RuleHit<AcpCapabilityRule>[] {
    const agent = this.#agent;
    if (!agent) return [];
    const hits: RuleHit<AcpCapabilityRule>[] = [];
    const lacks = (name: string) =>
      hits.push({
        rule: 'acp-agent-capability',
        f,
        message: `${textOrJson(method)}, but the agent did not declare ${name}`,
      });
    const operation = method.startsWith('session/') ? method.slice('session/'.length) : '';
    if (operation === 'load' && agent.loadSession !== true) lacks('loadSession');
    if (OPTIONAL.has(operation) && !isObject(objectOf(agent.sessionCapabilities)[operation]))
      lacks(`sessionCapabilities.${operation}`);
    if (method === 'logout' && !isObject(objectOf(agent.auth).logout)) lacks('auth.logout');
    if (method === 'authenticate') hits.push(...this.#checkLogin(f, params));
    if (OPENS.has(method)) hits.push(...checkServers(f, params, objectOf(agent.mcpCapabilities)));
    if (method === 'session/prompt') hits.push(...checkContent(f, params, objectOf(agent.promptCapabilities)));
    return hits;
  }

  #checkLogin(f: number, { methodId }: JsonObject): RuleHit<AcpCapabilityRule>[] {
    const offered = this.#logins ?? [];
    if (typeof methodId === 'string' && offered.includes(methodId)) return [];
    const message = `authenticate with ${quoted(methodId)}, but the agent offered ${textOrJson(offered.join(', ')) || 'no methods'}`;
    return [{ rule: 'acp-auth-method', f, message }];
  }
}

function checkContent(f: number, params: JsonObject, can: JsonObject): RuleHit<AcpCapabilityRule>[] {
  const types = new Set(listOf(params.prompt).map((block) => stringOf(objectOf(block).type) ?? ''));
  return [...types].flatMap((type): RuleHit<AcpCapabilityRule>[] => {
    const needs = Object.hasOwn(CONTENT, type) ? CONTENT[type]! : null;
    if (needs === null || can[needs] === true) return [];
    const message = `the prompt has content of type ${type}, but the agent did not declare promptCapabilities.${needs}`;
    return [{ rule: 'acp-prompt-capability', f, message }];
  });
}

function checkServers(f: number, params: JsonObject, can: JsonObject): RuleHit<AcpCapabilityRule>[] {
  const types = new Set(listOf(params.mcpServers).map((server) => stringOf(objectOf(server).type) ?? 'stdio'));
  return [...types].flatMap((type): RuleHit<AcpCapabilityRule>[] => {
    if ((type !== 'http' && type !== 'sse') || can[type] === true) return [];
    const message = `an MCP server over ${type}, but the agent did not declare mcpCapabilities.${type}`;
    return [{ rule: 'acp-mcp-capability', f, message }];
  });
}

export const ACP_CAPABILITY_RULES = defineRules(['acp'], RULES, () => new AcpCapabilityRules());
