import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qwenRfc } from '../../../lib/dialects/qwen-rfc/index.ts';
import { counts, FIXTURES, kindsOf, readLines, readTape } from '../../support/stream-lines.ts';

const tape = (name: string) => readTape(qwenRfc, `${FIXTURES}/qwen-rfc/${name}.jsonl`);
const events = (name: string) => tape(name).readings.flatMap(({ events }) => events);

describe('what each line is, after the examples of the RFC', () => {
  const kinds = (name: string) =>
    tape(name)
      .readings.filter(({ frame }) => frame.form !== 'event')
      .map(kindsOf);

  it('messages', () => {
    expect(kinds('messages')).toEqual([
      'prompt',
      'handshake + text + usage',
      'thinking',
      'log',
      'tool-call + tool-call',
      'progress',
      'approval',
      'approval-answer',
      'progress',
      'tool-result',
      'tool-result',
      'hook',
      'hook-answer',
      'client-call',
      'client-call-answer',
      'text + usage + prompt-answer',
      'client-call-answer',
    ]);
  });

  it('chunks', () => {
    expect(kinds('chunks')).toEqual([
      ...['prompt', 'text', 'text', 'text', 'tool-call', 'tool-args', 'tool-args', 'step-end', 'tool-result'],
      ...['text', 'text', 'step-end + usage + prompt-answer', 'notice'],
    ]);
  });

  it('commands, hints, heartbeats, cancelling', () => {
    expect(kinds('commands')).toEqual([
      ...['control', 'control', 'control', 'control', 'control', 'prompt', 'control', 'prompt-answer'],
      ...['prompt', 'thinking', 'cancel', 'cancel', 'cancel', 'cancel', 'cancel', 'compaction', 'notice'],
    ]);
  });

  it('refusals and errors', () => {
    expect(kinds('refusals')).toEqual([
      ...['prompt', 'approval', 'approval-answer', 'approval', 'approval-answer', 'approval', 'approval-answer'],
      ...['approval', 'approval', 'approval-answer', 'approval-answer', 'approval-answer'],
      ...['text + notice + prompt-answer', 'prompt', 'error'],
    ]);
    expect(tape('refusals').line(15)).toMatchObject({
      message: { envelope: 'error' },
      events: [{ text: 'invalid tool input' }],
    });
  });
});

it('turns, tools, approvals and answers', () => {
  expect(counts(tape('messages').readings)).toEqual([1, 2, 1, 1, 0, 0, 0]);
  expect(counts(tape('chunks').readings)).toEqual([1, 1, 0, 0, 0, 0, 0]);
  expect(counts(tape('commands').readings)).toEqual([2, 0, 0, 0, 0, 0, 0]);
  expect(counts(tape('refusals').readings)).toEqual([1, 0, 4, 1, 0, 1, 2]);
});

describe('turns', () => {
  const takes = (name: string) =>
    tape(name).readings.flatMap(({ frame, events }) =>
      events.filter(({ takes }) => takes !== undefined).map(({ takes }) => [takes, frame.f]),
    );

  it('begin with the first line that works on them, not with a heartbeat', () => {
    expect(takes('messages')).toEqual([[2, 3]]);
    expect(takes('commands')).toEqual([
      [7, 9],
      [10, 11],
    ]);
    expect(takes('refusals')).toEqual([[2, 3]]);
  });

  it('end with a message that stops; one more answer to the same prompt is a duplicate', () => {
    const say = (content: string) => ({
      object: 'chat.completion',
      choices: [{ message: { content }, finish_reason: 'stop' }],
    });
    const read = readLines(qwenRfc, [
      ['>', { input: { origin: 'user', parts: [{ type: 'text', text: 'hi' }] } }],
      ['<', say('正在分析...')],
      ['<', say('done')],
    ]);
    const answers = read.flatMap(({ events }) => events.filter(({ kind }) => kind === 'prompt-answer'));
    expect(answers).toEqual([
      { kind: 'prompt-answer', prompt: 1, status: 'stop', code: null },
      { kind: 'prompt-answer', prompt: 1, status: 'stop', code: null, flags: ['dup'] },
    ]);
  });

  it('of a command: what it says is the answer', () => {
    expect(tape('commands').line(6).events[0]).toMatchObject({ kind: 'prompt', text: '/chat list' });
    expect(tape('commands').line(8).events[0]).toMatchObject({
      prompt: 7,
      status: 'message',
      text: '当前会话共有 3 条历史记录',
    });
  });

  it('may be on the command line', () => {
    const chunk = { object: 'chat.completion.chunk', choices: [{ delta: { role: 'assistant' } }] };
    const [read] = readLines(qwenRfc, [['<', chunk]], ['qwen', '-p', 'hi', '--output-format', 'stream-chunk-json']);
    expect(read!.events[0]).toMatchObject({ takes: 0, delta: true, text: '' });
  });

  it('that were cancelled make room for the next', () => {
    const ask = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    const thought = { type: 'x-qwen-thought', subject: 'hm', description: '' };
    const read = readLines(qwenRfc, [
      ['>', ask],
      ['<', thought],
      ['>', { type: 'control/cancel', reason: 'escape' }],
      ['<', { type: 'result/cancel', status: 'ok' }],
      ['>', ask],
      ['<', thought],
    ]);
    expect(read.map(({ events }) => events[0]!.takes)).toEqual([undefined, 1, undefined, undefined, undefined, 5]);
  });
});

it('who the agent is, in the first message', () => {
  expect(events('messages').find(({ kind }) => kind === 'handshake')).toMatchObject({
    about: { protocol: '1.0', model: 'qwen-coder', capabilities: ['can_use_tool'] },
  });
});

it('text, calls and results', () => {
  const text = (kind: string) =>
    events('chunks')
      .filter((event) => event.kind === kind)
      .map((event) => event.text ?? '');
  expect(text('text').join('')).toBe('你好再见');
  expect(text('tool-args').join('')).toBe('{"path":"a.txt"}');
  expect(events('chunks').find(({ kind }) => kind === 'tool-result')).toMatchObject({ call: 'tool-1', ok: false });
  expect(events('chunks').find(({ kind }) => kind === 'usage')).toMatchObject({
    usage: { input: 200, cache_read: 1000, output: 12 },
  });
  expect(events('messages').filter(({ kind }) => kind === 'tool-result')).toMatchObject([
    { displays: [{ type: 'diff', path: 'src/main.py', before: "print('Hi')\n", after: "print('Hello')\n" }] },
    { displays: [{ type: 'todo', items: [{ title: 'fix', status: 'completed' }] }] },
  ]);
});

it('approvals and what was answered', () => {
  expect(tape('messages').line(7).events[0]).toMatchObject({
    ...{ tool: 'edit_file', call: 'tool-1', action: 'apply_diff', request: 'req-1' },
    options: [{ id: 'approve' }, { id: 'deny' }],
  });
  const answers = events('refusals').filter(({ kind }) => kind === 'approval-answer');
  expect(answers).toMatchObject([
    { decision: 'deny', feedback: 'not today' },
    { decision: null, feedback: 'callback crashed', flags: ['client-error'] },
    { decision: null, flags: ['bad-word'] },
    { decision: null, flags: ['bad-shape'] },
    { decision: 'allow', flags: ['dup'] },
    { decision: 'allow', flags: ['orphan'] },
  ]);
  expect(tape('refusals').line(9).events[0]!.flags).toEqual(['resent']);
});

it('lines of the sibling are foreign, and so is an answer in its words', () => {
  const flat = { type: 'control_request', request_id: 'r', subtype: 'can_use_tool', tool: { name: 'edit_file' } };
  const nested = { subtype: 'success', request_id: 'r', response: { behavior: 'allow' } };
  const read = readLines(qwenRfc, [
    ['<', flat],
    ['>', { type: 'control_response', response: nested }],
    ['>', { type: 'user', message: { role: 'user', content: 'hi' } }],
    ['<', { object: 'chat.completion', choices: [{ message: { content: 'hi' } }] }],
    ['<', { type: 'nobody/knows' }],
  ]);
  expect(read.map(({ events: [event] }) => [event!.kind, event!.flags])).toEqual([
    ['approval', undefined],
    ['approval-answer', ['foreign', 'bad-shape']],
    ['prompt', ['foreign']],
    ['text', undefined],
    ['other', undefined],
  ]);
  expect(read[3]!.events[0]!.takes).toBe(3);
});

it('reads any object without a word', () => {
  const keys = [
    'type',
    'object',
    'choices',
    'delta',
    'message',
    'tool_calls',
    'input',
    'parts',
    'command',
    'result',
    'usage',
  ];
  const words = [
    'chat.completion',
    'chat.completion.chunk',
    'x-qwen-tool-display',
    'result/command',
    'control_request',
  ];
  const { tree } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...words),
      fc.jsonValue(),
      tie('tree'),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
    tree: fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 6 }),
  }));
  const lines = fc.array(fc.tuple(fc.constantFrom<'>' | '<'>('>', '<'), tree));
  fc.assert(
    fc.property(lines, (session) => {
      for (const { events } of readLines(qwenRfc, session)) expect(events.length).toBeGreaterThan(0);
    }),
  );
});
