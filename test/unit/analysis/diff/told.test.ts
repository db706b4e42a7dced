/** What a diff says and how often: small pairs of sessions, each with one difference. */
import { describe, expect, it } from 'vitest';
import { type DiffOptions, diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { matrixOf } from '../../../../lib/analysis/diff/matrix.ts';
import { type DiffSection, restrictTo, type SessionDiff } from '../../../../lib/analysis/diff/result.ts';
import { matrixText } from '../../../../lib/output/terminal/diff-matrix.ts';
import { diffStat } from '../../../../lib/output/terminal/diff-turns.ts';
import { diffText } from '../../../../lib/output/terminal/diff-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { a, c, exit, framesOf, type Step, signal } from '../../../support/check.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { CWD, played, type Script } from '../../../support/scripted.ts';

const STYLE = { columns: 100, theme: themeFor(false), full: false, beside: false };
const session = (name: string, steps: Step[]): Session => sessionInMemory(metadataFor(name), framesOf(steps));
const compared = (one: Step[], other: Step[], options: DiffOptions = {}): SessionDiff =>
  diffSessions(session('a', one), session('b', other), options);
/** What is told in a section, in one line each. */
const told = ({ entries }: SessionDiff, section: DiffSection): string[] =>
  entries.filter((entry) => entry.section === section).map(({ op, kind, what }) => `${op} ${kind} ${what}`.trim());
const textOf = (diff: SessionDiff): string[] => [...diffText(diff, STYLE)].join('').split('\n');

const rpc = (message: object) => ({ jsonrpc: '2.0', ...message });
const event = (type: string, payload: object = {}) => a(rpc({ method: 'event', params: { type, payload } }));
const says = (text: string) => event('ContentPart', { type: 'text', text });
const hello = [
  c(rpc({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } })),
  a(rpc({ id: 'i', result: { protocol_version: '1.10', server: { name: 'Kimi Code CLI', version: '1.49.0' } } })),
];
const turn = (id: string, inside: Step[], status = 'finished'): Step[] => [
  c(rpc({ id, method: 'prompt', params: { user_input: `do ${id}` } })),
  event('TurnBegin', { user_input: `do ${id}` }),
  event('StepBegin', { n: 1 }),
  ...inside,
  event('TurnEnd'),
  a(rpc({ id, result: { status } })),
];
const cancel = [c(rpc({ id: 'x', method: 'cancel', params: {} })), a(rpc({ id: 'x', result: {} }))];

describe('once', () => {
  it('a cancel is told, besides how the turn ended', () => {
    const diff = compared(
      [...hello, ...turn('p', [says('I begin.')])],
      [...hello, ...turn('p', [says('I begin.'), ...cancel], 'cancelled')],
    );
    expect(told(diff, 'conversation')).toEqual(['changed turn do p', 'added cancel']);
    expect(diff.entries[0]!.changes.map(({ path }) => path)).toEqual(['/status']);
  });

  it('a compaction is told, although it has a beginning and an end', () => {
    const compaction = [event('CompactionBegin'), event('CompactionEnd')];
    const diff = compared([...hello, ...turn('p', [])], [...hello, ...turn('p', [...compaction, ...compaction])]);
    expect(told(diff, 'conversation')).toEqual(['added compaction', 'added compaction']);
  });

  it('what an agent says of itself in every turn is told', () => {
    const init = (tools: string[], n: number) =>
      a({
        type: 'system',
        subtype: 'init',
        uuid: `u${n}`,
        session_id: 's1',
        cwd: '/',
        tools,
        model: 'mock',
        mcp_servers: [],
      });
    const talk = (tools: string[], turns: number) =>
      Array.from({ length: turns }, (_, n) => [
        c({ type: 'user', session_id: 's1', message: { role: 'user', content: `do ${n}` }, parent_tool_use_id: null }),
        init(tools, n),
        a({ type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's1', uuid: `r${n}` }),
      ]).flat();
    expect(told(compared(talk(['Bash'], 2), talk(['Bash'], 3)), 'handshake')).toEqual([]);
    const diff = compared(talk(['Bash', 'Read', 'Task'], 2), talk(['Read', 'Bash', 'Agent'], 2));
    expect(told(diff, 'handshake')).toEqual(['changed handshake system/init']);
    expect(diff.entries[0]!.changes.map(({ op, path }) => `${op} ${path}`)).toEqual([
      'removed /request/tools/2',
      'added /request/tools/2',
    ]);
  });
});

it('many elements are told by their names, and in full with --full', () => {
  const made = (names: string[]) => names.map((name) => ({ name, description: `${name} something`, aliases: ['x'] }));
  const offered = (names: string[]) => [
    hello[0]!,
    a(rpc({ id: 'i', result: { protocol_version: '1.10', slash_commands: made(names) } })),
  ];
  const diff = compared(offered(['init']), offered(['init', 'plan', 'export', 'import']));
  const lines = (full: boolean) => [...diffText(diff, { ...STYLE, full })].join('').split('\n');
  expect(
    lines(false)
      .slice(5, 9)
      .map((line) => line.trim()),
  ).toEqual([
    '+ /answer/slash_commands/* (names; --full for more)',
    '+ plan: plan something',
    '+ export: export something',
    '+ import: import something',
  ]);
  expect(lines(true).filter((line) => line.includes('aliases'))).toHaveLength(3);
});

it('a matrix tells once what many elements have, and stderr without colours', () => {
  const offered = (more: object, about: string) => [
    hello[0]!,
    a(
      rpc({
        id: 'i',
        result: { slash_commands: ['init', 'plan', 'export'].map((name) => ({ name, about, ...more })) },
      }),
    ),
    { from: 'stderr' as const, line: `\u001b[31m${about}\u001b[0m` },
  ];
  const first = session('a', offered({}, 'x'));
  const others = ['y', 'z'].map((about) => diffSessions(first, session(about, offered({ builtin: true }, about))));
  const rows = [...matrixText(matrixOf(others), STYLE)].join('').split('\n').slice(4);
  expect(rows.slice(0, 5)).toEqual([
    'handshake',
    '· b c  from 2  initialize  /answer/slash_commands/*/about (×3)',
    '       · x',
    '       b y',
    '       c z',
  ]);
  expect(rows).toContain('- b b  from 2  initialize  /answer/slash_commands/*/builtin (×3)');
  expect(rows).toContain('- b -  from 2  y');
  expect(rows.join('')).not.toContain('␛');
});

it('tokens that one session does not count are not none', () => {
  const counting = event('StatusUpdate', { token_usage: { input_other: 10, output: 2 } });
  const diff = compared([...hello, ...turn('p', [])], [...hello, ...turn('p', [counting])]);
  const [tokens] = diff.entries.filter(({ section }) => section === 'tokens');
  expect(tokens!.changes).toEqual([
    { op: 'added', path: '/input', a: null, b: 10 },
    { op: 'added', path: '/output', a: null, b: 2 },
  ]);
});

describe('apart', () => {
  it('errors that have nothing to do with each other', () => {
    const failed = (message: string) => [...hello, a(rpc({ id: null, error: { code: -32000, message } }))];
    expect(told(compared(failed('the model is not known'), failed('Invalid JSON')), 'conversation')).toEqual([
      'removed error the model is not known',
      'added error Invalid JSON',
    ]);
    expect(told(compared(failed('the model is not known'), failed('the model k2 is gone')), 'conversation')).toEqual([
      'changed error the model is not known',
    ]);
  });

  it('calls that have nothing to do with each other', () => {
    const calls = (tool: string, args: Record<string, unknown>): Script => [
      { prompt: 'go', steps: [[{ is: 'call', tool, args, asked: 'approve', result: 'ok' }]] },
    ];
    const [ls, ask] = [calls('Shell', { command: 'ls -l src' }), calls('Ask', { question: 'Which colour?' })];
    const diff = diffSessions(played(ls, 'acp', 1), played(ask, 'acp', 2));
    expect(told(diff, 'conversation')).toEqual([
      'removed tool-call Shell ls -l src',
      'added tool-call Ask Which colour?',
    ]);
    expect(told(diff, 'approvals')).toEqual([
      'removed approvals Shell: ls -l src',
      'added approvals Ask: Which colour?',
    ]);
  });

  it('findings of one rule, by severity and by whose fault they are', () => {
    const owed = [c(rpc({ id: 1, method: 'first' })), a(rpc({ id: 1, result: {} })), c(rpc({ id: 2, method: 'next' }))];
    const diff = compared([...owed, exit()], [...owed, signal, exit(null, 'SIGTERM')]);
    expect(told(diff, 'findings').map((line) => line.replace(/:.*/, ''))).toEqual([
      'removed findings error rpc-unanswered-by-agent (agent)',
      'added findings warning rpc-unanswered-by-agent (unknown)',
    ]);
  });

  it('what is outside of turns', () => {
    const lost = (message: string) => a(rpc({ id: null, error: { code: -32000, message } }));
    const both = (inside: string, ...after: Step[]) => [
      ...hello,
      ...turn('p', [says(inside)]),
      ...after,
      ...turn('q', []),
      ...after,
    ];
    const diff = compared(both('one'), both('two', lost('out of memory')));
    const headings = textOf(diff).filter((line) => /^[@+~] /.test(line));
    expect(headings).toEqual([
      '@ turn 1  do p',
      '~ step 1  text one  f6',
      '@ before turn 2',
      '+ error out of memory  f9',
      '@ after the last turn',
      '+ error out of memory  f15',
    ]);
    expect([...diffStat(diff, STYLE)].join('')).toContain('outside of turns  2 differences');
  });
});

describe('a call', () => {
  const calls = (id: string, name: string, input: object, parent: string | null = null) =>
    a({
      ...{ type: 'assistant', uuid: `u-${id}`, session_id: 's1', parent_tool_use_id: parent },
      message: { id: `m-${id}`, role: 'assistant', model: 'mock', content: [{ type: 'tool_use', id, name, input }] },
    });
  const asks = c({
    type: 'user',
    session_id: 's1',
    message: { role: 'user', content: 'go' },
    parent_tool_use_id: null,
  });
  const job = { description: 'sub job', prompt: 'run the command' };

  it('is recognised by what it was asked for, not by what a subagent did in it', () => {
    const shell = { command: 'echo tool-ran > out.txt && cat out.txt', description: 'echo and show' };
    const diff = compared(
      [asks, calls('t1', 'Task', job), calls('b1', 'Bash', shell)],
      [asks, calls('t1', 'Agent', job), calls('b1', 'Bash', shell, 't1')],
    );
    expect(told(diff, 'conversation')[0]).toBe('changed tool-call Task sub job');
  });

  it('of another tool is another call, unless it is given much the same', () => {
    const [file, job2] = ['/work/one/hello.txt', { description: 'sub two', prompt: 'write /work/one/hello.txt' }];
    const diff = compared(
      [asks, calls('t1', 'Agent', job2)],
      [asks, calls('t1', 'Write', { file_path: file, content: 'hello' })],
    );
    expect(told(diff, 'conversation')).toEqual(['removed tool-call Agent sub two', `added tool-call Write ${file}`]);
    const renamed = compared([asks, calls('t1', 'Agent', job2)], [asks, calls('t1', 'Task', job2)]);
    expect(told(renamed, 'conversation')).toEqual(['changed tool-call Agent sub two']);
  });

  it('has notices about it that no subagent gave', () => {
    const done = (summary: string) => [
      ...[asks, calls('b1', 'Bash', { command: 'sleep 2', run_in_background: true })],
      a({
        ...{ type: 'system', subtype: 'task_notification', task_id: 'k1', tool_use_id: 'b1', status: 'completed' },
        ...{ summary, uuid: 'n1', session_id: 's1' },
      }),
    ];
    const lines = textOf(compared(done('Late is over'), done('It is late')));
    expect(lines.filter((line) => line.startsWith('~'))).toEqual(['~ notice completed Late is over  f3']);
  });

  it('tells once what a subagent was asked', () => {
    const asked = (prompt: string) => [
      ...[asks, calls('t1', 'Task', { ...job, prompt })],
      a({
        ...{ type: 'user', uuid: 'u-s1', session_id: 's1', parent_tool_use_id: 't1' },
        message: { role: 'user', content: [{ type: 'text', text: prompt }] },
      }),
      calls('b1', 'Bash', { command: 'ls' }, 't1'),
    ];
    const diff = compared(asked('run the command'), asked('run the command again'));
    expect(told(diff, 'conversation')).toEqual(['changed tool-call Task sub job']);
  });

  it('that is equal to another is recognised by what a subagent did in it', () => {
    const both = (first: string, second: string) => [
      ...[asks, calls('t1', 'Task', job), calls('t2', 'Task', job)],
      ...[calls('b1', 'Bash', { command: first }, 't1'), calls('b2', 'Bash', { command: second }, 't2')],
    ];
    const diff = compared(both('make the tests', 'read the log'), both('read the log file', 'make all the tests'));
    expect(diff.entries.map(({ what, changes }) => [what, changes[0]?.a, changes[0]?.b])).toEqual([
      ['Bash make the tests', 'make the tests', 'make all the tests'],
      ['Bash read the log', 'read the log', 'read the log file'],
    ]);
  });
});

describe('not', () => {
  const err = (line: string): Step => ({ from: 'stderr', line });

  it('colours on stderr', () => {
    const diff = compared(
      [...hello, err('\u001b[33mWARN\u001b[0m slow')],
      [...hello, err('WARN slow'), err('\u001b[0m')],
    );
    expect(told(diff, 'stderr')).toEqual([]);
  });

  it('ids in what a finding says', () => {
    const heard = [c(rpc({ id: 1, method: 'first' })), a(rpc({ id: 1, result: {} }))];
    const owed = c(rpc({ id: 2, method: 'next/0f8fad5b-d9cb-469f-a165-70867728950e' }));
    const [said] = told(compared(heard, [...heard, owed, exit()]), 'findings');
    expect(said).toContain('next/…');
  });

  it('the folder of the agent in what an entry is called', () => {
    const script = (word: string): Script => [
      { prompt: `see ${CWD}`, steps: [[{ is: 'text', text: `${word} ${CWD}/a.txt` }]] },
    ];
    const diff = diffSessions(played(script('in'), 'wire', 1), played(script('not in'), 'wire', 2));
    expect(told(diff, 'conversation')).toEqual(['changed text in <cwd>/a.txt']);
    expect(diff.turns.map(({ what }) => what)).toEqual(['see <cwd>']);
  });
});

it('the answer to a request that came too late is no invalid one', () => {
  const request = {
    ...{ id: 'r1', tool_call_id: 'c1', sender: 'Shell', action: 'run', description: 'Run ls', display: [] },
  };
  const asked = [
    event('ToolCall', { type: 'function', id: 'c1', function: { name: 'Shell', arguments: '{"command":"ls"}' } }),
    a(rpc({ method: 'request', id: 'r1', params: { type: 'ApprovalRequest', payload: request } })),
  ];
  const answer = (response: string) => c(rpc({ id: 'r1', result: { request_id: 'r1', response } }));
  const decision = (step: Step, isLate: boolean) => {
    const whole = isLate ? [...turn('p', asked), step] : turn('p', [...asked, step]);
    const [change] = compared([...hello, ...turn('p', asked)], [...hello, ...whole])
      .entries.filter(({ kind }) => kind === 'approval')
      .flatMap(({ changes }) => changes.filter(({ path }) => path === '/decision'));
    return change?.b;
  };
  expect(decision(answer('approve'), true)).toBe('late');
  expect(decision(answer('perhaps'), false)).toBe('invalid');
  expect(decision(answer('approve'), false)).toBe('allow');
});

it('masked differences are as many as the last line says', () => {
  const script: Script = [
    { prompt: 'go', steps: [[{ is: 'call', tool: 'Shell', args: { command: 'ls' }, asked: 'approve', result: CWD }]] },
  ];
  const diff = (options: DiffOptions) => diffSessions(played(script, 'wire', 1), played(script, 'wire', 2), options);
  const shown = diff({ showMasked: true });
  expect(shown.entries.filter(({ masked }) => masked).length).toBe(shown.masked);
  expect(textOf(shown).at(-2)).toBe(`no differences; ${shown.masked} only in masked values`);
  expect(textOf(diff({})).at(-2)).toBe('no differences; some only in masked values (--show-masked)');
  expect(textOf(restrictTo(diff({}), ['handshake'])).at(-2)).toBe('no differences');
});
