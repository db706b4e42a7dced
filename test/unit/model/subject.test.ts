/** The command and the files in the arguments of a call, in the spellings of all agents. */
import { expect, it } from 'vitest';
import { commandIn, isEditor, isShell, pathsIn } from '../../../lib/model/subject.ts';

it.each<[string, unknown, string | null]>([
  ['most agents', { command: 'npm test', description: 'x' }, 'npm test'],
  ['Codex', { cmd: 'ls', workdir: '/w' }, 'ls'],
  ['words', { command: ['bash', '-lc', 'rm -rf x'] }, "bash -lc 'rm -rf x'"],
  ['Copilot, twice the same', { command: 'ls', commands: ['ls'] }, 'ls'],
  ['Cline, several', { commands: ['ls', 'rm x'] }, 'ls\nrm x'],
  ['camel case', { commandLine: 'ls' }, 'ls'],
  ['inside a request', { tool: 'terminal', arguments: { command: 'ls' } }, 'ls'],
  ['a program and its arguments', { command: 'touch', args: ['a b', 'c'] }, "touch 'a b' c"],
  ['a program without arguments', { command: 'ls', args: [] }, 'ls'],
  ['several steps', { steps: [{ command: 'ls' }, { run: 1 }, { command: 'rm x' }] }, 'ls\nrm x'],
  ['several, each with more', { commands: [{ command: 'ls' }, { cmd: 'rm x', timeout: 1 }] }, 'ls\nrm x'],
  ['none', { path: 'a' }, null],
  ['no words', { command: [] }, null],
  ['no object', 'ls', null],
])('a command: %s', (_, args, command) => {
  expect(commandIn(args)).toBe(command);
});

const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n*** Move to: c.txt\n*** End Patch';

it.each<[string, unknown, string[]]>([
  ['kimi', { path: 'a', content: 'x' }, ['a']],
  ['Claude', { file_path: 'a' }, ['a']],
  ['opencode asks', { filepath: 'a', diff: '--- b\n+++ b\n' }, ['a']],
  ['opencode runs', { filePath: 'a', oldString: 'x' }, ['a']],
  ['Copilot asks', { fileName: '/w/a', diff: '--- a/dev/null\n+++ b/w/a' }, ['/w/a']],
  ['a notebook', { notebook_path: 'a' }, ['a']],
  ['two', { source: 'a', destination: 'b' }, ['a', 'b']],
  ['Codex, by path', { changes: { a: { type: 'add' }, b: {} } }, ['a', 'b']],
  ['Codex, a list', { changes: [{ path: 'a' }, { path: 'b' }] }, ['a', 'b']],
  ['Codex, moved', { changes: { a: { type: 'update', unified_diff: '', move_path: 'b' } } }, ['a', 'b']],
  ['Codex, moved in the core', { changes: { a: { update: { unified_diff: '', move_path: 'b' } } } }, ['a', 'b']],
  ['Codex, a list, moved', { changes: [{ path: 'a', kind: { type: 'update', move_path: 'b' } }] }, ['a', 'b']],
  ['Codex, not moved', { changes: [{ path: 'a', kind: { type: 'update', move_path: null } }] }, ['a']],
  ['several', { files: [{ path: 'a' }], paths: ['b', 'c'] }, ['a', 'b', 'c']],
  ['several edits', { path: 'a', edits: [{ path: 'b', text: 'x' }, { file_path: 'c' }] }, ['a', 'b', 'c']],
  ['edits of one file', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }, ['a']],
  ['hermes', { tool: 'write_file', arguments: { path: 'a', content: 'x' } }, ['a']],
  ['a patch', { patchText: PATCH }, ['a.txt', 'b.txt', 'c.txt']],
  ['a patch alone', PATCH, ['a.txt', 'b.txt', 'c.txt']],
  ['a patch beside a path', { path: 'd.txt', patch: PATCH }, ['d.txt', 'a.txt', 'b.txt', 'c.txt']],
  ['a diff', { diff: '--- /dev/null\n+++ b/a.txt\n' }, ['a.txt']],
  ['none', { command: 'ls' }, []],
  ['a file that is no path', { file: { name: 'x' } }, []],
])('files: %s', (_, args, paths) => {
  expect(pathsIn(args)).toEqual(paths);
});

it('tools by their names', () => {
  const shells = ['Shell', 'Bash', 'bash', 'PowerShell', 'run_shell_command', 'execute_command', 'exec_command'];
  shells.push('commandExecution', 'command_execution', 'terminal', 'file_system.bash', 'run_commands', 'write_bash');
  expect(shells.filter((name) => !isShell(name))).toEqual([]);
  const editors = [
    'Write',
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'write_file',
    'replace',
    'WriteFile',
    'StrReplaceFile',
  ];
  editors.push('PatchFile', 'apply_patch', 'patch_apply', 'fileChange', 'file_change', 'create', 'editor', 'multiedit');
  expect(editors.filter((name) => !isEditor(name))).toEqual([]);
  const others = ['mcp__jira__create', 'Read', 'create_issue', 'TodoWrite', 'add', 'Task', 'write_memory'];
  expect(others.filter((name) => isShell(name) || isEditor(name))).toEqual([]);
});
