/** What `npm run compat` installs, and nothing else: the one place for versions. */
export interface Package {
  /** `pypi`: into a virtual environment; `npm`: into a folder of its own, without install scripts; `go`: built from there. */
  from: 'pypi' | 'npm' | 'go';
  packages: readonly string[];
  /** The program in it, if it is one, relative to its folder; without it the folder holds a library. */
  program?: string;
  /** The name that users know the program by. */
  command?: string;
  /** It is a binary, and needs no Node. */
  native?: true;
  /** The oldest Node that it runs on, where ours may be too old: then it gets the one from npm. */
  node?: string;
}

/** The Node for programs that ours is too old for: npm has a package with nothing but the binary. */
export const NODE = '24.20.0';

const PLATFORM = `${process.platform}-${process.arch}`;

export const PACKAGES = {
  'kimi-cli-1.49.0': kimiCli('1.49.0'),
  'kimi-cli-1.24.0': kimiCli('1.24.0'),
  'kimi-code': {
    from: 'npm',
    packages: ['@moonshot-ai/kimi-code@2.1.0'],
    program: 'node_modules/@moonshot-ai/kimi-code/dist/main.mjs',
    command: 'kimi',
    node: '22.19',
  },
  'qwen-code': {
    from: 'npm',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    program: 'node_modules/@qwen-code/qwen-code/cli-entry.js',
    command: 'qwen',
    node: '22.0',
  },
  'server-everything': {
    from: 'npm',
    packages: ['@modelcontextprotocol/server-everything@2026.8.31'],
    program: 'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    command: 'mcp-server-everything',
  },
  gemini: {
    from: 'npm',
    packages: ['@google/gemini-cli@0.61.0'],
    program: 'node_modules/@google/gemini-cli/bundle/gemini.js',
    command: 'gemini',
  },
  codex: {
    from: 'npm',
    packages: ['@openai/codex@0.166.0'],
    program: 'node_modules/@openai/codex/bin/codex.js',
    command: 'codex',
  },
  // Both are binaries in packages of their own, one for each platform.
  opencode: {
    from: 'npm',
    packages: [`opencode-${PLATFORM}@1.18.33`],
    program: `node_modules/opencode-${PLATFORM}/bin/opencode`,
    command: 'opencode',
    native: true,
  },
  claude: {
    from: 'npm',
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4'],
    program: `node_modules/@anthropic-ai/claude-agent-sdk-${PLATFORM}/claude`,
    command: 'claude',
    native: true,
  },
  // Readers of what wiretape exports.
  mermaid: { from: 'npm', packages: ['mermaid@11.17.2'] },
  speedscope: { from: 'npm', packages: ['speedscope@1.25.0'] },
  'otlp-proto': { from: 'pypi', packages: ['opentelemetry-proto==1.38.0'] },
  'otel-collector': {
    from: 'go',
    packages: ['test/compat/collector', 'go.opentelemetry.io/collector@0.150.0'],
    program: 'collector',
    command: 'otelcol',
  },
  'acp-sdk': { from: 'npm', packages: ['@agentclientprotocol/sdk@2.4.0'] },
  'mcp-sdk': { from: 'npm', packages: ['@modelcontextprotocol/sdk@1.32.2'] },
  'kimi-agent-sdk': { from: 'npm', packages: ['@moonshot-ai/kimi-agent-sdk@0.1.8'] },
  'qwen-sdk': { from: 'npm', packages: ['@qwen-code/sdk@0.1.14'] },
} as const satisfies Record<string, Package>;

export type PackageName = keyof typeof PACKAGES;

function kimiCli(version: string) {
  return { from: 'pypi', packages: [`kimi-cli==${version}`], program: 'venv/bin/kimi', command: 'kimi' } as const;
}
