/** Standing grants as they were given: their own rules, the mode that an answer sets, and what ran under them. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { coversCall } from '../../../../lib/analysis/audit/cover.ts';
import { whatRan } from '../../../../lib/analysis/audit/describe-row.ts';
import type { ApprovalRow } from '../../../../lib/analysis/audit/row.ts';
import { grantsIn } from '../../../../lib/analysis/audit/sum.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { copilot } from '../../../../lib/dialects/copilot/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, eventsOf, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

const families = fileURLToPath(new URL('../../../fixtures/families/', import.meta.url));

const modesIn = (said: Said[]) =>
  eventsOf(streamJson, said).flatMap((events, i) =>
    events.flatMap((event) => (event.kind === 'mode' && event.done ? [`f${i + 1} ${event.mode}`] : [])),
  );

describe('recorded: Claude is given a rule, a folder and a mode', () => {
  const { rows, audit } = $.auditRecording('claude-grant');

  it('the mode holds from the answer on', () => {
    expect(rows.map(({ f, mode }) => `f${f} ${mode}`)).toEqual(['f10 default', 'f16 acceptEdits']);
    expect(audit.bypass).toEqual([{ from: 11, to: null, mode: 'acceptEdits', frees: 'edits' }]);
  });

  it('what the rule does not cover was not allowed by it', () => {
    expect(rows.map($.words)).toEqual([
      'allow-always client f11 yes f14 [grant]',
      'unasked agent - yes f17 [mode:acceptEdits]',
    ]);
    const granted = ['Bash(touch one.txt)', 'folder /home/dev/project/cc/grant', 'mode acceptEdits'];
    expect(rows[0]!.granted).toEqual(granted);
    expect(grantsIn(rows)).toMatchObject([{ f: 10, covers: granted.join(', '), covered: [], ran: [] }]);
  });
});

describe('Claude', () => {
  const call = (id: string, name: string, input: object): Said[] => [
    ['agent', { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } }],
    ['agent', { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] } }],
  ];
  const init = (permissionMode: string): Said => [
    'agent',
    { type: 'system', subtype: 'init', permissionMode, claude_code_version: '2' },
  ];
  const prompt: Said = ['client', { type: 'user', message: { content: 'go' } }];
  const granted = (updatedPermissions: object[], name = 'Bash', input: object = { command: 'npm test' }): Said[] => {
    const [calls, result] = call('a', name, input) as [Said, Said];
    return [
      ...[prompt, init('default'), calls],
      [
        'agent',
        {
          ...{ type: 'control_request', request_id: 'r' },
          request: { subtype: 'can_use_tool', tool_name: name, tool_use_id: 'a', input },
        },
      ],
      [
        'client',
        {
          type: 'control_response',
          response: {
            ...{ subtype: 'success', request_id: 'r' },
            response: { behavior: 'allow', updatedInput: input, updatedPermissions },
          },
        },
      ],
      result,
    ];
  };
  const rules = (...given: [toolName: string, ruleContent?: string][]) => [
    {
      ...{ type: 'addRules', behavior: 'allow', destination: 'session' },
      rules: given.map(([toolName, ruleContent]) => ({
        toolName,
        ...(ruleContent === undefined ? {} : { ruleContent }),
      })),
    },
  ];
  const later = (updates: object[], name: string, input: object) =>
    $.words($.auditSaid(streamJson, [...granted(updates), ...call('b', name, input)]).rows[1]!);

  it.each([
    [[['Bash', 'npm run:*']], 'Bash', { command: 'npm run build' }, true],
    [[['Bash', 'npm run *']], 'Bash', { command: 'npm run build' }, true],
    [[['Bash', 'npm run:*']], 'Bash', { command: 'npm run build && rm -rf x' }, false],
    [[['Bash', 'npm run:*']], 'Bash', { command: 'npm run build > /etc/x' }, false],
    [[['Bash', 'npm run:*']], 'Bash', { command: 'npm runner' }, false],
    [[['Bash', 'npm test']], 'Bash', { command: 'npm test' }, true],
    [[['Bash', 'npm test']], 'Bash', { command: 'npm test -- --update' }, false],
    [[['Bash']], 'Bash', { command: 'rm -rf x' }, true],
    [[['Bash']], 'Write', { file_path: '/w/x' }, false],
    [[['Write', 'src/**']], 'Write', { file_path: '/w/src/a/b.ts' }, true],
    [[['Write', 'src/**']], 'Write', { file_path: '/w/etc/b.ts' }, false],
    [
      [
        ['Bash', 'ls'],
        ['Write', '//w/x'],
      ],
      'Write',
      { file_path: '/w/x' },
      true,
    ],
  ] as [[string, string?][], string, object, boolean][])('%j, then %s %j: %s', (given, name, input, isCovered) => {
    const expected = isCovered ? 'unasked grant f5 yes f8 [under-grant]' : 'unasked agent - yes f8 []';
    expect(later(rules(...given), name, input)).toBe(expected);
  });

  it('a mode alone grants no call, but what the mode allows', () => {
    const updates = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
    expect(later(updates, 'Bash', { command: 'ls' })).toBe('unasked agent - yes f8 [mode:acceptEdits]');
    expect(later(updates, 'Write', { file_path: '/w/x' })).toBe('unasked mode - yes f8 []');
  });

  it.each(['default', 'plan', 'dontAsk'])('a mode that allows no more is no grant: %s', (mode) => {
    const updates = [{ type: 'setMode', mode, destination: 'session' }];
    const { rows, audit } = $.auditSaid(streamJson, [
      ...[prompt, init('acceptEdits'), ...granted(updates).slice(2)],
      ...call('b', 'Write', { file_path: '/w/x' }),
    ]);
    expect(rows[0]).toMatchObject({ decision: 'allow', mode: 'acceptEdits', granted: [], flags: [] });
    expect(grantsIn(rows)).toEqual([]);
    // The mode is another one from the answer on, all the same.
    expect(rows[1]).toMatchObject({ by: 'agent', mode });
    expect(audit.bypass).toEqual([{ from: 2, to: 5, mode: 'acceptEdits', frees: 'edits' }]);
  });

  it('every change of mode is told once, whoever made it', () => {
    const set: Said[] = [
      [
        'client',
        { type: 'control_request', request_id: 's', request: { subtype: 'set_permission_mode', mode: 'plan' } },
      ],
      [
        'agent',
        { type: 'control_response', response: { subtype: 'success', request_id: 's', response: { mode: 'plan' } } },
      ],
    ];
    const status = (permissionMode: string): Said => ['agent', { type: 'system', subtype: 'status', permissionMode }];
    const said = [
      ...granted([{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]),
      ...[status('acceptEdits'), ...set, status('plan'), status('default')],
      ...[prompt, init('default'), prompt, init('bypassPermissions')],
    ];
    expect(modesIn(said)).toEqual(['f5 acceptEdits', 'f9 plan', 'f11 default', 'f15 bypassPermissions']);
  });
});

it('kimi: what a slash command switches is told, in the turn of the command only', () => {
  const says = (text: string) => $.says('ContentPart', { type: 'text', text });
  const turn = (command: string, ...texts: string[]): Said[] => [
    ...[$.prompts(command), $.begins(command), ...texts.map(says), $.finishes(command)],
  ];
  const told = eventsOf(wire, [
    ...turn('hello', 'You only live once! says the model'),
    ...turn('/yolo', 'You only live', ' once! All actions will be auto-approved.'),
    ...turn('/afk', 'afk mode enabled'),
    ...turn('/yolo off', 'You only die once! Actions will require approval.'),
  ]).flatMap((events, i) => events.flatMap((event) => (event.kind === 'mode' ? [`f${i + 1} ${event.mode}`] : [])));
  expect(told).toEqual(['f8 yolo', 'f12 afk', 'f16 default']);
});

describe('ACP', () => {
  it('vibe says which commands a grant is for, recorded', () => {
    const { rows } = $.auditTape(`${fixtures}mistral-vibe-3.0.3-acp/always.jsonl`);
    expect(rows.map(({ by, granted }) => [by, granted])).toEqual([
      ['client', ['`touch *`']],
      ['grant', []],
    ]);
  });

  /** Allowed for good by such an option, and then each of these commands without a request. */
  const later = (option: object, asked: string, ran: string[]): ApprovalRow[] => {
    const update = (id: string, status: string, command?: string): Said => [
      'agent',
      tell('session/update', {
        sessionId: 's',
        update: {
          ...{ sessionUpdate: command ? 'tool_call' : 'tool_call_update', toolCallId: id, kind: 'execute', status },
          ...(command ? { rawInput: { command }, title: 'bash', name: 'bash' } : {}),
        },
      }),
    ];
    const toolCall = { toolCallId: 'c', kind: 'execute' };
    const options = [{ optionId: 'a', kind: 'allow_always', ...option }];
    const said: Said[] = [
      ['client', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
      ['agent', answer(1, { sessionId: 's' })],
      ['client', ask(2, 'session/prompt', { sessionId: 's', prompt: [] })],
      update('c', 'pending', asked),
      ['agent', ask(3, 'session/request_permission', { sessionId: 's', toolCall, options })],
      ['client', answer(3, { outcome: { outcome: 'selected', optionId: 'a' } })],
      update('c', 'completed'),
      ...ran.flatMap((command, at) => [update(`d${at}`, 'pending', command), update(`d${at}`, 'completed')]),
    ];
    return $.auditSaid(acp, said).rows;
  };
  const patterns = (...of: string[]) => ({
    name: 'Allow for remainder of this session',
    _meta: {
      required_permissions: of.map((session_pattern) => ({ scope: 'command_pattern', session_pattern })),
    },
  });

  it('another command is not under it', () => {
    expect(later(patterns('touch *'), 'touch one.txt', ['touch two.txt', 'rm two.txt']).map($.words)).toEqual([
      'allow-always client f6 yes f7 [grant]',
      'unasked grant f6 yes f9 [under-grant]',
      'unasked agent - yes f11 []',
    ]);
  });

  it.each([
    [patterns('echo *', 'sleep *'), ['`echo *`', '`sleep *`'], ['echo a && sleep 1'], ['echo a && rm x', 'rm x']],
    [
      { name: 'Always Allow in project: touch *, sleep *' },
      ['`touch *`', '`sleep *`'],
      ['touch two.txt', 'touch b; sleep 1'],
      ['rm -rf two.txt', 'touch b; rm b', 'touch b > /etc/x'],
    ],
    [
      { name: "Yes, and don't ask again for commands that start with `npm run`" },
      ['commands that begin with `npm run`'],
      ['npm run build'],
      ['npm publish', 'npm run build && rm x'],
    ],
    [
      { name: "Yes, and don't ask again for npm test commands" },
      ['`npm test`'],
      ['npm test'],
      ['rm x', 'npm test; rm x'],
    ],
    [
      { name: 'Yes, and allow access to w/ and echo tool-ran * commands' },
      ['`echo tool-ran *`', 'folder w/'],
      ['echo tool-ran b'],
      ['echo other', 'rm x'],
    ],
    // These name no command.
    [{ name: 'Always Allow' }, [], ['rm x'], []],
    [{ name: 'Allow for this session' }, [], ['rm x'], []],
  ])('a grant is what its option names: %j', (option, granted, under, others) => {
    const [first, ...rest] = later(option, 'x', [...under, ...others]);
    expect(first!.granted).toEqual(granted);
    expect(rest.map((row) => `${row.by} ${whatRan(row)}`)).toEqual([
      ...under.map((command) => `grant ${command}`),
      ...others.map((command) => `agent ${command}`),
    ]);
  });

  it('qwen names the commands in its option, recorded', () => {
    const { rows } = $.auditTape(`${families}qwen-0.24.4-acp/always.jsonl`);
    expect(rows.map(({ by, granted }) => [by, granted])).toEqual([
      ['client', ['`touch *`']],
      ['grant', []],
    ]);
    expect(grantsIn(rows)).toMatchObject([{ covers: '`touch *`', ran: [{ what: 'touch two.txt' }] }]);
  });
});

it('copilot: a grant for commands is for these', () => {
  const event = (type: string, data: object): Said => [
    'agent',
    { jsonrpc: '2.0', method: 'session.event', params: { sessionId: 's', event: { type, data } } },
  ];
  const started = (toolCallId: string, command: string) =>
    event('tool.execution_start', { toolCallId, toolName: 'bash', arguments: { command } });
  const ended = (toolCallId: string) => event('tool.execution_complete', { toolCallId, success: true, result: {} });
  const asked = { kind: 'shell', toolCallId: 'a', fullCommandText: 'npm test' };
  const result = { kind: 'approve-for-session', approval: { kind: 'commands', commandIdentifiers: ['npm test'] } };
  const handled = 'session.permissions.handlePendingPermissionRequest';
  const said: Said[] = [
    ['client', ask(1, 'session.create', {})],
    ['agent', answer(1, { sessionId: 's' })],
    ['client', ask(2, 'session.send', { sessionId: 's', prompt: 'go' })],
    ['agent', answer(2, { messageId: 'm' })],
    event('user.message', { content: 'go' }),
    started('a', 'npm test'),
    event('permission.requested', { requestId: 'r', permissionRequest: asked }),
    ['client', ask(3, handled, { sessionId: 's', requestId: 'r', result })],
    ['agent', answer(3, { success: true })],
    ended('a'),
    ...[started('b', 'npm test -- --watch'), ended('b'), started('c', 'npm publish'), ended('c')],
  ];
  const { rows } = $.auditSaid(copilot, said);
  expect(rows[0]!.granted).toEqual(['`npm test *`']);
  expect(rows.map(({ tool_call_id, by }) => `${tool_call_id} ${by}`)).toEqual(['a client', 'b grant', 'c agent']);
});

it('a rule about something else than commands and paths is not known to hold', () => {
  const cover = { is: 'rules' as const, rules: [{ tool: 'WebFetch', pattern: 'domain:example.org' }], more: [] };
  const fetched = { tool: 'WebFetch', action: null, arguments: { url: 'https://example.org' } };
  expect(coversCall(cover, fetched, fetched)).toBe(false);
});
