/**
 * The traits of every dialect by name, for code that needs no reader. Separate from index.ts, because that loads every
 * reader, which takes longer than most commands. A dialect that is missing here does not compile.
 */
import { acpTraits } from './acp/traits.ts';
import { codexTraits } from './codex/traits.ts';
import { optionOf } from './command-line.ts';
import { copilotTraits } from './copilot/traits.ts';
import { dapTraits } from './dap/traits.ts';
import { lettaTraits } from './letta/traits.ts';
import { lspTraits } from './lsp/traits.ts';
import { mcpTraits } from './mcp/traits.ts';
import {
  clineJsonTraits,
  codexExecTraits,
  copilotJsonTraits,
  geminiJsonTraits,
  opencodeJsonTraits,
  vibeJsonTraits,
} from './one-shot-traits.ts';
import { piTraits } from './pi/traits.ts';
import { qwenRfcTraits } from './qwen-rfc/traits.ts';
import { streamJsonTraits } from './stream-json/traits.ts';
import { genericTraits, jsonrpcTraits, type Traits, traits } from './traits.ts';
import { wireLegacyTraits, wireTraits } from './wire/traits.ts';

const TRAITS = {
  wire: wireTraits,
  'wire-legacy': wireLegacyTraits,
  'stream-json': streamJsonTraits,
  letta: lettaTraits,
  'qwen-rfc': qwenRfcTraits,
  'kimi-print': traits({
    needsNoClient: true,
    switches: [{ mode: 'print', options: null }],
    conversations: { options: ['--session', '--resume', '-S', '-r'], paths: [['session_id']] },
    replay: { ids: ['tool_calls[*].id', 'tool_call_id'] },
  }),
  // Its journal is not a conversation, so there is nothing to replay.
  'kimi-code': traits({ planIsSeparate: true }),
  'codex-exec': codexExecTraits,
  'gemini-json': geminiJsonTraits,
  'copilot-json': copilotJsonTraits,
  'opencode-json': opencodeJsonTraits,
  'cline-json': clineJsonTraits,
  'vibe-json': vibeJsonTraits,
  pi: piTraits,
  codex: codexTraits,
  acp: acpTraits,
  mcp: mcpTraits,
  copilot: copilotTraits,
  lsp: lspTraits,
  dap: dapTraits,
  jsonrpc: jsonrpcTraits,
  lines: genericTraits,
} satisfies Record<string, Traits>;

export type DialectName = keyof typeof TRAITS;

const UNKNOWN = traits({});

/** The defaults for an unknown name. */
export function traitsOf(name: string | null): Traits {
  return name !== null && Object.hasOwn(TRAITS, name) ? TRAITS[name as DialectName] : UNKNOWN;
}

/** The traits of a run: the command line may say that it is a one-shot run of a dialect that has others. */
export function traitsIn({ dialect, command }: { dialect: string | null; command: readonly string[] }): Traits {
  const known = traitsOf(dialect);
  const isOneShot = known.oneShot.some(([option, value]) => optionOf(command, option) === value);
  return isOneShot ? { ...known, needsNoClient: true, stdinIsPrompt: true } : known;
}
