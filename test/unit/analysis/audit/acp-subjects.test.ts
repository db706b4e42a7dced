/** What ACP agents say of a call outside its arguments: its command, its files, and the name of its tool. */
import { describe, expect, it } from 'vitest';
import { describeAsked, describeRan, whatRan } from '../../../../lib/analysis/audit/describe-row.ts';
import { ApprovalGroups } from '../../../../lib/analysis/audit/groups.ts';
import { commandOf, pathsOf, toolName } from '../../../../lib/analysis/audit/subject.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

const opened: Said[] = [
  ['client', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
  ['agent', answer(1, { sessionId: 's' })],
  ['client', ask(2, 'session/prompt', { sessionId: 's', prompt: [] })],
];
const update = (sessionUpdate: string, more: object): Said => [
  'agent',
  tell('session/update', { sessionId: 's', update: { sessionUpdate, toolCallId: 'c', ...more } }),
];
/** A call that was announced so, changed so, and ran. */
function called(announced: object, ...changes: object[]) {
  const { toolCallId = 'c' } = announced as { toolCallId?: string };
  return $.rowOf(
    $.auditSaid(acp, [
      ...opened,
      update('tool_call', { status: 'pending', ...announced }),
      ...changes.map((more) => update('tool_call_update', { toolCallId, ...more })),
      update('tool_call_update', { toolCallId, status: 'completed' }),
      ['agent', answer(2, { stopReason: 'end_turn' })],
    ]),
  );
}
const text = (said: string) => [{ type: 'content', content: { type: 'text', text: said } }];
const gemini = 'run_shell_command-1794853397489';

describe('the command of a call', () => {
  it.each<[string, object, string | null]>([
    ['in rawInput', { kind: 'execute', title: 'Tests', rawInput: { command: 'npm test' } }, 'npm test'],
    ['in the title, if the id names a shell', { kind: 'execute', title: 'npm test', toolCallId: gemini }, 'npm test'],
    ['in backticks', { kind: 'execute', title: '`npm test`' }, 'npm test'],
    [
      'after a dollar',
      { kind: 'execute', title: 'terminal: npm …', content: text('$ npm test\n--all') },
      'npm test\n--all',
    ],
    ['after a dollar, below', { kind: 'execute', title: 'x', content: text('danger\n$ npm test') }, 'npm test'],
    ['not in a title that only speaks of it', { kind: 'execute', title: 'Run the tests' }, null],
    ['not in a title that is cut', { kind: 'execute', title: 'npm test …', toolCallId: gemini }, null],
    ['not in backticks that are cut', { kind: 'execute', title: '`npm test …`' }, null],
    ['not after a dollar if it is cut', { kind: 'execute', title: 'x', content: text('$ npm test...') }, null],
    [
      'after a dollar, with dots of its own',
      { kind: 'execute', title: 'x', content: text('$ go test ./...') },
      'go test ./...',
    ],
    ['not in a title with a remark', { kind: 'execute', title: 'npm test (All)', toolCallId: gemini }, null],
    ['not in the title of an edit', { kind: 'edit', title: '`npm test`', locations: [{ path: '/a' }] }, null],
  ])('is %s', (_, announced, command) => {
    expect(commandOf(called(announced))).toBe(command);
  });

  it('stays known if a later input does not have it', () => {
    const row = called(
      { kind: 'execute', title: 'x', rawInput: { command: 'npm test' } },
      { rawInput: { timeout: 1 } },
    );
    expect(commandOf(row)).toBe('npm test');
  });

  it('is read from an input that comes only with the result', () => {
    const ended = { status: 'completed', rawInput: { command: 'npm test' } };
    const row = called({ kind: 'execute', title: 'Terminal', rawInput: {} }, ended);
    expect(commandOf(row)).toBe('npm test');
    expect(describeRan(row)).toBe('$ npm test');
  });

  it('is another one if the result says so', () => {
    const ended = { status: 'completed', rawInput: { command: 'rm x' } };
    const row = called({ kind: 'execute', title: 'x', rawInput: { command: 'ls' } }, ended);
    expect(commandOf(row)).toBe('rm x');
    expect(whatRan(row)).toBe('rm x');
  });

  it('stays known after the result, and is not looked for in what follows', () => {
    const done = { status: 'completed' };
    const row = called({ kind: 'execute', title: 'npm test', toolCallId: gemini }, done, { title: 'rm x' }, done);
    expect(commandOf(row)).toBe('npm test');
  });

  it('is not known if it is too long to keep', () => {
    const row = called({ kind: 'execute', title: 'x', content: text(`$ ${'a'.repeat(1 << 17)}`) });
    expect([commandOf(row), row.subject?.title]).toEqual([null, 'x']);
  });

  it('is not what it prints', () => {
    expect(commandOf(called({ kind: 'execute', title: 'x y' }, { content: text('$ rm -rf x') }))).toBeNull();
  });
});

it('the kind of a call may come later', () => {
  const row = called({ title: 'x' }, { kind: 'execute', rawInput: { command: 'npm test' } });
  expect([$.words(row), row.action, commandOf(row)]).toEqual(['unasked agent - yes f6 []', 'execute', 'npm test']);
});

describe('the arguments of a call of MCP, which Gemini only has as a text in its request', () => {
  const id = 'mcp_x_exec__mcp_x_exec_1794853397489_0';
  const asked = (said: string, announced: object = {}) => {
    const toolCall = { toolCallId: id, kind: 'other', title: 'exec (x MCP Server)', content: text(said) };
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    return $.rowOf(
      $.auditSaid(acp, [
        ...opened,
        ...('rawInput' in announced ? [update('tool_call', { ...toolCall, content: [], ...announced })] : []),
        ['agent', ask(5, 'session/request_permission', { sessionId: 's', toolCall, options })],
        ['client', answer(5, { outcome: { outcome: 'selected', optionId: 'y' } })],
        update('tool_call_update', { toolCallId: id, status: 'completed' }),
      ]),
    );
  };

  it.each<[string, unknown, string | null, string[]]>([
    ['{"cmd":"rm x"}', { cmd: 'rm x' }, 'rm x', []],
    ['{"path":"/a/.env"}', { path: '/a/.env' }, null, ['/a/.env']],
    ['{"a":2,"b":40}', { a: 2, b: 40 }, null, []],
    ['{"cmd":"rm x"', null, null, []],
    ['{} is empty', null, null, []],
    ['["rm x"]', null, null, []],
  ])('%s', (said, args, command, paths) => {
    const row = asked(said);
    expect([row.arguments, row.executed_arguments, commandOf(row), pathsOf(row)]).toEqual([args, args, command, paths]);
  });

  it('are not read from a text if the call had its own before', () => {
    expect(commandOf(asked('{"cmd":"rm x"}', { rawInput: { cmd: 'ls' } }))).toBe('ls');
  });
});

describe('the files of a call', () => {
  it.each<[string, object, string[]]>([
    ['in rawInput', { kind: 'edit', title: 'x', rawInput: { fileName: '/a' } }, ['/a']],
    ['in locations', { kind: 'edit', title: 'x', locations: [{ path: '/a' }, { path: '/b' }] }, ['/a', '/b']],
    ['in diffs', { kind: 'edit', title: 'x', content: [{ type: 'diff', path: '/a', newText: 'x' }] }, ['/a']],
    [
      'in all of them, once',
      { kind: 'edit', title: 'x', rawInput: { path: '/a' }, locations: [{ path: '/a' }, { path: '/b' }] },
      ['/a', '/b'],
    ],
  ])('are %s', (_, announced, paths) => {
    expect(pathsOf(called(announced))).toEqual(paths);
  });

  it('are not the folder in which a command runs', () => {
    const announced = {
      kind: 'execute',
      title: 'x',
      rawInput: { command: 'ls', cwd: '/w' },
      locations: [{ path: '/w' }],
    };
    expect(pathsOf(called(announced))).toEqual([]);
  });

  it('may come with the result', () => {
    expect(pathsOf(called({ kind: 'edit', title: 'x' }, { status: 'completed', locations: [{ path: '/a' }] }))).toEqual(
      ['/a'],
    );
  });
});

describe('the name of a tool', () => {
  const name = (announced: object) => toolName(called({ kind: 'execute', ...announced }));

  it('is not its title', () => {
    expect(name({ title: 'npm test', rawInput: { command: 'npm test' } })).toBeNull();
    expect(name({ title: 'Tick', rawInput: { command: 'sleep 1', description: 'Tick' } })).toBeNull();
    expect(name({ title: 'ls', rawInput: { command: 'ls' } })).toBeNull();
    expect(name({ title: 'ls' })).toBeNull();
  });

  it('is in the id, in `_meta`, before the command, or the title if that is only a name', () => {
    expect(name({ title: 'ls', toolCallId: gemini })).toBe('run_shell_command');
    expect(name({ title: 'ls', toolCallId: 'run_shell_command__run_shell_command_1794853397489_0' })).toBe(
      'run_shell_command',
    );
    expect(name({ title: 'ls', toolCallId: 'call_179485339748900', rawInput: { command: 'ls' } })).toBeNull();
    expect(name({ title: 'ls', _meta: { toolName: 'Bash' } })).toBe('Bash');
    expect(name({ title: 'terminal: npm test', content: text('$ npm test') })).toBe('terminal');
    expect(name({ title: 'bash', rawInput: { command: 'ls' } })).toBe('bash');
  });

  it('is found to be missing in a hostile id, soon', () => {
    const toolCallId = `a_123456789012${'_a'.repeat(90)}!`;
    expect(name({ title: 'a b', toolCallId })).toBeNull();
  });

  it.each([
    ['gemini-cli-0.61.0-acp/allow', 'run_shell_command'],
    ['gemini-cli-0.61.0-acp/edit', 'replace'],
    ['copilot-1.0.102-acp/write', 'edit'],
    ['copilot-1.0.102-acp/agent', 'execute'],
    ['codex-acp-2.6.0/write', 'edit'],
    ['hermes-0.19.0-acp/danger', 'terminal'],
    ['opencode-1.18.33-acp/allow', 'bash'],
  ])('is in sums by tool, or else the kind of the call: %s', (tape, tool) => {
    const groups = new ApprovalGroups(['tool']);
    const session = { cwd: '/w', client: null, agent: null, startedAt: 0 };
    for (const row of $.auditTape(`${fixtures}${tape}.jsonl`).rows) groups.add(session, row);
    expect(groups.all.map(({ values }) => values)).toEqual([[tool]]);
  });
});

it.each([
  ['gemini-cli-0.61.0-acp/allow', '$ echo tool-ran > out.txt && cat out.txt'],
  ['codex-acp-2.6.0/write', '/home/dev/project/acp/codex-acp-2.6.0-write/hello.txt'],
])('a row says it: %s', (tape, what) => {
  expect($.auditTape(`${fixtures}${tape}.jsonl`).rows.map((row) => describeAsked(row) || describeRan(row))).toEqual([
    what,
  ]);
});

it('the same command under another title is the same action', () => {
  const asks = (id: number, toolCallId: string, title: string, optionId: string): Said[] => [
    update('tool_call', { toolCallId, kind: 'execute', title, rawInput: { command: 'rm x' } }),
    [
      'agent',
      ask(id, 'session/request_permission', {
        ...{ sessionId: 's', toolCall: { toolCallId } },
        options: [
          { optionId: 'y', name: 'Yes', kind: 'allow_once' },
          { optionId: 'n', name: 'No', kind: 'reject_once' },
        ],
      }),
    ],
    ['client', answer(id, { outcome: { outcome: 'selected', optionId } })],
    update('tool_call_update', { toolCallId, status: optionId === 'y' ? 'completed' : 'failed' }),
  ];
  const said = [...opened, ...asks(5, 'a', 'Remove it', 'n'), ...asks(6, 'b', 'Delete the file', 'y')];
  expect($.auditSaid(acp, said).rows.map(({ flags }) => flags)).toEqual([[], ['ran-after-deny']]);
});
