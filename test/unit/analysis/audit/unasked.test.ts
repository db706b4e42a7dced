/** Calls that nobody was asked about: which should have been, which a grant covers, and when nobody has to be asked. */

import { describe, expect, it } from 'vitest';
import { grantsIn } from '../../../../lib/analysis/audit/sum.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { kimiCode } from '../../../../lib/dialects/kimi-code/index.ts';
import { kimiPrint } from '../../../../lib/dialects/kimi-print/index.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

const turn = (id: string, ...inside: Said[]): Said[] => [$.prompts(id), $.begins(id), ...inside, $.finishes(id)];
const ran = (id: string, tool = 'Shell', args?: object): Said[] => [$.calls(id, tool, args), $.results(id)];
const granted = (id: string): Said[] => [
  ...[$.calls(id), $.wants(`r-${id}`, id), $.decides(`r-${id}`, 'approve_for_session')],
  ...[$.resolves(`r-${id}`, 'approve_for_session'), $.results(id)],
];
const wordsOf = ({ rows }: $.Audited) => rows.map((row) => `${row.tool_call_id} ${$.words(row)}`);

describe('a call that nobody was asked about', () => {
  it('is a row if it writes or runs something and succeeded', () => {
    const audited = $.auditWire(
      turn('p', ...ran('a'), ...ran('b', 'WriteFile', { path: 'x' }), ...ran('c', 'ReadFile')),
    );
    expect(wordsOf(audited)).toEqual(['a unasked agent - yes f4 []', 'b unasked agent - yes f6 []']);
    expect(audited.rows[1]).toMatchObject({
      ...{ f: 5, n: 0, t: 4, kind: 'approval', turn: 1, tool: 'WriteFile', request_id: null, wait: null },
      ...{ arguments: { path: 'x' }, executed_arguments: { path: 'x' }, result: 'ok', run: 0 },
    });
  });

  it('ran as long as its result took, and no time is given if it has none', () => {
    const failed = [$.calls('b'), $.results('b', true, 'Something went wrong')];
    const note = $.says('ContentPart', { type: 'text', text: 'Listing.' });
    const { rows } = $.auditWire(turn('p', $.calls('a'), note, $.results('a'), ...failed));
    expect(rows.map(({ tool_call_id: id, executed, run }) => [id, executed, run])).toEqual([
      ['a', 'yes', 1],
      ['b', 'unknown', null],
    ]);
  });

  it('is none if it never began, if the client runs it, or if it lets another agent do the work', () => {
    const own: Said[] = [
      ...[$.calls('a', 'Shell'), $.asks('a', 'ToolCallRequest', { name: 'Shell', arguments: '{}' })],
      ...[$.replies('a', { tool_call_id: 'a', return_value: { is_error: false, output: '' } }), $.results('a')],
    ];
    const bad = [
      $.says('ToolCall', { type: 'function', id: 'x', function: { name: 'Shell', arguments: '{bad' } }),
      $.results('x', true, 'Error parsing JSON arguments'),
    ];
    const edit = [$.calls('y', 'WriteFile'), $.results('y', true, 'Plan mode is active.')];
    const { rows } = $.auditWire(turn('p', ...bad, ...edit, ...own, ...ran('b', 'Task')));
    expect(rows.map(({ kind }) => kind)).toEqual(['client-call']);
  });

  it('is a row if it failed by itself, and if nobody can tell whether it began', () => {
    const failed = (id: string, text: string) => [$.calls(id), $.results(id, true, text)];
    const audited = $.auditWire(
      turn('p', ...failed('a', 'Command failed with exit code: 3.'), ...failed('b', 'Something went wrong')),
    );
    expect(wordsOf(audited)).toEqual(['a unasked agent - yes f4 [error-result]', 'b unasked agent - unknown f6 []']);
    expect(audited.rows[1]).toMatchObject({ arguments: { command: 'ls' }, executed_arguments: null });
  });

  it('is a row if the tool was asked about elsewhere, before or after', () => {
    const asked = (id: string): Said[] => [
      ...[$.calls(id, 'ping'), $.wants(`r-${id}`, id, { sender: 'ping', action: 'mcp:ping' })],
      ...[$.decides(`r-${id}`, 'approve'), $.resolves(`r-${id}`, 'approve'), $.results(id)],
    ];
    const audited = $.auditWire(
      turn('p', ...ran('a', 'ping'), ...asked('b'), ...ran('c', 'ping'), ...ran('d', 'pong')),
    );
    expect(wordsOf(audited)).toEqual([
      'a unasked agent - yes f4 []',
      'b allow client f7 yes f9 []',
      'c unasked agent - yes f11 []',
    ]);
  });

  it('is one row each, where a line announces several', () => {
    const content = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'edit', input: { id } }));
    const results = ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }));
    const { rows } = $.auditSaid(streamJson, [
      ['client', { type: 'user', message: { content: 'go' } }],
      ['agent', { type: 'system', subtype: 'init', permission_mode: 'default' }],
      ['agent', { type: 'assistant', message: { id: 'm', content } }],
      ['agent', { type: 'user', message: { content: results } }],
    ]);
    expect(rows.map(({ f, n, tool_call_id }) => [f, n, tool_call_id])).toEqual([
      [3, 0, 'a'],
      [3, 1, 'b'],
    ]);
  });

  it('is said to be of a session that was resumed', () => {
    for (const option of ['--continue', '--session=x', '--resume']) {
      const audited = $.auditWire(turn('p', ...ran('a')), ['kimi', '--wire', option]);
      expect(wordsOf(audited)).toEqual(['a unasked agent - yes f4 [resumed]']);
    }
  });

  it('cannot be told from a log that has only what the agent said', () => {
    const lines = [$.begins('p'), ...ran('a'), ...granted('b').slice(0, 2), ...granted('b').slice(3), ...ran('c')];
    const audited = $.auditWire([...lines, $.says('TurnEnd', {})], []);
    expect(wordsOf(audited)).toEqual([
      'a unknown unknown - yes f3 [unheard]',
      'b allow-always unknown - yes f7 [grant unheard]',
      'c unknown grant f6 yes f9 [under-grant unheard]',
    ]);
    expect(audited.audit.hasClientSide).toBe(false);
  });

  it('is told from a recording in which the client says nothing', () => {
    const frames = $.sessionOf([$.begins('p'), ...ran('a')]);
    const spawned = { ...frames[0]!, from: 'proc' as const, form: 'event' as const, event: 'spawn', detail: {} };
    const shifted = frames.map((frame) => ({ ...frame, f: frame.f + 1 }));
    const { rows } = $.auditFrames(wire, [spawned, ...shifted], ['kimi']);
    expect(rows.map($.words)).toEqual(['unasked agent - yes f4 []']);
  });

  it('is none where the client itself calls', () => {
    const { rows } = $.auditSaid(mcp, [
      ['client', ask(1, 'tools/call', { name: 'Shell', arguments: {} })],
      ['agent', answer(1, { content: [] })],
    ]);
    expect(rows).toEqual([]);
  });

  it("is a row if the agent's own rules refused it", () => {
    const { rows } = $.auditSaid(streamJson, [
      ['client', { type: 'user', message: { content: 'go' } }],
      ['agent', { type: 'system', subtype: 'init', permission_mode: 'plan' }],
      ['agent', { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'a', name: 'edit', input: {} }] } }],
      ['agent', { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] } }],
      ['agent', { type: 'result', subtype: 'success', permission_denials: [{ tool_name: 'edit', tool_use_id: 'a' }] }],
    ]);
    expect(rows.map($.words)).toEqual(['unasked agent - no f4 [mode:plan rule-denied]']);
    expect(rows[0]).toMatchObject({ result: 'error', executed_arguments: null });
  });
});

describe('a standing grant', () => {
  it('covers later calls of its action, in later turns too', () => {
    const audited = $.auditWire([
      ...turn('p', ...granted('a'), ...ran('b')),
      ...turn('q', ...ran('c'), ...ran('d', 'WriteFile')),
    ]);
    expect(wordsOf(audited)).toEqual([
      'a allow-always client f5 yes f7 [grant]',
      'b unasked grant f5 yes f9 [under-grant]',
      'c unasked grant f5 yes f14 [under-grant]',
      'd unasked agent - yes f16 []',
    ]);
    expect(audited.rows.map(({ grant_f }) => grant_f)).toEqual([null, 4, 4, null]);
    expect(grantsIn(audited.rows)).toMatchObject([{ f: 4, covered: [8, 13] }]);
  });

  it('covers what is free anyway', () => {
    const yolo: Said[] = turn('/yolo', $.says('ContentPart', { type: 'text', text: 'You only live once! All' }));
    const audited = $.auditWire([
      ...turn('p', ...granted('a')),
      ...yolo,
      ...turn('q', ...ran('b'), ...ran('c', 'WriteFile')),
    ]);
    expect(wordsOf(audited)).toEqual([
      'a allow-always client f5 yes f7 [grant]',
      'b unasked grant f5 yes f16 [under-grant]',
      'c unasked mode - yes f18 []',
    ]);
    expect(audited.rows.map(({ mode }) => mode)).toEqual([null, 'yolo', 'yolo']);
  });

  it('of one editor covers another that was never asked about', () => {
    const write: Said[] = [
      ...[$.calls('a', 'WriteFile'), $.wants('r', 'a', { sender: 'WriteFile', action: 'edit file' })],
      ...[$.decides('r', 'approve_for_session'), $.resolves('r', 'approve_for_session'), $.results('a')],
    ];
    const audited = $.auditWire(turn('p', ...write, ...ran('b', 'StrReplaceFile')));
    expect(wordsOf(audited)[1]).toBe('b unasked grant f5 yes f9 [under-grant]');
  });

  it('of ACP has the words of its option, and covers the same kind of call', () => {
    const update = (more: object): Said => ['agent', tell('session/update', { sessionId: 's', update: more })];
    const options = [{ optionId: 'always', name: 'Allow All Edits', kind: 'allow_always' }];
    const call = (toolCallId: string, kind: string) => ({ toolCallId, title: `do ${toolCallId}`, kind, rawInput: {} });
    const done = (toolCallId: string) => update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    const { rows } = $.auditSaid(acp, [
      ['client', ask(1, 'session/prompt', { sessionId: 's', prompt: [] })],
      ['agent', ask(0, 'session/request_permission', { sessionId: 's', options, toolCall: call('a', 'edit') })],
      ['client', answer(0, { outcome: { outcome: 'selected', optionId: 'always' } })],
      done('a'),
      update({ sessionUpdate: 'tool_call', ...call('b', 'edit') }),
      done('b'),
      update({ sessionUpdate: 'tool_call', ...call('c', 'execute') }),
      done('c'),
      done('c'),
    ]);
    expect(rows.map($.words)).toEqual([
      'allow-always client f3 yes f4 [before-call grant]',
      'unasked grant f3 yes f6 [under-grant]',
      'unasked agent - yes f8 []',
    ]);
    expect(grantsIn(rows)).toMatchObject([{ f: 2, scope: 'Allow All Edits', covered: [5] }]);
  });
});

describe('a bypass', () => {
  it.each(['--yolo', '-y', '--yes', '--auto-approve', '--afk', '--print'])('is %s', (option) => {
    const audited = $.auditWire(turn('p', ...ran('a'), ...ran('b', 'ReadFile')), ['kimi', '--wire', option]);
    expect(wordsOf(audited)).toEqual(['a unasked mode - yes f4 []']);
    expect(audited.rows[0]!.mode).toBe(/afk|print/.exec(option)?.[0] ?? 'yolo');
    expect(audited.audit.bypass).toMatchObject([{ from: 0, to: null, frees: 'all' }]);
  });

  it.each([
    ['denied', 'run'],
    ['shell', 'all'],
  ])('is no leave to run in a run that can ask nobody: copilot-1.0.102-json/%s', (tape, frees) => {
    expect($.auditTape(`${fixtures}copilot-1.0.102-json/${tape}.jsonl`).audit.bypass).toMatchObject([{ frees }]);
  });

  it.each([
    ['/yolo', ['You only live', ' once! Be careful.'], ['You only die once! Approvals are back.']],
    ['/afk', ['afk mode enabled.'], ['afk mode disabled.']],
  ])('is switched by %s', (command, on, off) => {
    const says = (texts: string[]) => texts.map((text) => $.says('ContentPart', { type: 'text', text }));
    const audited = $.auditWire([
      ...turn('p', ...says(on), ...ran('a')),
      ...turn(command, ...says(on)),
      ...turn('q', ...ran('b')),
      ...turn(`${command} `, ...says(off)),
      ...turn('r', ...ran('c')),
    ]);
    expect(audited.rows.map(({ tool_call_id, by }) => `${tool_call_id} ${by}`)).toEqual([
      'a agent',
      'b mode',
      'c agent',
    ]);
    expect(audited.audit.bypass).toMatchObject([{ mode: command.slice(1), frees: 'all', to: expect.any(Number) }]);
  });

  it('is switched by set_yolo_mode, and not by set_plan_mode', () => {
    const set = (method: string, key: string, on: boolean): Said[] => [
      ['client', ask(`${method}${on}`, method, { enabled: on })],
      ['agent', answer(`${method}${on}`, { status: 'ok', [key]: on })],
    ];
    const audited = $.auditWire([
      ...set('set_yolo_mode', 'yolo_mode', true),
      ...turn('p', ...ran('a')),
      ...set('set_plan_mode', 'plan_mode', true),
      ...set('set_plan_mode', 'plan_mode', false),
      ...turn('q', ...ran('b')),
      ...set('set_yolo_mode', 'yolo_mode', false),
      ...turn('r', ...ran('c')),
    ]);
    expect(wordsOf(audited)).toEqual([
      'a unasked mode - yes f6 []',
      'b unasked mode - yes f15 []',
      'c unasked agent - yes f22 []',
    ]);
  });

  it('is not plan mode, which is told', () => {
    const leave = (text: string): Said[] => [$.calls('x', 'ExitPlanMode'), $.results('x', false, text)];
    const audited = $.auditWire(
      turn(
        'p',
        ...[$.calls('e', 'EnterPlanMode'), $.results('e', false, 'Plan mode activated.'), ...ran('a', 'WriteFile')],
        ...[...leave('Stay in plan mode.'), ...ran('b', 'WriteFile')],
        ...[...leave('Plan mode deactivated.'), ...ran('c', 'WriteFile')],
      ),
    );
    expect(wordsOf(audited).map((text) => text.replace(/f\d+/, 'f'))).toEqual([
      'a unasked agent - yes f [plan-mode]',
      'b unasked agent - yes f [plan-mode]',
      'c unasked agent - yes f []',
    ]);
  });

  const stream = (mode: string | null, command: string[], ...more: Said[]) => {
    const tool = (id: string, name: string): Said[] => [
      ['agent', { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input: {} }] } }],
      ['agent', { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] } }],
    ];
    return $.auditSaid(
      streamJson,
      [
        ['client', { type: 'user', message: { content: 'go' } }],
        ['agent', { type: 'system', subtype: 'init', ...(mode === null ? {} : { permission_mode: mode }) }],
        ...more,
        ...tool('w', 'write_file'),
        ...tool('s', 'run_shell_command'),
      ],
      command,
    ).rows.map(({ tool_call_id, by, mode, flags }) => `${tool_call_id} ${by} ${mode} ${flags.join(' ')}`.trim());
  };

  /** Where somebody should have been asked. */
  const ASKED = ['w agent default', 's agent default'];

  it('is a mode in stream-json: all, only edits, or none', () => {
    expect(stream('yolo', [])).toEqual(['w mode yolo', 's mode yolo']);
    expect(stream('bypassPermissions', [])).toEqual(['w mode bypassPermissions', 's mode bypassPermissions']);
    expect(stream('auto-edit', [])).toEqual(['w mode auto-edit', 's agent auto-edit mode:auto-edit']);
    expect(stream('acceptEdits', [])).toEqual(['w mode acceptEdits', 's agent acceptEdits mode:acceptEdits']);
    expect(stream('auto', [])).toEqual(['w agent auto mode:auto', 's agent auto mode:auto']);
    expect(stream('default', [])).toEqual(ASKED);
  });

  it('is what the agent says, else what its command line says', () => {
    const yolo = ['w mode yolo', 's mode yolo'];
    expect(stream(null, ['qwen', '--approval-mode', 'yolo'])).toEqual(yolo);
    expect(stream(null, ['qwen', '--approval-mode=auto-edit'])[0]).toBe('w mode auto-edit');
    expect(stream(null, ['qwen', '-y'])).toEqual(yolo);
    expect(stream('default', ['qwen', '--yolo'])).toEqual(ASKED);
    const set: Said[] = [
      [
        'client',
        { type: 'control_request', request_id: 'x', request: { subtype: 'set_permission_mode', mode: 'yolo' } },
      ],
      ['agent', { type: 'control_response', response: { subtype: 'success', request_id: 'x', response: {} } }],
    ];
    expect(stream('default', [], ...set)).toEqual(yolo);
    expect(stream('default', [], set[0]!)).toEqual(ASKED);
  });

  it('is chosen by switches, not by a mode, in Wire', () => {
    const { audit, rows } = $.auditWire(turn('p', ...ran('a')), ['kimi', '--wire', '--approval-mode', 'yolo']);
    expect([audit.mode, audit.bypass, rows.map(({ by }) => by)]).toEqual([null, [], ['agent']]);
    const switched = $.auditWire(turn('p', ...ran('a')), ['kimi', '--wire', '--yes', '--afk']);
    expect(switched.rows.map(({ by, mode }) => [by, mode])).toEqual([['mode', 'yolo']]);
  });

  it('goes on while kimi-code plans', () => {
    const records = ['plan_mode.enter', 'plan_mode.exit'].map((type): Said => ['agent', { type }]);
    const { audit } = $.auditSaid(kimiCode, [['agent', { type: 'permission.set_mode', mode: 'yolo' }], ...records]);
    expect(audit.mode).toBe('yolo');
    expect(audit.bypass).toEqual([{ from: 1, to: null, mode: 'yolo', frees: 'all' }]);
  });

  it('is a mode in ACP', () => {
    const session = (currentModeId: string, ...more: Said[]) =>
      $.auditSaid(acp, [
        ['client', ask(0, 'session/new', { cwd: '/' })],
        ['agent', answer(0, { sessionId: 's', modes: { currentModeId } })],
        ...more,
        ['client', ask(1, 'session/prompt', { sessionId: 's', prompt: [] })],
        ['agent', tell('session/update', { sessionId: 's', update: told('tool_call', 'pending') })],
        ['agent', tell('session/update', { sessionId: 's', update: told('tool_call_update', 'completed') })],
      ]).rows.map(({ by, mode, flags }) => [by, mode, ...flags].join(' '));
    const told = (sessionUpdate: string, status: string) => ({
      ...{ sessionUpdate, status, toolCallId: 'a', title: 'x', kind: 'edit', rawInput: {} },
    });
    const set = (modeId: string): Said[] => [
      ['client', ask(9, 'session/set_mode', { sessionId: 's', modeId })],
      ['agent', answer(9, {})],
    ];
    expect(session('default')).toEqual(['agent default']);
    expect(session('yolo')).toEqual(['mode yolo']);
    expect(session('auto-edit')).toEqual(['mode auto-edit']);
    expect(session('yolo', ...set('plan'))).toEqual(['agent plan mode:plan']);
    expect(session('default', ...set('yolo'))).toEqual(['mode yolo']);
  });

  it('is a run of kimi that nobody can answer', () => {
    const call = { id: 'a', function: { name: 'Bash', arguments: '{}' } };
    const lines: Said[] = [
      ['agent', { role: 'assistant', tool_calls: [call] }],
      ['agent', { role: 'tool', tool_call_id: 'a', content: 'ok' }],
    ];
    const { rows } = $.auditSaid(kimiPrint, lines, ['kimi', '-p', 'go']);
    expect(rows.map((row) => `${$.words(row)} ${row.mode}`)).toEqual(['unasked mode - yes f2 [] print']);
  });
});

describe('a call without a result', () => {
  const cut = (call: Said, command: string[], ...more: Said[]) =>
    wordsOf($.auditWire([$.prompts('p'), $.begins('p'), call, ...more, ['exit', { signal: 'SIGKILL' }]], command));
  const killed = (command: string[], ...more: Said[]) => cut($.calls('a'), command, ...more);

  it('is a row if a mode let it run, and nobody knows how far it came', () => {
    const said = $.says('StatusUpdate', {});
    expect(killed(['kimi', '--yolo'], said)).toEqual(['a unasked mode - unknown - [no-result]']);
    expect(killed(['kimi'], said)).toEqual([]);
  });

  it('is one whatever came after it, unless its arguments were still being sent', () => {
    expect(killed(['kimi', '--yolo'])).toEqual(['a unasked mode - unknown - [no-result]']);
    for (const args of ['', '{}', '{"command": "l']) {
      const begun = $.says('ToolCall', { type: 'function', id: 'a', function: { name: 'Shell', arguments: args } });
      expect(cut(begun, ['kimi', '--yolo'])).toEqual([]);
    }
  });
});

describe('a tape with a hole', () => {
  it('cannot tell what nobody decided, and each such row says so', () => {
    const frames = $.sessionOf([
      ...[...turn('p', ...ran('a')), ...turn('q', ...ran('b'), ...granted('c'))],
      ...[$.prompts('r'), $.begins('r'), $.calls('d'), $.wants('rd', 'd')],
    ]);
    const at = frames.findIndex(({ raw }) => Buffer.from(raw).includes('"q"'));
    const hole = { ...frames[0]!, from: 'proc' as const, form: 'event' as const, event: 'gap', detail: {} };
    const torn = [...frames.slice(0, at), hole, ...frames.slice(at)].map((frame, i) => ({ ...frame, f: i + 1, t: i }));
    const rows = (live: boolean) => $.auditFrames(wire, torn, ['kimi'], live).rows;
    expect(
      rows(false).map(({ tool_call_id, decision, flags }) => `${tool_call_id} ${decision} ${flags.join(' ')}`),
    ).toEqual([...['a unasked ', 'b unasked gap', 'c allow-always grant', 'd none gap unresolved']]);
    expect(rows(true)).toEqual(rows(false));
  });
});

describe('what the agent says about who decided', () => {
  it('names the mode or the hook, in recorded sessions', () => {
    const told = (name: string) =>
      $.auditRecording(name)
        .rows.filter(({ kind }) => kind === 'approval')
        .map((row) => `${row.tool} ${$.words(row)} ${row.mode}`);
    expect(told('claude-bypass')).toEqual([
      'Write unasked mode - yes f7 [] bypassPermissions',
      'Bash unasked mode - yes f8 [] bypassPermissions',
    ]);
    expect(told('claude-hookdeny')).toEqual(['Bash unasked hook f10 no f11 [rule-denied] default']);
  });

  const claude = (decision: object | null, ...between: Said[]) => {
    const meta = decision === null ? {} : { tool_result_meta: [{ id: 'c', permission_decision: decision }] };
    const content = [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }];
    return $.auditSaid(streamJson, [
      ['client', { type: 'user', message: { content: 'go' } }],
      ['agent', { type: 'system', subtype: 'init', permissionMode: 'default' }],
      ['agent', { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }] } }],
      ...between,
      ['agent', { type: 'user', message: { content }, ...meta }],
    ])
      .rows.filter(({ kind }) => kind === 'approval')
      .map($.words);
  };
  const asked: Said[] = [
    [
      'agent',
      {
        ...{ type: 'control_request', request_id: 'r' },
        request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'c', input: {} },
      },
    ],
    [
      'client',
      {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r', response: { behavior: 'allow', updatedInput: {} } },
      },
    ],
  ];

  it('fills in why nobody was asked', () => {
    expect(claude({ decision: 'accept', source: 'config', reason_type: 'mode' })).toEqual(['unasked mode - yes f4 []']);
    expect(claude({ decision: 'accept', source: 'config', reason_type: 'rule' })).toEqual([
      'unasked agent - yes f4 []',
    ]);
    expect(claude({ decision: 'accept', source: 'hook' })).toEqual(['unasked hook - yes f4 []']);
    expect(claude({ decision: 'reject', source: 'config' })).toEqual(['unasked agent - no f4 [rule-denied]']);
  });

  it('is disputed if something else crossed the pipe', () => {
    expect(claude({ decision: 'accept', source: 'user_temporary' }, ...asked)).toEqual(['allow client f5 yes f6 []']);
    expect(claude({ decision: 'accept', source: 'config' }, ...asked)).toEqual(['allow client f5 yes f6 [disputed]']);
    expect(claude({ decision: 'reject', source: 'user_reject' }, ...asked)).toEqual([
      'allow client f5 yes f6 [disputed]',
    ]);
    expect(claude({ decision: 'accept', source: 'user_temporary' })).toEqual(['unasked agent - yes f4 [disputed]']);
  });

  it('is a hook that allowed it', () => {
    const hook: Said[] = [
      [
        'agent',
        {
          ...{ type: 'control_request', request_id: 'h' },
          request: {
            ...{ subtype: 'hook_callback', callback_id: 'x', tool_use_id: 'c' },
            input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
          },
        },
      ],
      [
        'client',
        {
          type: 'control_response',
          response: {
            ...{ subtype: 'success', request_id: 'h' },
            response: { hookSpecificOutput: { permissionDecision: 'allow' } },
          },
        },
      ],
    ];
    expect(claude(null, ...hook)).toEqual(['unasked hook f5 yes f6 []']);
  });
});
