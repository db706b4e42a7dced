/**
 * The names of all dialects, most specific first. Apart from index.ts, so that a page in a browser knows the values of
 * `dialect:` without loading the readers. index.ts has a dialect for each name, or it does not compile.
 */
export const DIALECT_NAMES = [
  ...(['wire', 'wire-legacy', 'letta', 'stream-json', 'qwen-rfc', 'kimi-print', 'kimi-code'] as const),
  ...(['codex-exec', 'gemini-json', 'copilot-json', 'opencode-json', 'cline-json', 'vibe-json', 'pi'] as const),
  ...(['codex', 'acp', 'mcp'] as const),
  ...(['copilot', 'lsp', 'dap'] as const),
  ...(['jsonrpc', 'lines'] as const),
] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];
