/**
 * Model Context Protocol over stdio. The agent is the server: the client calls its tools, and the server asks the
 * client for sampling, elicitation and roots. There are no turns.
 */
import { readJsonRpc } from '../../model/message.ts';
import { objectOf } from '../common/fields.ts';
import type { Dialect, FirstLines } from '../dialect.ts';
import { McpReader } from './reader.ts';
import { MCP_ENTRIES } from './rules/entries.ts';
import { MCP_RULES } from './rules/index.ts';
import { mcpSchemas } from './rules/shapes.ts';
import { mcpTraits } from './traits.ts';

export const mcp: Dialect = {
  name: 'mcp',
  traits: mcpTraits,
  recognise,
  envelope: readJsonRpc,
  open: () => new McpReader(),
  conformance: {
    prefix: 'mcp',
    title: 'Model Context Protocol',
    rules: MCP_RULES,
    shapes: mcpSchemas,
    entries: MCP_ENTRIES,
  },
};

const OWN = ['notifications/', 'tools/', 'resources/', 'prompts/', 'sampling/', 'roots/', 'logging/', 'completion/'];

function recognise({ command, lines }: FirstLines): number {
  let sure = 0;
  for (const { value } of lines) {
    const { method } = value;
    if (typeof method === 'string' && OWN.some((prefix) => method.startsWith(prefix))) return 0.95;
    const { protocolVersion, clientInfo, serverInfo } = objectOf(value.params ?? value.result);
    if (typeof protocolVersion !== 'string') continue;
    if (method === 'initialize' || clientInfo !== undefined || serverInfo !== undefined) sure = 0.9;
  }
  if (sure > 0 || lines.length > 0) return sure;
  return command.slice(0, 4).some(isMcpWord) ? 0.3 : 0;
}

function isMcpWord(word: string): boolean {
  return !word.startsWith('-') && /(?:^|[^a-z])mcp(?:[^a-z]|$)|modelcontextprotocol/i.test(word);
}
