/** What Claude Code does differently from qwen in the same protocol, on recorded sessions. */
import { describe, expect, it } from 'vitest';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { auditFrames, auditSaid, words } from '../../support/audit.ts';
import { a, framesOf as checked, exit, findings as found } from '../../support/check.ts';
import * as $ from '../../support/claude.ts';
import { framesOf, type Said } from '../../support/reading.ts';
import { build, buildSaid, callOf, itemsOf, stepsOf, turnsOf } from '../../support/timeline.ts';

const USAGE = { input_tokens: 120, cache_read_input_tokens: 1000, cache_creation_input_tokens: 0, output_tokens: 42 };
const user = (content: string) => ['client', { type: 'user', message: { role: 'user', content } }] satisfies Said;
const init: Said = ['agent', { type: 'system', subtype: 'init', claude_code_version: '2.1.325' }];
const says = (id: string, block: object): Said => [
  'agent',
  { type: 'assistant', message: { id, role: 'assistant', content: [block] }, parent_tool_use_id: null },
];
const asksFor = (call: string): Said => [
  'agent',
  {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: call },
  },
];
const result: Said = ['agent', { type: 'result', subtype: 'success', is_error: false, result: 'a' }];

const without = (raw: Uint8Array, text: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(raw).replace(text, ''));

describe('tokens (rule U3)', () => {
  it('are told of each turn, and of the session by model', () => {
    const built = $.buildClaude('turns');
    const turn = { input: 120, cache_read: 1000, cache_write: 0, output: 42 };
    expect(turnsOf(built).map(({ usage }) => usage)).toEqual([turn, turn, turn]);
    expect(built.timeline.usage).toEqual({ input: 360, cache_read: 3000, cache_write: 0, output: 126 });
  });

  it('of subagents are in the sum of the session only', () => {
    const built = $.buildClaude('agents2');
    expect(turnsOf(built)[0]!.usage).toEqual({ input: 240, cache_read: 2000, cache_write: 0, output: 84 });
    expect(built.timeline.usage).toEqual({ input: 720, cache_read: 6000, cache_write: 0, output: 252 });
  });
});

describe('partial messages (rules S2 and S4)', () => {
  it('are one step, with the output of its last count', () => {
    const steps = stepsOf($.buildClaude('partial').timeline.entries);
    expect(steps.map(({ f, f_end, usage }) => ({ f, f_end, usage }))).toEqual([
      { f: 8, f_end: 23, usage: { input: 120, cache_read: 1000, cache_write: 0, output: 42 } },
    ]);
  });

  it('make one item a block, though its stream ends after it was repeated', () => {
    const said = itemsOf($.buildClaude('partial')).filter(({ kind }) => kind === 'text' || kind === 'thinking');
    expect(said.map(({ f, f_end, text }) => ({ f, f_end, text }))).toEqual([
      { f: 9, f_end: 16, text: 'Let me think. The user wants a greeting.' },
      { f: 17, f_end: 21, text: 'Hi there.' },
    ]);
  });
});

describe('tasks', () => {
  it('are subagents of the turn if the agent waits for them', () => {
    const rows = $.auditClaude('agents2').rows.map(({ f, turn, flags }) => ({ f, turn, flags }));
    expect(rows).toEqual([
      { f: 14, turn: 1, flags: ['before-call', 'subagent'] },
      { f: 18, turn: 1, flags: ['subagent'] },
    ]);
  });

  it('outlive the turn if their call, or its result, says so', () => {
    const [row] = $.auditClaude('bgagent').rows;
    expect(row).toMatchObject({ f: 13, turn: null, flags: ['background', 'subagent'] });
    const { frames, command } = $.claudeTape('bgagent');
    const silent = frames.map((frame) => ({ ...frame, raw: without(frame.raw, ',"run_in_background":true') }));
    expect(auditFrames(streamJson, silent, command).rows[0]).toMatchObject({ f: 13, turn: null });
  });

  it('that are commands are no subagents, and what is said of them goes with their call', () => {
    const built = $.buildClaude('bgshell');
    expect(itemsOf(built).filter(({ subagent, kind }) => subagent !== null || kind === 'subagent')).toEqual([]);
    const { entries } = callOf(built, 'toolu_mock_499_1');
    expect(entries).toMatchObject([
      { kind: 'status', f: 8 },
      { kind: 'notice', f: 13, turn: 1 },
    ]);
  });
});

describe('turns that the agent begins itself', () => {
  it.each(['bgagent', 'bgshell'])('%s: hold their steps, and are none of the client', (name) => {
    const built = $.buildClaude(name);
    expect(built.timeline.counts.turns).toBe(1);
    expect(turnsOf(built)).toMatchObject([{ n: 1, status: 'success' }]);
    const own = built.readings.flatMap(({ events }) => events).filter((event) => 'own' in event);
    expect(own).toHaveLength(1);
    const begun = built.timeline.entries.find((entry) => entry.is === 'item' && entry.kind === 'turn-begin')!;
    expect(stepsOf(begun.entries)).toHaveLength(1);
    expect(itemsOf(built).filter(({ kind }) => kind === 'prompt-answer')).toEqual([]);
  });

  it('go on when the client prompts', () => {
    const built = buildSaid(streamJson, [
      ...[user('one'), init, says('m1', { type: 'text', text: 'a' }), result],
      ...[init, user('two'), says('m2', { type: 'tool_use', id: 'k', name: 'Bash', input: {} }), asksFor('k'), result],
      ...[init, says('m3', { type: 'text', text: 'b' }), result],
    ]);
    expect(turnsOf(built).map(({ n, f, f_end }) => ({ n, f, f_end }))).toEqual([
      { n: 1, f: 1, f_end: 4 },
      { n: 2, f: 6, f_end: 12 },
    ]);
    expect(callOf(built, 'k')).toMatchObject({ f: 7, turn: null });
    expect(callOf(built, 'k').call.asks).toMatchObject([{ f: 8, turn: null, outside: false }]);
  });
});

describe('prompts that are sent while the agent is busy', () => {
  it('become one turn if it repeats them together', () => {
    const built = $.buildClaude('queue');
    expect(turnsOf(built).map(({ n, prompt_f }) => [n, prompt_f])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(itemsOf(built).filter(({ kind }) => kind === 'prompt')).toMatchObject([
      { f: 2, turn: 1 },
      { f: 3, turn: 2 },
      { f: 4, turn: 2 },
    ]);
    expect(itemsOf(built).filter(({ flags }) => flags.includes('replayed'))).toEqual([]);
  });

  it('stay two turns if they only say the same', () => {
    const echo: Said = ['agent', { ...user('go')[1], parent_tool_use_id: null, isReplay: true }];
    const built = buildSaid(streamJson, [
      ...[user('go'), user('go'), init, echo, says('m1', { type: 'text', text: 'a' }), result],
      ...[init, echo, says('m2', { type: 'text', text: 'b' }), result],
    ]);
    expect(turnsOf(built).map(({ prompt_f, status }) => [prompt_f, status])).toEqual([
      [1, 'success'],
      [2, 'success'],
    ]);
  });
});

it('answers of the client that the agent repeats answer nothing', () => {
  const { message, pairing, events } = $.buildClaude('checkpoint').readings.find(({ frame }) => frame.f === 13)!;
  expect({ envelope: message.envelope, pairing, events }).toEqual({
    envelope: 'response',
    pairing: null,
    events: [{ kind: 'status', name: 'control_response', restates: true }],
  });
  const stray: Said = ['agent', { type: 'control_response', response: { subtype: 'success', request_id: 'x' } }];
  expect(buildSaid(streamJson, [user('one'), init, stray]).readings[2]!.pairing?.role).toBe('orphan');
});

describe('--output-format json', () => {
  const RESULT = {
    ...{ type: 'result', subtype: 'success', is_error: false, duration_ms: 10, num_turns: 1, session_id: 's' },
    ...{ result: 'hello', usage: USAGE },
  };
  const lone = (command: string[]) => build(streamJson, framesOf([['agent', RESULT]]), command);

  it.each([[['claude', '-p', 'hi', '--output-format', 'json']], [['claude', '-p', '--output-format=json']]])(
    'is a turn of one line: %j',
    (command) => {
      const built = lone(command);
      expect(turnsOf(built)).toMatchObject([{ n: 1, status: 'success', usage: { input: 120, output: 42 } }]);
      expect(itemsOf(built)).toMatchObject([{ kind: 'text', turn: 1, text: 'hello' }]);
      const findings = found({ dialect: 'stream-json', command }, checked([a(RESULT), exit()]));
      expect(findings).toEqual([]);
    },
  );

  it('only if it was asked for', () => {
    expect(turnsOf(lone(['claude', '-p', '--output-format', 'stream-json']))).toEqual([]);
  });
});

describe('hooks', () => {
  const asked = (permissionDecision: string) => {
    const hook = { subtype: 'hook_callback', callback_id: 'h', input: HOOK, tool_use_id: 'k' };
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } };
    return auditSaid(streamJson, [
      ...[user('one'), init, says('m1', { type: 'tool_use', id: 'k', name: 'Bash', input: {} })],
      ['agent', { type: 'control_request', request_id: 'h', request: hook }],
      ['client', { type: 'control_response', response: { subtype: 'success', request_id: 'h', response: answer } }],
      asksFor('k'),
    ]);
  };
  const HOOK = { hook_event_name: 'PreToolUse', tool_name: 'Bash' };

  it('that ask do not allow', () => {
    const [row] = asked('ask').rows;
    expect(`${row!.kind} ${words(row!)}`).toBe('hook none client f5 unknown - [asks]');
    expect(words(asked('allow').rows[0]!)).toBe('allow client f5 unknown - []');
    expect(words(asked('deny').rows[0]!)).toBe('deny client f5 no - []');
  });

  it('after a call do not start its clock again', () => {
    const { call } = callOf($.buildClaude('hooks'), 'toolu_mock_55_1');
    // From the answer in f15 to the hook in f17.
    expect(call.run).toBeCloseTo(0.24, 2);
    expect(call.asks).toHaveLength(3);
  });

  it('that the agent runs itself are one item each, with how they ended', () => {
    const hooks = itemsOf($.buildClaude('cmdhooks')).filter(({ kind }) => kind.startsWith('hook'));
    expect(hooks).toMatchObject([
      { f: 6, f_end: 7, answer: { f: 7, ok: false, status: null } },
      { f: 12, f_end: 13, answer: { f: 13, ok: true, status: 'allow' } },
    ]);
  });

  it.each([
    [
      { exit_code: 2, outcome: 'error', stderr: 'no' },
      { decision: 'deny', reason: 'no' },
    ],
    [{ exit_code: 0, outcome: 'success', stdout: '{"decision":"block"}' }, { decision: 'deny' }],
    [
      { exit_code: 1, outcome: 'error', stderr: 'oops' },
      { decision: null, reason: 'oops', failed: true },
    ],
  ])('%j', (told, read) => {
    const line = { type: 'system', subtype: 'hook_response', hook_id: 'h', hook_event: 'Stop', hook_name: 'Stop' };
    const built = buildSaid(streamJson, [user('one'), init, ['agent', { ...line, ...told }]]);
    expect(built.readings[2]!.events).toMatchObject([{ kind: 'hook-resolved', ...read }]);
  });
});
