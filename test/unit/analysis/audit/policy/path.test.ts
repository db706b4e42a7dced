/** Which files a rule is about, where a folder is not known: nothing is allowed because nobody can tell. */
import { describe, expect, it } from 'vitest';
import { comparePolicy } from '../../../../../lib/analysis/audit/policy/compare.ts';
import { foldersOf } from '../../../../../lib/analysis/audit/policy/folders.ts';
import { pathMatches } from '../../../../../lib/analysis/audit/policy/path.ts';
import { readPolicy } from '../../../../../lib/analysis/audit/policy/read.ts';
import { splitCommand } from '../../../../../lib/analysis/audit/policy/shell.ts';
import { type ApprovalRow, makeRow } from '../../../../../lib/analysis/audit/row.ts';
import { acp } from '../../../../../lib/dialects/acp/index.ts';
import { isEditor, isInterpreter, isShell } from '../../../../../lib/model/subject.ts';
import { auditSaid } from '../../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../../support/reading.ts';

const row = (tool: string, args: object): ApprovalRow => ({
  ...makeRow('approval', 17, 0, 3),
  ...{ decision: 'allow', by: 'client', executed: 'yes', tool, arguments: args },
});
const judged = (policy: string, one: ApprovalRow, cwd = '/home/dev/shop') => {
  const { verdict, unknown } = comparePolicy(readPolicy(policy), one, cwd);
  return unknown === null ? verdict : `${verdict}: ${unknown}`;
};
const write = (path: string) => row('Write', { file_path: path });
const shell = (command: string, more: object = {}) => row('Bash', { command, ...more });

describe('a path', () => {
  it.each<[pattern: string, path: string, boolean | null]>([
    ['~/.ssh/*', '~/.ssh/id', true],
    ['~/.ssh/*', '~/src/id', false],
    ['~/.ssh/*', '/home/dev/.ssh/id', null],
    ['~/.ssh/*', '/etc/passwd', false],
    ['/home/dev/.ssh/*', '~/.ssh/id', null],
    ['/home/dev/.ssh/id', '~/src/a', false],
    ['*/.ssh/*', '~/.ssh/id', true],
    ['*/dev/.ssh/*', '~/.ssh/id', null],
    ['*.env', '~/src/a', false],
    ['/etc/*', 'file:///etc/passwd', true],
    ['/etc/*', 'file://localhost/etc/my%20file', true],
    ['/etc/my file', 'file:///etc/my%20file', true],
    ['/etc/*', 'file:///etc/%', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(pathMatches(pattern, path, '/home/dev/shop')).toBe(expected);
  });

  it.each<[pattern: string, path: string, boolean | null]>([
    ['src/*', 'src/a', true],
    ['src/*', 'lib/a', false],
    ['src/*', '/w/src/a', null],
    ['src/*', '/w/lib/a', false],
    ['/w/src/*', 'src/a', null],
    ['/w/src/a', 'lib/b', false],
    ['*.env', 'src/.env', true],
    ['~/src/*', 'src/a', null],
  ])('without a working directory, %s and %s: %s', (pattern, path, expected) => {
    expect(pathMatches(pattern, path, '')).toBe(expected);
  });

  it('is not allowed by default if a rule that denies may be about it, nor by a rule that may be', () => {
    expect(judged('deny path ~/.ssh/*\ndefault allow', write('/home/dev/.ssh/id'))).toBe('cannot judge: folder');
    expect(judged('deny path /home/dev/.ssh/*\ndefault allow', write('~/.ssh/id'))).toBe('cannot judge: folder');
    expect(judged('deny path ~/.ssh/*\nallow tool Write', write('/home/dev/.ssh/id'))).toBe('cannot judge: folder');
    expect(judged('allow path ~/src/*', write('/home/dev/src/a'))).toBe('ask');
    expect(judged('deny path ~/.ssh/*\ndefault allow', write('/home/dev/shop/a'))).toBe('allow');
    expect(judged('deny path ~/.ssh/*\ndefault allow', shell('cat x > ~/.ssh/id'))).toBe('deny');
    expect(judged('deny path ~/.ssh/*\ndefault allow', shell('cat x > ~/a'))).toBe('allow');
    expect(judged('deny path ~/.ssh/*\ndefault allow', shell('cat x > ~root/a'))).toBe('cannot judge: quoting');
    expect(judged('deny path /w/*\ndefault allow', write('a'), '')).toBe('cannot judge: folder');
  });
});

describe('the folder of a command', () => {
  it('is the one that its arguments name', () => {
    const policy = 'deny path /etc/*\ndefault allow';
    expect(judged(policy, shell('echo x > passwd', { workdir: '/etc' }))).toBe('deny');
    expect(judged(policy, shell('echo x > passwd', { cwd: '../../../etc' }))).toBe('deny');
    expect(judged(policy, shell('echo x > passwd', { cwd: '/w' }))).toBe('allow');
  });

  it('is another one after cd, if that succeeded', () => {
    const policy = 'deny path /etc/*\ndefault allow';
    expect(judged(policy, shell('cd /etc && echo x > passwd'))).toBe('deny');
    expect(judged(policy, shell('cd /; cd etc; echo x > passwd'))).toBe('deny');
    expect(judged(policy, shell('cd build && echo x > log'))).toBe('allow');
    expect(judged(policy, shell('cd "$X" && echo x > passwd'))).toBe('cannot judge: folder');
    expect(judged('deny path /home/dev/shop/.env\ndefault allow', shell('cd x || echo > .env'))).toBe('deny');
  });

  it('is not known where too many are possible, or a shell may take the word for another', () => {
    const folders = (line: string) => foldersOf(splitCommand(line).commands, '/w');
    expect(folders('ls')).toEqual(['/w']);
    expect(folders('cd a && ls')).toEqual(['/w', '/w/a']);
    expect(folders('cd -P /a')).toEqual(['/w', '/a']);
    expect(folders('cd')).toEqual(['/w', '~']);
    expect(folders('cd ~/a; cd b')).toEqual(['/w', '~/a', '/w/b', '~/a/b']);
    for (const odd of ['cd -', 'popd', 'cd a*', 'cd a b', 'cd ~root', 'pushd']) expect(folders(odd)).toContain(null);
    expect(folders(Array.from({ length: 20 }, (_, i) => `cd ${i}`).join(';'))).toEqual([null]);
  });
});

describe('the folder of a conversation', () => {
  const opens = (id: number, cwd: string): Said[] => [
    ['client', ask(id, 'session/new', { cwd, mcpServers: [] })],
    ['agent', answer(id, { sessionId: `s${id}` })],
  ];
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', title: 'x' };
  const called = (...opened: Said[]) => {
    const said: Said[] = [
      ...[...opened, ['client', ask(9, 'session/prompt', { sessionId: 's1', prompt: [] })] as Said],
      ['agent', tell('session/update', { sessionId: 's1', update: { ...call, rawInput: { command: 'ls > a' } } })],
      ['agent', tell('session/update', { sessionId: 's1', update: { ...call, status: 'completed' } })],
    ];
    return auditSaid(acp, said).rows[0]!;
  };

  it('is where paths begin, and not the folder of the process', () => {
    const one = called(...opens(1, '/w/project'));
    expect(judged('deny path /w/project/*\ndefault allow', one, '/')).toBe('deny');
    expect(judged('deny path a\ndefault allow', one, '/')).toBe('deny');
  });

  it('is not known if there are several', () => {
    const one = called(...opens(1, '/w/project'), ...opens(2, '/w/other'));
    expect(judged('deny path /w/project/*\ndefault allow', one, '/')).toBe('cannot judge: folder');
  });
});

describe('a tool of a server', () => {
  it('runs or changes what its name says', () => {
    expect(['mcp__sh__run_command', 'files.bash', 'shell'].map(isShell)).toEqual([true, true, true]);
    expect(['mcp__fs__write_file', 'fs.edit', 'apply_patch'].map(isEditor)).toEqual([true, true, true]);
    expect(['mcp__tickets__create', 'mcp__calc__add', 'read_file'].map(isEditor)).toEqual([false, false, false]);
    expect(['python', 'mcp__py__run_code', 'js_repl'].map(isInterpreter)).toEqual([true, true, true]);
    expect(['run_tests', 'mcp__calc__add', 'evaluate_form'].map(isInterpreter)).toEqual([false, false, false]);
  });

  it('is not allowed by default if its arguments do not tell what', () => {
    const policy = 'deny command rm *\ndeny path *.env\ndefault allow';
    expect(judged(policy, row('mcp__sh__run_command', { line: 'rm x' }))).toBe('cannot judge: command');
    expect(judged(policy, row('mcp__fs__write_file', { location: '/w/.env' }))).toBe('cannot judge: path');
    expect(judged(policy, row('python', { code: 'os.remove("x")' }))).toBe('cannot judge: command');
    expect(judged(policy, row('mcp__calc__add', { a: 1 }))).toBe('allow');
  });

  it('is found in a hostile name, soon', () => {
    const name = `${'_'.repeat(100_000)}x`;
    expect([isShell(name), isEditor(name), isInterpreter(name)]).toEqual([false, false, false]);
  });
});
