/**
 * Model Context Protocol over stdio. The agent is the server: the client calls its tools, and the server asks the
 * client for sampling, elicitation and roots. There are no turns.
 */
import { readJsonRpc } from '../../core/message.ts';
import type { Dialect, FirstLook } from '../dialect.ts';
import { objectOf } from '../fields.ts';
import { McpReader } from './reader.ts';

export const mcp: Dialect = {
  name: 'mcp',
  recognise,
  envelope: readJsonRpc,
  open: () => new McpReader(),
};

const OWN = ['notifications/', 'tools/', 'resources/', 'prompts/', 'sampling/', 'roots/', 'logging/', 'completion/'];

function recognise({ command, lines }: FirstLook): number {
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
