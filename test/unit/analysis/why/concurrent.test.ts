/** Requests are handled side by side: an answer to one says nothing about another, and what a request waits for comes first. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { describeState, remarks } from '../../../../lib/analysis/why/remarks.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { codex } from '../../../../lib/dialects/codex/index.ts';
import { dap } from '../../../../lib/dialects/dap/index.ts';
import { DialectDetector } from '../../../../lib/dialects/detect.ts';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { jsonrpc } from '../../../../lib/dialects/jsonrpc/index.ts';
import { lsp } from '../../../../lib/dialects/lsp/index.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import type { SessionMoment } from '../../../../lib/model/moment.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import * as $ from '../../../support/audit.ts';
import * as cx from '../../../support/codex.ts';
import type { Said } from '../../../support/reading.ts';

type What = (Said | $.Happening)[];

function watched(dialect: Dialect, frames: Frame[], command: string[] = ['agent']): SessionWatch {
  const seen = new SessionWatch({ command, dialect: dialect.name });
  for (const read of $.readAll(dialect, frames, command)) seen.take(read);
  return seen;
}

const NOW: SessionMoment = { t: 100, running: true, process: null, unfinished: [] };
const why = (dialect: Dialect, what: What) => explain('s', 0, watched(dialect, $.sessionOf(what)), NOW);
const short = (dialect: Dialect, what: What) => why(dialect, what).map(({ owes, f, rule }) => `${owes} f${f} ${rule}`);

const asks = (id: unknown, method: string, params: unknown = {}): Said => [
  'client',
  { jsonrpc: '2.0', id, method, params },
];
const answers = (id: unknown, result: unknown = {}): Said => ['agent', { jsonrpc: '2.0', id, result }];
const fails = (id: unknown): Said => ['agent', { jsonrpc: '2.0', id, error: { code: -32000, message: 'no' } }];
const wants = (id: unknown, method: string, params: unknown = {}): Said => [
  'agent',
  { jsonrpc: '2.0', id, method, params },
];

const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const greeted: What = [
  ...[
    asks('i', 'initialize', initialize),
    answers('i', { protocolVersion: '2025-06-18', capabilities: { tools: {} } }),
  ],
  ['client', { jsonrpc: '2.0', method: 'notifications/initialized' }],
];
const calling: What = [...greeted, asks('c', 'tools/call', { name: 'x' })];
const ping: What = [asks('p', 'ping'), answers('p')];

describe('a call of MCP that waits for', () => {
  it.each(['elicitation/create', 'sampling/createMessage'])('%s does so after a ping, too', (method) => {
    const open = [...calling, wants(0, method, { message: 'Name?' })];
    expect(short(mcp, open)).toEqual(['client f5 unanswered', 'agent f4 waits-for-client']);
    expect(short(mcp, [...open, ...ping])).toEqual(short(mcp, open));
    const second = [asks('d', 'tools/call', { name: 'y' }), answers('d')];
    expect(short(mcp, [...open, ...second])).toEqual(short(mcp, open));
  });

  it.each([
    ['roots/list', 'resources/read'],
    ['elicitation/create', 'prompts/get'],
    ['sampling/createMessage', 'resources/read'],
  ])('%s may be another request (%s)', (method, request) => {
    const open = [...greeted, asks('c', request, { name: 'x', uri: 'x:y' }), wants(0, method, { message: 'Name?' })];
    expect(short(mcp, [...open, ...ping])).toEqual(['client f5 unanswered', 'agent f4 waits-for-client']);
    expect(why(mcp, open)[1]!.cause).toMatch(/^the agent (may be|is) waiting for the client: /);
  });

  it.each(['ping', 'roots/list'])('nothing that the server asks on its own (%s)', (method) => {
    expect(short(mcp, [...calling, wants(0, method)])).toEqual(['agent f4 in-tool', 'client f5 unanswered']);
  });

  it('nothing runs, whatever else was answered', () => {
    expect(short(mcp, [...calling, ...ping])).toEqual(['agent f4 in-tool']);
  });

  it('the client was read, although it never said that it is ready', () => {
    const early = calling.filter((_, i) => i !== 2);
    expect(short(mcp, early)).toEqual(['agent f3 not-initialized']);
    const asking = [...early, wants(0, 'elicitation/create')];
    expect(short(mcp, asking)).toEqual(['client f4 unanswered', 'agent f3 waits-for-client']);
  });
});

it('an answer to a later request of JSON-RPC blames nobody', () => {
  const [open] = why(jsonrpc, [asks(1, 'work'), asks(2, 'status'), answers(2)]);
  expect(open).toMatchObject({ f: 1, rule: 'silent' });
  expect(open!.cause).toBe('the agent has sent other lines since (the last is f3, 1m 38s ago), but no answer');
});

describe('other protocols whose requests are handled side by side', () => {
  it('LSP: a command that waits for its edit', () => {
    const open: What = [
      ...[asks(1, 'initialize', { processId: 1, rootUri: null, capabilities: {} }), answers(1, { capabilities: {} })],
      ...[asks(2, 'workspace/executeCommand', { command: 'x' }), wants(1, 'workspace/applyEdit', { edit: {} })],
    ];
    expect(short(lsp, open)).toEqual(['client f4 unanswered', 'agent f3 waits-for-client']);
    expect(short(lsp, [...open, asks(3, 'textDocument/hover'), answers(3, null)])).toEqual(short(lsp, open));
  });

  it('DAP: a launch that waits for its terminal', () => {
    const request = (seq: number, command: string, args = {}) => ({ seq, type: 'request', command, arguments: args });
    const response = (seq: number, request_seq: number, command: string) => ({
      ...{ seq, type: 'response', request_seq, success: true, command, body: {} },
    });
    const open: What = [
      ...([['client', request(1, 'initialize')]] as What),
      ...([['agent', response(1, 1, 'initialize')]] as What),
      ...([['client', request(2, 'launch')]] as What),
      ...([['agent', request(2, 'runInTerminal', { args: ['x'], cwd: '/' })]] as What),
    ];
    expect(short(dap, open)).toEqual(['client f4 unanswered', 'agent f3 waits-for-client']);
    const threads: What = [
      ['client', request(3, 'threads')],
      ['agent', response(3, 3, 'threads')],
    ];
    expect(short(dap, [...open, ...threads])).toEqual(short(dap, open));
  });

  it('JSON-RPC of an unknown agent', () => {
    const open = [asks(1, 'work'), wants(1, 'confirm'), asks(2, 'status'), answers(2)];
    expect(short(jsonrpc, open)).toEqual(['client f2 unanswered', 'agent f1 waits-for-client']);
  });
});

describe('prompts side by side', () => {
  const [first, second] = ['a', 'b'].map(
    (sessionId, i): What => [
      asks(`n${i}`, 'session/new'),
      answers(`n${i}`, { sessionId }),
      asks(sessionId, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    ],
  );
  const opened: What = [asks(0, 'initialize'), answers(0), ...first!, ...second!];
  const update = (sessionId: string, more: object): Said => [
    'agent',
    { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: more } },
  ];

  it('are answered in any order', () => {
    expect(short(acp, [...opened, answers('b', { stopReason: 'end_turn' })])).toEqual(['agent f5 silent']);
  });

  it('do not explain each other: a call, or the output of a model', () => {
    const call = update('b', { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Run', status: 'in_progress' });
    expect(short(acp, [...opened, call])).toEqual(['agent f5 silent', 'agent f8 in-tool']);
    const text = update('b', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } });
    const own = update('a', { sessionUpdate: 'plan', entries: [] });
    const [a, b] = why(acp, [...opened, own, text, text]);
    expect(a!.cause).toContain('it has sent no output');
    expect(b!.cause).toContain('the model last sent output');
  });

  it('are cancelled on their own', () => {
    const text = (id: string) =>
      update(id, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } });
    const cancel: Said = ['client', { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'b' } }];
    const cancelled = [...opened, text('a'), text('b'), cancel, asks('l', 'session/list'), answers('l')];
    expect(short(acp, cancelled)).toEqual(['agent f5 in-model', 'agent f8 in-model']);
  });

  it('wait for their approvals, whatever the agent answers meanwhile', () => {
    const params = { sessionId: 'a', toolCall: { toolCallId: 'c', title: 'Run', kind: 'execute' }, options: [] };
    const held = [...opened.slice(0, 5), wants(9, 'session/request_permission', params)];
    expect(short(acp, held)).toEqual(['client f6 unanswered', 'agent f5 waits-for-client']);
    const mode = [asks('m', 'session/set_mode', { sessionId: 'a', modeId: 'x' }), answers('m')];
    expect(short(acp, [...held, ...mode])).toEqual(short(acp, held));
    const other: What = [...second!, answers('b', { stopReason: 'end_turn' })];
    expect(short(acp, [...held, ...other])).toEqual(short(acp, held));
  });

  it('of codex wait for theirs', () => {
    const held: What = [...cx.hello, ...cx.opens(1), ...cx.begins(2), cx.wants(9, 'x', { command: 'ls' })];
    expect(short(codex, held)).toEqual(['client f7 unanswered', 'agent f5 waits-for-client']);
    const list: What = [
      ['client', cx.asks(3, 'model/list')],
      ['agent', cx.answers(3, { data: [] })],
    ];
    expect(short(codex, [...held, ...list])).toEqual(short(codex, held));
  });
});

describe('a prompt of Wire', () => {
  const hello: What = [asks('i', 'initialize', { protocol_version: '1.10' }), answers('i')];
  const turn: What = [...hello, $.prompts('p', 'go'), $.begins('go'), $.says('StepBegin', { n: 1 })];
  const held: What = [...turn, $.calls('c'), $.wants('r', 'c')];

  it.each(['steer', 'replay', 'set_plan_mode'])('waits while %s is answered', (method) => {
    expect(short(wire, [...held, asks('x', method), answers('x')])).toEqual([
      'client f7 unanswered',
      'agent f3 waits-for-client',
    ]);
    expect(short(wire, [...turn, asks('x', method), answers('x')])).toEqual(['agent f3 in-model']);
  });

  it('is forgotten after its cancel was accepted, not after one that was refused', () => {
    expect(short(wire, [...turn, asks('x', 'cancel'), answers('x')])).toEqual(['agent f3 cancelled-unanswered']);
    expect(short(wire, [...turn, asks('x', 'cancel'), fails('x')])).toEqual(['agent f3 in-model']);
    expect(short(wire, [...turn, asks('x', 'cancel'), asks('y', 'steer'), answers('y')])[0]).toBe('agent f3 in-model');
  });

  it('was refused, although a request that was sent with it was answered afterwards', () => {
    const both: What = [...hello, $.prompts('p'), asks('x', 'replay'), fails('p'), answers('x')];
    expect(remarks(watched(wire, $.sessionOf(both)))[0]).toMatchObject({ rule: 'refused', f: 5 });
    expect(describeState(watched(wire, $.sessionOf(both))).words).toBe('the only prompt was refused');
  });

  it('that is not answered, and a later one that is: one turn at a time', () => {
    const later = [...turn, $.prompts('q', 'on'), $.begins('on'), $.finishes('q')];
    expect(short(wire, later)).toEqual(['agent f3 ignored']);
  });

  it('hangs at a bad answer, whatever else is answered', () => {
    const bad: What = [...held, $.decides('r', 'allow')];
    expect(short(wire, bad)).toEqual(['agent f3 unknown-option']);
    const after = why(wire, [...bad, asks('x', 'steer'), answers('x')]);
    expect(after).toMatchObject([{ f: 3, rule: 'unknown-option' }]);
    expect(after[0]!.cause).toContain("sent only answers to other requests (f10) since the client's answer f8");
  });
});

it('an error that names its request is pinned to it, also after later ones were answered', () => {
  const [open] = why(mcp, [...greeted, asks(7, 'tools/call', { name: 'x' }), ...ping, fails('7')]);
  expect(open).toMatchObject({ f: 4, rule: 'refused' });
});

const tapes = fileURLToPath(new URL('../../../fixtures/tapes/', import.meta.url));
const folders = ['mcp', 'acp', 'codex-app-server-0.166.0', 'copilot-sdk-1.0.14', 'codex-acp-2.6.0', 'wire-1.49.0'];
const recorded = folders.flatMap((folder) =>
  readdirSync(`${tapes}${folder}`)
    .filter((file) => /^[^.]+\.jsonl$/.test(file))
    .map((file) => `${folder}/${file}`),
);
/** So many moments of a session are looked at, and those after the first requests of the agent. */
const MOMENTS = 4;
const ASKED = 4;

function isRequest(raw: Uint8Array): boolean {
  const text = Buffer.from(raw).toString();
  return /"method":/.test(text) && /"id":/.test(text) && 'id' in (JSON.parse(text) as object);
}

describe('a request that is answered meanwhile changes nothing', () => {
  it.each(recorded)('%s', (file) => {
    const { command, frames } = readLineLog(`${tapes}${file}`);
    const detector = new DialectDetector(command);
    for (const frame of frames) detector.take(frame);
    const { dialect } = detector.best;
    const spoken = frames.findIndex(({ from, event }) => from === 'agent' && event === null);
    const some = Array.from({ length: MOMENTS }, (_, i) => Math.ceil((frames.length * (i + 1)) / (MOMENTS + 1)));
    const asked = frames.flatMap(({ from, raw }, i) => (from === 'agent' && isRequest(raw) ? [i + 1] : []));
    for (const end of new Set([...some, ...asked.slice(0, ASKED)])) {
      if (end <= spoken) continue;
      const before = frames.slice(0, end);
      const { f, t } = before.at(-1)!;
      const meanwhile = $.sessionOf([asks('aside', 'ping'), answers('aside')]).map((one, i) => ({
        ...one,
        ...{ f: f + 1 + i, t, head: before.find(({ head }) => head)?.head ?? null },
      }));
      const said = (all: Frame[]) =>
        explain('s', 0, watched(dialect, all, command), { ...NOW, t: t + 1 })
          .filter(({ method }) => method !== 'notifications/initialized')
          .map(({ owes, f: at, rule }) => `${owes} f${at} ${rule}`);
      expect(said([...before, ...(meanwhile as Frame[])]), `after f${f}`).toEqual(said(before));
    }
  });
});
