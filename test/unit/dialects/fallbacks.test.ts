/** What no dialect owns: any JSON-RPC, any lines, and in all of them what belongs to nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../lib/dialects/dialect.ts';
import { DIALECTS } from '../../../lib/dialects/index.ts';
import { jsonrpc } from '../../../lib/dialects/jsonrpc/index.ts';
import { lines } from '../../../lib/dialects/lines/index.ts';
import type { Event } from '../../../lib/model/event.ts';
import { EVENT_KINDS } from '../../../lib/model/event.ts';
import { answer, ask, eventsOf, kinds, refuse, type Said, tell } from '../../support/reading.ts';
import { cases } from '../../support/scale.ts';

describe('jsonrpc', () => {
  const said = (...lines: Said[]) => eventsOf(jsonrpc, lines);

  it('asks, tells and answers by name', () => {
    const events = said(
      ['client', ask(1, 'textDocument/hover', {})],
      ['agent', answer(1, {})],
      ['agent', tell('$/progress', {})],
      ['agent', ask(1, 'workspace/applyEdit', {})],
      ['client', refuse(1, -32603, 'read only')],
    );
    expect(events.flat()).toEqual([
      { kind: 'other', name: 'textDocument/hover' },
      { kind: 'other', name: 'textDocument/hover' },
      { kind: 'other', name: '$/progress' },
      { kind: 'other', name: 'workspace/applyEdit' },
      { kind: 'other', name: 'workspace/applyEdit', text: 'read only' },
    ]);
  });

  it('knows hello and cancellation', () => {
    const events = said(
      ['client', ask(1, 'initialize', { clientInfo: { name: 'ed', version: '1' } })],
      ['agent', answer(1, { serverInfo: { name: 'ls' } })],
      ['client', tell('initialized', {})],
      ['client', tell('$/cancelRequest', { id: 4 })],
    );
    expect(events.flat()).toEqual([
      { kind: 'handshake', about: { client: { name: 'ed', version: '1' } } },
      { kind: 'handshake', about: { agent: { name: 'ls', version: null } } },
      { kind: 'handshake', about: {} },
      { kind: 'cancel', of: '4', done: false },
    ]);
  });
});

describe('lines', () => {
  it('objects go by their type; nothing is asked or answered', () => {
    const events = eventsOf(lines, [
      ['agent', { type: 'assistant', id: 1, result: 2 }],
      ['client', ask(1, 'x')],
      ['agent', answer(1, {})],
      ['agent', 'plain words'],
    ]);
    expect(events.flat()).toEqual([
      { kind: 'other', name: 'assistant' },
      { kind: 'noise', name: null, flags: ['invalid'] },
      { kind: 'noise', name: null, flags: ['invalid'] },
      { kind: 'noise', name: null, text: 'plain words' },
    ]);
  });
});

const rpc = DIALECTS.filter(({ name }) => ['acp', 'mcp', 'jsonrpc'].includes(name));

describe.each(rpc)('$name: what belongs to nothing', (dialect) => {
  const one = (said: Said): Event => eventsOf(dialect, [said])[0]![0]!;

  it.each<[string, Said, object]>([
    ['no message', ['client', {}], { kind: 'noise', flags: ['invalid'] }],
    ['a result without an id', ['agent', { result: 1 }], { kind: 'noise', flags: ['invalid'] }],
    ['a batch', ['client', [ask(1, 'x')]], { kind: 'noise' }],
    [
      'an error with the id null',
      ['agent', refuse(null, -32700, 'parse')],
      { kind: 'error', code: -32700, text: 'parse' },
    ],
    ['an error without an id', ['agent', { error: { code: 3 } }], { kind: 'error', code: 3 }],
    ['an error to what nobody asked', ['agent', refuse(9, 1)], { kind: 'error', code: 1, flags: ['orphan'] }],
    [
      'an approval',
      ['client', answer(9, { response: 'approve', request_id: 'r' })],
      { kind: 'approval-answer', request: 'r' },
    ],
    ['an outcome', ['client', answer(9, { outcome: {} })], { kind: 'approval-answer', flags: ['orphan'] }],
    ['answers', ['client', answer(9, { answers: {} })], { kind: 'question-answer', flags: ['orphan'] }],
    ['a return value', ['client', answer(9, { return_value: 1 })], { kind: 'client-call-answer', flags: ['orphan'] }],
    ['an action', ['client', answer(9, { action: 'allow' })], { kind: 'hook-answer', flags: ['orphan'] }],
    ['anything else', ['agent', answer(9, 'x')], { kind: 'control', flags: ['orphan'] }],
  ])('%s', (_, said, expected) => {
    expect(one(said)).toMatchObject(expected);
  });

  it('a second answer has the kind of the first, and is marked', () => {
    const [, first, second] = eventsOf(dialect, [
      ['client', ask(1, 'x')],
      ['agent', answer(1, {})],
      ['agent', refuse(1, -1)],
    ]);
    expect(first![0]!.flags).toBeUndefined();
    expect(second![0]).toMatchObject({ kind: first![0]!.kind, flags: ['dup'] });
  });
});

/** Messages that are nearly right: known methods and keys, with anything in them. */
const WORDS = [
  ...['initialize', 'session/new', 'session/load', 'session/prompt', 'session/update', 'session/request_permission'],
  ...['session/set_mode', 'session/set_config_option', 'session/cancel', 'session/fork', 'fs/read_text_file'],
  ...[
    'terminal/create',
    'elicitation/create',
    'craft/x',
    'qwen/notify/x',
    '$/cancel_request',
    'tools/call',
    'roots/list',
  ],
  ...['sampling/createMessage', 'notifications/progress', 'notifications/message', 'notifications/cancelled', 'ping'],
  ...['tool_call', 'tool_call_update', 'agent_message_chunk', 'user_message_chunk', 'plan', 'config_option_update'],
  ...['completed', 'failed', 'in_progress', 'text', 'image', 'resource', 'diff', 'content', 'mode', 's', 'selected'],
];
const KEYS = [
  ...[
    'method',
    'id',
    'params',
    'result',
    'error',
    'type',
    'jsonrpc',
    'sessionId',
    'update',
    'sessionUpdate',
    'content',
  ],
  ...['toolCallId', 'toolCall', 'status', 'rawInput', 'rawOutput', 'options', 'optionId', 'outcome', '_meta', 'usage'],
  ...['prompt', 'text', 'entries', 'configOptions', 'configId', 'value', 'modes', 'arguments', 'name', 'requestId'],
  ...[
    'progressToken',
    'messages',
    'roots',
    'requestedSchema',
    'properties',
    'enum',
    'oneOf',
    'items',
    'action',
    'data',
  ],
  ...['availableCommands', 'clientInfo', 'protocolVersion', 'code', 'message', '__proto__', 'constructor'],
];
const leaf = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(0, 1, -1, '1', null, true),
  fc.string({ maxLength: 3 }),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 8 }),
}));
const message = fc.record(
  {
    method: fc.constantFrom(...WORDS),
    id: fc.constantFrom<unknown>(0, 1, '1', null, {}),
    params: value.object,
    result: value.any,
    error: value.any,
  },
  { requiredKeys: [] },
);
const talk = fc.array(fc.tuple(fc.constantFrom('client' as const, 'agent' as const), fc.oneof(message, value.object)), {
  maxLength: 12,
});

/** Making a conversation takes longer than reading it, so all dialects read the same ones. */
it('no dialect throws on what a peer sends, and each knows the kinds it gives', () => {
  const known = new Set<string>(EVENT_KINDS);
  const read = (dialect: Dialect, said: Said[]) => {
    for (const events of eventsOf(dialect, said)) {
      if (rpc.includes(dialect) && events.length === 0) throw new Error('a line without an event');
      for (const { kind } of events) if (!known.has(kind)) throw new Error(`an unknown kind ${kind}`);
    }
  };
  fc.assert(
    fc.property(talk, (said) => {
      for (const dialect of DIALECTS) {
        try {
          read(dialect, said);
        } catch (error) {
          throw new Error(dialect.name, { cause: error });
        }
      }
    }),
    { numRuns: cases(600) },
  );
});

describe.each(DIALECTS)('$name', (dialect) => {
  it('a line that is no object is noise', () => {
    expect(
      eventsOf(dialect, [
        ['agent', 'null'],
        ['agent', '3'],
        ['client', ''],
      ]).map(kinds),
    ).toEqual(['noise', 'noise', 'noise']);
  });
});
