/**
 * Agent Client Protocol v1: kimi acp, qwen --acp, Gemini, the adapters for Claude and Codex. Both sides send requests
 * and number them from 0. Several sessions may share a process. Unknown methods become `other`.
 */

import { objectOf } from '../common/fields.ts';
import { type Dialect, envelopeWith, type FirstLines } from '../dialect.ts';
import { AcpReader } from './reader.ts';
import { ACP_ENTRIES } from './rules/entries.ts';
import { ACP_RULES } from './rules/index.ts';
import { acpSchemas } from './rules/shapes.ts';
import { acpTraits } from './traits.ts';

export const acp: Dialect = {
  name: 'acp',
  traits: acpTraits,
  recognise,
  envelope: envelopeWith(({ update }) => objectOf(update).sessionUpdate),
  open: () => new AcpReader(),
  conformance: {
    prefix: 'acp',
    title: 'Agent Client Protocol',
    rules: ACP_RULES,
    shapes: acpSchemas,
    entries: ACP_ENTRIES,
  },
};

function recognise({ command, lines }: FirstLines): number {
  let sure = 0;
  for (const { value } of lines) {
    const { method } = value;
    if (typeof method === 'string' && method.startsWith('session/')) return 0.98;
    const { protocolVersion, clientCapabilities, agentCapabilities } = objectOf(value.params ?? value.result);
    // In MCP the version is a date, and Wire uses another key.
    if (typeof protocolVersion !== 'number') continue;
    if (method === 'initialize' || agentCapabilities !== undefined || clientCapabilities !== undefined) sure = 0.9;
  }
  if (sure > 0 || !isAcpCommand(command)) return sure;
  return lines.length === 0 ? 0.6 : 0.2;
}

/** `kimi acp`, `qwen --acp`, `gemini --experimental-acp`, `claude-code-acp`. */
function isAcpCommand(command: readonly string[]): boolean {
  return command.some((word, i) => {
    if (word === '--acp' || word === '--experimental-acp' || word === 'acp') return true;
    return i < 3 && /-acp(?:\.[cm]?js)?$/.test(word);
  });
}
