/** All rules, in the order of the list. A new one is a line here. */
import { ACP_RULES } from './acp/index.ts';
import { CODEX_RULES } from './codex/index.ts';
import { RPC_RULES } from './common/envelope.ts';
import { LINE_RULES } from './common/lines.ts';
import { PROCESS_RULES } from './common/process.ts';
import { RECORDING_RULES } from './common/recording.ts';
import { COPILOT_RULES } from './copilot.ts';
import { DAP_RULES } from './dap.ts';
import { PRINT_RULES } from './kimi-print.ts';
import { LSP_RULES } from './lsp.ts';
import { MCP_RULES } from './mcp/index.ts';
import { PI_RULES } from './pi/index.ts';
import { RFC_RULES } from './qwen-rfc/index.ts';
import type { Rule } from './rule.ts';
import { SHAPE_RULES } from './shape.ts';
import { STREAM_RULES } from './stream-json/index.ts';
import { WIRE_RULES } from './wire/index.ts';

export const RULES: readonly Rule[] = [
  ...SHAPE_RULES,
  ...LINE_RULES,
  ...PROCESS_RULES,
  ...RECORDING_RULES,
  ...WIRE_RULES,
  ...RPC_RULES,
  ...ACP_RULES,
  ...MCP_RULES,
  ...CODEX_RULES,
  ...STREAM_RULES,
  ...RFC_RULES,
  ...PRINT_RULES,
  ...PI_RULES,
  ...LSP_RULES,
  ...DAP_RULES,
  ...COPILOT_RULES,
];

/** The rules that a word names, by their ids or those that they had before; case does not count. */
export function rulesNamed(word: string, rules: readonly Rule[] = RULES): Rule[] {
  const name = word.trim().toLowerCase();
  return rules.filter(({ id, aliases = [] }) => [id, ...aliases].some((one) => one.toLowerCase() === name));
}
