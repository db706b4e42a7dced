/** What the messages of Wire mean, and what must be known while reading them. */
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { answer, ask, error, event, eventsAt, kindsOf, last, prompt, read, request } from '../../support/wire.ts';

describe('answers to prompts', () => {
  it.each([
    ['wire-0.59/approval_bad_answer#14', { prompt: 2, status: 'finished', code: null }],
    ['wire-1.49.0/llm_error#18', { status: 'error', code: -32003, text: expect.stringContaining('Error code: 500') }],
    ['wire-0.58/llm_error#9', { status: 'error', code: -32002 }],
    ['wire-0.59/cancel#22', { status: 'cancelled' }],
  ])('%s', (example, expected) => {
    expect(eventsAt(example)).toMatchObject([expected]);
  });

  it('are marked when they come twice', () => {
    const done = answer('<', '1', { status: 'finished' });
    expect(last(read(wire, prompt('1', 'x'), done, done))).toMatchObject({ prompt: 1, flags: ['dup'] });
  });
});

describe('approvals', () => {
  it.each([
    [7, 'allow', ['wrong-request-id']],
    [21, null, ['bad-word']],
    [32, null, ['no-request-id']],
    [43, null, ['bad-shape']],
    [54, null, ['both', 'client-error']],
    [55, 'allow', ['dup']],
  ])('wire-0.59/approval_bad_answer#%i is %s %s', (line, decision, flags) => {
    expect(eventsAt(`wire-0.59/approval_bad_answer#${line}`)).toMatchObject([{ decision, flags }]);
  });

  it('have all that the agent says', () => {
    expect(eventsAt('wire-1.49.0/background_agent#15')).toMatchObject([
      {
        ...{ call: 'bsub-1', tool: 'Shell', action: 'run command', text: 'Run command `echo bg`' },
        ...{ displays: [{ type: 'shell', command: 'echo bg', language: 'bash' }], flags: ['background'] },
        ...{
          subagent: expect.stringMatching(/^a/),
          options: [{ decision: 'allow' }, { id: 'approve_for_session' }, {}],
        },
      },
    ]);
  });

  it('are the same when they are sent again, even if an answer has crossed them', () => {
    expect(eventsAt('wire-1.49.0/background_agent#17')).toMatchObject([{ flags: ['background', 'resent'] }]);
    const asked = request('a', 'ApprovalRequest', {});
    const yes = answer('>', 'a', { request_id: 'a', response: 'approve' });
    expect(last(read(wire, asked, yes, asked))).toMatchObject({ flags: ['resent'] });
    const resolved = event('ApprovalResponse', { request_id: 'a', response: 'approve' });
    expect(last(read(wire, asked, yes, resolved, asked))).not.toHaveProperty('flags');
  });

  it('are resolved by a restatement only where the client has decided', () => {
    const restated = [15, 16, 17].map((line) => eventsAt(`wire-1.49.0/approval_session_sweeps#${line}`)[0]!);
    expect(restated).toMatchObject([{ decision: 'allow-always', restates: true }, { decision: 'allow' }, {}]);
    expect(restated.map(({ restates }) => restates)).toEqual([true, undefined, undefined]);
    // It said approve, the agent took it for a reject.
    expect(eventsAt('wire-0.59/approval_bad_answer#34')[0]).toMatchObject({ decision: 'deny' });
    expect(eventsAt('wire-0.59/approval_bad_answer#34')[0]).not.toHaveProperty('restates');
  });

  it('keep late and foreign answers apart', () => {
    expect(eventsAt('wire-1.49.0/approval_late_duplicate#11')).toMatchObject([{ decision: 'deny', flags: ['dup'] }]);
    expect(eventsAt('wire-1.49.0/approval_late_duplicate#20')).toMatchObject([
      { decision: 'allow', flags: ['orphan'] },
    ]);
  });

  it('need no request id until 0.58', () => {
    expect(eventsAt('wire-0.46/approve#6')).toMatchObject([{ decision: 'allow', option: 'approve' }]);
    expect(eventsAt('wire-0.46/approve#6')[0]).not.toHaveProperty('flags');
  });

  it('are found by their own id where it is not the envelope’s', () => {
    const params = { type: 'ApprovalRequest', payload: { id: 'approval-1' } };
    const asked = `<${JSON.stringify({ id: 'f47a', method: 'request', params })}`;
    const yes = answer('>', 'f47a', { request_id: 'approval-1', response: 'approve' });
    const resolved = event('ApprovalResponse', { request_id: 'approval-1', response: 'approve' });
    const all = read(wire, asked, yes, resolved);
    expect(all.flat()).toMatchObject([{}, { request: 'approval-1', decision: 'allow' }, { restates: true }]);
    expect(all[1]![0]).not.toHaveProperty('flags');
  });

  it('carry feedback, and errors of any shape', () => {
    const asked = request('a', 'ApprovalRequest', {});
    const no = answer('>', 'a', { request_id: 'a', response: 'reject', feedback: 'use rm -i' });
    expect(last(read(wire, asked, no))).toMatchObject({ decision: 'deny', feedback: 'use rm -i', text: 'use rm -i' });
    expect(last(read(wire, asked, error('>', 'a', 'broken')))).toMatchObject({
      ...{ kind: 'approval-answer', decision: null, text: 'broken', flags: ['client-error'] },
    });
  });

  it('are a subagent’s if its call is', () => {
    const call = { type: 'ToolCall', payload: { id: 'c', function: { name: 'Shell' } } };
    const inner = event('SubagentEvent', { task_tool_call_id: 'p', event: call });
    const asked = request('a', 'ApprovalRequest', { tool_call_id: 'c' });
    expect(last(read(wire, inner, asked))).toMatchObject({ subagent: 'p', parent: 'p' });
  });
});

describe('other answers', () => {
  it.each([
    ['wire-1.31.0/hooks#6', { event: 'UserPromptSubmit', target: 'use the shell', decision: 'allow' }],
    ['wire-1.31.0/hooks#28', { event: 'PreToolUse', decision: 'deny', reason: 'not today' }],
    ['wire-1.31.0/hooks#37', { event: 'PreToolUse', decision: null, flags: ['client-error'], text: 'client refused' }],
    ['wire-0.80/external_tool#9', { ok: true }],
    ['wire-1.31.0/plan_mode#17', { ok: true, answers: { 'Enter plan mode?': 'Yes' } }],
  ])('%s', (example, expected) => {
    expect(eventsAt(example)).toMatchObject([expected]);
  });

  it('say what is wrong with them', () => {
    const wrong = (type: string, result: unknown) => last(read(wire, request('r', type, {}), answer('>', 'r', result)));
    expect(wrong('QuestionRequest', { request_id: 'r', answers: 7 })).toMatchObject({
      ok: false,
      flags: ['bad-shape'],
    });
    expect(wrong('QuestionRequest', { request_id: 'r', answers: {} })).toMatchObject({ ok: true });
    expect(wrong('ToolCallRequest', { nonsense: 1 })).toMatchObject({
      ...{ ok: false, flags: ['no-request-id', 'bad-shape'] },
    });
    expect(wrong('HookRequest', { request_id: 'r', action: 'maybe' })).toMatchObject({
      ...{ decision: null, flags: ['bad-word'] },
    });
  });

  it('are known by their shape if nobody asked', () => {
    const shapes = [
      { response: 1 },
      { answers: {} },
      { return_value: {} },
      { action: 'allow' },
      { outcome: {} },
      {},
      3,
    ];
    expect(shapes.map((shape) => kindsOf(read(wire, answer('>', 'x', shape))[0]!))).toEqual([
      ...['approval-answer', 'question-answer', 'client-call-answer', 'hook-answer', 'approval-answer'],
      ...['control', 'control'],
    ]);
  });
});

describe('tools', () => {
  it('get their arguments in parts, by the latest call of the same speaker', () => {
    const call = (id: string) => event('ToolCall', { id, function: { name: 'Shell', arguments: '{"a' } });
    const part = event('ToolCallPart', { arguments_part: '":1}' });
    const inner = (type: string, payload: object) =>
      event('SubagentEvent', { parent_tool_call_id: 'p', agent_id: 'a', event: { type, payload } });
    const all = read(
      ...([wire, call('1'), call('2')] as const),
      ...[event('ToolResult', { tool_call_id: '1' }), part],
      ...[inner('ToolCallPart', { arguments_part: 'x' }), event('StepBegin', { n: 2 }), part],
    );
    expect(all[3]).toMatchObject([{ kind: 'tool-args', call: '2', text: '":1}', delta: true }]);
    expect(all[4]).toMatchObject([{ kind: 'subagent' }, { call: null, subagent: 'a', parent: 'p', flags: ['orphan'] }]);
    expect(all[6]).toMatchObject([{ call: null, flags: ['orphan'] }]);
    expect(all[0]).toMatchObject([{ tool: 'Shell', args: '{"a', complete: false, writes: true }]);
  });

  it('return text, parts, displays, and the reason where it failed', () => {
    expect(eventsAt('wire-0.80/external_tool#39')).toMatchObject([
      {
        ok: true,
        blocks: [{ type: 'text', text: 'part one' }, { type: 'image' }],
        displays: [
          { type: 'text', text: 'shipped' },
          { type: 'unknown', name: 'x-custom' },
        ],
        text: 'part one',
      },
    ]);
    expect(eventsAt('wire-0.46/tools_yolo#32')).toMatchObject([
      { ok: false, text: 'oops\nCommand failed with exit code: 3.', displays: [{ text: 'Failed with exit code: 3' }] },
    ]);
    expect(eventsAt('wire-0.59/approval_bad_answer#24')).toMatchObject([{ displays: [{ text: 'Rejected by user' }] }]);
    expect(eventsAt('wire-1.31.0/plan_mode#23')).toMatchObject([
      { displays: [{ type: 'diff', before: '', after: '# Plan\n\n1. read\n2. change', lines: [1, 1] }] },
    ]);
  });

  it('of the client are restated when it is asked to run them', () => {
    const [event] = eventsAt('wire-0.80/external_tool#8');
    expect(event).toMatchObject({ call: 'x-1', what: 'lookup_order', arguments: { id: '1' }, restates: true });
    const asked = request('x', 'ToolCallRequest', { name: 't' });
    const turn = (id: string) => [prompt(id, id), `<${JSON.stringify(turnBegin(id))}`];
    const all = read(wire, ...turn('1'), asked, asked, answer('<', '1', {}), ...turn('2'), asked);
    expect([all[2], all[3], all[7]].map((events) => events![0]!.flags)).toEqual([undefined, ['resent'], undefined]);
  });

  const turnBegin = (user_input: string) => ({
    method: 'event',
    params: { type: 'TurnBegin', payload: { user_input } },
  });

  it('are named by the hooks around them', () => {
    expect(eventsAt('wire-1.31.0/hooks#14')).toMatchObject([{ event: 'PreToolUse', target: 'Shell', call: 'h-1' }]);
  });
});

describe('the rest', () => {
  it.each([
    ['wire-1.31.0/hooks#1', { about: { protocol: '1.10', client: { name: 'wire-lab', version: '1.0' } } }],
    ['wire-1.31.0/hooks#2', { about: { protocol: '1.9', agent: { name: 'Kimi Code CLI', version: '1.31.0' } } }],
    ['wire-0.80/external_tool#2', { about: { tools: { accepted: ['lookup_order'] } } }],
    ['wire-1.31.0/plan_mode#3', { mode: 'plan', done: false }],
    ['wire-1.31.0/plan_mode#8', { mode: 'default', done: true }],
    ['wire-1.31.0/plan_mode#10', { mode: null, done: false }],
    ['wire-1.31.0/plan_mode#27', { text: '# Plan\n\n1. read\n2. change\n' }],
    ['wire-0.46/cancel#2', { done: false }],
    ['wire-0.59/cancel#10', { done: true }],
    ['wire-1.21.0/steer#19', { done: true, restates: true, text: 'please be brief' }],
    ['wire-1.49.0/llm_error#6', { n: 1, reason: 'APIStatusError 500', text: 'attempt 2 of 3 in 0.7 s' }],
    ['wire-1.24.0/background_shell#17', { name: 'task.completed', text: expect.stringContaining('slow job') }],
    [
      'wire-1.31.0/plan_mode#19',
      {
        usage: { input: 100, cache_read: 0, cache_write: 0, output: 10 },
        context: { used: 100, size: 100000, share: 0.001 },
      },
    ],
    ['wire-0.46/cancel#7', { usage: null, context: { share: 0.001 } }],
    ['wire-0.46/errors#18', { flags: ['invalid'], text: '{"jsonrpc":"2.0","id":"e-14"}' }],
  ])('%s', (example, expected) => {
    expect(eventsAt(example)).toMatchObject([expected]);
  });

  it('takes set_yolo_mode, which only the sources have, for a mode like set_plan_mode', () => {
    const asked = (enabled: unknown) => ask('y', 'set_yolo_mode', { enabled });
    const done = (yolo_mode: unknown) => answer('<', 'y', { status: 'ok', yolo_mode });
    expect(read(wire, asked(true), done(true)).flat()).toMatchObject([
      { kind: 'mode', mode: 'yolo', done: false },
      { kind: 'mode', mode: 'yolo', done: true },
    ]);
    expect(last(read(wire, asked(false), done(false)))).toMatchObject({ mode: 'default', done: true });
    expect(last(read(wire, asked(true), error('<', 'y', { code: -32601 })))).toMatchObject({ mode: null, done: false });
  });

  it('reads an agent in an agent in an agent', () => {
    const text = { type: 'ContentPart', payload: { type: 'text', text: 'deep' } };
    const inner = { type: 'SubagentEvent', payload: { agent_id: 'b', parent_tool_call_id: 'q', event: text } };
    expect(read(wire, event('SubagentEvent', { agent_id: 'a', event: inner }))[0]).toMatchObject([
      { kind: 'subagent', subagent: 'a' },
      { kind: 'subagent', subagent: 'b', call: 'q' },
      { kind: 'text', subagent: 'b', parent: 'q', text: 'deep' },
    ]);
  });

  it('tells a steer that takes effect from one that nobody sent', () => {
    const steer = event('SteerInput', { user_input: 'x' });
    const all = read(wire, ask('s', 'steer', { user_input: 'x' }), steer, steer);
    expect(all.map(([event]) => event!.restates)).toEqual([undefined, true, undefined]);
  });

  it('appends nothing to an encrypted thought', () => {
    const think = (encrypted: string | null) => event('ContentPart', { type: 'think', think: 'x', encrypted });
    const deltas = read(wire, think(null), think('k'), think(null), think(null)).map(([event]) => event!.delta);
    expect(deltas).toEqual([true, true, undefined, true]);
  });

  it('understands the other one’s words, and marks them', () => {
    expect(read(wireLegacy, ask('1', 'initialize', { protocol_version: '1.1' }))).toMatchObject([
      [{ kind: 'handshake', flags: ['foreign'] }],
    ]);
    expect(read(wire, event('step_begin', { n: 1 }))).toMatchObject([[{ kind: 'step-begin', flags: ['foreign'] }]]);
    expect(read(wire, ask('1', 'interrupt'))).toMatchObject([[{ kind: 'cancel', flags: ['foreign'] }]]);
  });
});
