/** What the agent asks its client, and how that is answered. */
import {
  approval,
  ask,
  asking,
  begin,
  type Cases,
  call,
  decide,
  end,
  event,
  fail,
  hello,
  prompt,
  reply,
  request,
  resolved,
  result,
  returned,
  step,
  turn,
  yes,
} from './lines.ts';

const canAsk = hello({ capabilities: { supports_question: true } }, { capabilities: { supports_question: true } });
const question = (call: string) =>
  request('q', 'QuestionRequest', {
    tool_call_id: call,
    questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }],
  });
const asked = (...inside: string[]) => turn(step(1), call('c', 'AskUserQuestion'), question('c'), ...inside);
const tools = hello(
  { external_tools: [{ name: 'look', description: '', parameters: {} }] },
  { external_tools: { accepted: ['look'], rejected: [] } },
);
const external = (id: string, name = 'look') => request(id, 'ToolCallRequest', { name, arguments: '{}' });
const looked = (...inside: string[]) => turn(step(1), call('c', 'look'), external('c'), ...inside);
const subscribed = hello(
  { hooks: [{ id: 'h', event: 'Stop' }] },
  { hooks: { supported_events: ['Stop'], configured: {} } },
);
const hook = (subscription_id = 'h') =>
  request('k', 'HookRequest', { subscription_id, event: 'Stop', target: '', input_data: {} });

export const questions: Cases = {
  'wire-approval-answer': {
    breaks: [
      {
        what: 'a word that is none',
        lines: asking(decide('a', 'allow'), resolved('a', 'reject'), result('c')),
        found: ['wire-approval-answer f6'],
      },
      {
        what: 'an answer without the id',
        lines: asking(reply('a', { response: 'approve' }), resolved('a', 'reject'), result('c')),
        found: ['wire-approval-answer f6'],
      },
      {
        what: 'an answer with the id of another',
        lines: asking(reply('a', { request_id: 'b', response: 'approve' }), resolved('a'), result('c')),
        found: ['wire-approval-answer f6 warning'],
      },
      {
        what: 'an error',
        lines: asking(fail('a'), resolved('a', 'reject'), result('c')),
        found: ['wire-approval-answer f6 warning'],
      },
      {
        what: 'a result and an error',
        lines: asking(
          '>{"jsonrpc":"2.0","id":"a","result":{"request_id":"a","response":"approve"},"error":{"code":1,"message":"no"}}',
          resolved('a', 'reject'),
          result('c'),
        ),
        found: ['wire-approval-answer f6'],
      },
      {
        what: 'a result and an error, and a better answer, which old agents wait for',
        lines: asking(
          '>{"jsonrpc":"2.0","id":"a","result":{},"error":{"code":1,"message":"no"}}',
          decide('a'),
          resolved('a'),
          result('c'),
        ),
        found: ['wire-approval-answer f6', 'wire-approval-answer f7 warning'],
      },
      {
        what: 'two answers',
        lines: asking(decide('a'), decide('a'), resolved('a'), result('c')),
        found: ['wire-approval-answer f7 warning'],
      },
      {
        what: 'an answer long after',
        lines: [
          ...turn(step(1), call('c', 'Shell'), approval('a', 'c'), resolved('a', 'reject'), result('c')),
          '~5',
          decide('a'),
        ],
        found: ['wire-approval-answer f5 warning', 'wire-approval-answer f10 warning'],
      },
      {
        what: 'no answer',
        lines: [prompt(), begin(), step(1), call('c', 'Shell'), approval('a', 'c'), '!eof', '!exit 0'],
        found: ['wire-approval-answer f5 warning', 'wire-early-eof f6 info'],
      },
      {
        what: 'no answer to what is asked after a cancel',
        lines: [
          ...[prompt(), begin(), step(1), call('c', 'Shell'), ask('x', 'cancel'), yes('x', {}), approval('a', 'c')],
          ...['!eof', '!exit 0'],
        ],
        found: ['wire-approval-answer f7 warning', 'wire-early-eof f8 info'],
      },
      {
        what: 'a yes for a no',
        lines: asking(decide('a', 'reject'), resolved('a'), result('c')),
        found: ['wire-approval-answer f7'],
      },
      {
        what: 'two resolutions',
        lines: asking(decide('a'), resolved('a'), resolved('a'), result('c')),
        found: ['wire-approval-answer f8'],
      },
      {
        what: 'a resolution of nothing',
        lines: asking(decide('a'), resolved('a'), resolved('b'), result('c')),
        found: ['wire-approval-answer f8'],
      },
      {
        what: 'no resolution',
        lines: [...asking(decide('a'), result('c')), '~5', '!eof', '!exit 0'],
        found: ['wire-approval-answer f5'],
      },
      {
        what: 'no resolution, and another turn',
        lines: [
          ...asking(decide('a'), result('c')),
          prompt('q', 'more'),
          begin('more'),
          end,
          yes('q', { status: 'finished' }),
        ],
        found: ['wire-approval-answer f5'],
      },
    ],
    spares: [
      {
        what: 'no answer to what is asked before its turn begins, and settled with it',
        lines: [prompt(), approval('a', 'c'), begin(), end, yes('p', { status: 'finished' }), '!eof', '!exit 0'],
        found: [],
      },
      { what: 'an approval', lines: asking(decide('a'), resolved('a'), result('c')), found: [] },
      {
        what: 'an answer that crosses a cancel',
        lines: [
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          approval('a', 'c'),
          ask('x', 'cancel'),
          yes('x', {}),
          end,
          yes('p', { status: 'cancelled' }),
          decide('a'),
        ],
        found: [],
      },
      {
        what: 'a resolution after the answer to the prompt',
        lines: [
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          approval('a', 'c'),
          ask('x', 'cancel'),
          yes('x', {}),
          end,
          yes('p', { status: 'cancelled' }),
          resolved('a', 'reject'),
        ],
        found: [],
      },
      {
        what: 'a resolution that comes late',
        lines: [...asking(decide('a'), result('c')), resolved('a'), '~5', '!eof', '!exit 0'],
        found: [],
      },
      {
        what: 'a grant that sweeps another',
        lines: turn(
          step(1),
          call('c', 'Shell'),
          call('d', 'Shell'),
          approval('a', 'c'),
          approval('b', 'd'),
          decide('a', 'approve_for_session'),
          resolved('a', 'approve_for_session'),
          resolved('b'),
          result('c'),
          result('d'),
        ),
        found: [],
      },
      {
        what: 'an approval of a session that still runs',
        isRunning: true,
        lines: [prompt(), begin(), step(1), call('c', 'Shell'), approval('a', 'c')],
        found: [],
      },
      {
        what: 'an approval when the agent ends by itself',
        lines: [prompt(), begin(), step(1), call('c', 'Shell'), approval('a', 'c'), '!exit 1'],
        found: ['wire-unanswered f1'],
      },
      {
        what: 'an approval when the recorder was killed',
        lines: [prompt(), begin(), step(1), call('c', 'Shell'), approval('a', 'c'), '!lost'],
        found: [],
      },
    ],
  },
  'wire-approval-again': {
    breaks: [
      {
        what: 'what is asked again',
        lines: [
          ...asking(
            decide('a', 'approve_for_session'),
            resolved('a', 'approve_for_session'),
            result('c'),
            step(2),
            call('d', 'Shell'),
            approval('b', 'd'),
            decide('b'),
            resolved('b'),
            result('d'),
          ),
        ],
        found: ['wire-approval-again f11'],
      },
      {
        what: 'an approval with --yolo',
        command: ['kimi', '--wire', '--yolo'],
        lines: asking(decide('a'), resolved('a'), result('c')),
        found: ['wire-approval-again f5'],
      },
    ],
    spares: [
      {
        what: 'another action',
        lines: asking(
          decide('a', 'approve_for_session'),
          resolved('a', 'approve_for_session'),
          result('c'),
          step(2),
          call('d', 'WriteFile'),
          approval('b', 'd', { action: 'edit file' }),
          decide('b'),
          resolved('b'),
          result('d'),
        ),
        found: [],
      },
      {
        what: 'one yes only',
        lines: asking(
          decide('a'),
          resolved('a'),
          result('c'),
          step(2),
          call('d', 'Shell'),
          approval('b', 'd'),
          decide('b'),
          resolved('b'),
          result('d'),
        ),
        found: [],
      },
    ],
  },
  'wire-reject': {
    breaks: [
      {
        what: 'another step',
        lines: asking(decide('a', 'reject'), resolved('a', 'reject'), result('c'), step(2)),
        found: ['wire-reject f9 warning'],
      },
    ],
    spares: [
      {
        what: 'another step after feedback',
        lines: asking(decide('a', 'reject', { feedback: 'no' }), resolved('a', 'reject'), result('c'), step(2)),
        found: [],
      },
      {
        what: 'another round',
        lines: asking(decide('a', 'reject'), resolved('a', 'reject'), result('c'), step(1)),
        found: [],
      },
      {
        what: 'a reject of what a subagent asks, before its call is told of',
        lines: turn(
          step(1),
          call('c', 'Task'),
          approval('a', 'd'),
          decide('a', 'reject'),
          sub('ToolCall', { type: 'function', id: 'd', function: { name: 'Shell', arguments: '{}' } }),
          resolved('a', 'reject'),
          result('c'),
          step(2),
        ),
        found: ['wire-call-in-step f7'],
      },
    ],
  },
  'wire-question': {
    breaks: [
      {
        what: 'a question for a client that takes none',
        lines: [...hello(), ...asked(reply('q', { request_id: 'q', answers: {} }), result('c'))],
        found: ['wire-question f7'],
      },
      {
        what: 'an answer that is none',
        lines: [...canAsk, ...asked(reply('q', { request_id: 'q', answers: 7 }), result('c'))],
        found: ['wire-question f8'],
      },
      { what: 'an error', lines: [...canAsk, ...asked(fail('q'), result('c'))], found: ['wire-question f8 warning'] },
      {
        what: 'no answer',
        lines: [...canAsk, prompt(), begin(), step(1), call('c'), question('c'), '!eof', '!exit 0'],
        found: ['wire-question f7 warning', 'wire-early-eof f8 info'],
      },
    ],
    spares: [
      {
        what: 'a dismissal',
        lines: [...canAsk, ...asked(reply('q', { request_id: 'q', answers: {} }), result('c'))],
        found: [],
      },
    ],
  },
  'wire-external-call': {
    breaks: [
      {
        what: 'a tool that was not accepted',
        lines: [...hello(), ...looked(reply('c', { tool_call_id: 'c', return_value: returned }), result('c'))],
        found: ['wire-external-call f7'],
      },
      {
        what: 'a call that nobody made',
        lines: [...tools, ...turn(step(1), external('d'), reply('d', { tool_call_id: 'd', return_value: returned }))],
        found: ['wire-external-call f6'],
      },
      { what: 'no answer', lines: [...tools, ...looked(result('c'))], found: ['wire-external-call f7'] },
      {
        what: 'an answer that is none',
        lines: [...tools, ...looked(reply('c', { nonsense: 1 }), result('c'))],
        found: ['wire-external-call f8'],
      },
    ],
    spares: [
      { what: 'an error, which is how a tool fails', lines: [...tools, ...looked(fail('c'), result('c'))], found: [] },
      {
        what: 'a request before its call',
        lines: [
          ...tools,
          ...turn(
            step(1),
            external('c'),
            call('c', 'look'),
            reply('c', { tool_call_id: 'c', return_value: returned }),
            result('c'),
          ),
        ],
        found: [],
      },
      {
        what: 'no answer to a turn that is cancelled',
        lines: [
          ...tools,
          prompt(),
          begin(),
          step(1),
          call('c', 'look'),
          external('c'),
          ask('x', 'cancel'),
          yes('x', {}),
          end,
          yes('p', { status: 'cancelled' }),
        ],
        found: [],
      },
    ],
  },
  'wire-hook': {
    breaks: [
      {
        what: 'a subscription that nobody made',
        lines: [...subscribed, ...turn(hook('g'), reply('k', { request_id: 'k', action: 'allow' }))],
        found: ['wire-hook f5'],
      },
      {
        what: 'an event that there is not',
        lines: hello(
          { hooks: [{ id: 'h', event: 'Full' }] },
          { hooks: { supported_events: ['Stop'], configured: {} } },
        ),
        found: ['wire-hook f1 warning'],
      },
      {
        what: 'a word that is none',
        lines: [...subscribed, ...turn(hook(), reply('k', { request_id: 'k', action: 'deny' }))],
        found: ['wire-hook f6'],
      },
      { what: 'no answer', lines: [...subscribed, ...turn(hook())], found: ['wire-hook f5 warning'] },
    ],
    spares: [
      { what: 'a hook after stdin is closed', lines: [...subscribed, '!eof', hook(), '!exit 0'], found: [] },
      {
        what: 'an answer',
        lines: [...subscribed, ...turn(hook(), reply('k', { request_id: 'k', action: 'block', reason: '' }))],
        found: [],
      },
      {
        what: 'an answer without a word, which is an allow',
        lines: [...subscribed, ...turn(hook(), reply('k', { request_id: 'k' }))],
        found: [],
      },
    ],
  },
  'wire-unknown-answer': {
    breaks: [
      {
        what: 'an answer to nothing',
        lines: [...asking(decide('a'), resolved('a'), result('c')), decide('b')],
        found: ['wire-unknown-answer f11'],
      },
    ],
    spares: [{ what: 'an answer', lines: asking(decide('a'), resolved('a'), result('c')), found: [] }],
  },
  'wire-replay': {
    breaks: [
      {
        what: 'an answer to what is replayed',
        lines: [
          ask('r', 'replay'),
          event('TurnBegin', { user_input: 'x' }),
          approval('a', 'c'),
          decide('a'),
          yes('r', { status: 'finished', events: 1, requests: 1 }),
        ],
        found: ['wire-replay f4 warning'],
      },
      {
        what: 'a count that is wrong',
        lines: [ask('r', 'replay'), begin(), end, yes('r', { status: 'finished', events: 3, requests: 0 })],
        found: ['wire-replay f4'],
      },
    ],
    spares: [
      {
        what: 'a replay, and requests that nobody answers',
        lines: [
          ask('r', 'replay'),
          begin(),
          step(1),
          call('c'),
          approval('a', 'c'),
          yes('r', { status: 'finished', events: 3, requests: 1 }),
          '!eof',
          '!exit 0',
        ],
        found: [],
      },
      {
        what: 'status that comes during a replay',
        lines: [
          ask('r', 'replay'),
          begin(),
          event('StatusUpdate', { plan_mode: true }),
          yes('r', { status: 'finished', events: 1, requests: 0 }),
        ],
        found: [],
      },
      {
        what: 'a replay that is cancelled',
        lines: [
          ask('r', 'replay'),
          begin(),
          ask('x', 'cancel'),
          yes('x', {}),
          yes('r', { status: 'cancelled', events: 0, requests: 0 }),
        ],
        found: [],
      },
    ],
  },
};

function sub(type: string, payload: object): string {
  return event('SubagentEvent', { task_tool_call_id: 'c', event: { type, payload } });
}
