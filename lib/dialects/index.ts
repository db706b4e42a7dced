/**
 * The list of all dialects. Readers, traits, rules and what they mean, completions and the tables in the documents are
 * taken from it. A new protocol is a folder, its name in names.ts, and a line here.
 */

import { acp } from './acp/index.ts';
import { clineJson } from './cline-json/index.ts';
import { codex } from './codex/index.ts';
import { codexExec } from './codex-exec/index.ts';
import { optionOf } from './common/command-line.ts';
import { copilot } from './copilot/index.ts';
import { copilotJson } from './copilot-json/index.ts';
import { dap } from './dap/index.ts';
import type { Dialect } from './dialect.ts';
import { geminiJson } from './gemini-json/index.ts';
import { jsonrpc } from './jsonrpc/index.ts';
import { kimiCode } from './kimi-code/index.ts';
import { kimiPrint } from './kimi-print/index.ts';
import { letta } from './letta/index.ts';
import { lines } from './lines/index.ts';
import { lsp } from './lsp/index.ts';
import { mcp } from './mcp/index.ts';
import { DIALECT_NAMES, type DialectName } from './names.ts';
import { opencodeJson } from './opencode-json/index.ts';
import { pi } from './pi/index.ts';
import { qwenRfc } from './qwen-rfc/index.ts';
import { streamJson } from './stream-json/index.ts';
import { type Traits, traits } from './traits.ts';
import { vibeJson } from './vibe-json/index.ts';
import { wire } from './wire/index.ts';
import { wireLegacy } from './wire-legacy/index.ts';

const BY_NAME: Readonly<Record<DialectName, Dialect>> = {
  wire,
  'wire-legacy': wireLegacy,
  letta,
  'stream-json': streamJson,
  'qwen-rfc': qwenRfc,
  'kimi-print': kimiPrint,
  'kimi-code': kimiCode,
  'codex-exec': codexExec,
  'gemini-json': geminiJson,
  'copilot-json': copilotJson,
  'opencode-json': opencodeJson,
  'cline-json': clineJson,
  'vibe-json': vibeJson,
  pi,
  codex,
  acp,
  mcp,
  copilot,
  lsp,
  dap,
  jsonrpc,
  lines,
};

/** Most specific first. The last one accepts anything. */
export const DIALECTS: readonly Dialect[] = DIALECT_NAMES.map((name) => BY_NAME[name]);

/** The dialect with this name, as given to `--dialect`. */
export function dialectNamed(name: string): Dialect | undefined {
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name as DialectName] : undefined;
}

const UNKNOWN = traits({});

/** The defaults for an unknown name. */
export function traitsOf(name: string | null): Traits {
  return (name === null ? undefined : dialectNamed(name))?.traits ?? UNKNOWN;
}

/** The traits of a run: the command line may say that it is a one-shot run of a dialect that has others. */
export function traitsIn({ dialect, command }: { dialect: string | null; command: readonly string[] }): Traits {
  const known = traitsOf(dialect);
  const isOneShot = known.oneShot.some(([option, value]) => optionOf(command, option) === value);
  return isOneShot ? { ...known, needsNoClient: true, stdinIsPrompt: true } : known;
}
