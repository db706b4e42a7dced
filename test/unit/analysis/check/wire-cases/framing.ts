import {
  ask,
  begin,
  type Cases,
  call,
  done,
  end,
  event,
  hello,
  legacy,
  no,
  prompt,
  result,
  step,
  text,
  turn,
  yes,
} from './lines.ts';

export const framing: Cases = {
  'wire-shape': {
    breaks: [
      {
        what: 'a prompt without its input',
        lines: [ask('p', 'prompt', {}), no('p', -32602)],
        found: ['wire-shape f1'],
      },
      {
        what: 'an input that is a number',
        lines: [ask('p', 'prompt', { user_input: 7 }), no('p', -32602)],
        found: ['wire-shape f1'],
      },
      {
        what: 'another version of JSON-RPC',
        lines: [
          '>{"jsonrpc":"1.0","id":"x","method":"cancel"}',
          '<{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}',
        ],
        found: ['wire-shape f1'],
      },
      { what: 'a step whose number is text', lines: turn(event('StepBegin', { n: '1' })), found: ['wire-shape f3'] },
      {
        what: 'a part without its text',
        lines: turn(step(1), event('ContentPart', { type: 'text' })),
        found: ['wire-shape f4'],
      },
      {
        what: 'a part of a subagent without its text',
        lines: turn(step(1), call('c', 'Agent'), subagent('c', 'ContentPart', { type: 'text' }), result('c')),
        found: ['wire-shape f5'],
      },
      {
        what: 'a display block without its path',
        lines: turn(
          step(1),
          call('c'),
          event('ToolResult', {
            tool_call_id: 'c',
            return_value: {
              is_error: false,
              output: '',
              message: '',
              display: [{ type: 'diff', old_text: '', new_text: '' }],
            },
          }),
        ),
        found: ['wire-shape f5'],
      },
      {
        what: 'a status that no prompt has',
        lines: [prompt(), begin(), end, yes('p', { status: 'fine' })],
        found: ['wire-shape f4'],
      },
      {
        what: 'an old agent that is sent a line without the version',
        dialect: 'wire-legacy',
        lines: ['>{"id":"r","method":"interrupt"}'],
        found: ['wire-shape f1'],
      },
    ],
    spares: [
      {
        what: 'a line without the version',
        lines: ['>{"id":"x","method":"cancel"}', no('x', -32000)],
        found: ['wire-cancel f1'],
      },
      {
        what: 'types and fields that nobody knows',
        lines: turn(step(1), event('Smell', { of: 1 }), text(), event('TurnEndedWell', null)),
        found: [],
      },
      {
        what: 'fields that are null',
        lines: turn(event('StatusUpdate', { context_usage: null, token_usage: null, mcp_status: null })),
        found: [],
      },
      {
        what: 'a prompt of parts',
        lines: [prompt('p', [{ type: 'text', text: 'go' }]), begin([{ type: 'text', text: 'go' }]), end, done()],
        found: [],
      },
      {
        what: 'a brief of 0.59',
        lines: turn(
          step(1),
          call('c'),
          event('ToolResult', {
            tool_call_id: 'c',
            return_value: { is_error: false, output: '', message: '', display: [{ type: 'brief', data: 'x' }] },
          }),
        ),
        found: [],
      },
      {
        what: 'a step of an old agent that stops without saying why',
        dialect: 'wire-legacy',
        lines: [
          ask('r', 'run', { input: 'x' }),
          event('step_begin', { n: 1 }),
          '<{"jsonrpc":"2.0","method":"event","params":{"type":"step_interrupted"}}',
          no('r', -32002),
        ],
        found: [],
      },
    ],
  },
  'wire-line': {
    breaks: [
      { what: 'an agent that prints', lines: ['<Loading...', ...turn(text())], found: ['wire-line f1'] },
      {
        what: 'the trace of a scripted model',
        lines: [...turn(text()), '<SCRIPTED_ECHO TURN 1: x'],
        found: ['wire-line f6 warning'],
      },
      { what: 'a blank line', lines: ['>', no(null, -32700)], found: ['wire-line f1'] },
      { what: 'a batch', lines: ['>[]', no(null, -32600)], found: ['wire-line f1'] },
      { what: 'an object that is no message', lines: ['>{"jsonrpc":"2.0","id":"x"}'], found: ['wire-line f1'] },
      {
        what: 'a key that an old agent does not know',
        dialect: 'wire-legacy',
        lines: ['>{"jsonrpc":"2.0","id":"x","method":"interrupt","trace":1}'],
        found: ['wire-line f1'],
      },
    ],
    spares: [
      { what: 'messages', lines: turn(text()), found: [] },
      {
        what: 'a key that nobody knows',
        lines: [
          '>{"jsonrpc":"2.0","id":"i","method":"replay","trace":1}',
          yes('i', { status: 'finished', events: 0, requests: 0 }),
        ],
        found: [],
      },
      { what: 'an error that answers nothing', lines: [no(null, -32700)], found: [] },
    ],
  },
  'wire-line-length': {
    breaks: [
      {
        what: 'a line that kills an old agent',
        lines: [prompt('p', 'x'.repeat(70_000)), '!exit 1'],
        found: ['wire-line-length f1', 'wire-unanswered f1'],
      },
    ],
    spares: [
      {
        what: 'a long line that is read',
        lines: [prompt('p', 'x'.repeat(70_000)), begin('x'.repeat(70_000)), end, done(), '!eof', '!exit 0'],
        found: [],
      },
      {
        what: 'an agent that reads long lines and dies of something else',
        lines: [...hello(), prompt('p', 'x'.repeat(70_000)), '!exit 1'],
        found: ['wire-unanswered f3'],
      },
    ],
  },
  'wire-id': {
    breaks: [
      {
        what: 'a number as id',
        lines: [ask(1, 'prompt', { user_input: 'x' }), no(null, -32600)],
        found: ['wire-id f1'],
      },
      {
        what: 'a number as id of an answer',
        lines: [...turn(step(1)), '>{"jsonrpc":"2.0","id":1,"result":{}}'],
        found: ['wire-id f6', 'wire-unknown-answer f6'],
      },
    ],
    spares: [{ what: 'a number in a string', lines: [prompt('1'), begin(), end, done('1')], found: [] }],
  },
  'wire-no-id': {
    breaks: [
      { what: 'a cancel without an id', lines: ['>{"jsonrpc":"2.0","method":"cancel"}'], found: ['wire-no-id f1'] },
    ],
    spares: [
      {
        what: 'the old interrupt without an id',
        dialect: 'wire-legacy',
        lines: ['>{"jsonrpc":"2.0","method":"interrupt"}'],
        found: [],
      },
      { what: 'events of the agent without one', lines: turn(text()), found: [] },
    ],
  },
  'wire-method': {
    breaks: [
      {
        what: 'a method that nobody has',
        lines: [ask('x', 'dance'), no('x', -32601)],
        found: ['wire-method f1 warning'],
      },
      {
        what: 'a method of old agents',
        lines: [ask('x', 'run', { input: 'x' }), no('x', -32601)],
        found: ['wire-method f1 warning'],
      },
      {
        what: 'an agent with a method of its own',
        lines: ['<{"jsonrpc":"2.0","method":"progress","params":{}}'],
        found: ['wire-method f1'],
      },
    ],
    spares: [
      {
        what: 'a client that finds out how old its agent is',
        lines: [ask('i', 'initialize', { protocol_version: '1' }), no('i', -32601), ...turn(text())],
        found: [],
      },
      { what: 'a run of an old agent', dialect: 'wire-legacy', lines: legacy(), found: [] },
    ],
  },
  'wire-content-part': {
    breaks: [
      {
        what: 'a part that nobody knows',
        lines: [prompt('p', [{ type: 'hologram' }]), '!exit 1'],
        found: ['wire-content-part f1', 'wire-unanswered f1'],
      },
    ],
    spares: [
      {
        what: 'a picture',
        lines: [
          prompt('p', [{ type: 'image_url', image_url: { url: 'data:' } }]),
          begin([{ type: 'image_url', image_url: { url: 'data:', id: null } }]),
          end,
          done(),
        ],
        found: [],
      },
    ],
  },
};

function subagent(parent: string, type: string, payload: object): string {
  return event('SubagentEvent', {
    parent_tool_call_id: parent,
    agent_id: null,
    subagent_type: null,
    event: { type, payload },
  });
}
