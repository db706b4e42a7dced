/**
 * All dialects, most specific first. The last one accepts anything. A new dialect is a line here and a line in
 * traits-of.ts.
 */
import { acp } from './acp/index.ts';
import { clineJson } from './cline-json.ts';
import { codex } from './codex/index.ts';
import { codexExec } from './codex-exec.ts';
import { copilot } from './copilot/index.ts';
import { copilotJson } from './copilot-json.ts';
import { dap } from './dap/index.ts';
import type { Dialect } from './dialect.ts';
import { geminiJson } from './gemini-json.ts';
import { jsonrpc } from './jsonrpc.ts';
import { kimiCode } from './kimi-code/index.ts';
import { kimiPrint } from './kimi-print.ts';
import { letta } from './letta/index.ts';
import { lines } from './lines.ts';
import { lsp } from './lsp/index.ts';
import { mcp } from './mcp/index.ts';
import { opencodeJson } from './opencode-json.ts';
import { pi } from './pi/index.ts';
import { qwenRfc } from './qwen-rfc/index.ts';
import { streamJson } from './stream-json/index.ts';
import { vibeJson } from './vibe-json.ts';
import { wire } from './wire/index.ts';
import { wireLegacy } from './wire-legacy.ts';

export const DIALECTS: readonly Dialect[] = [
  ...[wire, wireLegacy, letta, streamJson, qwenRfc, kimiPrint, kimiCode],
  ...[codexExec, geminiJson, copilotJson, opencodeJson, clineJson, vibeJson, pi],
  ...[codex, acp, mcp],
  ...[copilot, lsp, dap],
  ...[jsonrpc, lines],
];
