/** Protocols in Content-Length frames: the Copilot SDK, language servers and debug adapters. */
import { describe, expect, it } from 'vitest';
import { Audit } from '../../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../../lib/analysis/audit/row.ts';
import { Checker } from '../../../lib/analysis/check/checker.ts';
import { RULES } from '../../../lib/analysis/check/rules.ts';
import { explain } from '../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../lib/analysis/why/session-watch.ts';
import { copilot } from '../../../lib/dialects/copilot/index.ts';
import { dap } from '../../../lib/dialects/dap/index.ts';
import type { JsonObject } from '../../../lib/dialects/dialect.ts';
import { traitsOf } from '../../../lib/dialects/index.ts';
import { lsp } from '../../../lib/dialects/lsp/index.ts';
import type { Event } from '../../../lib/model/event.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { Pass } from '../../../lib/session/pass.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import {
  answer,
  ask,
  eventsOf,
  framesOf,
  kinds,
  only,
  pinned,
  refuse,
  type Said,
  tell,
} from '../../support/reading.ts';

const TAPES = fixtureSessions().filter(({ id }) => /^(?:copilot-sdk|lsp|dap)-/.test(id));

describe('tapes', () => {
  it.each(TAPES)('$id is read as its own dialect whatever the command line is', ({ id, command, frames }) => {
    const expected = /^(copilot|lsp|dap)/.exec(id)![1];
    expect(new Pass({ command, frames }).dialect).toBe(expected);
    const pass = new Pass({ command: ['./server'], frames });
    const found = [...pass].flatMap(({ events }) => events).filter(({ kind }) => kind === 'other' || kind === 'noise');
    expect(found).toEqual([]);
    expect(pass.dialect).toBe(expected);
  });

  it.each(TAPES)('$id breaks no rule', ({ command, frames }) => {
    const pass = new Pass({ command, frames });
    const checker = new Checker({ dialect: pass.dialect, command, source: 'record' }, RULES);
    const found = [...pass].flatMap((read) => checker.take(read));
    expect([...found, ...checker.end()].filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('have these kinds', () => {
    expect(pinned('lsp-typescript-language-server-5.3.0/edit').kinds).toBe(
      'handshake log handshake handshake status status client-call client-call-answer status notice control control control cancel control control control control control control',
    );
    expect(pinned('lsp-vscode-json-languageserver-1.3.4/json').kinds).toBe(
      'handshake handshake handshake status notice control control control control control control control',
    );
    expect(pinned('dap-debugpy-1.8.22/launch').kinds).toMatch(
      /^handshake log handshake log status control .*handshake control control .*notice .*log/,
    );
  });
});

describe('requests and answers', () => {
  it('are paired in DAP by seq and request_seq, and errors have their sentence', () => {
    const error = { id: 3000, format: 'no {what} here', variables: { what: 'thread' } };
    const events = eventsOf(dap, [
      ['client', { seq: 1, type: 'request', command: 'threads' }],
      [
        'agent',
        { seq: 1, type: 'response', request_seq: 1, success: false, command: 'threads', message: 'x', body: { error } },
      ],
      ['agent', { seq: 2, type: 'request', command: 'runInTerminal', arguments: { args: ['a'] } }],
      ['client', { seq: 2, type: 'response', request_seq: 2, success: true, command: 'runInTerminal' }],
      ['agent', { seq: 3, type: 'event', event: 'noSuchEvent' }],
      ['client', { seq: 3, type: 'request', command: 'noSuchCommand' }],
      ['agent', { seq: 'x', type: 'event', event: 'output' }],
    ]);
    expect(events.map(kinds)).toEqual([
      'control',
      'control',
      'client-call',
      'client-call-answer',
      'status',
      'control',
      'noise',
    ]);
    expect(events[1]![0]!.text).toBe('no thread here');
  });

  it('of a language server have their kinds, known or not', () => {
    const events = eventsOf(lsp, [
      ['client', ask(1, 'initialize', { processId: 1, capabilities: {}, clientInfo: { name: 'ed' } })],
      ['agent', answer(1, { capabilities: {}, serverInfo: { name: 'srv', version: '2' } })],
      ['agent', ask(0, 'window/showMessageRequest', { type: 1, message: 'sure?', actions: [{ title: 'Yes' }] })],
      ['client', answer(0, { title: 'Yes' })],
      ['agent', ask(1, 'custom/askMe', {})],
      ['client', refuse(1, -32601)],
      ['agent', tell('$/progress', { token: 1, value: { kind: 'begin', title: 'Indexing', percentage: 3 } })],
      ['client', tell('$/cancelRequest', { id: 7 })],
      ['agent', answer('x', null)],
    ]);
    expect(events.map(kinds)).toEqual([
      ...['handshake', 'handshake', 'question', 'question-answer', 'client-call', 'client-call-answer'],
      ...['progress', 'cancel', 'control'],
    ]);
    expect(only(events[3]!, 'question-answer')).toMatchObject({ answers: 'Yes', ok: true });
    expect(events[8]![0]!.flags).toEqual(['orphan']);
  });
});

describe('recognition', () => {
  const sure = (dialect: typeof lsp, ...values: JsonObject[]) =>
    dialect.recognise({ command: [], lines: values.map((value) => ({ from: 'client', value })) });

  it('does not take other protocols for these', () => {
    const mcp = ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'n' } });
    const acp = ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    const pi = { type: 'response', command: 'prompt', success: true };
    for (const other of [mcp, acp, pi, tell('session/update', {}), { type: 'event', event: 'x' }]) {
      expect([copilot, lsp, dap].map((dialect) => sure(dialect, other))).toEqual([0, 0, 0]);
    }
  });

  it('goes by what is said', () => {
    expect(sure(lsp, ask(1, 'initialize', { processId: null, rootUri: null, capabilities: {} }))).toBe(0.9);
    expect(sure(lsp, tell('textDocument/didOpen', {}))).toBe(0.95);
    expect(sure(copilot, ask(0, 'connect', { supportedTaskKinds: [] }))).toBe(0.9);
    expect(sure(dap, { seq: 1, type: 'request', command: 'initialize' })).toBe(0.95);
  });
});

// The Copilot SDK

const event = (type: string, data: JsonObject = {}, more: JsonObject = {}): Said => [
  'agent',
  tell('session.event', { sessionId: 's', event: { type, data, id: 'e', timestamp: 't', parentId: null, ...more } }),
];
const decide = (id: number, requestId: string, result: JsonObject): Said => [
  'client',
  ask(id, 'session.permissions.handlePendingPermissionRequest', { sessionId: 's', requestId, result }),
];
const prompted: Said[] = [
  ['client', ask(1, 'session.send', { sessionId: 's', prompt: 'go' })],
  ['agent', answer(1, { messageId: 'm' })],
  event('user.message', { content: 'go', messageId: 'm' }),
  event('assistant.turn_start'),
  event('tool.execution_start', { toolCallId: 'c', toolName: 'bash', arguments: { command: 'ls' } }),
];
const request = (more: JsonObject = {}) =>
  event('permission.requested', { requestId: 'r', permissionRequest: { kind: 'shell', toolCallId: 'c' }, ...more });
const ran = event('tool.execution_complete', { toolCallId: 'c', success: true, result: { content: 'out' } });
const idle = event('session.idle');

function audited(said: Said[]): ApprovalRow[] {
  const frames: Frame[] = framesOf(said);
  const pass = new Pass({ command: [], frames: () => frames });
  const audit = new Audit({ command: [], dialect: pass.dialect });
  const rows = new Map<string, ApprovalRow>();
  const keep = (made: ApprovalRow[]) => {
    for (const row of made) rows.set(`${row.f} ${row.n}`, row);
  };
  for (const read of pass) keep(audit.take(read));
  keep(audit.end());
  return [...rows.values()];
}

describe('the Copilot SDK', () => {
  it.each([
    ['approve-once', 'approved', 'allow'],
    ['approve-for-session', 'approved-for-session', 'allow-always'],
    ['approve-for-location', 'approved-for-location', 'allow-always'],
    ['approve-permanently', 'approved', 'allow-always'],
    ['reject', 'denied-interactively-by-user', 'deny'],
    ['user-not-available', 'denied-no-approval-rule-and-could-not-request-from-user', 'deny'],
  ])('an event asks, and a request of the client answers: %s', (kind, outcome, decision) => {
    const completed = event('permission.completed', { requestId: 'r', result: { kind: outcome } });
    const rows = audited([
      ...prompted,
      request(),
      decide(2, 'r', { kind }),
      ['agent', answer(2, { success: true })],
      completed,
      ran,
      idle,
    ]);
    expect(rows).toMatchObject([
      { f: 6, turn: 1, tool: 'bash', tool_call_id: 'c', decision, by: 'client', answer_f: 7, resolved_f: 9, wait: 1 },
    ]);
  });

  it('answers to what was asked and to what is no decision are told apart', () => {
    const [row] = audited([...prompted, request(), decide(2, 'r', { kind: 'yes' }), ['agent', answer(2, {})]]);
    expect(row).toMatchObject({ decision: 'none', by: 'invalid', flags: expect.arrayContaining(['bad-word']) });
    const events = eventsOf(copilot, [...prompted, request(), decide(2, 'other', { kind: 'approve-once' })]);
    expect(events.at(-1)![0]!.flags).toContain('orphan');
  });

  it('a turn ends when the session is idle, as it went', () => {
    const status = (...said: Said[]) => {
      const events = eventsOf(copilot, [...prompted, ...said, idle]).flat();
      return only(events, 'prompt-answer');
    };
    expect(status()).toMatchObject({ prompt: 1, status: 'finished' });
    expect(status(event('abort', { reason: 'user_initiated' }))).toMatchObject({ status: 'cancelled' });
    expect(status(event('session.error', { message: 'no key' }))).toMatchObject({ status: 'error', text: 'no key' });
  });

  it('a second prompt joins the turn that runs, and a refused one is answered', () => {
    const more: Said = ['client', ask(2, 'session.send', { sessionId: 's', prompt: 'more' })];
    const events = eventsOf(copilot, [...prompted, more, event('user.message', { content: 'more' })]);
    expect(events.at(-1)![0]).toMatchObject({ joins: 6 });
    const refused = eventsOf(copilot, [more, ['agent', refuse(2, -32000)]]).at(-1)!;
    expect(only(refused, 'prompt-answer')).toMatchObject({ prompt: 1, status: 'error', code: -32000 });
  });

  it('what a subagent does is its own, and its call is named', () => {
    const by = { agentId: 'sub' };
    const events = eventsOf(copilot, [
      event('subagent.started', { toolCallId: 'task', agentName: 'explore', executionMode: 'sync' }, by),
      event('assistant.message', { content: 'hi' }, by),
      event('user.message', { content: 'do it' }, by),
    ]).flat();
    expect(events).toMatchObject(events.map(() => ({ subagent: 'sub', parent: 'task' })));
    expect(events[0]).toMatchObject({ kind: 'subagent', call: 'task', name: 'explore', background: false });
  });

  it('a hook of the client may change the call before it runs', () => {
    const changed = { command: 'rm -rf build' };
    const hook: Said = [
      'agent',
      ask(9, 'hooks.invoke', { hookType: 'preToolUse', input: { toolName: 'bash', toolCallId: 'c' } }),
    ];
    const output = { permissionDecision: 'allow', modifiedArgs: changed };
    const [row, ...others] = audited([...prompted, hook, ['client', answer(9, { output })], ran, idle]).filter(
      ({ kind }) => kind === 'approval',
    );
    expect(others).toEqual([]);
    expect(row).toMatchObject({ decision: 'unasked', by: 'hook', executed_arguments: changed });
    const denied = { permissionDecision: 'deny', modifiedArgs: changed };
    const refused = audited([...prompted, hook, ['client', answer(9, { output: denied })], idle]);
    expect(refused.map((one) => one.changed_arguments)).toEqual(refused.map(() => null));
  });

  it('a hook of the client that decides leaves nothing to answer, and is named', () => {
    const rows = audited([...prompted, request({ resolvedByHook: true }), ran, idle]);
    expect(rows).toMatchObject([{ tool: 'bash', decision: 'unasked', by: 'hook' }]);
  });

  it.each<[string, JsonObject, string, JsonObject, Partial<Event>]>([
    [
      'user_input.requested',
      { question: 'which?', choices: ['a', 'b'] },
      'session.ui.handlePendingUserInput',
      { response: { answer: 'a', wasFreeform: false } },
      { kind: 'question-answer', ok: true },
    ],
    [
      'elicitation.requested',
      { message: 'fill in' },
      'session.ui.handlePendingElicitation',
      { result: { action: 'decline' } },
      { kind: 'question-answer', ok: false },
    ],
    [
      'exit_plan_mode.requested',
      { summary: 'a plan' },
      'session.ui.handlePendingExitPlanMode',
      { response: { approved: false, feedback: 'no' } },
      { kind: 'approval-answer', decision: 'deny', feedback: 'no' },
    ],
    [
      'external_tool.requested',
      { toolName: 'mine', toolCallId: 'c' },
      'session.tools.handlePendingToolCall',
      { error: 'broken' },
      { kind: 'client-call-answer', ok: false },
    ],
  ])('%s is answered', (type, data, method, params, expected) => {
    const said: Said[] = [
      event(type, { requestId: 'r', ...data }),
      ['client', ask(9, method, { sessionId: 's', requestId: 'r', ...params })],
    ];
    expect(eventsOf(copilot, said).at(-1)).toMatchObject([expected]);
    const { line } = traitsOf('copilot').reply(said[0]![1] as JsonObject)!;
    expect(line).toMatchObject({ method, params: { requestId: 'r', sessionId: 's' } });
    expect(eventsOf(copilot, [said[0]!, ['client', line]]).at(-1)![0]!.flags ?? []).toEqual([]);
  });

  it('an approval that nobody answers is owed by the client, and what to send is said with its header', () => {
    const frames = framesOf([...prompted, request()]).map((frame) => ({ ...frame, head: 'Content-Length: 1\r\n\r\n' }));
    const pass = new Pass({ command: [], frames: () => frames });
    const watch = new SessionWatch({ command: [], dialect: pass.dialect });
    for (const read of pass) watch.take(read);
    const found = explain('s', 0, watch, { t: 100, running: true, process: null, unfinished: [] });
    expect(found.map(({ owes, kind }) => [owes, kind])).toEqual([
      ['client', 'approval'],
      ['agent', 'prompt'],
    ]);
    const { send, head } = found[0]!;
    expect(JSON.parse(send!)).toMatchObject({ params: { requestId: 'r', result: { kind: 'approve-once' } } });
    expect(head).toBe(`Content-Length: ${send!.length}\r\n\r\n`);
  });
});
