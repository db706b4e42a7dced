/** ACP: the kind of every message, on real tapes where there is one, else on lines made after the specification. */
import { describe, expect, it } from 'vitest';
import { acp } from '../../../lib/dialects/acp/index.ts';
import {
  answer,
  ask,
  eventsOf,
  kinds,
  only,
  pinned,
  readFixture,
  refuse,
  type Said,
  tell,
} from '../../support/reading.ts';

const HELLO = 'handshake handshake handshake handshake';

/** The kinds of each line, client and agent, and turns, tools, approvals, allow, always, deny, other. */
const TAPES: Record<string, { kinds: string; counts: number[] }> = {
  'kimi-allow': {
    kinds:
      'status prompt status text tool-call tool-args tool-args approval approval-answer tool-args tool-result text prompt-answer usage',
    counts: [1, 1, 1, 1, 0, 0, 0],
  },
  'kimi-allow_fs': {
    kinds:
      'prompt status status text tool-call tool-args tool-args approval approval-answer tool-args client-call client-call-answer client-call client-call-answer client-call client-call-answer client-call client-call-answer tool-result text prompt-answer usage',
    counts: [1, 1, 1, 1, 0, 0, 0],
  },
  'kimi-cancel': {
    kinds:
      'status prompt status text text text text cancel prompt-answer prompt usage text text text prompt-answer usage',
    counts: [2, 0, 0, 0, 0, 0, 0],
  },
  'kimi-error': {
    kinds: 'status prompt status prompt-answer usage prompt prompt-answer control control',
    counts: [1, 0, 0, 0, 0, 0, 0],
  },
  'kimi-multi': {
    kinds:
      'prompt status status text text text prompt-answer prompt usage thinking thinking text text prompt-answer usage',
    counts: [2, 0, 0, 0, 0, 0, 0],
  },
  'kimi-reject': {
    kinds:
      'prompt status status text tool-call tool-args tool-args approval approval-answer tool-args tool-result text prompt-answer usage',
    counts: [1, 1, 1, 0, 0, 1, 0],
  },
  'qwen-0.24.4-allow_shell': {
    kinds:
      'prompt text tool-call usage approval+tool-args approval-answer tool-result control control text usage prompt-answer status notice',
    counts: [1, 1, 1, 1, 0, 0, 0],
  },
  'qwen-0.24.4-cancel_in_permission': {
    kinds: 'prompt text tool-call usage approval+tool-args cancel approval-answer tool-result prompt-answer',
    counts: [1, 1, 1, 0, 0, 0, 1],
  },
  'qwen-allow': {
    kinds: 'prompt text usage approval+tool-call approval-answer tool-result status text usage prompt-answer',
    counts: [1, 1, 1, 1, 0, 0, 0],
  },
  'qwen-cancel': {
    kinds: 'prompt text text status text text cancel prompt-answer prompt text text text usage prompt-answer',
    counts: [2, 0, 0, 0, 0, 0, 0],
  },
  'qwen-error': {
    kinds: 'prompt prompt-answer prompt prompt-answer control control',
    counts: [1, 0, 0, 0, 0, 0, 0],
  },
  'qwen-reject': {
    kinds: 'prompt text usage approval+tool-call approval-answer text usage prompt-answer',
    counts: [1, 1, 1, 0, 0, 1, 0],
  },
};

describe('tapes of real agents', () => {
  it.each(Object.entries(TAPES))('%s', (name, { kinds, counts }) => {
    const tape = pinned(`acp/${name}`);
    expect(tape).toMatchObject({ dialect: 'acp', kinds: `${HELLO} ${kinds}` });
    const { turns, tools, approvals, allow, always, deny, other } = tape.counts;
    expect([turns, tools, approvals, allow, always, deny, other]).toEqual(counts);
  });

  it('tell who is there, the mode and the model', () => {
    const { readings } = readFixture('acp/qwen-allow');
    const abouts = readings.slice(1, 5).map(({ events }) => only(events, 'handshake').about);
    expect(abouts[0]).toMatchObject({ protocol: '1', client: { name: 'tape-client', version: '0.0.1' } });
    expect(abouts[1]).toMatchObject({ agent: { name: 'qwen-code', version: '0.15.10' } });
    expect(abouts[2]).toEqual({ cwd: '/home/dev/project/acp/qwen-allow' });
    expect(abouts[3]).toMatchObject({ mode: 'default', model: '$runtime|openai|mock-model(openai)' });
  });

  it('the prompt is taken up by the first thing said, and usage that comes late belongs to the turn before', () => {
    const { readings } = readFixture('acp/kimi-multi');
    const marks = readings.flatMap(({ frame: { f }, events: [event] }) =>
      event!.takes || event!.within ? [[f, event!.kind, event!.takes, event!.within]] : [],
    );
    expect(marks).toEqual([
      [7, 'status', 6, undefined],
      [14, 'usage', undefined, 6],
      [15, 'thinking', 13, undefined],
      [20, 'usage', undefined, 13],
    ]);
  });

  it('arguments that grow replace each other, and the approval says what is asked', () => {
    const { readings } = readFixture('acp/kimi-allow');
    const growing = readings.flatMap(({ events }) => events.filter(({ kind }) => kind === 'tool-args'));
    expect(growing.every(({ replace }) => replace)).toBe(true);
    expect(JSON.parse(growing.at(-1)!.text!)).toEqual({
      path: '/home/dev/project/acp/kimi-allow/a.txt',
      content: 'hello from the mock\n',
    });
    expect(only(readings[12]!.events, 'approval')).toMatchObject({
      ...{ call: '0:call_mock_1_0', tool: 'Write', action: 'edit' },
      description: 'Requesting approval to Writing /home/dev/project/acp/kimi-allow/a.txt',
      options: [
        { id: 'approve_once', decision: 'allow', label: 'Approve once' },
        { id: 'approve_always', decision: 'allow-always', label: 'Approve for this session' },
        { id: 'reject', decision: 'deny', label: 'Reject' },
      ],
    });
  });

  it('a call is named by _meta, else by its first title, and judged by its kind', () => {
    const calls = (name: string) => readFixture(`acp/${name}`).readings.flatMap(({ events }) => events);
    expect(calls('kimi-reject').find(({ kind }) => kind === 'tool-result')).toMatchObject({ tool: 'Write', ok: false });
    expect(calls('qwen-0.24.4-allow_shell').find(({ kind }) => kind === 'tool-call')).toMatchObject({
      ...{ tool: 'run_shell_command', writes: true, args: null, complete: false },
    });
    const [first] = calls('qwen-allow').filter(({ kind }) => kind === 'tool-call');
    expect(first).toMatchObject({
      ...{ tool: 'Writing to a.txt', complete: true },
      blocks: [{ type: 'diff', path: '/home/dev/project/acp/qwen-allow/a.txt', after: 'hello from the mock\n' }],
    });
    expect(calls('qwen-allow').find(({ kind }) => kind === 'tool-result')).toMatchObject({ tool: 'write_file' });
  });

  it('tokens are added without those from a cache, a level of the context is not added', () => {
    const { readings } = readFixture('acp/qwen-allow');
    expect(only(readings[7]!.events, 'usage')).toMatchObject({
      ...{ usage: { input: 204, cache_read: 1000, cache_write: 0, output: 26 }, total: false },
    });
    expect(only(readFixture('acp/kimi-allow').readings[18]!.events, 'usage')).toMatchObject({
      ...{ usage: null, context: { used: 1213, size: 262144 } },
    });
  });

  it('what the client did for the agent', () => {
    const { readings } = readFixture('acp/kimi-allow_fs');
    expect(readings.slice(15, 19).map(({ events }) => events[0])).toMatchObject([
      { kind: 'client-call', what: 'fs/write_text_file', text: '/home/dev/project/acp/kimi-allow_fs/a.txt' },
      { kind: 'client-call-answer', ok: true },
      { kind: 'client-call', what: 'fs/read_text_file' },
      { kind: 'client-call-answer', ok: false },
    ]);
  });
});

/** A session that is open: the next line is the third. */
const OPEN: Said[] = [
  ['client', ask(0, 'session/new', { cwd: '/w' })],
  ['agent', answer(0, { sessionId: 's', modes: { currentModeId: 'default' } })],
];
const update = (sessionUpdate: string, more: object = {}, sessionId = 's') =>
  tell('session/update', { sessionId, update: { sessionUpdate, ...more } });
const text = (words: string, sessionId = 's') =>
  update('agent_message_chunk', { content: { type: 'text', text: words } }, sessionId);
const prompt = (id: number, sessionId = 's') =>
  ask(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'do' }] });
const said = (...lines: Said[]) => eventsOf(acp, [...OPEN, ...lines]).slice(OPEN.length);

describe('messages that no tape has', () => {
  const sid = { sessionId: 's' };
  it.each<[string, object, unknown, string, string]>([
    ['authenticate', { methodId: 'login' }, {}, 'handshake', 'handshake'],
    ['logout', {}, {}, 'control', 'control'],
    ['session/load', { ...sid, cwd: '/w' }, { modes: { currentModeId: 'plan' } }, 'handshake', 'handshake'],
    ['session/resume', { ...sid, cwd: '/w' }, {}, 'handshake', 'handshake'],
    ['session/set_mode', { ...sid, modeId: 'yolo' }, {}, 'mode', 'mode'],
    ['session/set_config_option', { ...sid, configId: 'mode', value: 'yolo' }, { configOptions: [] }, 'mode', 'mode'],
    ['session/set_config_option', { ...sid, configId: 'thinking', value: 'off' }, {}, 'control', 'control'],
    ['session/set_model', { ...sid, modelId: 'm' }, {}, 'control', 'control'],
    ['session/list', {}, { sessions: [] }, 'control', 'control'],
    ['session/close', sid, {}, 'control', 'control'],
    ['session/delete', sid, {}, 'control', 'control'],
    ['session/fork', sid, { sessionId: 't' }, 'control', 'control'],
    ['session/cancel', sid, {}, 'cancel', 'cancel'],
    ['_vendor/thing', sid, {}, 'other', 'other'],
  ])('client: %s', (method, params, result, asked, answered) => {
    const [first, second] = said(['client', ask(7, method, params)], ['agent', answer(7, result)]);
    expect([kinds(first!), kinds(second!)]).toEqual([asked, answered]);
    // An error is an answer too, and has the kind of its request.
    expect(kinds(said(['client', ask(7, method, params)], ['agent', refuse(7, -32603)])[1]!)).toBe(answered);
  });

  it.each<[string, object, unknown, string, string]>([
    [
      'terminal/create',
      { ...sid, command: 'ls', args: ['-l'] },
      { terminalId: 't' },
      'client-call',
      'client-call-answer',
    ],
    ['terminal/output', { ...sid, terminalId: 't' }, { output: 'a\n' }, 'client-call', 'client-call-answer'],
    ['terminal/wait_for_exit', { ...sid, terminalId: 't' }, { exitCode: 0 }, 'client-call', 'client-call-answer'],
    ['terminal/kill', { ...sid, terminalId: 't' }, {}, 'client-call', 'client-call-answer'],
    ['terminal/release', { ...sid, terminalId: 't' }, null, 'client-call', 'client-call-answer'],
    ['elicitation/create', { ...sid, message: 'which?' }, { action: 'accept' }, 'question', 'question-answer'],
    ['craft/drainMidTurnQueue', sid, {}, 'control', 'control'],
    ['_vendor/ask', sid, {}, 'other', 'other'],
  ])('agent: %s', (method, params, result, asked, answered) => {
    const [first, second] = said(['agent', ask(0, method, params)], ['client', answer(0, result)]);
    expect([kinds(first!), kinds(second!)]).toEqual([asked, answered]);
  });

  it.each<[string, object, string]>([
    ['user_message_chunk', { content: { type: 'text', text: 'do' } }, 'prompt'],
    ['plan', { entries: [{ content: 'look', priority: 'high', status: 'pending' }] }, 'plan'],
    ['current_mode_update', { currentModeId: 'plan' }, 'mode'],
    ['config_option_update', { configOptions: [{ id: 'thinking', currentValue: 'on' }] }, 'status'],
    ['config_option_update', { configOptions: [{ id: 'mode', currentValue: 'yolo' }] }, 'mode'],
    ['config_option_update', { configOptions: [{ id: 'mode', currentValue: 'default' }] }, 'status'],
    ['notice', { message: 'low on credit' }, 'notice'],
    ['compaction_update', { status: 'in_progress' }, 'compaction'],
    ['tool_call_update', { toolCallId: 'c', rawOutput: 'half' }, 'progress'],
    ['of_next_year', {}, 'other'],
  ])('update: %s %j', (name, more, kind) => {
    expect(kinds(said(['agent', update(name, more)])[0]!)).toBe(kind);
  });

  it('notifications: a cancelled request, and what nobody knows', () => {
    const events = said(
      ['client', tell('$/cancel_request', { requestId: 4 })],
      ['agent', tell('$/cancel_request', { requestId: '4' })],
      ['agent', tell('_vendor/news', {})],
      ['agent', tell('qwen/notify/session/other', { message: 'hm' })],
    );
    expect(events.flat()).toMatchObject([
      { kind: 'cancel', of: '4' },
      { kind: 'cancel', of: '"4"' },
      { kind: 'other', name: '_vendor/news' },
      { kind: 'notice', text: 'hm' },
    ]);
  });

  it('a mode is asked for, then in force', () => {
    const [asked, done] = said(
      ['client', ask(7, 'session/set_mode', { ...sid, modeId: 'yolo' })],
      ['agent', answer(7, {})],
    );
    expect([asked, done].flat()).toEqual([
      { kind: 'mode', mode: 'yolo', done: false },
      { kind: 'mode', mode: 'yolo', done: true },
    ]);
  });

  it('commands of half a megabyte are read as their names', () => {
    const availableCommands = Array.from({ length: 40 }, (_, i) => ({
      name: `c${i}`,
      description: 'x'.repeat(14_000),
    }));
    const [events] = said(['agent', update('available_commands_update', { availableCommands })]);
    expect(events).toEqual([
      { kind: 'status', name: 'available_commands_update', text: availableCommands.map(({ name }) => name).join(' ') },
    ]);
  });

  it('a plan replaces the one before', () => {
    const entries = [
      { content: 'look', status: 'completed' },
      { content: 'leap', status: 'pending' },
    ];
    expect(said(['agent', update('plan', { entries })])[0]).toEqual([
      {
        ...{ kind: 'plan', replace: true, text: '[completed] look\n[pending] leap' },
        blocks: [
          {
            type: 'todo',
            items: [
              { title: 'look', status: 'completed' },
              { title: 'leap', status: 'pending' },
            ],
          },
        ],
      },
    ]);
  });
});

describe('turns', () => {
  const takes = (lines: Said[]) => said(...lines).map(([event]) => event!.takes);

  it('an answer alone takes its prompt up', () => {
    expect(
      takes([
        ['client', prompt(1)],
        ['agent', answer(1, { stopReason: 'end_turn' })],
      ]),
    ).toEqual([undefined, 3]);
  });

  it('so does a request of the agent, but no notification of its own making', () => {
    const request = ask(0, 'fs/read_text_file', { sessionId: 's', path: '/a' });
    const news = tell('qwen/notify/x', { sessionId: 's' });
    expect(
      takes([
        ['client', prompt(1)],
        ['agent', news],
        ['agent', request],
      ]),
    ).toEqual([undefined, undefined, 3]);
  });

  it.each([-32700, -32600, -32601, -32602])('the error %i refuses it', (code) => {
    expect(
      takes([
        ['client', prompt(1)],
        ['agent', refuse(1, code)],
      ]),
    ).toEqual([undefined, undefined]);
  });

  it('another error ends a turn of a session that is open, and is none of one that is not', () => {
    expect(
      takes([
        ['client', prompt(1)],
        ['agent', refuse(1, -32603)],
      ]),
    ).toEqual([undefined, 3]);
    expect(
      takes([
        ['client', prompt(1, 'x')],
        ['agent', refuse(1, -32603)],
      ]),
    ).toEqual([undefined, undefined]);
  });

  it('a second prompt waits for the first one to be answered', () => {
    const lines: Said[] = [
      ['client', prompt(1)],
      ['agent', text('a')],
      ['client', prompt(2)],
      ['agent', text('b')],
      ['agent', answer(1, { stopReason: 'cancelled' })],
      ['agent', text('c')],
    ];
    expect(takes(lines)).toEqual([undefined, 3, undefined, undefined, undefined, 5]);
  });

  it('what is said in another session takes nothing up, and two turns at once are told apart', () => {
    const events = said(
      ['client', prompt(1, 's')],
      ['agent', text('?', 'x')],
      ['client', prompt(2, 'x')],
      ['agent', text('a', 'x')],
      ['agent', text('b', 's')],
      ['agent', answer(1, { stopReason: 'end_turn' })],
      ['agent', text('c', 'x')],
    );
    expect(events.map(([event]) => [event!.takes, event!.within])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      [5, 5],
      [3, 3],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('status, code and tokens of the answer', () => {
    const usage = { totalTokens: 30, inputTokens: 20, outputTokens: 10, cachedReadTokens: 5 };
    const [, good, , bad] = said(
      ['client', prompt(1)],
      ['agent', answer(1, { stopReason: 'max_tokens', usage })],
      ['client', prompt(2)],
      ['agent', { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'oh', data: { details: 'dear' } } }],
    );
    expect(good).toMatchObject([
      { kind: 'prompt-answer', prompt: 3, status: 'max_tokens', code: null },
      { kind: 'usage', total: true, usage: { input: 15, cache_read: 5, cache_write: 0, output: 10 } },
    ]);
    expect(bad).toMatchObject([{ kind: 'prompt-answer', prompt: 5, status: 'error', code: -32603, text: 'oh: dear' }]);
  });

  it('a prompt sent twice is one', () => {
    const [, again, taken] = said(['client', prompt(1)], ['client', prompt(1)], ['agent', text('a')]);
    expect(again).toMatchObject([{ kind: 'prompt', restates: true, flags: ['resent'] }]);
    expect(taken![0]!.takes).toBe(3);
  });
});

describe('approvals', () => {
  const options = [
    { optionId: 'a', name: 'Yes', kind: 'allow_once' },
    { optionId: 'b', name: 'Always', kind: 'allow_always' },
    { optionId: 'c', name: 'No', kind: 'reject_once' },
    { optionId: 'd', name: 'Never', kind: 'reject_always' },
    { optionId: 'e', name: 'Odd', kind: 'of_next_year' },
  ];
  const request = ask(0, 'session/request_permission', {
    ...{ sessionId: 's', options, toolCall: { toolCallId: 'c1', title: 'Run', kind: 'execute' } },
  });
  const decided = (...answers: unknown[]) =>
    said(['client', prompt(1)], ['agent', request], ...answers.map((value): Said => ['client', value]))
      .slice(2)
      .map((events) => only(events, 'approval-answer'));
  const selected = (optionId: unknown) => answer(0, { outcome: { outcome: 'selected', optionId } });

  it.each([
    ['a', 'allow'],
    ['b', 'allow-always'],
    ['c', 'deny'],
    ['d', 'deny'],
    ['e', null],
  ])('option %s means %s, by its kind', (option, decision) => {
    expect(decided(selected(option))).toMatchObject([{ option, decision }]);
    expect(decided(selected(option))[0]!.flags).toBeUndefined();
  });

  it.each<[string, unknown, object]>([
    ['cancelled', answer(0, { outcome: { outcome: 'cancelled' } }), { decision: 'cancelled' }],
    ['an option that was not offered', selected('zz'), { decision: null, option: 'zz', flags: ['bad-word'] }],
    ['no option', selected(undefined), { decision: null, flags: ['bad-shape'] }],
    ['a bare word', answer(0, 'allow'), { decision: null, flags: ['bad-shape'] }],
    ['null', answer(0, null), { decision: null, flags: ['bad-shape'] }],
    ['an error', refuse(0, -32603), { decision: null, flags: ['client-error'] }],
    [
      'an error beside a result',
      { ...selected('a'), error: { code: 1, message: 'no' } },
      { decision: null, flags: ['client-error', 'both'] },
    ],
  ])('%s', (_, value, expected) => {
    expect(decided(value)).toMatchObject([expected]);
  });

  it('a second answer is marked, and the first valid one counts', () => {
    expect(decided(selected('zz'), selected('a'))).toMatchObject([
      { decision: null },
      { decision: 'allow', flags: ['dup'] },
    ]);
  });

  it('the same request sent again is no other one, and its call neither', () => {
    const [, first, again] = said(['client', prompt(1)], ['agent', request], ['agent', request]);
    expect(kinds(first!)).toBe('approval+tool-call');
    expect(again).toMatchObject([{ kind: 'approval', flags: ['resent'] }]);
  });

  it('an answer to what nobody asked is told by its shape', () => {
    expect(said(['client', answer(9, { outcome: { outcome: 'selected', optionId: 'a' } })])[0]).toMatchObject([
      { kind: 'approval-answer', decision: null, flags: ['orphan'] },
    ]);
  });
});

describe('tool calls', () => {
  const call = (more: object = {}) => update('tool_call', { toolCallId: 'c1', title: 'Read', kind: 'read', ...more });
  const change = (more: object = {}) => update('tool_call_update', { toolCallId: 'c1', ...more });
  const ran = (text: string) => [{ type: 'content', content: { type: 'text', text } }];

  it('named by a permission request first, and told once more after', () => {
    const asked = ask(0, 'session/request_permission', { sessionId: 's', options: [], toolCall: { toolCallId: 'c1' } });
    const [, first, second] = said(['client', prompt(1)], ['agent', asked], ['agent', call()]);
    expect(kinds(first!)).toBe('approval+tool-call');
    expect(second).toMatchObject([{ kind: 'tool-call', restates: true, replace: true, tool: 'Read' }]);
  });

  it('an id may come again when its call is done, or in a later turn', () => {
    const lines: Said[] = [
      ['client', prompt(1)],
      ['agent', call()],
      ['agent', call()],
      ['agent', change({ status: 'completed' })],
      ['agent', call()],
      ['agent', answer(1, { stopReason: 'end_turn' })],
      ['client', prompt(2)],
      ['agent', call()],
    ];
    const announced = said(...lines)
      .flat()
      .filter(({ kind }) => kind === 'tool-call');
    expect(announced.map(({ restates }) => restates === true)).toEqual([false, true, false, false]);
  });

  it('begun and ended in one message', () => {
    const [events] = said(['agent', call({ status: 'completed', rawInput: { path: '/a' }, content: ran('x') })]);
    expect(events).toMatchObject([
      { kind: 'tool-call', args: '{"path":"/a"}', complete: true, writes: false },
      { kind: 'tool-result', ok: true, text: 'x' },
    ]);
  });

  it('text is output once the arguments are known, and so is a terminal', () => {
    const [, first, second, third] = said(
      ['agent', call({ rawInput: { command: 'ls' } })],
      ['agent', change({ status: 'in_progress', content: ran('{"a":1}\n') })],
      ['agent', change({ status: 'in_progress', title: 'still' })],
      ['agent', change({ status: 'in_progress', content: [{ type: 'terminal', terminalId: 't' }] })],
    );
    expect([first, second, third].flat()).toMatchObject([
      { kind: 'progress', text: '{"a":1}\n', replace: true },
      { kind: 'tool-args' },
      { kind: 'progress' },
    ]);
  });

  it('diffs are for display, raw output stands in for content', () => {
    const diff = { type: 'diff', path: '/a', oldText: null, newText: 'x' };
    const [, first, second, third] = said(
      ['agent', call()],
      ['agent', change({ status: 'completed', content: [diff] })],
      ['agent', change({ status: 'failed', rawOutput: 'broke' })],
      ['agent', change({ status: 'completed', rawOutput: { n: 1 } })],
    );
    expect(first).toMatchObject([{ blocks: [], displays: [{ type: 'diff', path: '/a', before: '', after: 'x' }] }]);
    expect(second).toMatchObject([{ ok: false, replace: true, text: 'broke' }]);
    expect(third).toMatchObject([{ blocks: [{ type: 'unknown', name: 'rawOutput', value: { n: 1 } }] }]);
  });

  it('a subagent is told by _meta', () => {
    const events = said(
      ['agent', call({ _meta: { claudeCode: { toolName: 'Grep', parentToolUseId: 'p1' } } })],
      [
        'agent',
        update('agent_message_chunk', { content: { type: 'text', text: 'x' }, _meta: { parentToolCallId: 'p2' } }),
      ],
    );
    expect(events.flat()).toMatchObject([
      { kind: 'tool-call', tool: 'Grep', subagent: 'p1', parent: 'p1' },
      { kind: 'text', text: 'x', subagent: 'p2' },
    ]);
  });
});

describe('session/load', () => {
  const load = ask(5, 'session/load', { sessionId: 's', cwd: '/w' });
  const user = update('user_message_chunk', { content: { type: 'text', text: 'do' } });
  const replayed = (events: object[][]) =>
    events.map(([event]) => ((event as { flags?: string[] }).flags ?? []).includes('replayed'));

  it('what comes before its answer is replayed, and counts nowhere', () => {
    const lines: Said[] = [
      ['client', load],
      ['agent', user],
      ['agent', update('tool_call', { toolCallId: 'c1', status: 'completed', title: 'Read' })],
      ['agent', text('elsewhere', 'other')],
      ['client', ask(6, 'session/list', {})],
      ['agent', answer(6, { sessions: [] })],
      ['agent', answer(5, {})],
      ['agent', text('live')],
    ];
    const events = said(...lines);
    expect(replayed(events)).toEqual([false, true, true, false, false, false, false, false]);
    expect(events[1]).toMatchObject([{ kind: 'prompt', delta: true, text: 'do' }]);
    expect(events[1]![0]!.restates).toBeUndefined();
    // Every event of such a frame.
    expect(events[2]!.map(({ flags }) => flags)).toEqual([['replayed'], ['replayed']]);
  });

  it('a prompt sent meanwhile is not taken up by history', () => {
    const events = said(
      ['client', load],
      ['client', prompt(6)],
      ['agent', user],
      ['agent', answer(5, {})],
      ['agent', text('a')],
    );
    expect(events.map(([event]) => event!.takes)).toEqual([undefined, undefined, undefined, undefined, 4]);
  });

  it('no window while a turn is open; the prompt said again is no prompt', () => {
    const events = said(['client', prompt(1)], ['client', load], ['agent', user], ['agent', refuse(5, -32602)]);
    expect(replayed(events)).toEqual([false, false, false, false]);
    expect(events[2]).toMatchObject([{ kind: 'prompt', restates: true, takes: 3 }]);
  });
});
