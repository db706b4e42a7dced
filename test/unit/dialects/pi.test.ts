/** pi: what its lines mean, on real tapes and on lines made after its documentation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../lib/dialects/pi/index.ts';
import { piReply } from '../../../lib/dialects/pi/reply.ts';
import { auditFrames, sessionOf } from '../../support/audit.ts';
import { eventsOf, exitAfter, framesOf, kinds, pinned, type Said } from '../../support/reading.ts';
import { cases } from '../../support/scale.ts';
import { build, buildFixture, turnsOf } from '../../support/timeline.ts';

const c = (type: string, more: object = {}): Said => ['client', { type, ...more }];
const a = (type: string, more: object = {}): Said => ['agent', { type, ...more }];
const prompt = (id: string, more: object = {}) => c('prompt', { id, message: 'go', ...more });
const accepted = (id: string) => a('response', { id, command: 'prompt', success: true });
const begins = a('agent_start');
const ends = (stopReason = 'stop', errorMessage?: string) =>
  a('agent_end', { messages: [{ role: 'assistant', content: [], stopReason, errorMessage }] });
const starts = (id: string, toolName = 'bash') =>
  a('tool_execution_start', { toolCallId: id, toolName, args: { command: 'ls' } });
const returns = (id: string, isError = false) =>
  a('tool_execution_end', { toolCallId: id, toolName: 'bash', result: { content: [] }, isError });
const asks = (id: string, method: string, more: object = {}) =>
  a('extension_ui_request', { id, method, title: 'Allow?', ...more });
const answers = (id: string, more: object) => c('extension_ui_response', { id, ...more });
const statuses = (said: Said[], command: string[] = []) =>
  turnsOf(build(pi, framesOf(said), command)).map(({ status }) => status);

const CALL = 'tool-args tool-args tool-args tool-args text tool-args usage tool-call';

describe('real tapes', () => {
  it.each([
    [
      'pi-0.73.1-rpc/allow',
      `prompt status turn-begin step-begin status status handshake status text ${CALL} approval approval-answer progress progress tool-result status status step-end step-begin status status text text usage step-end prompt-answer`,
    ],
    [
      'pi-0.73.1-rpc/err500',
      'control control prompt status turn-begin step-begin status status handshake error step-end status notice',
    ],
    [
      'pi-0.73.1-json/shell',
      `handshake turn-begin step-begin status status handshake status text ${CALL} progress progress tool-result status status step-end step-begin status status text text usage step-end prompt-answer`,
    ],
  ])('%s', (tape, words) => {
    expect(pinned(tape)).toMatchObject({ dialect: 'pi', kinds: words });
  });

  it('messages into a run belong to it, and a prompt that is refused to none', () => {
    const built = buildFixture('pi-0.73.1-rpc/steer');
    expect(turnsOf(built)).toMatchObject([
      { n: 1, status: 'stop', usage: { input: 600, cache_read: 3000, output: 126 } },
    ]);
    const refused = built.timeline.entries.find((entry) => entry.is === 'item' && entry.kind === 'prompt');
    expect(refused).toMatchObject({ text: 'refused', answer: { ok: false } });
  });
});

describe('a run', () => {
  it('is of the oldest prompt, from its start to its end', () => {
    const said = [prompt('1'), accepted('1'), begins, ends(), prompt('2'), accepted('2'), begins, ends('aborted')];
    expect(statuses(said)).toEqual(['stop', 'aborted']);
  });

  it('goes on after an error that passes', () => {
    const retry = a('auto_retry_start', { attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: '503' });
    const said = [prompt('1'), accepted('1'), begins, ends('error', '503 overloaded'), retry, begins, ends()];
    expect(statuses(said)).toEqual(['stop']);
  });

  it('ends with the last attempt', () => {
    const over = a('auto_retry_end', { success: false, attempt: 3, finalError: '503 at last' });
    const said = [prompt('1'), accepted('1'), begins, ends('error', '503'), over];
    expect(turnsOf(build(pi, framesOf(said)))).toMatchObject([
      { status: 'error', prompt: { answer: { text: '503 at last' } } },
    ]);
  });

  it('ends at once with an error that stays, or if the client turned retries off', () => {
    expect(statuses([prompt('1'), begins, ends('error', '401 bad key')])).toEqual(['error']);
    const off = c('set_auto_retry', { enabled: false });
    expect(statuses([off, prompt('1'), begins, ends('error', '503')])).toEqual(['error']);
  });

  it('ends with what comes instead of another attempt', () => {
    const said = [prompt('1'), begins, ends('error', '503'), prompt('2'), begins, ends()];
    expect(statuses(said)).toEqual(['error', 'stop']);
  });

  it('ends with the process if no other attempt came', () => {
    const said = framesOf([prompt('1'), begins, ends('error', '503')]);
    expect(turnsOf(build(pi, [...said, exitAfter(said, 0)]))).toMatchObject([{ status: 'error' }]);
  });

  it('goes on after a compaction that makes room', () => {
    const compacts = [
      a('compaction_start', { reason: 'overflow' }),
      a('compaction_end', { reason: 'overflow', result: { summary: 'short' }, aborted: false, willRetry: true }),
    ];
    const said = [prompt('1'), begins, ends('error', 'prompt is too long'), ...compacts, begins, ends()];
    expect(statuses(said)).toEqual(['stop']);
  });

  it('that no prompt began is the own of the agent', () => {
    const said = [prompt('1'), begins, ends(), begins, starts('c'), returns('c'), ends()];
    expect(statuses(said)).toEqual(['stop']);
    expect(eventsOf(pi, said).at(3)).toMatchObject([{ kind: 'turn-begin', own: true }]);
    expect(eventsOf(pi, said).at(-1)).toMatchObject([{ kind: 'turn-end' }]);
  });

  it('of --mode json has its prompt on the command line or on stdin', () => {
    const json = ['pi', '--mode', 'json', 'go'];
    expect(eventsOf(pi, [begins], json)).toMatchObject([[{ takes: 0 }]]);
    const text: Said[] = [['client', '{"type":"prompt"}'], ['client', 'more'], begins];
    expect(eventsOf(pi, text, json)).toMatchObject([
      [{ kind: 'prompt', text: '{"type":"prompt"}' }],
      [{ kind: 'control', text: 'more' }],
      [{ takes: 1 }],
    ]);
    const frames = framesOf([a('session', { version: 3, id: 's', cwd: '/w' })]);
    expect(turnsOf(build(pi, [...frames, exitAfter(frames, 1)], json))).toMatchObject([{ status: 'error' }]);
  });

  it('a prompt during it waits, if it says so', () => {
    const said = eventsOf(pi, [prompt('1'), begins, prompt('2', { streamingBehavior: 'steer' }), prompt('3')]);
    expect(said.map(kinds)).toEqual(['prompt', 'turn-begin', 'steer', 'prompt']);
  });
});

describe('dialogs of extensions', () => {
  const asked = (...dialog: [method: string, more?: object]) => [
    prompt('1'),
    begins,
    starts('c'),
    asks('u', ...dialog),
  ];

  it.each<[string, object, string, object[]]>([
    ['select', { options: ['Yes', 'No'] }, 'Yes', [{ decision: 'allow' }, { decision: 'deny' }]],
    [
      'select',
      { options: ['Allow', 'Always allow', 'Block'] },
      'Block',
      [{ decision: 'allow' }, { decision: 'allow-always' }, { decision: 'deny' }],
    ],
    [
      'select',
      { options: ['✅ Yes, for this session', '❌ No'] },
      '❌ No',
      [{ decision: 'allow-always' }, { decision: 'deny' }],
    ],
  ])('%s %j asks for leave', (method, more, value, options) => {
    const [ask, answer] = eventsOf(pi, [...asked(method, more), answers('u', { value })])
      .slice(3)
      .flat();
    expect(ask).toMatchObject({ kind: 'approval', call: 'c', tool: 'bash', request: 'u', options });
    expect(answer).toMatchObject({ kind: 'approval-answer', option: value });
  });

  it.each([
    [{ confirmed: true }, 'allow client - yes'],
    [{ confirmed: false }, 'deny client - no'],
    [{ cancelled: true }, 'cancelled client - no'],
    [{ confirmed: 'yes' }, 'none invalid - no bad-shape'],
  ])('confirm answered with %j', (given, words) => {
    const said = [
      ...asked('confirm', { message: 'a.txt' }),
      answers('u', given),
      returns('c', !words.includes('yes')),
      ends(),
    ];
    const [row] = auditFrames(pi, sessionOf(said)).rows;
    const flags = row!.flags.filter((flag) => flag === 'bad-shape').join('');
    expect([row!.decision, row!.by, '-', row!.executed, flags].join(' ').trim()).toBe(words);
  });

  it('an answer that was not offered decides nothing', () => {
    const said = [...asked('select', { options: ['Yes', 'No'] }), answers('u', { value: 'yes' })];
    expect(eventsOf(pi, said).at(-1)).toMatchObject([{ decision: null, option: 'yes', flags: ['bad-word'] }]);
  });

  it.each<[string, Said[]]>([
    ['when no call was started', [prompt('1'), asks('u', 'confirm')]],
    ['when the call has its result', [prompt('1'), begins, starts('c'), returns('c'), asks('u', 'confirm')]],
    ['when the run is over', [prompt('1'), begins, starts('c'), ends(), asks('u', 'confirm')]],
    ['with options that are no yes and no', asked('select', { options: ['Yes', 'No', 'Explain'] })],
    ['with one way out', asked('select', { options: ['No'] })],
    ['for a text', asked('input')],
    ['for a long text', asked('editor')],
  ])('%s are questions', (_, said) => {
    expect(eventsOf(pi, said).at(-1)).toMatchObject([{ kind: 'question' }]);
  });

  it('questions are answered or dismissed', () => {
    const given = (more: object) => eventsOf(pi, [prompt('1'), asks('u', 'input'), answers('u', more)]).at(-1);
    expect(given({ value: 'blue' })).toMatchObject([{ kind: 'question-answer', ok: true, answers: 'blue' }]);
    expect(given({ cancelled: true })).toMatchObject([{ kind: 'question-answer', ok: false }]);
    expect(given({})).toMatchObject([{ kind: 'question-answer', ok: false, flags: ['bad-shape'] }]);
  });

  it('of two calls, the one that was started last is asked about', () => {
    const said = [prompt('1'), begins, starts('c'), starts('d'), asks('u', 'confirm')];
    expect(eventsOf(pi, said).at(-1)).toMatchObject([{ kind: 'approval', call: 'd' }]);
  });

  it('what only shows something wants no answer', () => {
    const said = [asks('u', 'notify', { message: 'blocked' }), asks('v', 'setStatus', { statusText: 'busy' })];
    expect(eventsOf(pi, said)).toMatchObject([
      [{ kind: 'notice', text: 'blocked' }],
      [{ kind: 'status', text: 'busy' }],
    ]);
  });

  it.each([
    [{ method: 'select', options: ['Yes', 'No'] }, { value: 'Yes' }, ['No']],
    [{ method: 'select', options: [] }, { cancelled: true }, []],
    [{ method: 'confirm' }, { confirmed: true }, ['false']],
    [{ method: 'editor', prefill: 'text' }, { value: 'text' }, []],
  ])('%j has a line that answers it', (dialog, answer, or) => {
    const reply = piReply({ type: 'extension_ui_request', id: 'u', ...dialog });
    expect(reply).toEqual({ line: { type: 'extension_ui_response', id: 'u', ...answer }, or });
  });
});

describe('everything else', () => {
  it('what pi could not read is an error, not the answer to a prompt', () => {
    const said = [prompt('1'), a('response', { command: 'parse', success: false, error: 'Failed to parse command' })];
    expect(eventsOf(pi, said).at(-1)).toMatchObject([{ kind: 'error', text: 'Failed to parse command' }]);
  });

  it('an answer that streamed is told once, and one that did not as a whole', () => {
    const whole = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'thinking', thinking: 'hm' },
      ],
    };
    expect(eventsOf(pi, [a('message_end', { message: whole })])[0]!.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'hi'],
      ['thinking', 'hm'],
    ]);
  });

  it('a command that pi does not have is unknown', () => {
    expect(eventsOf(pi, [c('getState', { id: '1' })])).toMatchObject([[{ kind: 'other', name: 'getState' }]]);
  });

  it('never throws', () => {
    const types = [
      ...['prompt', 'steer', 'abort', 'bash', 'extension_ui_request', 'extension_ui_response', 'response', 'session'],
      ...['agent_start', 'agent_end', 'turn_end', 'message_start', 'message_update', 'message_end', 'queue_update'],
      ...['tool_execution_start', 'tool_execution_update', 'tool_execution_end', 'auto_retry_end', 'compaction_end'],
    ];
    const keys = [
      'id',
      'message',
      'messages',
      'method',
      'options',
      'value',
      'toolCallId',
      'result',
      'success',
      'error',
    ];
    const odd = fc.record(Object.fromEntries(keys.map((key) => [key, fc.jsonValue()])), { requiredKeys: [] });
    const line = fc.tuple(fc.constantFrom('client' as const, 'agent' as const), fc.constantFrom(...types), odd);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const said = lines.map(([from, type, more]): Said => [from, { ...more, type }]);
        expect(() => build(pi, framesOf(said))).not.toThrow();
      }),
      { numRuns: cases(200) },
    );
  });
});
