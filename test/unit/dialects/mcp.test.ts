/** MCP: the kind of every message, on real tapes where there is one, else on lines made after the specification. */
import { describe, expect, it } from 'vitest';
import { mcp } from '../../../lib/dialects/mcp/index.ts';
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

/** Every tape begins so: hello, four changes of the tools, roots, a log, the list of tools. */
const BEGINNING =
  'handshake handshake handshake status status status status client-call client-call-answer log control control';

const TAPES: Record<string, { kinds: string; tools: number }> = {
  basic: {
    kinds:
      'tool-call tool-result tool-call tool-result tool-call tool-result tool-call tool-result control control control control control control control control',
    tools: 4,
  },
  cancel: { kinds: 'tool-call progress cancel tool-call tool-result progress progress', tools: 2 },
  elicitation: {
    kinds: 'tool-call question question-answer tool-result tool-call question question-answer tool-result',
    tools: 2,
  },
  error: { kinds: 'tool-call tool-result tool-call tool-result control control control control', tools: 2 },
  logging: { kinds: 'control control tool-call log tool-result log tool-call tool-result', tools: 2 },
  progress: {
    kinds: 'tool-call progress progress progress progress progress progress tool-result',
    tools: 1,
  },
  sampling: { kinds: 'tool-call client-call client-call-answer tool-result', tools: 1 },
};

describe('tapes of a real server', () => {
  it.each(Object.entries(TAPES))('%s', (name, { kinds, tools }) => {
    expect(pinned(`mcp/everything-${name}`)).toMatchObject({
      ...{ dialect: 'mcp', kinds: `${BEGINNING} ${kinds}` },
      counts: { turns: 0, tools, approvals: 0 },
    });
  });

  const eventsIn = (name: string) => readFixture(`mcp/everything-${name}`).readings.flatMap(({ events }) => events);

  it('tell who is there', () => {
    const abouts = eventsIn('basic').flatMap((event) => (event.kind === 'handshake' ? [event.about] : []));
    expect(abouts).toMatchObject([
      { protocol: '2025-11-25', client: { name: 'tape-client', version: '0.0.1' } },
      { protocol: '2025-11-25', agent: { name: 'mcp-servers/everything', version: '2.0.0' } },
      {},
    ]);
  });

  it('calls have arguments, results have blocks; a failed tool is a result', () => {
    const [call] = eventsIn('basic').filter(({ kind }) => kind === 'tool-call');
    expect(call).toMatchObject({ call: '2', tool: 'echo', args: '{"message":"héllo ✓\\nline two"}', complete: true });
    const results = eventsIn('basic').flatMap((event) => (event.kind === 'tool-result' ? [event] : []));
    expect(results[0]).toMatchObject({ call: '2', tool: 'echo', ok: true, text: 'Echo: héllo ✓\nline two' });
    expect(results[3]!.blocks.map((block) => block.type)).toEqual(['text', 'image', 'text']);
    expect(results[3]!.blocks[1]).toEqual({ type: 'image', mime: 'image/png', size: 4033, url: null });
    const failed = eventsIn('error').flatMap((event) => (event.kind === 'tool-result' ? [event.ok] : []));
    expect(failed).toEqual([false, false]);
  });

  it('progress and cancellation name their call', () => {
    const events = eventsIn('cancel').filter(({ kind }) => kind === 'progress' || kind === 'cancel');
    expect(events).toMatchObject([
      { kind: 'progress', call: '2', tool: 'trigger-long-running-operation', text: '1/8' },
      { kind: 'cancel', of: '2', text: 'user changed mind' },
      { kind: 'progress', call: '2', text: '2/8' },
      { kind: 'progress', call: '2', text: '3/8' },
    ]);
  });

  it('questions are the fields of the form', () => {
    const events = eventsIn('elicitation');
    const { questions, text } = only(
      events.slice(0, events.findIndex(({ kind }) => kind === 'question') + 1),
      'question',
    );
    expect(text).toBe('Please provide inputs for the following fields:');
    expect(questions.find(({ id }) => id === 'untitledSingleSelectEnum')!.options.map(({ label }) => label)).toContain(
      'Monica',
    );
    expect(questions.find(({ id }) => id === 'untitledMultipleSelectEnum')).toMatchObject({ multiple: true });
    const answers = events.flatMap((event) => (event.kind === 'question-answer' ? [[event.ok, event.text]] : []));
    expect(answers).toEqual([
      [true, 'accept'],
      [false, 'decline'],
    ]);
  });

  it('what the server asks of its client', () => {
    const [roots, , sampling, sampled] = eventsIn('sampling').filter(({ kind }) => kind.startsWith('client-call'));
    expect(roots).toMatchObject({ what: 'roots/list' });
    expect(sampling).toMatchObject({
      ...{ what: 'sampling/createMessage', text: 'Resource trigger-sampling-request context: Say something' },
    });
    expect(sampled).toMatchObject({ ok: true, text: 'sampled text' });
  });

  it('logs have a level', () => {
    const logs = eventsIn('logging').flatMap((e) =>
      e.kind === 'log' && e.name !== 'stderr' ? [[e.name, e.text]] : [],
    );
    expect(logs).toEqual([
      ['info', 'Roots updated: 1 root(s) received from client'],
      ['warning', 'Warning-level message'],
      ['error', 'Error-level message'],
    ]);
  });
});

describe('messages that no tape has', () => {
  const said = (...lines: Said[]) => eventsOf(mcp, lines);

  it.each([
    ...['prompts/get', 'resources/subscribe', 'resources/unsubscribe', 'completion/complete'],
    ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel', 'bogus/method'],
  ])('client: %s', (method) => {
    expect(said(['client', ask(1, method, {})], ['agent', answer(1, {})]).map(kinds)).toEqual(['control', 'control']);
    expect(said(['client', ask(1, method, {})], ['agent', refuse(1, -1)]).map(kinds)).toEqual(['control', 'control']);
  });

  it('agent: ping, and what nobody knows', () => {
    expect(said(['agent', ask(0, 'ping')], ['client', answer(0, {})]).map(kinds)).toEqual(['control', 'control']);
    expect(said(['agent', ask(0, 'x/y')], ['client', refuse(0, -32601)]).map(kinds)).toEqual(['other', 'other']);
    expect(said(['agent', tell('notifications/of_next_year')]).map(kinds)).toEqual(['other']);
  });

  it.each<['client' | 'agent', string, string]>([
    ['agent', 'notifications/cancelled', 'cancel'],
    ['agent', 'notifications/prompts/list_changed', 'status'],
    ['agent', 'notifications/resources/list_changed', 'status'],
    ['agent', 'notifications/resources/updated', 'status'],
    ['agent', 'notifications/tasks/status', 'status'],
    ['agent', 'notifications/elicitation/complete', 'status'],
    ['client', 'notifications/roots/list_changed', 'status'],
    ['client', 'notifications/progress', 'progress'],
  ])('%s: %s', (from, method, kind) => {
    expect(said([from, tell(method, {})]).map(kinds)).toEqual([kind]);
  });

  it('an error to a call is its result', () => {
    const [, events] = said(
      ['client', ask(1, 'tools/call', { name: 'a' })],
      ['agent', refuse(1, -32602, 'no such tool')],
    );
    expect(events).toMatchObject([{ kind: 'tool-result', call: '1', tool: 'a', ok: false, text: 'no such tool' }]);
  });

  it('ids keep their type: 1 is not "1"', () => {
    const call = (id: unknown): Said => ['client', ask(id, 'tools/call', { name: 'a' })];
    const calls = said(call(1), call('1'), call('x')).map((events) => only(events, 'tool-call').call);
    expect(calls).toEqual(['1', '"1"', 'x']);
  });

  it('a call sent again while it runs is no other one', () => {
    const call: Said = ['client', ask(1, 'tools/call', { name: 'a' })];
    expect(said(call, call)[1]).toMatchObject([{ kind: 'tool-call', restates: true, flags: ['resent'] }]);
  });

  it('results without content: structured, or a task to ask for later', () => {
    const result = (value: object) =>
      only(said(['client', ask(1, 'tools/call', { name: 'a' })], ['agent', answer(1, value)])[1]!, 'tool-result')
        .blocks;
    expect(result({ structuredContent: { n: 1 } })).toEqual([
      { type: 'unknown', name: 'structuredContent', value: { n: 1 } },
    ]);
    expect(result({ task: { taskId: 't' } })).toEqual([{ type: 'unknown', name: 'task', value: { taskId: 't' } }]);
    expect(result({ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'c' } }] })).toEqual([
      { type: 'resource', uri: 'a:b', text: 'c' },
    ]);
  });
});
