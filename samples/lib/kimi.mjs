// What the sample agent claims to be: kimi-cli 1.49.0 speaking Wire 1.10.
// Names, versions and lists only; behaviour lives in the other files.

import { pythonJson } from './python-text.mjs';

const CLI_VERSION = '1.49.0';
export const WIRE_VERSION = '1.10';
export const SERVER = { name: 'Kimi Code CLI', version: CLI_VERSION };

/** Names a client's external tool may not take. */
export const BUILTIN_TOOLS = new Set([
  'Agent',
  'AskUserQuestion',
  'SetTodoList',
  'Shell',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'ReadFile',
  'ReadMediaFile',
  'Glob',
  'Grep',
  'WriteFile',
  'StrReplaceFile',
  'SearchWeb',
  'FetchURL',
  'ExitPlanMode',
  'EnterPlanMode',
]);

export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'Notification',
];

export const SLASH_COMMANDS = [
  command('init', 'Analyze the codebase and generate an `AGENTS.md` file'),
  command('compact', 'Compact the context (optionally with a custom focus, e.g. /compact keep db discussions)'),
  command('clear', 'Clear the context', ['reset']),
  command('yolo', 'Toggle YOLO mode (auto-approve all actions)'),
  command('afk', 'Toggle afk mode (auto-dismiss AskUserQuestion, auto-approve tool calls)'),
  command('plan', 'Toggle plan mode. Usage: /plan [on|off|view|clear]'),
  command('add-dir', 'Add a directory to the workspace. Usage: /add-dir <path>. Run without args to list added dirs'),
  command('export', 'Export current session context to a markdown file'),
  command('import', 'Import context from a file or session ID'),
];

/** @returns {{name: string, description: string, aliases: string[]}} */
function command(name, description, aliases = []) {
  return { name, description, aliases };
}

/** The answer to `info --json`, `info` and `--version`. */
export function describeProgram(form) {
  const info = {
    kimi_cli_version: CLI_VERSION,
    agent_spec_versions: ['1'],
    wire_protocol_version: WIRE_VERSION,
    python_version: '3.13.0',
  };
  if (form === 'version') return `kimi, version ${CLI_VERSION}`;
  if (form === 'info-json') return pythonJson(info);
  return [
    `kimi-cli version: ${info.kimi_cli_version}`,
    `agent spec versions: ${info.agent_spec_versions.join(', ')}`,
    `wire protocol: ${info.wire_protocol_version}`,
    `python version: ${info.python_version}`,
  ].join('\n');
}
