/**
 * Which runs of an agent speak a protocol on stdin and stdout: one row an agent, as its own help has it. A shim records
 * these and nothing else. A run that is missed is not recorded, and one too many changes nothing for its caller.
 */

export interface ProtocolRuns {
  /** Options that select a protocol, alone (`--wire`) or with a value (`--mode rpc`, also written `--mode=rpc`). */
  options?: readonly string[];
  /** Subcommands that do. The names are those of its first word. */
  commands?: Readonly<Record<string, ProtocolCommand>>;
  /** Every run does. */
  every?: true;
  /** Words that make it another run, wherever they stand. */
  never?: readonly string[];
  /** First words of other runs, whatever options follow. */
  others?: readonly string[];
}

interface ProtocolCommand {
  /** One of these options, or words, is needed too. */
  with?: readonly string[];
  /** None of these words follows. */
  without?: readonly string[];
}

const ACP = ['--acp', '--acp=true', '--experimental-acp', '--experimental-acp=true'];
const STREAM_JSON = ['--input-format stream-json', '--output-format stream-json'];
const JSON_OUTPUT = ['--output-format json', '-o json', '-o stream-json'];

/** Of every agent. What is behind `mcp add` and the like belongs to another program. */
const ALL_AGENTS: ProtocolRuns = {
  options: ['--wire', ...ACP, ...STREAM_JSON],
  commands: { acp: {} },
  others: ['mcp'],
};

const CODEX: ProtocolRuns = {
  commands: {
    'app-server': { without: ['generate-ts', 'generate-json-schema', 'daemon', 'help', '--print-startup-config'] },
    'mcp-server': {},
    exec: { with: ['--json', '--experimental-json'] },
    e: { with: ['--json', '--experimental-json'] },
  },
};
const ADAPTER: ProtocolRuns = { every: true, never: ['-h', '-V', '--setup'] };

/** By the name of the program. */
const AGENTS: Readonly<Record<string, ProtocolRuns>> = {
  kimi: {},
  'kimi-cli': {},
  'kimi-agent': {},
  'kimi-code': {},
  qwen: { options: JSON_OUTPUT },
  'qwen-code': { options: JSON_OUTPUT },
  claude: { options: ['--output-format json'], commands: { mcp: { with: ['serve'] } } },
  codex: CODEX,
  gemini: { options: JSON_OUTPUT, others: ['extensions', 'skills', 'hooks'] },
  copilot: { options: ['--headless', '--stdio', '--output-format json'] },
  opencode: { commands: { run: { with: ['--format json'] } } },
  cline: { options: ['--json'], others: ['auth', 'config', 'history', 'version', 'update'] },
  vibe: { options: ['--output json', '--output streaming'] },
  pi: {
    options: ['--mode rpc', '--mode json'],
    others: ['install', 'remove', 'uninstall', 'update', 'list', 'config'],
  },
  letta: {},
  goose: {},
  auggie: {},
  'cursor-agent': {},
  'vibe-acp': ADAPTER,
  'claude-code-acp': ADAPTER,
  'claude-agent-acp': ADAPTER,
  'codex-acp': ADAPTER,
};

/** Programs that do nothing else: MCP servers, language servers. */
const SERVER_NAME =
  /^mcp-server(?:-|$)|-mcp(?:-server)?$|(?:^|[-_])(?:language-?server|langserver|lsp)(?:[-_.]|$)|languageserver$/;

/** A program with another name may be any of them: what is common, and what means the same everywhere. */
const UNKNOWN_AGENT: ProtocolRuns = {
  options: ['--mode rpc', '--stdio'],
  commands: { ...CODEX.commands, run: { with: ['--format json'] } },
};

/** Programs that speak a known protocol. */
export const AGENT_NAMES = Object.keys(AGENTS);

/** `names`: of the program, and of its shim. The first that is known counts. */
export function protocolRunsOf(...names: string[]): ProtocolRuns {
  for (const name of names.map(plainName)) {
    if (Object.hasOwn(AGENTS, name)) return withCommonRuns(AGENTS[name]!);
    if (SERVER_NAME.test(name)) return { every: true };
  }
  return withCommonRuns(UNKNOWN_AGENT);
}

/** Without a version or what the system appends: `kimi-1.51.0`, `claude.exe`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.(?:exe|cmd|sh|m?js|py)$/, '')
    .replace(/[-_.@]?v?\d+(?:\.\d+)*$/, '');
}

function withCommonRuns(own: ProtocolRuns): ProtocolRuns {
  if (own.every) return own;
  return {
    options: [...ALL_AGENTS.options!, ...(own.options ?? [])],
    commands: { ...ALL_AGENTS.commands, ...own.commands },
    others: [...ALL_AGENTS.others!, ...(own.others ?? [])],
  };
}
