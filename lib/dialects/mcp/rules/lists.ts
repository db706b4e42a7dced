/** MCP: clients use only what the server listed. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';

const RULES = {
  'mcp-tool-unknown': warning.client(
    'the client calls only tools that the server listed',
    'MCP, Server Features, Tools',
  ),
  'mcp-cursor': error.client(
    'the client uses only cursors that the server returned for the same list',
    'MCP, Utilities, Pagination',
  ),
  'mcp-structured-content': error.agent(
    'a tool with an output schema returns structured content, unless it failed',
    'MCP, Server Features, Tools, Output Schema',
  ),
};

type McpListRule = keyof typeof RULES;

class McpListRules {
  /** By name: whether it has an output schema. */
  readonly #tools = new Map<string, boolean>();
  /** All pages were read, and nothing has changed since. */
  #complete = false;
  readonly #cursors = new Set<string>();

  take(read: ReadFrame): RuleHit<McpListRule>[] {
    const line = rpcLine(read);
    if (!line) return [];
    if (line.method === 'notifications/tools/list_changed') this.#complete = false;
    if (line.from === 'client' && line.is === 'request') return this.#checkRequest(line);
    if (line.from === 'agent' && line.is === 'answer' && line.ok) return this.#checkAnswer(line);
    return [];
  }

  #checkRequest({ f, method, params }: RpcLine): RuleHit<McpListRule>[] {
    const { cursor, name } = params;
    if (method.endsWith('/list') && typeof cursor === 'string' && !this.#cursors.has(`${method} ${cursor}`)) {
      return [
        { rule: 'mcp-cursor', f, message: `${textOrJson(method)} with a cursor that the server never returned for it` },
      ];
    }
    if (method !== 'tools/call' || !this.#complete || typeof name !== 'string' || this.#tools.has(name)) return [];
    const { size } = this.#tools;
    const listed = size === 0 ? 'no tools' : `${size} other tool${size === 1 ? '' : 's'}`;
    const message = `tools/call for ${textOrJson(name)}, but the server listed ${listed}`;
    return [{ rule: 'mcp-tool-unknown', f, message }];
  }

  #checkAnswer({ f, method, params, result, askedF }: RpcLine): RuleHit<McpListRule>[] {
    const { nextCursor } = result;
    if (typeof nextCursor === 'string') this.#cursors.add(`${method} ${nextCursor}`);
    if (method === 'tools/list') {
      if (params.cursor === undefined) this.#tools.clear();
      for (const tool of listOf(result.tools).map(objectOf)) {
        if (typeof tool.name === 'string') this.#tools.set(tool.name, isObject(tool.outputSchema));
      }
      this.#complete = typeof nextCursor !== 'string';
    }
    if (method !== 'tools/call' || result.isError === true || result.task !== undefined) return [];
    // The server asks for more input first.
    if (result.resultType !== undefined && result.resultType !== 'complete') return [];
    const name = stringOf(params.name) ?? '';
    if (this.#tools.get(name) !== true || isObject(result.structuredContent)) return [];
    const message = `${textOrJson(name)} has an output schema, but its result has no structured content`;
    return [{ rule: 'mcp-structured-content', f, frames: [askedF], message }];
  }
}

export const MCP_LIST_RULES = defineRules(['mcp'], RULES, () => new McpListRules());
