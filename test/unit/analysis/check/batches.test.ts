/** Messages inside others are checked by the same rules: the parts of a batch, and MCP inside stream-json. */
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../../lib/analysis/check/checker.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { a, c, done, exit, findings, framesOf, proc, type Step } from '../../../support/check.ts';
import { answer, ask, refuse, tell } from '../../../support/reading.ts';

describe('a batch', () => {
  const found = (...steps: Step[]) => findings({ dialect: 'jsonrpc' }, framesOf([...steps, ...done]));

  it('is paired with lines and batches', () => {
    const asked = c([ask(1, 'x'), ask('1', 'y'), tell('z')]);
    expect(found(asked, a([answer('1', 1), answer(1, 1)]))).toEqual([]);
    expect(found(asked, a(answer(1, 1)), a(refuse('1', 1)))).toEqual([]);
    expect(found(c(ask(1, 'x')), c(ask(2, 'y')), a([answer(2, 1), answer(1, 1)]))).toEqual([]);
  });

  it.each([
    ['an answer to nothing', [c([ask(1, 'x')]), a([answer(1, 1), answer(7, 1)])], 'rpc-unknown-answer error agent f2'],
    ['an id of another type', [c([ask(1, 'x')]), a([answer('1', 1)])], 'rpc-answer-id-type error agent f2'],
    ['a second answer', [c([ask(1, 'x')]), a([answer(1, 1)]), a(answer(1, 1))], 'rpc-answered-twice error agent f3'],
    [
      'one id for two',
      [c([ask(1, 'x'), ask(1, 'y')]), a([answer(1, 1), answer(1, 1)])],
      'rpc-id-in-use error client f1',
    ],
    ['no answer', [c([ask(1, 'x'), ask(2, 'y')]), a([answer(1, 1)])], 'rpc-unanswered-by-agent warning unknown f1'],
    ['another version', [c([{ ...tell('x'), jsonrpc: '1.0' }])], 'rpc-version error client f1'],
    ['params that are none', [c([{ jsonrpc: '2.0', method: 'x', params: 7 }])], 'rpc-params error client f1'],
    ['what is no message', [c([tell('x'), 7])], 'rpc-neither error client f1'],
  ])('is held to the rules: %s', (_, steps, told) => {
    expect(found(...steps)).toEqual([told]);
  });

  it('leaves open what the client was asked in it, when the client leaves', () => {
    const asked = a([ask(1, 'x'), ask(2, 'y')]);
    expect(found(c(tell('hi')), asked, c([answer(1, 1)]))).toEqual(['io-early-eof error client f4']);
    expect(found(c(tell('hi')), a(ask(1, 'x')), c([answer(1, 1)]))).toEqual([]);
  });

  it('has ids that cannot be told apart: then nothing is said of answers', () => {
    const asked = c('[{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}]');
    expect(found(asked, a('{"jsonrpc":"2.0","id":9007199254740993,"result":1}'))).toEqual([]);
  });
});

describe('a batch in MCP', () => {
  const info = { name: 'n', version: '1' };
  const version = { protocolVersion: '2025-03-26', capabilities: {} };
  const begun = [
    c(ask(0, 'initialize', { ...version, clientInfo: info })),
    a(answer(0, { ...version, capabilities: { tools: {} }, serverInfo: info })),
    c(tell('notifications/initialized')),
  ];
  const found = (...steps: Step[]) => findings({ dialect: 'mcp' }, framesOf([...begun, ...steps, ...done]));

  it('is read as its parts are alone', () => {
    const list = ask(1, 'tools/list');
    const echo = { name: 'echo', inputSchema: { type: 'object' } };
    expect(found(c([list]), a([answer(1, { tools: [echo] })]))).toEqual([]);
    expect(found(c([list]), a([answer(1, { tools: [{ name: 'echo' }] })]))).toEqual(['mcp-shape error agent f5']);
    const call = c([ask(2, 'tools/call', { name: 'eco' })]);
    const told = ['mcp-tool-unknown warning client f6'];
    expect(found(c([list]), a([answer(1, { tools: [echo] })]), call, a([refuse(2, -32602)]))).toEqual(told);
  });
});

describe('MCP inside stream-json', () => {
  const session = { dialect: 'stream-json', command: ['claude', '-p', '--input-format', 'stream-json'] };
  const control = (request_id: string, message: object, server_name = 'calc') => ({
    ...{ type: 'control_request', request_id, request: { subtype: 'mcp_message', server_name, message } },
  });
  const response = (request_id: string, mcp_response: object) => ({
    ...{ type: 'control_response', response: { subtype: 'success', request_id, response: { mcp_response } } },
  });
  const hello = [
    c({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } }),
    a({ type: 'control_response', response: { subtype: 'success', request_id: 'i', response: {} } }),
  ];
  const version = { protocolVersion: '2025-11-25', capabilities: {} };
  const info = { name: 'n', version: '1' };
  const begun = [
    ...hello,
    a(control('1', ask(0, 'initialize', { ...version, clientInfo: info }))),
    c(response('1', answer(0, { ...version, capabilities: { tools: {} }, serverInfo: info }))),
    a(control('2', tell('notifications/initialized'))),
    // Both kinds of clients answer what has no answer.
    c(response('2', { jsonrpc: '2.0', result: {} })),
  ];
  const check = (steps: Step[], source = 'record') => {
    const checker = new Checker({ ...session, source });
    const frames = framesOf(steps);
    return [...new Pass({ ...session, frames: () => frames })].flatMap((read) => checker.take(read));
  };
  const told = (steps: Step[]) => findings(session, framesOf([...begun, ...steps, exit()]));

  it('may be as it should', () => {
    expect(told([a(control('3', ask(1, 'tools/list'))), c(response('3', answer(1, { tools: [] })))])).toEqual([]);
  });

  it('has its client in the agent, and its server in the client', () => {
    const early = [...hello, a(control('1', ask(1, 'tools/list'))), c(response('1', answer(1, { tools: [] })))];
    const [finding] = check(early);
    expect(finding).toMatchObject({ rule: 'mcp-initialize-first', fault: 'agent', f: 3 });
    expect(finding!.message).toBe('MCP server calc, whose client is the agent: tools/list before initialize');
    const list = a(control('3', ask(1, 'tools/list')));
    expect(told([list, c(response('3', answer(1, { tools: {} })))])).toEqual(['mcp-shape error client f8']);
    expect(told([list, c(response('3', answer('1', { tools: [] })))])).toEqual(['rpc-answer-id-type error client f8']);
  });

  it('is a session for each server', () => {
    const other = a(control('3', ask(0, 'initialize', { ...version, clientInfo: info }), 'clock'));
    const welcome = c(response('3', answer(0, { ...version, serverInfo: info })));
    expect(told([other, welcome])).toEqual([]);
    const again = a(control('3', ask(5, 'initialize', { ...version, clientInfo: info })));
    const once = c(response('3', answer(5, { ...version, serverInfo: info })));
    expect(told([again, once])).toEqual(['mcp-initialize-again warning agent f7']);
  });

  it('is asked for by the server, too', () => {
    const roots = [c(control('9', ask(7, 'roots/list'))), a(response('9', answer(7, { roots: [] })))];
    expect(told(roots)).toEqual(['mcp-client-capability error client f7']);
  });

  it('is told once where it has no answer: on the control channel', () => {
    expect(told([a(control('3', ask(1, 'tools/list')))])).toEqual(['stream-unanswered-by-client info agent f7']);
  });

  it('is not judged from the side of the agent alone', () => {
    expect(check([a(control('1', ask(1, 'tools/list')))], 'import')).toEqual([]);
  });

  it('may be held to one rule, which is then listed', () => {
    const checker = new Checker({ ...session, source: 'record' });
    const frames = framesOf([...begun, proc('signal', { signal: 'SIGTERM' })]);
    expect(checker.applied.map(({ id }) => id)).not.toContain('mcp-version');
    for (const read of new Pass({ ...session, frames: () => frames })) checker.take(read);
    expect(checker.applied.map(({ id }) => id)).toContain('mcp-version');
  });
});
