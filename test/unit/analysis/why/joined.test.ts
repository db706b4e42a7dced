/** A line feed is missing between two messages: both are lost, in every dialect and in both directions. */
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../../lib/analysis/check/checker.ts';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { remarks } from '../../../../lib/analysis/why/remarks.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { dialectNamed } from '../../../../lib/dialects/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import type { SessionMoment } from '../../../../lib/model/moment.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

type From = 'client' | 'agent';
type Line = [From, ...(string | object)[]];

/** Each line is what stands on it, without anything between. */
function framesOf(lines: Line[]): Frame[] {
  return lines.map(([from, ...all], i) => ({
    ...$.sessionOf([[from, {}] as Said])[0]!,
    ...{ f: i + 1, t: i, form: all.length > 1 ? 'text' : 'message' },
    raw: Buffer.from(all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('')),
  }));
}

const NOW: SessionMoment = { t: 100, running: true, process: null, unfinished: [] };

function why(dialect: string, lines: Line[], moment = NOW) {
  const watch = new SessionWatch({ command: ['agent'], dialect });
  for (const read of $.readAll(dialectNamed(dialect)!, framesOf(lines), ['agent'])) watch.take(read);
  return explain('s', 0, watch, moment);
}

const short = (dialect: string, lines: Line[]) =>
  why(dialect, lines).map(({ owes, f, rule, what }) => `${owes} f${f} ${rule} ${what}`);

function findings(dialect: string, lines: Line[]): string[] {
  const checker = new Checker({ command: ['agent'], dialect, source: 'record' });
  return [...$.readAll(dialectNamed(dialect)!, framesOf(lines), ['agent'])]
    .flatMap((read) => [...checker.take(read)])
    .filter(({ message }) => message.includes('on one line'))
    .map(({ rule, fault, f }) => `${rule} ${fault} f${f}`);
}

const asks = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const tells = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });
const answers = (id: unknown, result: object = {}) => ({ jsonrpc: '2.0', id, result });
const wirePrompt = asks('p', 'prompt', { user_input: 'go' });
const user = { type: 'user', message: { role: 'user', content: 'go' } };
const control = (id: string, subtype: string) => ({ type: 'control_request', request_id: id, request: { subtype } });
const acpPrompt = asks(2, 'session/prompt', { sessionId: 'a', prompt: [{ type: 'text', text: 'go' }] });

describe('requests of the client', () => {
  it.each<[string, object, object, string[]]>([
    ['mcp', asks(1, 'ping'), asks(2, 'tools/list'), ['ping', 'tools/list']],
    ['acp', asks(1, 'session/list'), acpPrompt, ['session/list', 'prompt 1 (go)']],
    [
      'codex',
      { id: 1, method: 'model/list', params: {} },
      { id: 2, method: 'thread/list', params: {} },
      ['model/list', 'thread/list'],
    ],
    ['jsonrpc', asks(1, 'a'), asks(2, 'b'), ['a', 'b']],
    ['wire', asks('i', 'initialize', { protocol_version: '1.10' }), wirePrompt, ['initialize', 'prompt 1 (go)']],
    ['stream-json', control('c', 'initialize'), user, ['initialize', 'prompt 1 (go)']],
    ['lsp', asks(1, 'initialize'), asks(2, 'shutdown'), ['initialize', 'shutdown']],
  ])('of %s', (dialect, first, second, what) => {
    const all = why(dialect, [['client', first, second]]);
    expect(all.map((one) => one.what)).toEqual(what);
    for (const one of all) expect(one).toMatchObject({ owes: 'agent', f: 1, rule: 'joined-lines', sender: 'client' });
    expect(all.map(({ send }) => send)).toEqual([JSON.stringify(first), JSON.stringify(second)]);
    const { length } = JSON.stringify(first);
    expect(all[1]!.cause).toBe(
      `f1 is not valid JSON (two messages on one line; the line feed is missing after byte ${length}), so the agent could not read it`,
    );
    const rule = dialect === 'wire' ? 'wire-line' : 'io-bad-line';
    expect(findings(dialect, [['client', first, second]])).toEqual([`${rule} client f1`]);
  });

  it('three of them, with a carriage return, and with other text', () => {
    const lost = ['agent f1 joined-lines ping', 'agent f1 joined-lines tools/list'];
    expect(short('mcp', [['client', asks(1, 'ping'), '\r', asks(2, 'tools/list')]])).toEqual(lost);
    expect(short('mcp', [['client', asks(1, 'ping'), 'oops', asks(2, 'tools/list')]])).toEqual(lost);
    expect(short('mcp', [['client', 'oops', asks(1, 'ping')]])).toEqual(['agent f1 joined-lines ping']);
    expect(short('mcp', [['client', asks(1, 'ping'), asks(2, 'tools/list'), asks(3, 'ping')]])).toHaveLength(3);
  });

  it('are open after the end, too', () => {
    const [one] = why('mcp', [['client', asks(1, 'ping'), asks(2, 'ping')]], { ...NOW, running: false });
    expect(one).toMatchObject({ rule: 'joined-lines', waited: 100 });
  });
});

describe('answers that did not arrive', () => {
  it("the client's", () => {
    const lines: Line[] = [
      ['agent', asks(7, 'elicitation/create', { message: 'Name?' })],
      ['client', answers(7, { action: 'decline' }), tells('notifications/roots/list_changed')],
    ];
    const [one] = why('mcp', lines);
    expect(one).toMatchObject({ owes: 'client', f: 1, rule: 'joined-lines' });
    expect(one!.send).toBe(JSON.stringify(answers(7, { action: 'decline' })));
    expect(one!.cause).toContain("the client's answer is in f2, which is not valid JSON (two messages on one line");
  });

  it("the agent's, also to a prompt", () => {
    const update = tells('session/update', { sessionId: 'a', update: { sessionUpdate: 'plan', entries: [] } });
    const lines: Line[] = [
      ['client', acpPrompt],
      ['agent', update, answers(2, { stopReason: 'end_turn' })],
    ];
    const [one] = why('acp', lines);
    expect(one).toMatchObject({ owes: 'agent', f: 1, rule: 'joined-lines', send: null });
    expect(one!.cause).toContain("the agent's answer is in f2");
    expect(one!.cause).toContain('so the client could not read it');
    expect(findings('acp', lines)).toEqual(['io-noise-first agent f2']);
  });

  it('in a control channel', () => {
    const success = { type: 'control_response', response: { subtype: 'success', request_id: 'c', response: {} } };
    const lines: Line[] = [
      ['client', control('c', 'initialize')],
      ['agent', success, { type: 'system', subtype: 'init' }],
    ];
    expect(short('stream-json', lines)).toEqual(['agent f1 joined-lines initialize']);
  });

  it('behind a text that the agent printed', () => {
    const lines: Line[] = [
      ['client', asks(1, 'ping')],
      ['agent', 'Loading', answers(1)],
    ];
    expect(short('mcp', lines)).toEqual(['agent f1 joined-lines ping']);
    expect(short('mcp', [...lines, ['agent', answers(1)]])).toEqual([]);
  });
});

it('requests of the agent that the client could not read', () => {
  const asking = asks('r', 'request', {
    type: 'ApprovalRequest',
    payload: { id: 'r', tool_call_id: 'c', sender: 'Shell', action: 'run', description: 'Run `ls`', display: [] },
  });
  const step = tells('event', { type: 'StepBegin', payload: { n: 1 } });
  const turn = tells('event', { type: 'TurnBegin', payload: { user_input: 'go' } });
  const lines: Line[] = [
    ['client', wirePrompt],
    ['agent', turn],
    ['agent', step, asking],
  ];
  const [first, second] = why('wire', lines);
  expect(first).toMatchObject({ owes: 'client', f: 3, rule: 'joined-lines', send: null });
  expect(second).toMatchObject({ owes: 'agent', f: 1, rule: 'waits-for-client' });
  expect(findings('wire', lines)).toEqual(['wire-line agent f3']);
});

it('the ready signal was sent, but lost', () => {
  const hello: Line[] = [
    [
      'client',
      asks(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'c', version: '1' },
      }),
    ],
    ['agent', answers(1, { protocolVersion: '2025-06-18', capabilities: {} })],
    ['client', tells('notifications/initialized'), asks(2, 'ping')],
    ['client', asks(3, 'tools/list')],
  ];
  const [lost, list] = why('mcp', hello);
  expect(lost).toMatchObject({ f: 3, what: 'ping', rule: 'joined-lines' });
  expect(list!.cause).toContain('notifications/initialized is in f3, which is not valid JSON');
  // Servers may answer all the same: then nobody waits, and the client is not told to send what it sent.
  const answered: Line[] = [...hello, ['agent', answers(3, { tools: [] })]];
  const watch = new SessionWatch({ command: ['agent'], dialect: 'mcp' });
  const checker = new Checker({ command: ['agent'], dialect: 'mcp', source: 'record' });
  const found = [...$.readAll(dialectNamed('mcp')!, framesOf(answered), ['agent'])].flatMap((read) => {
    watch.take(read);
    return [...checker.take(read)];
  });
  const cause = 'tools/list, but notifications/initialized is in f3, which is not valid JSON';
  expect(found.find(({ rule }) => rule === 'mcp-initialized')).toMatchObject({ f: 4, message: cause });
  expect(remarks(watch).find(({ f }) => f === 4)).toMatchObject({
    ...{ cause: `the client made a mistake in f4: ${cause}`, hint: 'end every message with a line feed', send: null },
  });
});

describe('nothing is lost', () => {
  const glued: Line = ['client', asks(1, 'ping'), asks(2, 'tools/list')];

  it('that was answered all the same, or sent again', () => {
    const [rest, ...none] = why('mcp', [glued, ['agent', answers(1)]]);
    expect(none).toEqual([]);
    expect(rest!.what).toBe('tools/list');
    expect(rest!.cause).toContain('so the agent read only a part of it');
    const again: Line[] = [glued, ['client', asks(1, 'ping')], ['client', asks(2, 'tools/list')]];
    expect(short('mcp', [...again, ['agent', answers(1)], ['agent', answers(2)]])).toEqual([]);
  });

  it('where a log quotes what the client asked', () => {
    expect(short('mcp', [['agent', 'DEBUG <- ', asks(1, 'initialize')]])).toEqual([]);
  });

  it('in a turn that is over', () => {
    const lines: Line[] = [
      ['client', user, user],
      ['agent', { type: 'result', subtype: 'success', result: 'ok', session_id: 's' }],
    ];
    expect(short('stream-json', lines)).toEqual([]);
  });

  it('that the agent refused without an id: its error is named', () => {
    const parse = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
    const [one] = why('mcp', [glued, ['agent', parse]]);
    expect(one!.cause).toContain('so the agent refused it (f2: -32700, Parse error)');
  });
});

it('of many, only the latest are kept', () => {
  const lines = Array.from({ length: 600 }, (_, i): Line => ['client', asks(2 * i, 'ping'), asks(2 * i + 1, 'ping')]);
  const frames = why('mcp', lines).map(({ f }) => f);
  expect([frames.length, Math.min(...(frames as number[]))]).toEqual([1000, 101]);
});
