/** What the client asks, and when; how the process ends. */
import {
  approval,
  ask,
  begin,
  type Cases,
  call,
  decide,
  done,
  end,
  event,
  hello,
  legacy,
  legacyApproval,
  legacyCall,
  no,
  prompt,
  reply,
  resolved,
  result,
  step,
  text,
  turn,
  asking as turnAsking,
  yes,
} from './lines.ts';

const tool = (name: string) => ({ name, description: '', parameters: {} });
const hook = (id: string, event: string) => ({ id, event });
const cancel = ask('x', 'cancel');
const replayed = { status: 'finished', events: 0, requests: 0 };

export const asking: Cases = {
  'wire-unanswered': {
    breaks: [
      {
        what: 'an agent that exits in a turn, and a client that closes stdin then',
        lines: [prompt(), begin(), '!eof agent', '!eof', '!exit 1'],
        found: ['wire-unanswered f1'],
      },
      { what: 'an agent that exits in a turn', lines: [prompt(), begin(), '!exit 1'], found: ['wire-unanswered f1'] },
      {
        what: 'a prompt that is passed over',
        lines: [prompt(), begin(), ...['q'].flatMap((id) => [prompt(id, 'more'), begin('more'), end, done(id)])],
        found: ['wire-unanswered f1'],
      },
      { what: 'two answers', lines: [...turn(), done()], found: ['wire-unanswered f5'] },
      { what: 'an answer that nobody asked for', lines: [...turn(), done('q')], found: ['wire-unanswered f5'] },
      {
        what: 'a cancel that is never answered',
        lines: [
          ...hello(),
          prompt(),
          begin(),
          cancel,
          end,
          yes('p', { status: 'cancelled' }),
          ask('y', 'replay'),
          yes('y', replayed),
          '!eof',
          '!exit 0',
        ],
        found: ['wire-unanswered f5'],
      },
      {
        what: 'a prompt that is cancelled while an approval is open',
        lines: [
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          approval('a', 'c'),
          cancel,
          yes('x', {}),
          prompt('q', 'more'),
          begin('more'),
          done('q'),
        ],
        found: ['wire-unanswered f1 info'],
      },
    ],
    spares: [
      {
        what: 'an agent whose stdin is closed in a turn',
        lines: [prompt(), begin(), '!eof', '!exit 0'],
        found: ['wire-early-eof f3 info'],
      },
      {
        what: 'an agent that is killed in a turn',
        lines: [prompt(), begin(), '!signal SIGTERM', '!exit SIGTERM'],
        found: [],
      },
      { what: 'a session that still runs', isRunning: true, lines: [prompt(), begin()], found: [] },
      {
        what: 'answers out of order',
        lines: [prompt(), begin(), cancel, yes('x', {}), end, yes('p', { status: 'cancelled' }), '!exit 0'],
        found: [],
      },
      { what: 'a recording that was cut off', lines: [prompt(), begin(), '!lost'], found: [] },
      {
        what: 'an odd line that an old agent takes for a cancel',
        lines: ['>{"jsonrpc":"2.0","id":"x"}', no('x', -32000)],
        found: ['wire-line f1'],
      },
      {
        what: 'an old agent that does not know initialize',
        lines: [ask('i', 'initialize', { protocol_version: '1' }), prompt(), begin(), done(), '!eof', '!exit 0'],
        found: [],
      },
    ],
  },
  'wire-id-in-use': {
    breaks: [
      {
        what: 'a cancel with the id of the prompt',
        lines: [prompt('x'), begin(), cancel, yes('x', {}), end, yes('x', { status: 'cancelled' })],
        found: ['wire-id-in-use f3 warning'],
      },
    ],
    spares: [
      {
        what: 'the same id when it is free again',
        lines: [...turn(), prompt('p', 'more'), begin('more'), end, done()],
        found: [],
      },
      {
        what: 'the same id of the other side',
        lines: turnAsking(decide('a'), resolved('a'), result('c')).map((line) => line.replaceAll('"p"', '"a"')),
        found: [],
      },
    ],
  },
  'wire-initialize': {
    breaks: [
      {
        what: 'initialize in a turn',
        lines: [prompt(), begin(), ask('i', 'initialize', { protocol_version: '1' }), no('i', -32000), end, done()],
        found: ['wire-initialize f3'],
      },
      {
        what: 'hooks that are subscribed twice',
        lines: [
          ...hello({ hooks: [hook('h', 'Stop')] }),
          ask('j', 'initialize', { protocol_version: '1', hooks: [hook('h', 'Stop')] }),
          yes('j', { protocol_version: '1', server: { name: '', version: '' }, slash_commands: [] }),
        ],
        found: ['wire-initialize f3 warning'],
      },
    ],
    spares: [
      { what: 'initialize again, without hooks', lines: [...hello(), ...hello()], found: [] },
      {
        what: 'an approval that is sent again before the answer',
        lines: [
          ...hello(),
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          approval('a', 'c'),
          ask('j', 'initialize', { protocol_version: '1' }),
          approval('a', 'c'),
          yes('j', { protocol_version: '1', server: { name: '', version: '' }, slash_commands: [] }),
          decide('a'),
          resolved('a'),
          result('c'),
          end,
          done(),
        ],
        found: [],
      },
    ],
  },
  'wire-external-tools': {
    breaks: [
      {
        what: 'a tool with the name of a builtin',
        lines: hello(
          { external_tools: [tool('Shell')] },
          { external_tools: { accepted: [], rejected: [{ name: 'Shell', reason: 'conflicts' }] } },
        ),
        found: ['wire-external-tools f1 warning'],
      },
      {
        what: 'a tool of which nothing is said',
        lines: hello(
          { external_tools: [tool('look'), tool('up')] },
          { external_tools: { accepted: ['look'], rejected: [] } },
        ),
        found: ['wire-external-tools f2'],
      },
    ],
    spares: [
      {
        what: 'a tool that is accepted',
        lines: hello({ external_tools: [tool('look')] }, { external_tools: { accepted: ['look'], rejected: [] } }),
        found: [],
      },
      { what: 'an empty list', lines: hello({ external_tools: [] }), found: [] },
    ],
  },
  'wire-prompt-busy': {
    breaks: [
      {
        what: 'a second prompt',
        lines: [prompt(), begin(), prompt('q', 'more'), no('q', -32000), end, done()],
        found: ['wire-prompt-busy f3'],
      },
      {
        what: 'a replay in a turn',
        lines: [prompt(), begin(), ask('r', 'replay'), no('r', -32000), end, done()],
        found: ['wire-prompt-busy f3'],
      },
    ],
    spares: [
      {
        what: 'a second prompt when the first is answered',
        lines: [...turn(), prompt('q', 'more'), begin('more'), end, done('q')],
        found: [],
      },
      {
        what: 'a second run of an old agent, which waits',
        dialect: 'wire-legacy',
        lines: [
          ask('r', 'run', { input: 'a' }),
          event('step_begin', { n: 1 }),
          ask('s', 'run', { input: 'b' }),
          yes('r', { status: 'finished' }),
          event('step_begin', { n: 1 }),
          yes('s', { status: 'finished' }),
        ],
        found: [],
      },
    ],
  },
  'wire-steer': {
    breaks: [
      {
        what: 'a steer with no turn',
        lines: [ask('s', 'steer', { user_input: 'x' }), no('s', -32000)],
        found: ['wire-steer f1'],
      },
      {
        what: 'a steer in a replay',
        lines: [
          ask('r', 'replay'),
          ask('s', 'steer', { user_input: 'x' }),
          yes('s', { status: 'steered' }),
          yes('r', replayed),
        ],
        found: ['wire-steer f2 warning'],
      },
    ],
    spares: [
      {
        what: 'a steer in a turn that is never told of',
        lines: [
          prompt(),
          begin(),
          ask('s', 'steer', { user_input: 'x' }),
          yes('s', { status: 'steered' }),
          end,
          done(),
        ],
        found: [],
      },
      {
        what: 'a steer that crosses the end of its turn',
        lines: [...turn(), ask('s', 'steer', { user_input: 'x' }), no('s', -32000)],
        found: [],
      },
    ],
  },
  'wire-cancel': {
    breaks: [
      { what: 'a cancel with no turn', lines: [cancel, no('x', -32000)], found: ['wire-cancel f1'] },
      {
        what: 'a cancel long after the turn',
        lines: [...turn(), '~5', cancel, no('x', -32000)],
        found: ['wire-cancel f5'],
      },
      {
        what: 'a turn that cancels itself',
        lines: [prompt(), begin(), end, yes('p', { status: 'cancelled' })],
        found: ['wire-cancel f4'],
      },
      {
        what: 'a cancel with params that an old agent does not answer',
        lines: [prompt(), begin(), ask('x', 'cancel', {}), done(), '!eof', '!exit 0'],
        found: ['wire-cancel f3 warning'],
      },
    ],
    spares: [
      { what: 'a cancel that crosses the end of its turn', lines: [...turn(), cancel, no('x', -32000)], found: [] },
      {
        what: 'a cancel',
        lines: [prompt(), begin(), cancel, yes('x', {}), end, yes('p', { status: 'cancelled' })],
        found: [],
      },
    ],
  },
  'wire-early-eof': {
    breaks: [
      {
        what: 'an agent that fails when stdin is closed',
        lines: [...turn(), '!eof', '!exit 1'],
        found: ['wire-early-eof f6 warning'],
      },
      {
        what: 'a client that closes stdin in a turn',
        lines: [prompt(), begin(), '!eof', '!exit 0'],
        found: ['wire-early-eof f3 info'],
      },
    ],
    spares: [
      { what: 'an agent that exits with 0', lines: [...turn(), '!eof', '!exit 0'], found: [] },
      { what: 'an agent that is interrupted', lines: [...turn(), '!signal SIGINT', '!eof', '!exit 130'], found: [] },
    ],
  },
  'wire-exit-failure': {
    breaks: [
      { what: 'an agent that fails between turns', lines: [...turn(), '!exit 1'], found: ['wire-exit-failure f5'] },
    ],
    spares: [
      { what: 'an agent that is done', lines: [...turn(), '!exit 0'], found: [] },
      { what: 'an agent that is killed', lines: [...turn(), '!signal SIGTERM', '!exit SIGTERM'], found: [] },
    ],
  },
  'wire-handshake': {
    breaks: [
      {
        what: 'an approval that is never sent',
        lines: [
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          event('StatusUpdate', { mcp_status: null }),
          '!eof',
          '!exit 0',
        ],
        found: ['wire-handshake f4', 'wire-early-eof f6 info'],
      },
    ],
    spares: [
      {
        what: 'the same with initialize',
        lines: [
          ...hello(),
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          event('StatusUpdate', { mcp_status: null }),
          '!eof',
          '!exit 0',
        ],
        found: ['wire-early-eof f8 info'],
      },
      {
        what: 'the same with --yolo',
        command: ['kimi', '--wire', '--yolo'],
        lines: [
          prompt(),
          begin(),
          step(1),
          call('c', 'Shell'),
          event('StatusUpdate', { mcp_status: null }),
          '!eof',
          '!exit 0',
        ],
        found: ['wire-early-eof f6 info'],
      },
      {
        what: 'an old agent that asks without it',
        lines: [...turnAsking(decide('a'), resolved('a'), result('c')), '!eof', '!exit 0'],
        found: [],
      },
      {
        what: 'a turn of text without it',
        lines: [...turn(event('StatusUpdate', { mcp_status: null }), step(1), text()), '!eof', '!exit 0'],
        found: [],
      },
    ],
  },
  'wire-deaf': {
    breaks: [
      {
        what: 'an approval of an old agent',
        dialect: 'wire-legacy',
        lines: [
          ask('r', 'run', { input: 'go' }),
          event('step_begin', { n: 1 }),
          legacyCall,
          legacyApproval,
          reply('a', { response: 'approve' }),
          '!eof',
          '!signal SIGTERM',
          '!exit SIGTERM',
        ],
        found: ['wire-deaf f4 warning', 'wire-early-eof f6 info'],
      },
      {
        what: 'an interrupt while an old agent runs',
        dialect: 'wire-legacy',
        lines: legacy(ask('x', 'interrupt'), yes('x', { status: 'idle' })),
        found: ['wire-deaf f3 warning'],
      },
    ],
    spares: [
      { what: 'a run that is finished', dialect: 'wire-legacy', lines: legacy(), found: [] },
      {
        what: 'an interrupt when nothing runs',
        dialect: 'wire-legacy',
        lines: [...legacy(), ask('x', 'interrupt'), yes('x', { status: 'idle' })],
        found: [],
      },
      { what: 'a later agent', lines: turnAsking(decide('a'), resolved('a'), result('c')), found: [] },
    ],
  },
};
