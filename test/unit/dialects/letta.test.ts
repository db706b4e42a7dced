/** letta: what its lines mean, on real tapes and on lines made after its documentation and its types. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detect } from '../../../lib/dialects/detect.ts';
import { traitsOf } from '../../../lib/dialects/index.ts';
import { letta } from '../../../lib/dialects/letta/index.ts';
import { auditFrames, sessionOf } from '../../support/audit.ts';
import { eventsOf, framesOf, kinds, only, pinned, readFixture, type Said } from '../../support/reading.ts';
import { cases } from '../../support/scale.ts';
import { build, buildFixture, itemsOf, turnsOf } from '../../support/timeline.ts';

const IDS = { session_id: 'agent-1', agent_id: 'agent-1', conversation_id: 'conv-1', uuid: 'u' };
const a = (type: string, more: object = {}): Said => ['agent', { type, ...IDS, ...more }];
const m = (message_type: string, more: object = {}): Said => a('message', { message_type, ...more });
const prompt = (content = 'go'): Said => ['client', { type: 'user', message: { role: 'user', content } }];
const queued = (item_id: string, source = 'user') => a('queue_item_enqueued', { item_id, source, queue_len: 1 });
const taken = (...item_ids: string[]) => a('queue_batch_dequeued', { item_ids, batch_id: 'b' });
const says = (text: string) => m('assistant_message', { content: [{ type: 'text', text }] });
const call = (id: string, name = 'Bash', args = '{"command":"ls"}') => ({
  tool_call: { tool_call_id: id, name, arguments: args },
});
const wants = (id: string, name?: string, args?: string) => m('approval_request_message', call(id, name, args));
const stops = (stop_reason = 'end_turn') => m('stop_reason', { stop_reason });
const goes = (id: string, reason: string, name?: string) =>
  a('auto_approval', { ...call(id, name), reason, matched_rule: 'x' });
const ends = (subtype = 'success', more: object = {}) => a('result', { subtype, result: '', usage: null, ...more });
const asks = (id: string, more: object = {}): Said => [
  'agent',
  {
    type: 'control_request',
    request_id: `perm-${id}`,
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_call_id: id, input: { command: 'ls' }, ...more },
  },
];
const answers = (id: string, response: object): Said => [
  'client',
  { type: 'control_response', response: { subtype: 'success', request_id: `perm-${id}`, response } },
];
const init = a('system', { subtype: 'init', permission_mode: '', tools: ['Bash'], model: 'm', cwd: '/w' });
const BEGIN = [prompt(), queued('q-1'), taken('q-1')];
const JSON_INPUT = ['letta', '-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
const rowsOf = (said: Said[], command = JSON_INPUT) =>
  auditFrames(letta, sessionOf([...said, ['exit', { code: 0 }]]), command).rows;
const turns = (said: Said[], command = JSON_INPUT) => turnsOf(build(letta, framesOf(said), command));

describe('real tapes', () => {
  it('letta-0.32.18-ask/allow', () => {
    const { dialect, kinds: words } = pinned('letta-0.32.18-ask/allow');
    expect(dialect).toBe('letta');
    expect(words).toBe(
      'handshake handshake handshake prompt status turn-begin text tool-call usage status approval approval-answer tool-call text+progress usage status prompt-answer status',
    );
  });

  it('every line is known, and every turn, step and call is there', () => {
    const { readings } = readFixture('letta-0.32.18/mix');
    const unknown = readings.filter(({ events }) => events.some(({ kind }) => kind === 'other' || kind === 'noise'));
    expect(unknown.map(({ frame }) => frame.f)).toEqual([]);
    const built = buildFixture('letta-0.32.18/mix');
    expect(turnsOf(built).map(({ status }) => status)).toEqual([...Array(5).fill('success'), 'error']);
    const steps = turnsOf(built).map(({ entries }) => entries.filter(({ is }) => is === 'step').length);
    expect(steps).toEqual([2, 2, 1, 2, 1, 0]);
    expect(built.timeline.usage).toEqual({ input: 1600, cache_read: 8000, cache_write: 0, output: 336 });
    const texts = readings.flatMap(({ events }) => events.filter(({ kind }) => kind === 'text'));
    expect(texts).toHaveLength(159);
  });
});

describe('is recognised', () => {
  it.each([
    ['by its messages', says('hi')],
    ['by its introduction', init],
    ['by its queue', queued('q-1')],
    ['by a result', ends()],
  ])('%s', (_, [from, value]) => {
    expect(detect({ command: [], lines: [{ from, value: value as never }] }).dialect.name).toBe('letta');
  });

  it('not where Claude or gemini speak', () => {
    const claude = { type: 'system', subtype: 'init', session_id: 's', claude_code_version: '2' };
    expect(detect({ command: [], lines: [{ from: 'agent', value: claude }] }).dialect.name).toBe('stream-json');
    const gemini = { type: 'message', role: 'assistant', content: 'x', delta: true, timestamp: 't' };
    expect(detect({ command: [], lines: [{ from: 'agent', value: gemini }] }).dialect.name).not.toBe('letta');
  });

  it('by its command line as long as it says nothing', () => {
    expect(detect({ command: JSON_INPUT, lines: [] }).dialect.name).toBe('letta');
  });
});

describe('turns', () => {
  it('take up what the queue gives them, several prompts too', () => {
    const said = [init, prompt('a'), prompt('b'), queued('q-1'), queued('q-2'), taken('q-1', 'q-2'), says('x'), ends()];
    expect(eventsOf(letta, said, JSON_INPUT)[5]).toMatchObject([{ takes: 2 }, { joins: 3 }]);
    expect(turns(said)).toMatchObject([{ n: 1, f: 2, status: 'success' }]);
  });

  it('that the agent begins itself have no prompt', () => {
    const own = [queued('q-2', 'task_notification'), taken('q-2'), says('done'), ends()];
    expect(eventsOf(letta, [init, ...BEGIN, ends(), ...own], JSON_INPUT)[6]).toMatchObject([{ own: true }]);
    expect(eventsOf(letta, [init, ...BEGIN, ends(), ...own], JSON_INPUT)[8]).toMatchObject([{ kind: 'turn-end' }]);
  });

  it('begin with the first words where no queue is told', () => {
    expect(turns([init, prompt(), says('x'), stops(), ends('interrupted')])).toMatchObject([{ status: 'interrupted' }]);
  });

  it('begin with the first line if the prompt is on the command line', () => {
    const command = ['letta', '-p', 'go', '--output-format', 'stream-json'];
    const usage = { prompt_tokens: 1200, completion_tokens: 8, total_tokens: 1208, cached_input_tokens: 1000 };
    const [turn] = turns([init, says('x'), ends('success', { result: 'x', usage })], command);
    // Cached tokens are in the prompt: the sum says so.
    expect(turn).toMatchObject({ n: 1, prompt: null, status: 'success', usage: { input: 200, cache_read: 1000 } });
  });

  it('are interrupted by a request that is answered', () => {
    const stop: Said = ['client', { type: 'control_request', request_id: 'r2', request: { subtype: 'interrupt' } }];
    const done = a('control_response', { response: { subtype: 'success', request_id: 'r2' } });
    const events = eventsOf(letta, [...BEGIN, stop, ends('interrupted'), done], JSON_INPUT);
    expect(kinds(events[3]!)).toBe('cancel');
    expect(only(events[5]!, 'cancel').done).toBe(true);
  });
});

describe('calls', () => {
  it('come in pieces, and are one', () => {
    const said = [...BEGIN, wants('c', 'Bash', '{"comm'), m('approval_request_message', call('c', '', 'and":"ls"}'))];
    const events = eventsOf(letta, [...said, stops('requires_approval')], JSON_INPUT);
    expect(kinds(events[4]!)).toBe('tool-args');
    const items = itemsOf(build(letta, framesOf([...said, stops('requires_approval')]), JSON_INPUT));
    const called = items.find(({ kind }) => kind === 'tool-call');
    expect(called?.call).toMatchObject({ args: '{"command":"ls"}', tool: 'Bash' });
  });

  it('that a mode lets go ahead ran if the model was asked again', () => {
    const go = [...BEGIN, wants('c'), stops('requires_approval'), goes('c', 'Permission mode: unrestricted')];
    expect(rowsOf([...go, says('over'), stops(), ends()])).toMatchObject([
      { f: 4, turn: 1, decision: 'unasked', by: 'mode', mode: 'unrestricted', executed: 'yes', result: null },
    ]);
    // Nothing shows that it came so far.
    expect(rowsOf(go)).toMatchObject([{ by: 'mode', executed: 'unknown' }]);
  });

  it('that a rule lets go ahead were not asked about, and no mode did it', () => {
    const command = [...JSON_INPUT, '--permission-mode', 'standard'];
    const go = [
      ...BEGIN,
      wants('c'),
      stops('requires_approval'),
      goes('c', 'Matched allow rule'),
      says('over'),
      ends(),
    ];
    expect(rowsOf(go, command)).toMatchObject([
      { decision: 'unasked', by: 'agent', mode: 'standard', executed: 'yes' },
    ]);
  });

  it('that are refused did not run, whatever the model says next', () => {
    const no = answers('c', { behavior: 'deny', message: 'no' });
    const said = [...BEGIN, wants('c'), stops('requires_approval'), asks('c'), no, says('all right'), stops(), ends()];
    expect(rowsOf(said)).toMatchObject([{ f: 6, decision: 'deny', by: 'client', executed: 'no', tool_call_id: 'c' }]);
  });

  it('that are allowed in other words ran in those', () => {
    const yes = answers('c', { behavior: 'allow', updatedInput: { command: 'pwd' } });
    const said = [...BEGIN, wants('c'), stops('requires_approval'), asks('c'), yes];
    const [row] = rowsOf([...said, goes('c', 'SDK callback approved'), says('over'), ends()]);
    expect(row).toMatchObject({ decision: 'allow', executed: 'yes', executed_arguments: { command: 'pwd' } });
    expect(row!.flags).toContain('edited');
  });

  it('have results in versions that show them', () => {
    const back = (status: string, tool_return: string) =>
      m('tool_return_message', { tool_call_id: 'c', status, tool_return });
    const run = (result: Said) => [...BEGIN, stops('requires_approval'), m('tool_call_message', call('c')), result];
    expect(rowsOf([...run(back('success', 'ok')), says('over'), ends()])).toMatchObject([
      { decision: 'unasked', executed: 'yes', result: 'ok', result_f: 6 },
    ]);
    const denied = back('error', 'Error: request to call tool denied. User reason: no');
    expect(rowsOf([...run(denied), says('over'), ends()])).toMatchObject([{ executed: 'no', by: 'agent' }]);
  });

  it('of the client are its own', () => {
    const request = { subtype: 'execute_external_tool', tool_call_id: 'c', tool_name: 'look', input: { q: 1 } };
    const runs: Said = ['agent', { type: 'control_request', request_id: 'ext-1', request }];
    const response = {
      subtype: 'external_tool_result',
      request_id: 'ext-1',
      content: [{ type: 'text', text: 'seen' }],
    };
    const events = eventsOf(letta, [runs, ['client', { type: 'control_response', response }]]);
    expect(events).toMatchObject([
      [{ kind: 'client-call', tool: 'look' }],
      [{ kind: 'client-call-answer', ok: true, text: 'seen' }],
    ]);
    const { reply, decline } = traitsOf('letta');
    expect(reply(runs[1] as never)!.line).toMatchObject({ response: { tool_call_id: 'c', is_error: false } });
    expect(decline(runs[1] as never)).toMatchObject({ response: { tool_call_id: 'c', is_error: true } });
    expect(reply(asks('c')[1] as never)!.line).toMatchObject({ response: { response: { behavior: 'allow' } } });
  });

  it('that ask the user something are questions', () => {
    const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
    const said = [
      asks('c', { tool_name: 'AskUserQuestion', input }),
      answers('c', { behavior: 'allow', updatedInput: { answers: { 'Which?': 'A' } } }),
    ];
    expect(eventsOf(letta, said)).toMatchObject([
      [{ kind: 'question', call: 'c' }],
      [{ kind: 'question-answer', ok: true }],
    ]);
  });
});

it('partial messages are the same messages', () => {
  const [, { type: _, ...event }] = says('hi') as [string, Record<string, unknown>];
  expect(eventsOf(letta, [...BEGIN, a('stream_event', { event })], JSON_INPUT)[3]).toMatchObject([
    { kind: 'text', text: 'hi' },
  ]);
});

it('what goes wrong is told', () => {
  const retry = a('retry', { reason: 'llm_api_error', attempt: 1, max_attempts: 3, delay_ms: 500 });
  const recovery = a('recovery', { recovery_type: 'approval_pending', message: 'approved again' });
  expect(eventsOf(letta, [retry, recovery, a('error', { message: '400' })])).toMatchObject([
    [{ kind: 'notice', retry: true }],
    [{ kind: 'notice', text: 'approved again' }],
    [{ kind: 'error', text: '400' }],
  ]);
});

it('never throws', () => {
  const any = fc.record({
    type: fc.constantFrom('message', 'auto_approval', 'result', 'control_request', 'queue_batch_dequeued', 'x'),
    message_type: fc.constantFrom('assistant_message', 'tool_return_message', 'approval_request_message', 1),
    tool_call: fc.jsonValue(),
    item_ids: fc.jsonValue(),
    content: fc.jsonValue(),
    request: fc.jsonValue(),
    reason: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (lines) => {
      const events = eventsOf(
        letta,
        lines.map((value): Said => ['agent', value]),
      );
      expect(events.every((one) => one.length > 0)).toBe(true);
    }),
    { numRuns: cases(200) },
  );
});
