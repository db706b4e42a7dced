/** kimi-code's journal as events: real sessions that were imported, and records written by hand. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { detect } from '../../../lib/dialects/detect.ts';
import { kimiCode } from '../../../lib/dialects/kimi-code/index.ts';
import type { Event } from '../../../lib/model/event.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { SessionReader } from '../../../lib/session/reader.ts';
import { fileIn, importOne, writeIn } from '../../support/imports.ts';
import { eventsOf, framesOf, kinds, only, tell, timelineIn } from '../../support/reading.ts';
import { sharedTapesFolder, skipped } from '../../support/shared-folder.ts';
import { it } from '../../support/store.ts';

const WRITE = join(sharedTapesFolder ?? '', 'session-folders', 'kimi-code-2.1.0-write');

type Loose = Record<string, unknown>;

const text = (words: string) => [{ type: 'text', text: words }];
const prompt = (words: string, turnId?: number) => ({ type: 'turn.prompt', input: text(words), turnId });
const ended = (turnId?: number, reason = 'completed') => ({ type: 'turn.ended', turnId, reason });
const loop = (event: Loose, agentId?: string) => ({ type: 'context.append_loop_event', event, agentId });
const step = (turnId: string, n = 1) => loop({ type: 'step.begin', turnId, step: n });
const call = (toolCallId: string, name: string, agentId?: string) =>
  loop({ type: 'tool.call', toolCallId, name, args: { a: 1 } }, agentId);
const result = (toolCallId: string, more: Loose = {}) =>
  loop({ type: 'tool.result', toolCallId, result: { output: 'done', ...more } });
const message = (role: string, more: Loose) => ({ type: 'context.append_message', message: { role, ...more } });

const read = (...records: Loose[]): Event[][] =>
  eventsOf(
    kimiCode,
    records.map((record) => ['agent', record]),
  );
const one = (record: Loose): Event => read(record)[0]![0]!;
const taken = (events: Event[][]) => events.flat().flatMap(({ takes }) => (takes === undefined ? [] : [takes]));

describe('a session of 2.1.0', () => {
  it('has its turn, its call, its approval and its tokens', ({ place }) => {
    const { frames } = importOne(place, fileIn('kimi-code-2.1.0-shell', 'agents/main/wire.jsonl'));
    const timeline = timelineIn(frames);
    expect(timeline).toMatchObject({
      ...{ dialect: 'kimi-code', confidence: 1, counts: { turns: 1, tools: 1, approvals: 1, errors: 0 } },
      usage: { input: 408, cache_read: 2000, cache_write: 0, output: 30 },
      context: { used: 1210 },
      handshake: { agent: { name: 'kimi-code' }, model: 'mock', cwd: '/home/dev/project' },
    });
    const turn = timeline.entries.find((entry) => entry.is === 'turn')!;
    expect(turn).toMatchObject({ f: 4, status: 'completed', usage: { input: 408, output: 30 } });
    const steps = turn.entries.filter((entry) => entry.is === 'step');
    expect(steps.map(({ shown, state }) => [shown, state])).toEqual([
      [1, 'done'],
      [2, 'done'],
    ]);
    const bash = steps[0]!.entries.find((entry) => entry.is === 'item' && entry.call !== null);
    expect(bash).toMatchObject({ call: { id: 'call_mock_4_0', tool: 'Bash', writes: true, result: { ok: true } } });
    expect(bash).toMatchObject({ call: { asks: [{ tool: 'Bash', resolved: { decision: 'allow' } }] } });
  });

  it.skipIf(sharedTapesFolder === null)(`may need no approval${skipped}`, ({ place }) => {
    const { frames } = importOne(place, WRITE);
    const { counts, usage } = timelineIn(frames);
    expect(counts).toEqual({ turns: 1, tools: 1, approvals: 0, errors: 0 });
    expect(usage).toEqual({ input: 408, cache_read: 2000, cache_write: 0, output: 34 });
  });

  it('has a kind for every record', ({ place }) => {
    const { frames } = importOne(place, fileIn('kimi-code-2.1.0-shell', 'agents/main/wire.jsonl'));
    const reader = new SessionReader(kimiCode, { command: [] });
    expect(frames.map((frame) => kinds(reader.read(frame).events))).toEqual([
      ...['status', 'handshake', 'status', 'prompt', 'status', 'status', 'notice', 'turn-begin', 'status'],
      ...['step-begin', 'status', 'status', 'usage', 'usage', 'text', 'approval', 'approval-resolved'],
      ...['approval-resolved', 'tool-call', 'tool-result', 'step-end'],
      ...['step-begin', 'status', 'usage', 'usage', 'text', 'step-end', 'status', 'status', 'status', 'status'],
      ...['prompt-answer', 'status', 'status'],
    ]);
  });
});

describe('recognised', () => {
  const sure = (...values: Loose[]) => {
    const { dialect, confidence } = detect({
      command: [],
      lines: values.map((value) => ({ from: 'agent' as const, value })),
    });
    return [dialect.name, confidence];
  };

  it('by the names of its records, with a time or without', () => {
    expect(sure({ ...prompt('go'), time: 1790000000000 })).toEqual(['kimi-code', 1]);
    expect(sure(step('0'))).toEqual(['kimi-code', 0.9]);
    expect(sure({ type: 'forked', time: 1 })).toEqual(['kimi-code', 1]);
  });

  it('not in what others say', () => {
    expect(sure({ type: 'thread.started', time: 1 })[0]).not.toBe('kimi-code');
    expect(sure({ type: 'user', message: { role: 'user' } })[0]).not.toBe('kimi-code');
    expect(sure(tell('event', { type: 'TurnBegin', payload: {} }), step('0'))[0]).toBe('wire');
    const lines = [{ from: 'client' as const, value: prompt('go') }];
    expect(detect({ command: [], lines }).dialect.name).not.toBe('kimi-code');
  });
});

describe('turns', () => {
  it('are prompts that were taken up, by their own frames', () => {
    const events = read(prompt('one', 0), ended(0), prompt('two', 1), ended(1, 'cancelled'));
    expect(taken(events)).toEqual([1, 3]);
    expect(events[0]).toMatchObject([{ kind: 'prompt', text: 'one', blocks: text('one') }]);
    expect(events[3]).toMatchObject([{ kind: 'prompt-answer', prompt: 3, status: 'cancelled' }]);
  });

  it('wait for the turn that is open', () => {
    const events = read(prompt('one', 0), step('0'), prompt('two', 1), step('0', 2), ended(0), step('1'), ended(1));
    expect(events.map(([first]) => first!.takes ?? 0)).toEqual([1, 0, 0, 0, 0, 3, 0]);
    expect(only(events[4]!, 'prompt-answer').prompt).toBe(1);
    expect(only(events[6]!, 'prompt-answer').prompt).toBe(3);
  });

  it('that were cancelled while they waited are none', () => {
    const events = read(prompt('one', 0), prompt('two', 1), ended(1, 'cancelled'), ended(0));
    expect(taken(events)).toEqual([1]);
    expect(events.slice(2).map((of) => only(of, 'prompt-answer').prompt)).toEqual([2, 1]);
  });

  it('of a journal without ids follow each other', () => {
    const events = read(prompt('one'), prompt('two'), ended());
    expect(taken(events)).toEqual([1, 2]);
    expect(only(events[2]!, 'prompt-answer').prompt).toBe(2);
    expect(kinds(read(ended(7))[0]!)).toBe('turn-end');
  });

  it('that failed say why', () => {
    const [, last] = read(prompt('one', 0), { ...ended(0, 'failed'), error: { code: 'x', message: 'no model' } });
    expect(last).toMatchObject([
      { kind: 'error', text: 'no model' },
      { kind: 'prompt-answer', status: 'failed' },
    ]);
  });

  it('of a journal that has only messages are read from those', () => {
    const calls = [{ type: 'function', id: 'c', function: { name: 'Bash', arguments: '{"command":"ls"}' } }];
    const events = read(
      message('user', { content: text('go'), toolCalls: [] }),
      message('assistant', { content: [{ type: 'think', think: 'hm' }, ...text('so')], toolCalls: calls }),
      message('tool', { content: text('a.txt'), toolCallId: 'c' }),
      message('assistant', { content: text('done'), toolCalls: [] }),
      message('user', { content: text('more') }),
    );
    expect(events.map(kinds)).toEqual(['prompt', 'thinking+text+tool-call', 'tool-result', 'text', 'prompt']);
    expect(taken(events)).toEqual([1, 5]);
    expect(events[1]![0]!.step).toBe(true);
    expect(events[1]![2]).toMatchObject({ call: 'c', tool: 'Bash', args: '{"command":"ls"}', writes: true });
  });

  it('are not told twice by messages', () => {
    const user = message('user', { content: text('go'), origin: { kind: 'user' } });
    const assistant = message('assistant', { content: text('so') });
    const events = read(prompt('go', 0), user, step('0'), assistant, message('tool', { toolCallId: 'c' }));
    expect(events.map(kinds)).toEqual(['prompt', 'status', 'step-begin', 'status', 'status']);
    expect([events[1], events[3], events[4]].every((of) => of![0]!.restates)).toBe(true);
  });
});

describe('approvals', () => {
  const ask = (id: string, kind = 'approval', request: Loose = {}) => ({
    ...{ type: 'interaction.request', id, kind, toolCallId: 'c' },
    request: { toolName: 'Bash', action: 'Running: ls', display: { kind: 'command', command: 'ls' }, ...request },
  });
  const outcome = (id: string, response: unknown) => ({ type: 'interaction.resolved', id, response });
  const recorded = (decision: string) => ({
    ...{ type: 'permission.record_approval_result', toolCallId: 'c', toolName: 'Bash', action: 'Running: ls' },
    result: { decision },
  });

  it.for([
    [{ decision: 'approved' }, 'allow'],
    [{ decision: 'approved', scope: 'session' }, 'allow-always'],
    [{ decision: 'rejected', feedback: 'never' }, 'deny'],
    [{ decision: 'cancelled' }, 'cancelled'],
    [{ decision: 'perhaps' }, null],
    [null, null],
  ] as const)('%j is %s', ([response, decision]) => {
    const [asked, resolved] = read(ask('q'), outcome('q', response));
    expect(asked).toMatchObject([
      { kind: 'approval', request: 'q', call: 'c', tool: 'Bash', displays: [{ type: 'shell', command: 'ls' }] },
    ]);
    const feedback = decision === 'deny' ? 'never' : null;
    expect(resolved).toEqual([{ kind: 'approval-resolved', request: 'q', decision, feedback }]);
  });

  it('are told again by the permission that was recorded', () => {
    const [, , again] = read(ask('q'), outcome('q', { decision: 'approved' }), recorded('approved'));
    expect(again).toMatchObject([{ kind: 'approval-resolved', request: 'q', decision: 'allow', restates: true }]);
  });

  it('of a journal without requests are known by what was recorded', () => {
    const [both] = read(recorded('rejected'));
    expect(both).toMatchObject([
      { kind: 'approval', request: 'c', call: 'c', tool: 'Bash', action: 'Running: ls' },
      { kind: 'approval-resolved', request: 'c', decision: 'deny' },
    ]);
    // Here requests have records: this one was decided without.
    const [, lone] = read({ ...ask('q'), toolCallId: 'other' }, recorded('approved'));
    expect(lone).toMatchObject([{ kind: 'approval-resolved', request: null, decision: 'allow' }]);
  });

  it('stand beside questions and tools of the client', () => {
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true }];
    const [asked, answered] = read(ask('q', 'question', { questions }), outcome('q', { answers: { 'Which?': 'A' } }));
    const options = ['A', 'B'].map((label) => ({ label, description: null }));
    expect(only(asked!, 'question').questions).toEqual([{ id: null, text: 'Which?', options, multiple: true }]);
    expect(only(answered!, 'question-answer')).toMatchObject({ request: 'q', ok: true });
    const [called, returned] = read(ask('t', 'user_tool'), outcome('t', { output: 'x', isError: true }));
    expect(only(called!, 'client-call')).toMatchObject({ request: 't', what: 'Bash' });
    expect(only(returned!, 'client-call-answer')).toMatchObject({ ok: false, blocks: text('x') });
    expect(one(ask('m', 'mood'))).toEqual({ kind: 'other', name: 'interaction.request mood' });
    expect(one(outcome('?', {}))).toEqual({ kind: 'other', name: 'interaction.resolved' });
  });
});

describe('subagents', () => {
  const inFile = (agent: string): Frame => ({
    ...framesOf([['agent', '']])[0]!,
    ...{ from: 'proc', form: 'event', event: 'file', detail: { agent, path: `agents/${agent}/wire.jsonl` } },
  });
  const readFiles = (said: (string | Loose)[]) => {
    const reader = new SessionReader(kimiCode, { command: [] });
    const frames = said.map((of) => (typeof of === 'string' ? inFile(of) : framesOf([['agent', of]])[0]!));
    return frames.map((frame, i) => reader.read({ ...frame, f: i + 1 }).events);
  };

  it('are known by their files, and by the only call that can have started them', () => {
    const events = readFiles(['main', prompt('go', 0), call('c1', 'Agent'), 'agent-0', prompt('look', 0), step('0')]);
    expect(events[0]).toMatchObject([{ kind: 'process', name: 'file', text: 'agents/main/wire.jsonl' }]);
    expect(events[2]![0]).not.toHaveProperty('subagent');
    const who = { subagent: 'agent-0', parent: 'c1' };
    expect(events[4]).toEqual([{ kind: 'turn-begin', nested: true, text: 'look', ...who }]);
    expect(events[5]).toMatchObject([{ kind: 'step-begin', n: 1, ...who }]);
    expect(taken(events)).toEqual([2]);
  });

  it('are not guessed where two calls can have started them', () => {
    const events = readFiles(['main', call('c1', 'Agent'), call('c2', 'Agent'), 'agent-0', step('0')]);
    expect(events[4]).toEqual([{ kind: 'step-begin', n: 1, subagent: 'agent-0' }]);
    const after = readFiles(['main', call('c1', 'Agent'), result('c1'), call('c2', 'Agent'), 'agent-1', step('0')]);
    expect(after[5]).toMatchObject([{ subagent: 'agent-1', parent: 'c2' }]);
  });

  it('are linked by the record that says so, and name themselves', () => {
    const spawned = {
      ...{ type: 'subagent.spawned', subagentId: 'agent-1', subagentName: 'coder', parentToolCallId: 'c2' },
      runInBackground: true,
    };
    const [, , first, inner] = read(call('c1', 'Agent'), call('c2', 'Agent'), spawned, call('r', 'Read', 'agent-1'));
    const who = { subagent: 'agent-1', parent: 'c2' };
    expect(first).toEqual([{ kind: 'subagent', call: 'c2', name: 'coder', background: true, ...who }]);
    expect(inner).toMatchObject([{ kind: 'tool-call', tool: 'Read', ...who }]);
  });

  it('lie under their call in an imported session', ({ place }) => {
    const at = (time: number, record: Loose) => JSON.stringify({ ...record, time: 1790000000000 + time });
    const usage = {
      type: 'usage.record',
      usage: { inputOther: 3, output: 4, inputCacheRead: 5, inputCacheCreation: 6 },
    };
    const main = [at(1, prompt('go', 0)), at(2, step('0')), at(3, call('c1', 'Agent')), at(20, result('c1'))];
    const inner = [
      at(10, prompt('look', 0)),
      at(11, step('0')),
      at(12, usage),
      at(13, call('r', 'Read')),
      at(14, ended(0)),
    ];
    writeIn(place, 's/agents/agent-0/wire.jsonl', inner.join('\n'));
    const path = writeIn(place, 's/agents/main/wire.jsonl', [...main, at(21, ended(0))].join('\n'));
    const { frames } = importOne(place, path);
    const { counts, entries, usage: sum } = timelineIn(frames);
    expect(counts).toMatchObject({ turns: 1, tools: 2 });
    expect(sum).toEqual({ input: 3, cache_read: 5, cache_write: 6, output: 4 });
    const turn = entries.find((entry) => entry.is === 'turn')!;
    expect(turn.status).toBe('completed');
    const items = turn.entries.flatMap((entry) => (entry.is === 'step' ? entry.entries : []));
    const agent = items.find((entry) => entry.is === 'item' && entry.call?.tool === 'Agent');
    expect(agent).toMatchObject({
      entries: [
        { kind: 'turn-begin', text: 'look', entries: [{ is: 'step', usage: sum, entries: [{ call: { id: 'r' } }] }] },
      ],
    });
  });
});

it('other records', () => {
  const rows: [Loose, Loose][] = [
    [loop({ type: 'content.part', part: { type: 'think', think: 'hm' } }), { kind: 'thinking', text: 'hm' }],
    [
      loop({ type: 'content.part', part: { type: 'image_url', imageUrl: { url: 'ms://i' } } }),
      { kind: 'text', block: { type: 'image', url: 'ms://i' } },
    ],
    [loop({ type: 'step.mood' }), { kind: 'other', name: 'step.mood' }],
    [result('c', { isError: true, note: 'hint' }), { kind: 'tool-result', ok: false, text: 'done\nhint' }],
    [result('c', { output: text('parts') }), { kind: 'tool-result', ok: true, text: 'parts' }],
    [
      { type: 'turn.steer', input: text('left') },
      { kind: 'steer', text: 'left', done: true },
    ],
    [
      { type: 'turn.cancel', reason: 'aborted' },
      { kind: 'cancel', of: null, done: true, text: 'aborted' },
    ],
    [{ type: 'turn.step.interrupted' }, { kind: 'step-interrupted' }],
    [
      { type: 'turn.step.retrying', step: 2, nextAttempt: 2, maxAttempts: 3, errorName: 'E', statusCode: 429 },
      { kind: 'step-retry', n: 2, reason: 'E 429', text: 'attempt 2 of 3' },
    ],
    [
      { type: 'permission.set_mode', mode: 'yolo' },
      { kind: 'mode', mode: 'yolo', done: true },
    ],
    [
      { type: 'plan_mode.enter', id: 'p' },
      { kind: 'mode', mode: 'plan' },
    ],
    [{ type: 'plan_mode.exit' }, { kind: 'mode', mode: null, text: 'left plan mode' }],
    [{ type: 'full_compaction.begin' }, { kind: 'compaction', done: false }],
    [{ type: 'full_compaction.complete' }, { kind: 'compaction', done: true }],
    [
      { type: 'token_counting.rebased', tokens: 7 },
      { kind: 'usage', usage: null, context: { used: 7 } },
    ],
    [
      { type: 'token_counting.measured', tokens: 7, agentId: 'agent-0' },
      { kind: 'usage', context: null },
    ],
    [
      { type: 'tools.update_store', key: 'todo', value: [{ title: 'a', status: 'done' }] },
      { kind: 'plan', blocks: [{ type: 'todo', items: [{ title: 'a', status: 'done' }] }] },
    ],
    [message('user', { content: 'psst', origin: { kind: 'injection', variant: 'v' } }), { kind: 'notice', name: 'v' }],
    [{ type: 'goal.whatever' }, { kind: 'status', name: 'goal.whatever' }],
    [
      { type: 'weather.changed', time: 1 },
      { kind: 'other', name: 'weather.changed' },
    ],
    [{ time: 1 }, { kind: 'noise' }],
  ];
  for (const [record, event] of rows) expect(one(record)).toMatchObject(event);
});

it('a display of a call is a block', () => {
  const shown = (display: unknown) => one(loop({ type: 'tool.call', toolCallId: 'c', name: 'X', display }));
  const rows: [unknown, Loose][] = [
    [
      { kind: 'diff', path: 'p', before: 'a', after: 'b' },
      { type: 'diff', path: 'p', before: 'a', after: 'b' },
    ],
    [
      { kind: 'file_io', path: 'p', content: 'c' },
      { type: 'resource', uri: 'p', text: 'c' },
    ],
    [
      { kind: 'todo_list', items: [] },
      { type: 'todo', items: [] },
    ],
    [{ kind: 'hologram' }, { type: 'unknown', name: 'hologram' }],
  ];
  for (const [display, block] of rows) expect(shown(display)).toMatchObject({ blocks: [block] });
  expect(shown('none')).not.toHaveProperty('blocks');
});

it('reads any object', () => {
  const types = ['turn.prompt', 'turn.ended', 'context.append_message', 'context.append_loop_event', 'usage.record'];
  const more = ['interaction.request', 'interaction.resolved', 'permission.record_approval_result', 'subagent.spawned'];
  const loops = ['step.begin', 'step.end', 'content.part', 'tool.call', 'tool.result'];
  const any = fc.jsonValue();
  const event = fc.oneof(
    any,
    fc.record({ type: fc.constantFrom(...loops), part: any, result: any, args: any, display: any }),
  );
  const record = fc.record(
    {
      ...{ type: fc.oneof(fc.constantFrom(...types, ...more), any), agentId: fc.oneof(fc.constant('main'), any) },
      ...{
        event,
        message: fc.oneof(any, fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: any })),
      },
      ...{ input: any, turnId: any, id: fc.oneof(fc.constant('q'), any), toolCallId: fc.constantFrom('c', 1) },
      ...{ kind: fc.constantFrom('approval', 'question', 'user_tool', 1), request: any, response: any, result: any },
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(record), (records) => {
      for (const events of read(...records)) expect(events.length).toBeGreaterThan(0);
    }),
  );
});
