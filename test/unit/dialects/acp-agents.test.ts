/** ACP as more agents speak it: tokens, names of tools, subagents, terminals for display, modes. Tapes of real agents. */
import { describe, expect, it } from 'vitest';
import { acp } from '../../../lib/dialects/acp/index.ts';
import { answer, ask, eventsOf, only, type Said, tell } from '../../support/reading.ts';
import { buildFixture, turnsOf } from '../../support/timeline.ts';

const HELLO: Said[] = [
  ['client', ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} })],
  ['agent', answer(0, { protocolVersion: 1, agentCapabilities: {} })],
  ['client', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
  ['agent', answer(1, { sessionId: 's' })],
];
const update = (sessionUpdate: string, more: object = {}, sessionId = 's'): Said => [
  'agent',
  tell('session/update', { sessionId, update: { sessionUpdate, ...more } }),
];
const prompt = (id: number, sessionId = 's'): Said => ['client', ask(id, 'session/prompt', { sessionId, prompt: [] })];
const level = (used: number) => update('usage_update', { used, size: 100_000 });

/** Each turn's tokens, and the sum of the process after it: input, cached, output. */
function tokens(...answers: { usage?: object; level?: number; session?: string; _meta?: object }[]): string[] {
  const said = answers.flatMap(({ level: used, session, ...result }, i): Said[] => [
    prompt(10 + i, session),
    // A level that comes first would be of the turn before.
    ...(used === undefined
      ? []
      : [update('agent_message_chunk', { content: { type: 'text', text: 'hi' } }), level(used)]),
    ['agent', answer(10 + i, { stopReason: 'end_turn', ...result })],
  ]);
  const told = eventsOf(acp, [...HELLO, ...said]).flatMap((events) =>
    events.flatMap((event) => (event.kind === 'usage' && event.total ? [event] : [])),
  );
  const words = (usage: { input: number; cache_read: number; cache_write: number; output: number }) =>
    `${usage.input}/${usage.cache_read + usage.cache_write}/${usage.output}`;
  return told.map(({ usage, ofTurn }) => `${words(ofTurn!)} of ${words(usage!)}`);
}

/** Cached tokens beside the input, and inside it. */
const beside = (n: number) => ({
  usage: { inputTokens: 200 * n, cachedReadTokens: 1000 * n, outputTokens: 42 * n, totalTokens: 1242 * n },
});
const inside = (n: number) => ({
  usage: { inputTokens: 1200 * n, cachedReadTokens: 1000 * n, outputTokens: 42 * n, totalTokens: 1242 * n },
});

describe('tokens in the answer to a prompt', () => {
  it.each([
    ['claude-agent-acp-0.99.1/turns', ['120/1000/42', '120/1000/42', '120/1000/42'], '360/3000/126'],
    ['codex-acp-2.6.0/load', ['400/2000/84', '200/1000/42'], '600/3000/126'],
    ['copilot-1.0.102-acp/turns', ['200/1000/42', '200/1000/42', '200/1000/42'], '600/3000/126'],
    ['mistral-vibe-3.0.3-acp/turns', ['200/1000/42', '200/1000/42', '200/1000/42'], '600/3000/126'],
    ['opencode-1.18.33-acp/allow', ['200/1000/42'], '200/1000/42'],
    ['gemini-cli-0.61.0-acp/reject', ['2400/0/84', '1200/0/42'], '3600/0/126'],
  ])('%s', (tape, ofTurns, ofSession) => {
    const built = buildFixture(tape);
    const words = ({ input, cache_read, output }: Record<string, number>) => `${input}/${cache_read}/${output}`;
    expect(turnsOf(built).map(({ usage }) => words({ ...usage }))).toEqual(ofTurns);
    expect(words({ ...built.timeline.usage })).toBe(ofSession);
    // No step told its tokens, so nothing is known to be hidden.
    expect(turnsOf(built).map(({ hidden }) => hidden)).toEqual(ofTurns.map(() => null));
  });

  it('with cached tokens beside the input count turns', () => {
    expect(tokens(beside(2), beside(1), beside(3))).toEqual([
      '400/2000/84 of 400/2000/84',
      '200/1000/42 of 600/3000/126',
      '600/3000/126 of 1200/6000/252',
    ]);
  });

  it('with cached tokens inside the input are a sum', () => {
    expect(tokens(inside(1), inside(3), inside(3))).toEqual([
      '200/1000/42 of 200/1000/42',
      '400/2000/84 of 600/3000/126',
      '0/0/0 of 600/3000/126',
    ]);
  });

  it('that shrink were never a sum, whatever they looked like', () => {
    expect(tokens(inside(1), inside(2), inside(1)).at(-1)).toBe('200/1000/42 of 800/4000/168');
  });

  it('that grow by less than the context of the last request are no sum', () => {
    const grown = { usage: { inputTokens: 1300, cachedReadTokens: 1000, outputTokens: 50, totalTokens: 1350 } };
    expect(tokens({ ...inside(1), level: 1242 }, { ...grown, level: 1350 }).at(-1)).toBe('300/1000/50 of 500/2000/92');
  });

  it('are a sum if they always grow by at least the context, as ACP has it', () => {
    const told = tokens({ ...beside(1), level: 1242 }, { ...beside(2), level: 1242 }, { ...beside(3), level: 1242 });
    expect(told.at(-1)).toBe('200/1000/42 of 600/3000/126');
  });

  it('a context that the agent only estimates shows nothing', () => {
    const told = tokens({ ...inside(1), level: 8000 }, { ...inside(2), level: 8100 });
    expect(told.at(-1)).toBe('200/1000/42 of 400/2000/84');
  });

  it('of several sessions add up', () => {
    expect(tokens(inside(1), { ...inside(2), session: 't' }, inside(3)).at(-1)).toBe('400/2000/84 of 1000/5000/210');
  });

  it('thoughts are output, also where they are counted beside it', () => {
    const own = { inputTokens: 100, outputTokens: 10, thoughtTokens: 5 };
    expect(tokens({ usage: { ...own, totalTokens: 115 } })).toEqual(['100/0/15 of 100/0/15']);
    expect(tokens({ usage: { ...own, totalTokens: 110 } })).toEqual(['100/0/10 of 100/0/10']);
  });

  it('many thoughts are not taken for cached tokens', () => {
    const usage = { inputTokens: 1200, cachedReadTokens: 1000, outputTokens: 42, thoughtTokens: 1500 };
    expect(tokens({ usage: { ...usage, totalTokens: 2742 } })).toEqual(['200/1000/1542 of 200/1000/1542']);
  });

  it('what a session had used before it was loaded is not of this process', () => {
    const load: Said[] = [
      ['client', ask(2, 'session/load', { sessionId: 'old', cwd: '/w', mcpServers: [] })],
      update(
        'usage_update',
        { used: 1, size: 2, _meta: { promptTokens: 2400, cachedTokens: 2000, completionTokens: 84 } },
        'old',
      ),
      ['agent', answer(2, {})],
      prompt(3, 'old'),
      ['agent', answer(3, { stopReason: 'end_turn', ...inside(3) })],
    ];
    const usage = only(eventsOf(acp, [...HELLO, ...load]).at(-1)!, 'usage');
    expect(usage.usage).toEqual({ input: 200, cache_read: 1000, cache_write: 0, output: 42 });
  });
});

const called = (more: object) => update('tool_call', { toolCallId: 'c', title: 'Run it', kind: 'execute', ...more });
const updated = (more: object) => update('tool_call_update', { toolCallId: 'c', ...more });
const inTurn = (...said: Said[]) => eventsOf(acp, [...HELLO, prompt(2), ...said]).slice(5);

describe('the name of a tool', () => {
  it.each([
    ['tool_call.name', { name: 'exec_command' }, 'exec_command'],
    ['_meta.tool_name', { _meta: { tool_name: 'bash' } }, 'bash'],
    ['_meta.toolName', { name: 'n', _meta: { toolName: 'bash' } }, 'bash'],
    ['the title', {}, 'Run it'],
  ])('is in %s', (_, more, name) => {
    expect(inTurn(called(more)).flat()).toMatchObject([{ kind: 'tool-call', tool: name, text: 'Run it' }]);
  });

  it('may come with a later line', () => {
    const [, result] = inTurn(called({}), updated({ status: 'completed', name: 'exec_command' }));
    expect(result).toMatchObject([{ kind: 'tool-result', tool: 'exec_command' }]);
  });
});

describe('a terminal that the client only displays', () => {
  const info = { _meta: { terminal_info: { terminal_id: 'c', cwd: '/w' } } };
  const output = (data: string) => ({ _meta: { terminal_output_delta: { terminal_id: 'c', data } } });
  const exit = (exit_code: number | null) => ({
    _meta: { terminal_exit: { terminal_id: 'c', exit_code, signal: null } },
  });

  it('shows that the call runs, and its output is the result', () => {
    const said = inTurn(
      called(info),
      updated(output('one\n')),
      updated(output('two\n')),
      updated({ status: 'completed', ...exit(0) }),
    );
    expect(said.slice(1)).toMatchObject([
      [{ kind: 'progress', call: 'c', delta: true, text: 'one\n' }],
      [{ kind: 'progress', call: 'c', delta: true, text: 'two\n' }],
      [
        { kind: 'progress', text: '' },
        { kind: 'tool-result', ok: true, text: 'one\ntwo\n' },
      ],
    ]);
  });

  it('one that was refused never ran', () => {
    const [, result] = inTurn(called(info), updated({ status: 'failed', ...exit(null) }));
    expect(result).toMatchObject([{ kind: 'tool-result', ok: false, text: '' }]);
  });

  it('keeps no more output than it has room for', () => {
    const many = Array.from({ length: 20 }, () => updated(output('x'.repeat(100_000))));
    const result = only(inTurn(called(info), ...many, updated({ status: 'completed' })).at(-1)!, 'tool-result');
    expect(result.text?.length).toBe(1 << 20);
  });
});

describe('subagents of Copilot', () => {
  const by = (agentId: string) => ({ _meta: { 'github.com/copilot': { agentId } } });
  const starts = (id: string) =>
    update('tool_call', { toolCallId: id, title: 'job', rawInput: { agent_type: 'explore' } });
  const works = (id: string, agent: string) => update('tool_call', { toolCallId: id, title: 'ls', ...by(agent) });

  it('are under the call that started them', () => {
    const turn = turnsOf(buildFixture('copilot-1.0.102-acp/agent'))[0]!;
    const calls = turn.entries.flatMap((step) => (step.is === 'step' ? step.entries : []));
    const job = calls.find((entry) => entry.is === 'item' && entry.call?.id === 'call_mock_441_0')!;
    const [step] = job.is === 'item' ? job.entries : [];
    expect(step).toMatchObject({
      is: 'step',
      entries: [
        { kind: 'tool-call', subagent: '31f255b6-9a86-4110-bc87-961925cded7a', parent: 'call_mock_441_0' },
        { kind: 'approval' },
      ],
    });
  });

  it('are told apart by the order in which they speak', () => {
    const said = inTurn(starts('a'), starts('b'), works('1', 'x'), works('2', 'y'), works('3', 'x')).slice(2).flat();
    expect(said.map(({ subagent, parent }) => [subagent, parent])).toEqual([
      ['x', 'a'],
      ['y', 'b'],
      ['x', 'a'],
    ]);
  });

  it('may have been started by nothing that is known', () => {
    const [event] = inTurn(works('1', 'x')).flat();
    expect([event!.subagent, event!.parent]).toEqual(['x', undefined]);
  });
});

it('a mode that is named by its place in the documentation has a short name', () => {
  const uri = 'https://agentclientprotocol.com/protocol/session-modes#autopilot';
  expect(inTurn(update('current_mode_update', { currentModeId: uri })).flat()).toMatchObject([{ mode: 'autopilot' }]);
});

it('what an adapter says of the login is a status', () => {
  const said: Said = ['agent', tell('_auth/status_update', { authStatus: { kind: 'api_key', label: 'a key' } })];
  expect(eventsOf(acp, [said])).toMatchObject([[{ kind: 'status', text: 'a key' }]]);
});
