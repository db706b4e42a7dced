/** Hangs written by hand, each with the cause that a rule knows, and near misses that are none. */
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { describeState, remarks } from '../../../../lib/analysis/why/remarks.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../../lib/dialects/wire-legacy/index.ts';
import type { SessionMoment } from '../../../../lib/model/moment.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

type What = (Said | $.Happening)[];

function watch(dialect: Dialect, what: What, command: string[] = ['agent']): SessionWatch {
  const seen = new SessionWatch({ command, dialect: dialect.name });
  for (const read of $.readAll(dialect, $.sessionOf(what), command)) seen.take(read);
  return seen;
}

const NOW: SessionMoment = { t: 100, running: true, process: null, unfinished: [] };

const why = (dialect: Dialect, what: What, moment: Partial<SessionMoment> = {}, command?: string[]) =>
  explain('s', 0, watch(dialect, what, command), { ...NOW, ...moment });

/** `client f3 unanswered`. */
const short = (dialect: Dialect, what: What, moment: Partial<SessionMoment> = {}, command?: string[]) =>
  why(dialect, what, moment, command).map(({ owes, f, rule }) => `${owes} f${f} ${rule}`);

const asks = (id: unknown, method: string, params: unknown = {}): Said => [
  'client',
  { jsonrpc: '2.0', id, method, params },
];
const answers = (id: unknown, result: unknown = {}): Said => ['agent', { jsonrpc: '2.0', id, result }];
const fails = (id: unknown, code: number): Said => ['agent', { jsonrpc: '2.0', id, error: { code, message: 'no' } }];
const greets: Said = asks('i', 'initialize', { protocol_version: '1.10' });
const hello: What = [greets, answers('i', { protocol_version: '1.10' })];
const turn: What = [...hello, $.prompts('p', 'go'), $.begins('go'), $.says('StepBegin', { n: 1 })];
const asking: What = [...turn, $.calls('c'), $.wants('r', 'c')];
const over: Partial<SessionMoment> = { running: false, t: 20 };

describe('the client owes', () => {
  it('an approval: who, whom, since when, for what', () => {
    const [first, second] = why(wire, asking);
    expect(first).toMatchObject({
      ...{ session: 's', owes: 'client', to: 'agent', f: 7, what: 'approval of Shell `ls`', waited: 94 },
      ...{ since: '1970-01-01T00:00:06.000000Z', rule: 'unanswered', id: 'r', follows: false },
    });
    expect(first!.cause).toContain('has not answered it (id "r")');
    expect(second).toMatchObject({
      owes: 'agent',
      to: 'client',
      f: 3,
      what: 'prompt 1 (go)',
      rule: 'waits-for-client',
    });
    expect(second!.follows).toBe(true);
  });

  it.each<[string, string, Said]>([
    [
      'a question',
      'question (Which?)',
      $.asks('r', 'QuestionRequest', { questions: [{ question: 'Which?', options: [] }] }),
    ],
    [
      'an external tool',
      'external tool lookup `order 7`',
      $.asks('r', 'ToolCallRequest', { id: 'r', name: 'lookup', arguments: '{"path":"order 7"}' }),
    ],
    ['a hook', 'hook PreToolUse for Shell', $.asks('r', 'HookRequest', { event: 'PreToolUse', target: 'Shell' })],
  ])('%s', (_, what, said) => {
    expect(why(wire, [...turn, said])[0]).toMatchObject({ owes: 'client', what, rule: 'unanswered' });
  });

  it('an elicitation, and sampling', () => {
    const call: What = [asks(0, 'initialize'), answers(0), ['client', { method: 'notifications/initialized' }]];
    const elicit: Said = [
      'agent',
      { jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: { message: 'Name?' } },
    ];
    const sample: Said = ['agent', { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }];
    const found = why(mcp, [...call, asks(1, 'tools/call', { name: 'x' }), elicit, sample]);
    expect(found.map(({ what }) => what)).toEqual(['elicitation (Name?)', 'sampling/createMessage', 'call to x']);
    // `initialize` declared nothing.
    expect(found[1]!.hint).toBe('a client answers every request, if only with an error');
  });

  it('a permission of ACP', () => {
    const found = why(acp, [
      ...[asks(0, 'initialize'), answers(0), asks(1, 'session/new'), answers(1, { sessionId: 'a' })],
      asks(2, 'session/prompt', { sessionId: 'a', prompt: [{ type: 'text', text: 'go' }] }),
      [
        'agent',
        {
          ...{ jsonrpc: '2.0', id: 0, method: 'session/request_permission' },
          params: { sessionId: 'a', toolCall: { toolCallId: 'c', title: 'Remove', kind: 'delete' }, options: [] },
        },
      ],
    ]);
    expect(found).toMatchObject([
      { owes: 'client', rule: 'unanswered' },
      { owes: 'agent', rule: 'waits-for-client' },
    ]);
    expect(found[0]!.what).toContain('approval of Remove');
  });

  it('what it answered with an id that nobody asked', () => {
    const [first] = why(wire, [...asking, $.decides('R', 'approve')]);
    expect(first).toMatchObject({ owes: 'client', rule: 'unknown-id' });
    expect(first!.cause).toContain('answered with id "R" (f8), which matches no request; this one has id "r"');
  });

  it('what it answered with the number for the text', () => {
    const [first] = why(wire, [...turn, $.calls('c'), $.wants('7', 'c'), $.decides(7 as never, 'approve')]);
    expect(first!.cause).toContain('id 7 (f8), which matches no request; this one has id "7"');
  });

  it('what it has not ended with a line feed', () => {
    expect(short(wire, asking, { unfinished: [{ from: 'client', bytes: 70, head: '{', t: 8 }] })[0]).toBe(
      'client f7 no-line-end',
    );
    expect(short(wire, asking, { unfinished: [{ from: 'client', bytes: 70, head: '{', t: 2 }] })).toContain(
      'client f7 unanswered',
    );
  });

  it('what it can no longer answer, because it closed stdin', () => {
    const found = why(wire, [...asking, ['eof']]);
    expect(found.map(({ owes, rule }) => `${owes} ${rule}`)).toEqual(['agent stdin-closed', 'client stdin-closed']);
  });

  it('notifications/initialized, which nobody asks for', () => {
    expect(short(mcp, [asks(0, 'initialize'), answers(0)])).toEqual(['client f2 unanswered']);
    expect(
      short(mcp, [asks(0, 'initialize'), answers(0), ['client', { method: 'notifications/initialized' }]]),
    ).toEqual([]);
  });

  it('nothing, where the agent has gone on', () => {
    expect(short(wire, [...asking, $.resolves('r', 'reject'), $.results('c', true), $.finishes('p')])).toEqual([]);
    expect(short(wire, [...asking, asks('x', 'cancel'), answers('x'), $.finishes('p', 'cancelled')])).toEqual([]);
  });
});

describe('the agent owes', () => {
  it('a handshake, and has not said anything', () => {
    expect(short(wire, [greets])).toEqual(['agent f1 silent']);
  });

  it('a handshake behind lines that are no messages', () => {
    const found = why(wire, [greets, ['agent', 'Loading…'], ['agent', 'done']]);
    expect(found).toMatchObject([{ rule: 'polluted-stdout' }]);
    expect(found[0]!.cause).toContain('2 lines that are not messages');
  });

  it('a prompt with a number for an id, refused without one', () => {
    const [first] = why(wire, [...hello, asks(1, 'prompt', { user_input: 'go' }), fails(null, -32600)]);
    expect(first).toMatchObject({ rule: 'integer-id', hint: 'send the id as "1"' });
    expect(first!.cause).toContain('(f4: -32600, no)');
    expect(first!.send).toContain('"id":"1","method":"prompt"');
    expect(short(acp, [asks(1, 'initialize', { protocolVersion: 1 })])).toEqual(['agent f1 silent']);
  });

  it('what it answered with the id in another type', () => {
    const [first] = why(acp, [asks(1, 'initialize', { protocolVersion: 1 }), answers('1', { protocolVersion: 1 })]);
    expect(first).toMatchObject({ owes: 'agent', f: 1, rule: 'unknown-id' });
    expect(first!.cause).toBe('the agent answered with id "1" (f2), which matches no request; this one has id 1');
    // An answer to something else is not held against it.
    expect(short(acp, [asks(1, 'initialize', { protocolVersion: 1 }), answers('x')])).toEqual(['agent f1 silent']);
  });

  it('two lines that were refused together, each by its own error', () => {
    const both: What = [
      ...hello,
      asks(1, 'prompt', { user_input: 'a' }),
      asks(2, 'cancel'),
      fails(null, -32600),
      fails(null, -32601),
    ];
    const frames = $.sessionOf(both).map((frame) => ({ ...frame, t: Math.min(frame.t, 2) }));
    const seen = new SessionWatch({ command: [], dialect: 'wire' });
    for (const read of $.readAll(wire, frames)) seen.take(read);
    expect([seen.refusals.of(3)?.f, seen.refusals.of(4)?.f]).toEqual([5, 6]);
  });

  it('a prompt whose agent was sent a signal that ended nothing: the signal is forgotten', () => {
    const late: What = [...turn, ['signal', { signal: 'SIGINT' }], $.calls('c', 'Shell', { command: 'make' })];
    const [first] = why(wire, [...late, ['eof'], ['exit', { code: 0 }]], over);
    expect(first!.cause).toBe(
      'the agent was running Shell `make` (f7, called 1.00 s earlier), then the client closed stdin (f8) and the agent exited without answering',
    );
  });

  it('a prompt that was sent as a notification', () => {
    expect(
      short(wire, [...hello, ['client', { jsonrpc: '2.0', method: 'prompt', params: { user_input: 'x' } }]]),
    ).toEqual(['agent f3 no-id']);
    expect(short(wireLegacy, [['client', { jsonrpc: '2.0', method: 'interrupt' }]])).toEqual([]);
  });

  it('a prompt whose call waits for an approval that is never sent: there was no initialize', () => {
    const blind: What = [$.prompts('p', 'go'), $.begins('go'), $.says('StepBegin', { n: 1 }), $.calls('c')];
    expect(short(wire, blind)).toEqual(['agent f1 no-initialize']);
    expect(short(wire, blind, {}, ['kimi', '--wire', '--yolo'])).toEqual(['agent f1 in-tool']);
    expect(short(wire, [...blind, $.results('c')])).toEqual(['agent f1 in-model']);
    // Agents before 1.25 ask all the same, and some calls need no approval.
    const asked: What = [...blind, $.wants('r', 'c'), $.decides('r', 'approve'), $.resolves('r', 'approve')];
    expect(short(wire, asked)).toEqual(['agent f1 in-tool']);
    expect(short(wire, [...blind.slice(0, 3), $.calls('c', 'ReadFile', { path: 'a' })])).toEqual(['agent f1 in-tool']);
  });

  it('what a control line asks for in direct mode, and the prompt whose tool may not ask', () => {
    const user = (content: string): Said => ['client', { type: 'user', message: { role: 'user', content } }];
    const init: Said = ['agent', { type: 'system', subtype: 'init', session_id: 's', permission_mode: 'default' }];
    const use = { type: 'tool_use', id: 'c', name: 'write_file', input: { file_path: 'a' } };
    const calls: Said = ['agent', { type: 'assistant', message: { role: 'assistant', content: [use] } }];
    const control: Said = ['client', { type: 'control_request', request_id: 'x', request: { subtype: 'interrupt' } }];
    expect(short(streamJson, [user('go'), init, calls, control])).toEqual([
      'agent f1 direct-mode',
      'agent f4 direct-mode',
    ]);
    const shaken: Said = ['client', { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } }];
    expect(short(streamJson, [shaken, user('go'), init, calls])).toEqual(['agent f1 silent', 'agent f2 in-tool']);
  });

  it('a prompt that was sent while another turn runs', () => {
    expect(short(wire, [...turn, $.prompts('q', 'too')])).toEqual(['agent f3 in-model', 'agent f6 turn-in-progress']);
    const prompt = (id: number, sessionId: string) => asks(id, 'session/prompt', { sessionId, prompt: [] });
    const sessions: What = [
      ...[asks(9, 'initialize', { protocolVersion: 1 }), answers(9, { protocolVersion: 1 })],
      asks(0, 'session/new'),
      answers(0, { sessionId: 'a' }),
      asks(1, 'session/new'),
      answers(1, { sessionId: 'b' }),
    ];
    expect(short(acp, [...sessions, prompt(2, 'a'), prompt(3, 'b')])).toEqual(['agent f7 silent', 'agent f8 silent']);
  });

  it('an approval to itself, in agents that read no answers', () => {
    const run: What = [asks('p', 'run', { input: 'go' }), $.says('step_begin', { n: 1 })];
    const approval: Said = [
      'agent',
      {
        jsonrpc: '2.0',
        id: 'r',
        method: 'request',
        params: { type: 'approval', payload: { id: 'r', sender: 'Bash' } },
      },
    ];
    expect(short(wireLegacy, [...run, approval])).toEqual(['agent f1 legacy-approval', 'client f3 legacy-approval']);
    expect(short(wireLegacy, [...run, approval, $.replies('r', { response: 'approve' })])).toEqual([
      'agent f1 legacy-approval',
    ]);
    expect(short(wireLegacy, [asks('i', 'initialize')])).toEqual(['agent f1 legacy-initialize']);
  });

  it('what a server may wait with until it is told that the client is ready', () => {
    const shaken: What = [asks(0, 'initialize'), answers(0)];
    expect(short(mcp, [...shaken, asks(1, 'tools/list')])).toEqual(['agent f3 not-initialized']);
    expect(short(mcp, [...shaken, ['client', { method: 'notifications/initialized' }], asks(1, 'tools/list')])).toEqual(
      ['agent f4 silent'],
    );
  });

  it('a prompt while a tool runs: the one that runs longest', () => {
    const [first] = why(wire, [...turn, $.calls('c', 'Shell', { command: 'sleep 1000' }), $.calls('d', 'Glob')]);
    expect(first).toMatchObject({ rule: 'in-tool' });
    expect(first!.cause).toContain('running Shell `sleep 1000` (f6, called 1m 35s ago), and 1 more');
  });

  it('a prompt while the model is silent, and while it speaks', () => {
    expect(why(wire, turn)[0]!.cause).toContain('waiting for its model: step 1 began 1m 36s ago (f5)');
    expect(why(wire, [...turn, $.says('ContentPart', { type: 'text', text: 'Well' })])[0]!.cause).toContain(
      'last sent output 1m 35s ago',
    );
  });

  it('a prompt after an answer that it did not understand', () => {
    const [first] = why(wire, [...asking, $.decides('r', 'allow')]);
    expect(first).toMatchObject({ owes: 'agent', rule: 'unknown-option' });
    expect(first!.cause).toContain('result.response is "allow", not "approve" or');
  });

  it('while nobody reads what it writes', () => {
    const held = ['stalled', { whose: 'client', stream: 'agent' }] as unknown as $.Happening;
    expect(short(wire, [...turn, held])).toEqual(['agent f3 stalled']);
    expect(short(wire, [...turn, held, $.says('ContentPart', { type: 'text', text: 'on' })])).toEqual([
      'agent f3 in-model',
    ]);
  });

  it('while its process is stopped, or gone', () => {
    expect(why(wire, turn, { process: { pid: 7, state: 'stopped', cpu: null } })).toMatchObject([
      { rule: 'stopped', hint: 'kill -CONT 7' },
    ]);
    expect(short(wire, turn, { process: { pid: 7, state: 'zombie', cpu: null } })).toEqual(['agent f3 gone']);
    expect(short(wire, turn, { process: { pid: 7, state: 'sleeping', cpu: null } })).toEqual(['agent f3 in-model']);
  });

  it('a cancelled prompt that old agents forget', () => {
    const forgotten: What = [
      ...asking,
      asks('x', 'cancel'),
      answers('x'),
      $.prompts('q', 'on'),
      $.begins('on'),
      $.finishes('q'),
    ];
    expect(short(wire, forgotten)).toEqual(['agent f3 cancelled-unanswered']);
    expect(why(wire, forgotten)[0]!.hint).toContain('kimi-cli before 1.12');
  });
});

describe('a session that is over', () => {
  it.each<[string, What, string]>([
    ['the client closed stdin', [...turn, ['eof'], ['exit', { code: 0 }]], 'stdin-closed'],
    ['the agent crashed', [...turn, ['exit', { code: 3 }]], 'failed'],
    [
      'the agent was killed',
      [...turn, ['signal', { signal: 'SIGTERM' }], ['exit', { code: null, signal: 'SIGTERM' }]],
      'killed',
    ],
    ['the agent left', [...turn, ['exit', { code: 0 }]], 'exited'],
    ['the recorder was killed', [...turn, ['lost']], 'recorder-killed'],
  ])('%s', (_, what, rule) => {
    expect(why(wire, what, over)).toMatchObject([{ owes: 'agent', rule }]);
  });

  it('says what the agent said last', () => {
    const what: What = [...turn, ['exit', { code: 1 }]];
    const frames = $.sessionOf(what);
    frames.splice(5, 0, { ...frames[0]!, f: 6, t: 5, from: 'stderr', raw: Buffer.from('KeyError: "type"') });
    frames[6] = { ...frames[6]!, f: 7 };
    const seen = new SessionWatch({ command: [], dialect: 'wire' });
    for (const read of $.readAll(wire, frames)) seen.take(read);
    expect(explain('s', 0, seen, { ...NOW, ...over })[0]!.hint).toBe('on stderr: KeyError: "type"');
  });
});

describe('nothing is owed', () => {
  it('and where it stands then', () => {
    const done: What = [...turn, $.finishes('p')];
    expect(short(wire, done)).toEqual([]);
    expect(describeState(watch(wire, done)).words).toContain('answered (finished)');
    expect(describeState(watch(wire, [...done, ['exit', { code: 0 }]])).words).toBe('it ended normally');
    expect(describeState(watch(wire, [...done, ['exit', { code: 1 }]])).words).toContain('exit code 1');
    expect(describeState(watch(wire, [])).words).toBe('nothing has been sent yet');
  });

  it('but the last thing was refused', () => {
    const [said] = remarks(watch(wire, [greets, fails('i', -32601)]));
    expect(said!.cause).toContain('initialize (f1) was refused (f2, -32601: no)');
    expect(said!.hint).toContain('has no handshake');
    expect(remarks(watch(wire, [...turn, $.prompts('q'), fails('q', -32000)]))[0]!.hint).toContain(
      'one prompt at a time',
    );
    expect(remarks(watch(wire, [asks('i', 'initialize'), fails('i', -32601), $.prompts('p')]))).toEqual([]);
  });

  it('but the only prompt was refused, or failed', () => {
    expect(
      describeState(watch(wire, [...hello, $.prompts('p'), fails('p', -32602), ['exit', { code: 0 }]])).words,
    ).toBe('the only prompt was refused');
    const failed = watch(wire, [...turn, fails('p', -32003), ['exit', { code: 0 }]]);
    expect(describeState(failed).words).toBe('the only prompt failed');
    expect(remarks(failed)[0]).toMatchObject({ culprit: 'agent', rule: 'refused' });
    expect(remarks(failed)[0]!.cause).toBe(
      'prompt (f3) failed (f6, -32003: no), and the client has sent nothing since',
    );
  });

  it('nor is anything that was replayed', () => {
    expect(
      short(wire, [...hello, asks('y', 'replay'), $.wants('r', 'c'), answers('y', { status: 'finished' })]),
    ).toEqual([]);
  });
});

describe('a line that was too large to be read', () => {
  const tooLarge: Said = ['agent', { jsonrpc: '2.0', id: 'p', result: Array(600_000).fill([]) }];

  it('may be the answer: nobody is blamed', () => {
    const [first] = why(wire, [...turn, tooLarge]);
    expect(first).toMatchObject({ f: 3, rule: 'unread', hint: 'wiretape show s#f6 --raw > FILE' });
    expect(first!.cause).toBe('the agent sent a line that is too large to read (f6): it may be the answer');
  });

  it('is none where it came before, or from whoever asked', () => {
    expect(short(wire, [...hello, tooLarge, $.prompts('p', 'go')])).not.toContain('agent f4 unread');
    expect(short(wire, [...asking, tooLarge])).toContain('client f7 unanswered');
  });
});
