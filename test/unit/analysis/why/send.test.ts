/** The line that `why` says to send answers: nothing is owed for it any more, and `check` has nothing against it. */
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../../lib/analysis/check/checker.ts';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { pi } from '../../../../lib/dialects/pi/index.ts';
import { qwenRfc } from '../../../../lib/dialects/qwen-rfc/index.ts';
import type { Finding } from '../../../../lib/dialects/rules/rule.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import { visible } from '../../../../lib/model/text/text.ts';
import * as $ from '../../../support/audit.ts';
import { BROKEN_STREAMS } from '../../../support/broken-streams.ts';
import { answer, ask, type Said } from '../../../support/reading.ts';

const NOW = { t: 100, running: true, process: null, unfinished: [] };
const client = (value: unknown): Said => ['client', value];
const agent = (value: unknown): Said => ['agent', value];

function owed(dialect: Dialect, said: Said[]) {
  const watch = new SessionWatch({ command: [], dialect: dialect.name });
  for (const read of $.readAll(dialect, $.sessionOf(said))) watch.take(read);
  return explain('s', 0, watch, NOW);
}

/** What `check` has against the last line. */
function against(dialect: Dialect, said: Said[]): string[] {
  const checker = new Checker({ command: [], dialect: dialect.name, source: 'record' });
  const found: Finding[] = [];
  for (const read of $.readAll(dialect, $.sessionOf(said))) found.push(...checker.take(read));
  return found.filter(({ f, fault }) => f === said.length && fault === 'client').map(({ message }) => message);
}

const turn: Said[] = [
  ...[client(ask('i', 'initialize', { protocol_version: '1.10' })), agent(answer('i', { protocol_version: '1.10' }))],
  ...[$.prompts('p', 'go'), $.begins('go'), $.says('StepBegin', { n: 1 }), $.calls('c')],
];
const opened: Said[] = [
  ...[client(ask(0, 'initialize', { protocolVersion: 1 })), agent(answer(0, { protocolVersion: 1 }))],
  ...[client(ask(1, 'session/new', { cwd: '/', mcpServers: [] })), agent(answer(1, { sessionId: 'a' }))],
  client(ask(2, 'session/prompt', { sessionId: 'a', prompt: [{ type: 'text', text: 'go' }] })),
];
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const served: Said[] = [
  client(ask(0, 'initialize', { ...hello, capabilities: { elicitation: {}, sampling: {}, roots: {} } })),
  agent(
    answer(0, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  ),
  client({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  client(ask(1, 'tools/call', { name: 'x', arguments: {} })),
];
const form = {
  type: 'object',
  required: ['name', 'age', 'kind', 'agree', 'pet'],
  properties: {
    ...{ name: { type: 'string' }, age: { type: 'integer', minimum: 18 }, kind: { type: 'string', enum: ['a', 'b'] } },
    ...{ agree: { type: 'boolean', default: true }, pet: { type: 'string', oneOf: [{ const: 'cat', title: 'Cat' }] } },
  },
};
const permission = {
  ...{ sessionId: 'a', toolCall: { toolCallId: 'c', title: 'Remove', kind: 'delete' } },
  options: [
    { optionId: 'no', name: 'No', kind: 'reject_once' },
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  ],
};

const gated: Said[] = [
  ...[
    client({ id: 'p', type: 'prompt', message: 'go' }),
    agent({ id: 'p', type: 'response', command: 'prompt', success: true }),
  ],
  agent({ type: 'agent_start' }),
  agent({ type: 'tool_execution_start', toolCallId: 'c', toolName: 'bash', args: { command: 'ls' } }),
];
const dialog = (method: string, more: object) =>
  agent({ type: 'extension_ui_request', id: 'u', method, title: 'Allow?', ...more });

const CASES: [string, Dialect, Said[], string][] = [
  ['a dialog of pi', pi, [...gated, dialog('select', { options: ['Yes', 'No'] })], '"value":"Yes"'],
  ['a confirmation of pi', pi, [...gated, dialog('confirm', { message: 'x' })], '"confirmed":true'],
  ['an approval', wire, [...turn, $.wants('r', 'c')], '"response":"approve"'],
  [
    'a question',
    wire,
    [
      ...turn,
      $.asks('q', 'QuestionRequest', {
        tool_call_id: 'c',
        questions: [{ question: '哪个?', options: [{ label: '甲' }] }],
      }),
    ],
    '"answers":{"哪个?":"甲"}',
  ],
  ['a tool', wire, [...turn, $.asks('c', 'ToolCallRequest', { name: 'look', arguments: '{}' })], '"return_value":'],
  ['a hook', wire, [...turn, $.asks('h', 'HookRequest', { subscription_id: 's', event: 'Stop' })], '"action":"allow"'],
  ['a permission', acp, [...opened, agent(ask(7, 'session/request_permission', permission))], '"optionId":"yes"'],
  ['a file', acp, [...opened, agent(ask(7, 'fs/read_text_file', { sessionId: 'a', path: '/x' }))], '"content":""'],
  ['an extension', acp, [...opened, agent(ask(7, 'craft/x', {}))], '"code":-32601'],
  [
    'an elicitation',
    mcp,
    [...served, agent(ask(0, 'elicitation/create', { message: '?', requestedSchema: form }))],
    '"age":18,"kind":"a","agree":true,"pet":"cat"',
  ],
  ['roots', mcp, [...served, agent(ask(0, 'roots/list'))], '"roots":[]'],
  [
    'sampling',
    mcp,
    [...served, agent(ask(0, 'sampling/createMessage', { messages: [], maxTokens: 5 }))],
    '"role":"assistant"',
  ],
  ['readiness', mcp, served.slice(0, 2), '"method":"notifications/initialized"'],
  ['can_use_tool', streamJson, BROKEN_STREAMS['stream-a']!.slice(0, 6) as Said[], '"behavior":"allow"'],
];

describe('the line to send', () => {
  it.each(CASES)('answers %s', (_, dialect, said, part) => {
    const [first] = owed(dialect, said).filter(({ owes }) => owes === 'client');
    expect(first!.send).toContain(part);
    expect(first!.sender).toBe('client');
    const then: Said[] = [...said, client(first!.send)];
    expect(owed(dialect, then).filter(({ f }) => f === first!.f)).toEqual([]);
    expect(against(dialect, then)).toEqual([]);
  });

  it('answers an approval of the RFC', () => {
    const asks = {
      type: 'control_request',
      request_id: 'r',
      subtype: 'can_use_tool',
      tool: { name: 'x', arguments: {} },
    };
    const said: Said[] = [agent({ ...asks, session_id: 's', prompt_id: 'p' })];
    const [first] = owed(qwenRfc, said);
    expect(first!.send).toContain('"behavior":"approve"');
    expect(owed(qwenRfc, [...said, client(first!.send)])).toEqual([]);
  });

  it('a prompt of pi is open until its run ends, although it was accepted', () => {
    expect(owed(pi, gated)).toMatchObject([{ owes: 'agent', f: 1, kind: 'prompt' }]);
    const over = agent({ type: 'agent_end', messages: [] });
    expect(owed(pi, [...gated, over])).toEqual([]);
  });

  it('is shown as it must be sent: what cannot be seen is escaped', () => {
    const id = 'a\u202eb\u0007\u{e0041}';
    const [first] = owed(wire, [...turn, $.wants(id, 'c')]);
    expect(visible(first!.send!)).toBe(first!.send);
    expect((JSON.parse(first!.send!) as { id: string }).id).toBe(id);
  });

  it('is what the agent would answer to a handshake', () => {
    const [first] = owed(wire, turn.slice(0, 1));
    expect(first).toMatchObject({ owes: 'agent', sender: 'agent', rule: 'silent' });
    expect(owed(wire, [turn[0]!, agent(first!.send)])).toEqual([]);
  });
});

it('a starting agent computes; a silent one does not', () => {
  const spawned = (cpu: number | null, t: number) => {
    const watch = new SessionWatch({ command: [], dialect: 'wire' });
    const spawn = ['spawn', { pid: 7 }] as unknown as $.Happening;
    for (const read of $.readAll(wire, $.sessionOf([spawn, turn[0]!]))) watch.take(read);
    return explain('s', 0, watch, { ...NOW, t, process: { pid: 7, state: 'sleeping', cpu } })[0]!;
  };
  expect(spawned(4, 8).rule).toBe('starting');
  expect(spawned(4, 8).cause).toBe(
    'the agent is still starting: it was started 8.00 s ago and has used 4.00 s of processor time',
  );
  expect(spawned(0.3, 8).rule).toBe('silent');
  expect(spawned(null, 8).rule).toBe('silent');
  expect(spawned(0, 1.5).rule).toBe('starting');
});
