/** Sessions of stream-json clients with one mistake each, written by hand; the letters are those of test/fixtures/broken. */
import type { Happening } from './audit.ts';
import type { Said } from './reading.ts';

type What = (Said | Happening)[];

const INPUT = { command: 'rm -r build', description: '清理' };
const hello: What = [
  ['client', { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } }],
  ['agent', { type: 'control_response', response: { subtype: 'success', request_id: 'i', response: {} } }],
];
const prompt: Said = ['client', { type: 'user', message: { role: 'user', content: '请运行 it' } }];
const begins: What = [
  [
    'agent',
    {
      ...{
        type: 'system',
        subtype: 'init',
        session_id: 's',
        cwd: '/project',
        model: 'mock',
        tools: ['run_shell_command'],
      },
      permission_mode: 'default',
    },
  ],
  [
    'agent',
    {
      ...{ type: 'assistant', session_id: 's' },
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call-1', name: 'run_shell_command', input: INPUT }],
      },
    },
  ],
];
const asks: Said = [
  'agent',
  {
    ...{ type: 'control_request', request_id: 'r-1' },
    request: { subtype: 'can_use_tool', tool_name: 'run_shell_command', input: INPUT, tool_use_id: 'call-1' },
  },
];
const answer = (request_id: unknown, response: unknown): Said => [
  'client',
  { type: 'control_response', response: { subtype: 'success', request_id, response } },
];
const asking: What = [...hello, prompt, ...begins, asks];
const leaves: What = [['eof'], ['exit', { code: 0, signal: null }]];
const stalls = ['stalled', { whose: 'client', stream: 'agent' }] as unknown as Happening;
const refuses: What = [
  [
    'agent',
    {
      ...{ type: 'user', session_id: 's' },
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call-1', is_error: true, content: 'Not allowed' }],
      },
    },
  ],
  [
    'agent',
    {
      ...{ type: 'result', subtype: 'success', session_id: 's', is_error: false, num_turns: 1, duration_ms: 5 },
      result: 'ok',
    },
  ],
];

export const BROKEN_STREAMS: Record<string, What> = {
  'stream-a': [...asking, ...leaves],
  'stream-b': [...asking, answer('r-2', { behavior: 'allow', updatedInput: INPUT }), ...leaves],
  'stream-c': [...hello, prompt, ...leaves],
  'stream-d': [prompt, ...begins, ...leaves],
  'stream-e': [...hello, prompt, ...begins, stalls, ...leaves],
  'stream-f': [...asking, answer('r-1', { behavior: 'allowed' }), ...refuses, ...leaves],
  'stream-f2': [...asking, answer('r-1', 'allow'), ...refuses, ...leaves],
  'stream-g': [
    ...hello,
    prompt,
    ...begins,
    ['signal', { signal: 'SIGTERM' }],
    ['exit', { code: null, signal: 'SIGTERM' }],
  ],
};
