import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { counts, FIXTURES, kindsOf, readLines, readTape } from '../../support/stream-lines.ts';

const OLD = 'qwen-stream-json-0.15.10';
const NEW = 'qwen-stream-json-0.24.4';
const tape = (name: string) => readTape(streamJson, `${FIXTURES}/${name}.jsonl`);

const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  permission_mode: 'default',
  qwen_code_version: '0.15.10',
};
const user = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const asks = (id: string, request: object) => ({ type: 'control_request', request_id: id, request });
const answers = (id: string, response: unknown) => {
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
};
const fails = (id: string, error: unknown, more = {}) => {
  return { type: 'control_response', response: { subtype: 'error', request_id: id, error, ...more } };
};
const says = (content: object[], more = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content, ...more },
});
const piece = (event: object, parent: string | null = null) => ({
  type: 'stream_event',
  parent_tool_use_id: parent,
  event,
});
const use = { subtype: 'can_use_tool', tool_name: 'edit', tool_use_id: 'c1', input: { file_path: 'a', b: 1 } };

describe('what each line is, on real tapes', () => {
  it.each([
    [OLD, 'agent_yolo', 1, 'handshake'],
    [OLD, 'agent_yolo', 2, 'handshake'],
    [OLD, 'agent_yolo', 3, 'prompt'],
    [OLD, 'agent_yolo', 4, 'turn-begin + handshake'],
    [OLD, 'agent_yolo', 5, 'text'],
    [OLD, 'agent_yolo', 6, 'tool-call + usage'],
    [OLD, 'agent_yolo', 7, 'turn-begin'],
    [OLD, 'agent_yolo', 8, 'tool-call'],
    [OLD, 'agent_yolo', 9, 'tool-result'],
    [OLD, 'agent_yolo', 12, 'prompt-answer + usage'],
    [OLD, 'approve', 7, 'approval'],
    [OLD, 'approve', 8, 'approval-answer'],
    [OLD, 'control', 7, 'control'],
    [OLD, 'control', 8, 'control'],
    [OLD, 'control', 9, 'control'],
    [OLD, 'control', 10, 'control'],
    [OLD, 'control', 11, 'control'],
    [OLD, 'control', 12, 'control'],
    [OLD, 'control', 13, 'mode'],
    [OLD, 'control', 14, 'mode'],
    [OLD, 'control', 17, 'control'],
    [OLD, 'control', 18, 'control'],
    [OLD, 'hand_control_oddities', 3, 'control'],
    [OLD, 'hand_control_oddities', 4, 'control'],
    [OLD, 'hand_control_oddities', 5, 'control'],
    [OLD, 'hand_control_oddities', 6, 'control'],
    [OLD, 'hand_control_oddities', 7, 'control'],
    [OLD, 'hand_control_oddities', 8, 'control'],
    [OLD, 'hand_control_oddities', 9, 'control'],
    [OLD, 'hand_control_oddities', 10, 'control'],
    [OLD, 'hand_control_oddities', 11, 'cancel'],
    [OLD, 'hand_control_oddities', 12, 'control'],
    [OLD, 'hand_control_oddities', 17, 'cancel'],
    [OLD, 'hand_control_oddities', 18, 'cancel'],
    [OLD, 'hand_malformed_between_turns', 7, 'noise'],
    [OLD, 'hand_oneshot_json', 1, 'turn-begin + handshake + text + usage + prompt-answer + usage'],
    [OLD, 'partial', 5, 'step-begin'],
    [OLD, 'partial', 6, 'text'],
    [OLD, 'partial', 7, 'text'],
    [OLD, 'partial', 8, 'text'],
    [OLD, 'partial', 10, 'tool-args'],
    [OLD, 'partial', 11, 'tool-args'],
    [OLD, 'partial', 12, 'tool-args'],
    [OLD, 'partial', 14, 'step-end'],
    [OLD, 'partial_think', 6, 'thinking'],
    [OLD, 'partial_think', 7, 'thinking'],
    [OLD, 'partial_think', 9, 'thinking'],
    [NEW, 'agent', 6, 'status'],
    [NEW, 'agent', 12, 'subagent'],
    [NEW, 'agent', 15, 'notice'],
    [NEW, 'agent', 16, 'notice + usage'],
    [NEW, 'control', 21, 'control'],
    [NEW, 'control', 22, 'control'],
    [NEW, 'control', 23, 'control'],
    [NEW, 'control', 24, 'control'],
    [NEW, 'control', 25, 'control'],
    [NEW, 'control', 26, 'control'],
    [NEW, 'control', 27, 'control'],
    [NEW, 'control', 28, 'control'],
    [NEW, 'err500', 8, 'prompt-answer + usage'],
    [NEW, 'partial_shell_progress', 15, 'progress'],
    [NEW, 'sdk_mcp', 5, 'client-call'],
    [NEW, 'sdk_mcp', 6, 'client-call-answer'],
  ])('%s/%s line %i: %s', (folder, name, line, kinds) => {
    expect(kindsOf(tape(`${folder}/${name}`).line(line))).toBe(kinds);
  });
});

describe('what each line is, where no tape has it', () => {
  it.each<[string, '>' | '<', object]>([
    ['cancel', '<', { type: 'control_cancel_request', request_id: 'r' }],
    ['hook', '<', asks('r', { subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: 'PreToolUse' } })],
    ['control', '<', asks('r', { subtype: 'something_new' })],
    ['compaction', '<', { type: 'system', subtype: 'compact_boundary', compact_metadata: { trigger: 'auto' } }],
    ['hook', '<', { type: 'system', subtype: 'hook_started', hook_id: 'h', hook_event: 'Stop', hook_name: 'lint' }],
    ['status', '<', { type: 'system', subtype: 'model_fallback', data: { message: 'using another' } }],
    [
      'prompt-answer + usage',
      '<',
      { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['too many'] },
    ],
    ['status', '<', piece({ type: 'active_goal', goal: null })],
    ['usage', '<', piece({ type: 'message_delta', usage: { output_tokens: 4 } })],
    ['progress', '<', { type: 'tool_progress', tool_use_id: 'c1', tool_name: 'Bash', elapsed_time_seconds: 3 }],
    ['control', '<', { type: 'keep_alive' }],
    ['status', '<', { type: 'rate_limit_event', rate_limit_info: {} }],
    ['status', '<', { type: 'auth_status', isAuthenticating: false }],
    ['other', '<', { type: 'prompt_suggestion', suggestion: 'go on' }],
    ['other', '<', piece({ type: 'ping' })],
    ['other', '>', { method: 'initialize', id: 1 }],
    ['noise', '>', { hello: 'world' }],
    ['error', '<', fails('unasked', 'what?')],
  ])('%s', (kinds, side, value) => {
    expect(readLines(streamJson, [[side, value]]).map(kindsOf)).toEqual([kinds]);
  });

  it('an object without a type is invalid', () => {
    expect(readLines(streamJson, [['>', { hello: 'world' }]])[0]!.events[0]!.flags).toEqual(['invalid']);
  });
});

describe('turns', () => {
  const taken = (name: string) =>
    tape(name).readings.flatMap(({ frame, events }) =>
      events.filter(({ takes }) => takes !== undefined).map(({ takes }) => [takes, frame.f]),
    );

  it('a prompt is taken up when the agent says who it is, the oldest first', () => {
    expect(taken(`${OLD}/multi`)).toEqual([
      [4, 5],
      [8, 9],
      [17, 18],
    ]);
    const read = readLines(streamJson, [
      ['>', user('one')],
      ['>', user('two')],
      ['<', init],
      ['<', init],
      ['<', init],
    ]);
    expect(read.map(({ events }) => events[0]!.takes)).toEqual([undefined, undefined, 1, 2, undefined]);
  });

  it('a prompt that the agent swallowed is none', () => {
    expect(taken(`${OLD}/hand_control_oddities`)).toEqual([]);
  });

  it.each([`${OLD}/hand_oneshot_json`, `${OLD}/hand_oneshot_tool_noask`])(
    '%s: a prompt on the command line',
    (name) => {
      expect(taken(name)).toEqual([[0, 3]]);
      const answer = tape(name).readings.flatMap(({ events }) => events.filter(({ kind }) => kind === 'prompt-answer'));
      expect(answer).toMatchObject([{ prompt: 0, status: 'success' }]);
    },
  );

  it('an agent behind a wrapper, whose command line says nothing, waits for its client', () => {
    const read = readLines(
      streamJson,
      [
        ['>', asks('1', { subtype: 'initialize' })],
        ['<', answers('1', {})],
      ],
      ['./agent'],
    );
    expect(read[1]!.events[0]!.takes).toBeUndefined();
    const alone = readLines(streamJson, [['<', init]], ['./agent', 'do it']);
    expect(alone[0]!.events[0]!.takes).toBe(0);
  });

  it('a result answers the open turn, and tells what is new', () => {
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'Hi.', usage: {} };
    const read = readLines(streamJson, [
      ['>', user('one')],
      ['<', init],
      ['<', says([{ type: 'text', text: 'Hi.' }])],
      ['<', result],
      ['<', { ...result, is_error: true, result: 'Again.' }],
    ]);
    expect(read[3]!.events[0]).toEqual({ kind: 'prompt-answer', prompt: 1, status: 'success', code: null });
    expect(read[4]!.events[0]).toMatchObject({ prompt: null, status: 'error', text: 'Again.' });
    expect(tape(`${NEW}/err500`).line(8).events[0]).toMatchObject({
      ...{ status: 'error_during_execution', text: '[API Error: 500 mock internal error]' },
    });
  });

  it('calls that the rules of the agent refused are named in the answer', () => {
    expect(tape(`${OLD}/hand_oneshot_tool_noask`).line(6).events[0]).toMatchObject({ denied: ['call_mock_52_0'] });
  });

  it('a turn that is continued is one of its own', () => {
    const read = readLines(streamJson, [
      ['>', asks('c', { subtype: 'continue_last_turn' })],
      ['<', answers('c', { subtype: 'continue_last_turn', accepted: true })],
      ['<', init],
    ]);
    expect(read.map(kindsOf)).toEqual(['control', 'control', 'turn-begin + handshake']);
    expect(read[2]!.events[0]!.takes).toBe(1);
  });

  it('steps are answers of the model, as many as the agent counts', () => {
    for (const name of [`${OLD}/agent_yolo`, `${OLD}/partial`, `${OLD}/partial_think`, `${NEW}/agent`]) {
      const events = tape(name).readings.flatMap(({ events }) =>
        events.filter(({ subagent }) => subagent === undefined),
      );
      const steps = events.filter(({ step, kind }) => step || kind === 'step-begin').length;
      const last = tape(name).readings.findLast(({ message }) => message.type === 'result/success')!;
      expect([name, steps]).toEqual([name, (last.message.body as { num_turns: number }).num_turns]);
    }
  });

  it('lines of one answer that share an id (Claude) are one step and count their tokens once', () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1 };
    const read = readLines(streamJson, [
      ['>', user('one')],
      ['<', { ...init, qwen_code_version: undefined, claude_code_version: '2.0.0', permissionMode: 'plan' }],
      ['<', says([{ type: 'thinking', thinking: 'hm' }], { id: 'm1', usage })],
      ['<', says([{ type: 'text', text: 'yes' }], { id: 'm1', usage: { ...usage, output_tokens: 5 } })],
      ['<', says([{ type: 'text', text: 'no' }], { id: 'm2', usage })],
    ]).slice(2);
    expect(read.map(kindsOf)).toEqual(['thinking + usage', 'text + usage', 'text + usage']);
    expect(read.map(({ events }) => events[0]!.step)).toEqual([true, undefined, true]);
    expect(read.map(({ events }) => events[1])).toMatchObject([
      { usage: { input: 3, cache_read: 100, cache_write: 10, output: 1 } },
      { usage: { input: 0, cache_read: 0, cache_write: 0, output: 4 } },
      { usage: { input: 3, cache_read: 100, cache_write: 10, output: 1 } },
    ]);
  });
});

describe('what agents say', () => {
  it('who the agent is', () => {
    expect(tape(`${OLD}/approve`).line(4).events[1]).toMatchObject({
      about: { agent: { name: 'qwen-code', version: '0.15.10' }, model: 'mock-model', mode: 'default' },
    });
  });

  it('tokens: the cached are not input, and a result is the sum so far', () => {
    const { line } = tape(`${OLD}/control`);
    const [step, turn, later] = [line(5), line(6), line(22)].map(({ events }) => events[1]);
    expect(step).toEqual({
      ...{ kind: 'usage', usage: { input: 204, cache_read: 1000, cache_write: 0, output: 27 } },
      ...{ total: false, context: null },
    });
    expect(turn).toMatchObject({ usage: { input: 410, cache_read: 2000, output: 54 }, total: true });
    expect(later).toMatchObject({ usage: { input: 824, cache_read: 4000, output: 108 }, total: true });
  });

  it('an assistant line restates what was streamed; the call is announced by it alone', () => {
    const { line } = tape(`${OLD}/partial`);
    expect(line(7).events).toEqual([{ kind: 'text', text: 'I will write the file.', delta: true }]);
    expect(line(9).events).toEqual([{ kind: 'text', text: 'I will write the file.', restates: true }]);
    expect(line(11).events[0]).toMatchObject({
      kind: 'tool-args',
      call: 'call_mock_19_0',
      tool: 'write_file',
      delta: true,
    });
    expect(line(13).events[0]).toMatchObject({
      kind: 'tool-call',
      call: 'call_mock_19_0',
      writes: true,
      complete: true,
    });
    expect(line(13).events[0]!.restates).toBeUndefined();
    expect(line(13).events[0]).toMatchObject({ args: line(11).events[0]!.text });
  });

  it('each agent has its own stream, and text that was not streamed adds', () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
    const text = [{ type: 'text', text: 'a' }];
    const read = readLines(streamJson, [
      ['<', piece(start, 'c1')],
      ['<', says(text)],
      ['<', { ...says(text), parent_tool_use_id: 'c1' }],
      ['<', { ...says(text), parent_tool_use_id: 'c1' }],
    ]);
    expect(read.map(({ events: [event] }) => [event!.subagent, event!.restates ?? false])).toEqual([
      ['c1', false],
      [undefined, false],
      ['c1', true],
      ['c1', false],
    ]);
  });

  it('a subagent is known by the call that started it', () => {
    const { line } = tape(`${OLD}/agent_yolo`);
    expect(line(7).events[0]).toMatchObject({ nested: true, subagent: 'call_mock_11_0', parent: 'call_mock_11_0' });
    expect(line(8).events[0]).toMatchObject({ subagent: 'call_mock_11_0', tool: 'run_shell_command' });
    expect(line(10).events[0]).toMatchObject({ kind: 'tool-result', call: 'call_mock_11_0', ok: true });
    expect(line(10).events[0]!.subagent).toBeUndefined();
    const background = tape(`${NEW}/agent`);
    expect(background.line(12).events[0]).toMatchObject({
      call: 'call_mock_229_0',
      name: 'general-purpose',
      background: true,
    });
    expect(background.line(16).events[1]).toMatchObject({ usage: null, tokens: 2436, subagent: 'call_mock_229_0' });
  });

  it('a call that is announced twice is one call', () => {
    const call = says([{ type: 'tool_use', id: 'c1', name: 'Bash', input: {} }]);
    const result = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x' }] } };
    const read = readLines(streamJson, [
      ['<', call],
      ['<', call],
      ['<', result],
      ['<', call],
    ]);
    expect(counts(read).slice(0, 2)).toEqual([0, 2]);
  });

  it('lines of an earlier run are replayed', () => {
    const [read] = readLines(streamJson, [['<', { ...user('said before'), isReplay: true }]]);
    expect(read!.events).toEqual([
      { kind: 'notice', name: null, text: 'said before', flags: ['replayed'], restates: true },
    ]);
  });

  it('prompts and results as blocks', () => {
    expect(tape(`${OLD}/hand_content_blocks`).line(3).events[0]).toMatchObject({
      text: 'SCENARIO=plain blocks',
      blocks: [{ type: 'text' }, { type: 'image', mime: 'image/png', size: 8, url: null }],
    });
  });
});

describe('the control channel', () => {
  it('an approval', () => {
    expect(tape(`${OLD}/approve`).line(7)).toMatchObject({
      message: { envelope: 'request', method: 'can_use_tool' },
      events: [
        {
          ...{ tool: 'write_file', call: 'call_mock_7_0', description: 'Edit file: approved.txt' },
          options: [
            { id: 'allow', decision: 'allow' },
            { id: 'deny', decision: 'deny' },
            { id: 'modify', decision: null },
          ],
        },
      ],
    });
  });

  const answered = (response: object) =>
    readLines(streamJson, [
      ['<', asks('r', use)],
      ['>', response],
    ])[1]!.events[0];

  it.each<[string, object, object]>([
    ['allow', answers('r', { behavior: 'allow', updatedInput: { b: 1, file_path: 'a' } }), { decision: 'allow' }],
    ['deny', answers('r', { behavior: 'deny', message: 'no' }), { decision: 'deny', feedback: 'no' }],
    [
      'time-out',
      answers('r', { behavior: 'deny', message: 'Timed out.' }),
      { decision: 'deny', flags: ['client-timeout'] },
    ],
    [
      'a standing grant',
      answers('r', { behavior: 'allow', updatedPermissions: [{ type: 'addRules', behavior: 'allow', rules: [] }] }),
      { decision: 'allow-always' },
    ],
    [
      'edited',
      answers('r', { behavior: 'allow', updatedInput: { file_path: 'b', b: 1 } }),
      { decision: 'allow', edited: { file_path: 'b', b: 1 }, flags: ['edited'] },
    ],
    ['an unknown word', answers('r', { behavior: 'approve' }), { decision: null, flags: ['bad-word'] }],
    ['no word', answers('r', {}), { decision: null, flags: ['bad-shape'] }],
    ['nothing', answers('r', null), { decision: null, flags: ['bad-shape'] }],
    ['an error', fails('r', 'crashed'), { decision: null, feedback: 'crashed', flags: ['client-error'] }],
    [
      'an error and an answer',
      fails('r', { message: 'crashed' }, { response: { behavior: 'allow' } }),
      { decision: null, feedback: 'crashed', flags: ['client-error', 'both'] },
    ],
    [
      'the words of the sibling',
      { type: 'control_response', request_id: 'r', response: { subtype: 'success', result: { behavior: 'approve' } } },
      { decision: null, flags: ['foreign', 'bad-shape'] },
    ],
  ])('an answer: %s', (_, response, expected) => {
    expect(answered(response)).toMatchObject({ kind: 'approval-answer', ...expected });
    if (!('edited' in expected)) expect(answered(response)).not.toHaveProperty('edited');
    if (!('flags' in expected)) expect(answered(response)).not.toHaveProperty('flags');
  });

  it('an answer to nothing, an answer given twice, a question asked twice', () => {
    const read = readLines(streamJson, [
      ['>', answers('r', { behavior: 'allow' })],
      ['<', asks('r', use)],
      ['<', asks('r', use)],
      ['>', answers('r', { behavior: 'deny' })],
      ['>', answers('r', { behavior: 'allow' })],
      ['>', { type: 'control_response', response: { subtype: 'success', response: {} } }],
    ]);
    expect(read.map(kindsOf)).toEqual([
      ...['approval-answer', 'approval', 'approval', 'approval-answer', 'approval-answer', 'control'],
    ]);
    expect(read.map(({ events }) => events[0]!.flags)).toEqual([
      ...[['orphan'], undefined, ['resent'], undefined, ['dup'], ['orphan', 'no-request-id']],
    ]);
    expect(counts(read).slice(2)).toEqual([1, 0, 0, 1, 0]);
    expect(tape(`${NEW}/hand_cancel_request_pending`).line(7).events[0]).toMatchObject({
      ...{ kind: 'control', name: 'get_context_usage', text: 'Request aborted', flags: ['dup'] },
    });
  });

  it('a mode that was refused is not set, and an interrupt is done when it is answered', () => {
    const { line } = tape(`${OLD}/control`);
    const modes = [13, 14, 15, 16].map((n) => line(n).events[0]);
    expect(modes).toMatchObject([
      { mode: 'yolo', done: false },
      { mode: 'yolo', done: true },
      { mode: 'bypassPermissions', done: false },
      { mode: 'bypassPermissions', done: false },
    ]);
    const cancels = tape(`${OLD}/interrupt`).readings.flatMap(({ events }) =>
      events.filter(({ kind }) => kind === 'cancel'),
    );
    expect(cancels).toEqual([
      { kind: 'cancel', of: null, done: false },
      { kind: 'cancel', of: null, done: true },
    ]);
    expect(tape(`${OLD}/hand_control_oddities`).line(11).events[0]).toEqual({
      kind: 'cancel',
      of: 'nope',
      done: false,
    });
  });

  it('a tool that the client runs is the call that it restates', () => {
    const calls = tape(`${NEW}/sdk_mcp`).readings.flatMap(({ message, events }) =>
      events.filter(({ kind }) => kind === 'client-call').map((event) => ({ type: message.type, event })),
    );
    expect(calls.map(({ type }) => type)).toEqual([
      ...['initialize', 'notifications/initialized', 'prompts/list', 'resources/list', 'tools/list', 'tools/call'],
    ]);
    expect(calls.at(-1)!.event).toMatchObject({ call: 'call_mock_248_0', tool: 'add', restates: true });
    const ok = tape(`${NEW}/sdk_mcp`).readings.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'client-call-answer' ? [event.ok] : [])),
    );
    expect(ok).toEqual([true, true, false, false, true, true]);
    const tool = tape(`${NEW}/sdk_mcp`).readings.flatMap(({ events }) =>
      events.filter(({ kind }) => kind === 'tool-call'),
    );
    expect(tool).toMatchObject([{ tool: 'mcp__calc__add', writes: false }]);
  });

  it('hooks', () => {
    const request = {
      subtype: 'hook_callback',
      tool_use_id: 'c1',
      input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    };
    const refused = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'never' } };
    const read = readLines(streamJson, [
      ['<', asks('1', request)],
      ['>', answers('1', refused)],
      ['<', asks('2', request)],
      ['>', answers('2', {})],
      ['<', asks('3', request)],
      ['>', fails('3', 'crashed')],
    ]).map(({ events }) => events[0]);
    expect(read[0]).toEqual({ kind: 'hook', request: '1', event: 'PreToolUse', target: 'Bash', call: 'c1' });
    expect([read[1], read[3], read[5]]).toMatchObject([
      { kind: 'hook-answer', decision: 'deny', reason: 'never' },
      { kind: 'hook-answer', decision: 'allow', reason: null },
      { kind: 'hook-answer', decision: null, reason: 'crashed', flags: ['client-error'] },
    ]);
  });
});

describe('lines of the sibling', () => {
  it('have its kinds, and are foreign', () => {
    const { line } = tape(`${OLD}/hand_rfc_message_types`);
    const foreign = [3, 4, 5, 6].map((n) => line(n).events[0]!);
    expect(foreign.map(({ kind, flags }) => [kind, flags])).toEqual([
      ['control', ['foreign']],
      ['control', ['foreign']],
      ['cancel', ['foreign']],
      ['control', ['foreign']],
    ]);
    expect(line(7).events[0]!.flags).toBeUndefined();
    for (const name of ['hand_rfc_chat_request', 'hand_rfc_debug_example']) {
      expect(tape(`${OLD}/${name}`).line(1).events[0]).toMatchObject({
        ...{ kind: 'prompt', text: 'SCENARIO=plain hi', flags: ['foreign'] },
      });
    }
  });

  it('are taken up only as any prompt is', () => {
    const read = readLines(streamJson, [
      ['>', { model: 'm', messages: [{ role: 'user', content: 'hi' }] }],
      ['<', { object: 'chat.completion', choices: [{ message: { content: 'hi' }, finish_reason: null }] }],
      ['<', init],
    ]);
    expect(read.map(({ events }) => events[0]!.takes)).toEqual([undefined, undefined, 1]);
    expect(read[1]!.events[0]).toMatchObject({ kind: 'text', flags: ['foreign'] });
  });
});

it('arguments nested deeper than the stack is high are left out', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const deeply = (value: object) => JSON.stringify(value).replace('"DEEP"', `{"a":${deep}}`);
  const read = readLines(streamJson, [
    ['<', deeply(says([{ type: 'tool_use', id: 'c1', name: 'edit', input: 'DEEP' }]))],
    ['<', deeply(asks('r', { ...use, input: 'DEEP' }))],
    ['>', deeply(answers('r', { behavior: 'allow', updatedInput: 'DEEP' }))],
  ]);
  expect(read[0]!.events[0]).toMatchObject({ kind: 'tool-call', call: 'c1', args: null });
  expect(read[2]!.events[0]).toMatchObject({ decision: 'allow', flags: ['edited'] });
});

it('reads any object without a word', () => {
  const types = ['system', 'assistant', 'user', 'result', 'stream_event', 'control_request', 'control_response'];
  const keys = [
    'type',
    'subtype',
    'message',
    'content',
    'request',
    'response',
    'request_id',
    'event',
    'usage',
    'delta',
  ];
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...types, 'init', 'tool_use', 'text', 'can_use_tool'),
      fc.jsonValue(),
      tie('tree'),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
    tree: fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 5 }),
  })).tree;
  const typed = fc.tuple(fc.constantFrom(...types), value).map(([type, rest]) => ({ ...(rest as object), type }));
  const lines = fc.array(
    fc.tuple(
      fc.constantFrom<'>' | '<'>('>', '<'),
      fc.oneof(typed, fc.dictionary(fc.string(), fc.jsonValue()), fc.array(typed)),
    ),
  );
  fc.assert(
    fc.property(lines, (session) => {
      for (const { events } of readLines(streamJson, session)) expect(events.length).toBeGreaterThan(0);
    }),
  );
});
