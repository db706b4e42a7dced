/** What a client chooses and its agent repeats is the live client's own, and what came together comes together again. */
import { describe, expect } from 'vitest';
import { replayAgent } from '../../../lib/index.ts';
import { makeSession, rpc } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';

type Json = Record<string, unknown>;
/** Lines of one array came in one piece. */
type Said = ['>' | '<', ...Json[]];

function record(place: Place, command: string[], said: readonly Said[], dialect?: string): void {
  const bytes = (line: Json) => ('type' in line ? `${JSON.stringify(line)}\n` : rpc(line));
  makeSession(
    place.home,
    (journal) => {
      let t = 1000;
      for (const [who, ...lines] of said) {
        t += 1000;
        journal.data(who === '>' ? 'client' : 'agent', t, lines.map(bytes).join(''));
      }
      journal.event(t + 1000, { from: 'client', event: 'eof' });
      journal.exit(t + 2000);
    },
    { about: { command, ...(dialect ? { dialect } : {}) } },
  );
}

/** What the agent writes to a client that says these lines, piece by piece. */
async function answered(place: Place, ...lines: Json[]): Promise<Json[][]> {
  const agent = replayAgent('last', { home: place.home });
  const pieces: string[] = [];
  agent.stdout.on('data', (piece) => pieces.push(String(piece)));
  for (const line of lines) agent.stdin.write('type' in line ? `${JSON.stringify(line)}\n` : rpc(line));
  agent.stdin.end();
  expect((await agent.close()).ok).toBe(true);
  return pieces.map((piece) =>
    piece
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json),
  );
}

const MCP = ['mcp-server'];
const HANDSHAKE: Said[] = [
  [
    '>',
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c' } },
    },
  ],
  ['<', { id: 0, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's' } } }],
];
const HELLO = HANDSHAKE[0]![1]!;
const called = (id: number, progressToken: unknown): Json => ({
  ...{ id, method: 'tools/call', params: { name: 'work', arguments: {}, _meta: { progressToken } } },
});
const progress = (progressToken: unknown, n: number): Json => ({
  ...{ method: 'notifications/progress', params: { progressToken, progress: n, total: 3 } },
});
const done = (id: number): Json => ({ id, result: { content: [] } });

/** What the client is told about its calls. */
const stepsIn = (pieces: Json[][]) =>
  pieces
    .map((lines) => lines.filter(({ id, method }) => id !== 0 && method !== 'notifications/message'))
    .map((lines) => lines.map(({ params, id }) => (params as Json | undefined)?.progress ?? `answer ${id}`));

describe('progress in MCP', () => {
  it('comes together with the answer if it did, so that a client that drops it drops it again', async ({ place }) => {
    const talk: Said[] = [
      ['<', progress(1, 1)],
      ['<', progress(1, 2)],
      ['<', progress(1, 3), done(1)],
    ];
    record(place, MCP, [...HANDSHAKE, ['>', called(1, 1)], ...talk]);
    expect(stepsIn(await answered(place, HELLO, called(1, 1)))).toEqual([
      [1, 2],
      [3, 'answer 1'],
    ]);
  });

  it('comes before the answer if it did', async ({ place }) => {
    const talk: Said[] = [
      ['<', progress(1, 1)],
      ['<', progress(1, 2)],
      ['<', progress(1, 3)],
      ['<', done(1)],
    ];
    record(place, MCP, [...HANDSHAKE, ['>', called(1, 1)], ...talk]);
    expect(stepsIn(await answered(place, HELLO, called(1, 1)))).toEqual([[1, 2, 3], ['answer 1']]);
  });

  it('is kept apart from the answer also if something else came between', async ({ place }) => {
    const log: Json = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    const talk: Said[] = [
      ['<', progress(1, 1)],
      ['<', progress(2, 1)],
      ['<', done(1)],
      ['<', log],
      ['<', done(2)],
    ];
    record(place, MCP, [...HANDSHAKE, ['>', called(1, 1)], ['>', called(2, 2)], ...talk]);
    const steps = stepsIn(await answered(place, HELLO, called(1, 1), called(2, 2)));
    expect(steps[0]).toEqual([1, 1]);
    expect(steps.slice(1).flat()).toEqual(['answer 1', 'answer 2']);
  });

  it.for([
    ['a number that is no id', 1, 77],
    ['a text', 1, 'mine'],
    ['an id of another request', 1, 2],
    ['the id, where it was a text', 'theirs', 1],
    ['a text, where it was another', '550e8400-e29b-41d4-a716-446655440000', 'x'],
  ])('has the token of the live client: %s', async ([, recorded, live], { place }) => {
    const twice = (token: (id: number) => unknown): Said[] =>
      [1, 2].flatMap((id): Said[] => [
        ['>', called(id, token(id))],
        ['<', progress(token(id), 1)],
        ['<', done(id)],
      ]);
    // The token of the second request tells whether the first one was mistaken for an id.
    const tokenOf = (first: unknown) => (id: number) => (id === 1 ? first : `${first}+`);
    record(place, MCP, [...HANDSHAKE, ...twice(tokenOf(recorded))]);
    const lines = (await answered(place, HELLO, called(1, live), called(2, tokenOf(live)(2)))).flat().slice(1);
    const tokens = lines.flatMap(({ params }) => (params ? [(params as Json).progressToken] : []));
    expect(tokens).toEqual([live, `${live}+`]);
    expect(lines.flatMap(({ id }) => id ?? [])).toEqual([1, 2]);
  });

  it('may have the same token for one request after the other', async ({ place }) => {
    const call = (id: number, token: string): Said[] => [
      ...([
        ['>', called(id, token)],
        ['<', progress(token, 1)],
        ['<', done(id)],
      ] as Said[]),
    ];
    record(place, MCP, [...HANDSHAKE, ...call(1, 'p'), ...call(2, 'p')]);
    const agent = replayAgent('last', { home: place.home });
    const lines: Json[] = [];
    agent.stdout.on('data', (piece) =>
      lines.push(
        ...String(piece)
          .trim()
          .split('\n')
          .map((one) => JSON.parse(one)),
      ),
    );
    const next = async (n: number) => {
      while (lines.length < n) await new Promise((go) => agent.stdout.once('data', go));
    };
    agent.stdin.write(rpc(HELLO));
    await next(1);
    agent.stdin.write(rpc(called(1, 'a')));
    await next(3);
    agent.stdin.write(rpc(called(2, 'b')));
    await next(5);
    expect(await agent.close()).toMatchObject({ ok: true });
    expect(lines.flatMap(({ params }) => (params ? [(params as Json).progressToken] : []))).toEqual(['a', 'b']);
  });
});

describe('what a client chooses', () => {
  const UUIDS = ['6db0f565-ebac-4f00-9c11-0a1b2c3d4e5f', '11111111-2222-4333-8444-555566667777'] as const;

  it('in codex as an MCP server: the call that an event belongs to', async ({ place }) => {
    const event = (requestId: number): Json => ({
      ...{ method: 'codex/event', params: { _meta: { requestId }, id: '0', msg: { type: 'task_started' } } },
    });
    record(place, ['codex', 'mcp-server'], [...HANDSHAKE, ['>', called(1, 1)], ['<', event(1)], ['<', done(1)]]);
    const lines = (await answered(place, HELLO, called(9, 9))).flat();
    expect(lines[1]).toMatchObject({ params: { _meta: { requestId: 9 } } });
  });

  it('in ACP: terminals, and ids of prompts', async ({ place }) => {
    const prompt = (messageId: string): Json => ({
      ...{ id: 1, method: 'session/prompt' },
      params: { sessionId: 's', messageId, prompt: [{ type: 'text', text: 'hi' }] },
    });
    const created = (terminalId: string): Json => ({ id: 0, result: { terminalId } });
    const chunk = { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'hi' } };
    record(
      place,
      ['agent', 'acp'],
      [
        ['>', { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: { terminal: true } } }],
        ['<', { id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }],
        ['>', prompt('m1')],
        ['<', { method: 'session/update', params: { sessionId: 's', update: { ...chunk, messageId: 'm1' } } }],
        ['<', { id: 0, method: 'terminal/create', params: { sessionId: 's', command: 'ls' } }],
        ['>', created('t1')],
        ['<', { id: 1, method: 'terminal/output', params: { sessionId: 's', terminalId: 't1' } }],
        ['>', { id: 1, result: { output: '', truncated: false } }],
        ['<', { id: 1, result: { stopReason: 'end_turn', userMessageId: 'm1' } }],
      ],
    );
    const hello = {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
    };
    const agent = replayAgent('last', { home: place.home });
    const lines: Json[] = [];
    agent.stdout.on('data', (piece) => {
      for (const text of String(piece).trim().split('\n')) {
        const line = JSON.parse(text) as Json;
        lines.push(line);
        if (line.method === 'terminal/create') agent.stdin.write(rpc({ ...created('mine'), id: line.id }));
        if (line.method === 'terminal/output')
          agent.stdin.write(rpc({ id: line.id, result: { output: '', truncated: false } }));
      }
    });
    agent.stdin.write(rpc(hello) + rpc(prompt('my-message')));
    while (!lines.some((line) => JSON.stringify(line).includes('end_turn')))
      await new Promise((go) => agent.stdout.once('data', go));
    expect(await agent.close()).toMatchObject({ ok: true });
    expect(lines.map(({ params, result }) => JSON.stringify(params ?? result))).toEqual([
      ...[expect.stringContaining('protocolVersion'), expect.stringContaining('"messageId":"my-message"')],
      ...[expect.stringContaining('"command":"ls"'), expect.stringContaining('"terminalId":"mine"')],
      expect.stringContaining('"userMessageId":"my-message"'),
    ]);
  });

  it('in LSP: tokens, and the request that is cancelled', async ({ place }) => {
    const hello: Json = { id: 1, method: 'initialize', params: { processId: 1, rootUri: null, capabilities: {} } };
    const find = (id: number, workDoneToken: unknown): Json => ({
      ...{ id, method: 'textDocument/references', params: { textDocument: { uri: 'file:///a' }, workDoneToken } },
    });
    const told = (token: unknown): Json => ({
      method: '$/progress',
      params: { token, value: { kind: 'begin', title: 'x' } },
    });
    record(
      place,
      ['typescript-language-server', '--stdio'],
      [
        ['>', hello],
        ['<', { id: 1, result: { capabilities: {} } }],
        ['>', find(2, '1')],
        ['<', told('1')],
        ['>', { method: '$/cancelRequest', params: { id: 2 } }],
        ['<', { id: 2, error: { code: -32800, message: 'cancelled' } }],
      ],
    );
    const cancel = { method: '$/cancelRequest', params: { id: 22 } };
    const lines = (await answered(place, hello, find(22, 'token'), cancel)).flat();
    expect(lines.slice(1)).toMatchObject([{ params: { token: 'token' } }, { id: 22 }]);
  });

  it('in DAP: numbers of its requests are not those of the lines of the adapter', async ({ place }) => {
    const ask = (seq: number, command: string): Json => ({ seq, type: 'request', command, arguments: {} });
    const answer = (seq: number, request_seq: number, command: string): Json => ({
      ...{ seq, type: 'response', request_seq, success: true, command, body: {} },
    });
    record(
      place,
      ['python', '-m', 'debugpy.adapter'],
      [
        ['>', ask(1, 'initialize')],
        ['<', answer(1, 1, 'initialize')],
        ['>', ask(2, 'threads')],
        ['<', { seq: 2, type: 'event', event: 'output', body: { output: 'x' } }, answer(3, 2, 'threads')],
      ],
      'dap',
    );
    const lines = (await answered(place, ask(11, 'initialize'), ask(12, 'threads'))).flat();
    expect(lines.map(({ seq, request_seq }) => [seq, request_seq])).toEqual([
      ...[
        [1, 11],
        [2, undefined],
        [3, 12],
      ],
    ]);
  });

  it('anywhere: an id that looks random is the live one wherever the agent repeats it', async ({ place }) => {
    const [recorded, live] = UUIDS;
    const create = (sessionId: string): Json => ({ id: 1, method: 'session.create', params: { sessionId } });
    record(
      place,
      ['copilot', '--server'],
      [
        ['>', create(recorded)],
        ['<', { id: 1, result: { sessionId: recorded, workspace: `/tmp/${recorded}/files` } }],
        [
          '<',
          {
            method: 'session.event',
            params: { sessionId: recorded, event: { type: 'x', data: { of: { session: recorded } } } },
          },
        ],
      ],
    );
    const text = JSON.stringify(await answered(place, create(live)));
    expect(text).not.toContain(recorded);
    expect(text.match(new RegExp(live, 'g'))).toHaveLength(4);
  });
});
