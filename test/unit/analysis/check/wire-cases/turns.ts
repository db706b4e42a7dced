/** Turns, steps, calls, and what else comes in pairs. */
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
  returned,
  step,
  text,
  turn,
  yes,
} from './lines.ts';

const sub = (type: string, payload: object, parent = 'c') =>
  event('SubagentEvent', {
    parent_tool_call_id: parent,
    agent_id: 'g',
    subagent_type: 'coder',
    event: { type, payload },
  });
const retry = (n: number, next_attempt = 2) =>
  event('StepRetry', { n, next_attempt, max_attempts: 3, wait_s: 0.5, error_type: 'E', status_code: 500 });
const cancelled = yes('p', { status: 'cancelled' });
const cancel = [ask('x', 'cancel'), yes('x', {})];

export const turns: Cases = {
  'wire-outside-turn': {
    breaks: [
      { what: 'text outside any turn', lines: [...turn(text()), text(), text()], found: ['wire-outside-turn f6'] },
      {
        what: 'text before the turn begins',
        lines: [prompt(), text(), begin(), end, done()],
        found: ['wire-outside-turn f2'],
      },
      { what: 'text after the turn', lines: [prompt(), begin(), end, text(), done()], found: ['wire-outside-turn f4'] },
      { what: 'a prompt that is finished without a turn', lines: [prompt(), done()], found: ['wire-outside-turn f2'] },
    ],
    spares: [
      {
        what: 'hooks and notices around the turn',
        lines: [
          prompt(),
          event('HookTriggered', { event: 'UserPromptSubmit' }),
          event('HookResolved', { event: 'UserPromptSubmit' }),
          begin(),
          end,
          notice(),
          done(),
          notice(),
        ],
        found: [],
      },
      {
        what: 'status outside any turn',
        lines: [
          ask('m', 'set_plan_mode', { enabled: true }),
          event('StatusUpdate', { plan_mode: true }),
          yes('m', { status: 'ok', plan_mode: true }),
        ],
        found: [],
      },
      { what: 'a prompt that is refused', lines: [prompt(), no('p', -32001)], found: [] },
      {
        what: 'a replay',
        lines: [ask('r', 'replay'), text(), yes('r', { status: 'finished', events: 1, requests: 0 })],
        found: [],
      },
    ],
  },
  'wire-turn-end': {
    breaks: [
      {
        what: 'a turn without its end',
        lines: [...turn(), prompt('q', 'more'), begin('more'), done('q')],
        found: ['wire-turn-end f7'],
      },
      {
        what: 'a turn that is cancelled without its end',
        lines: [
          prompt(),
          begin(),
          ...cancel,
          end,
          cancelled,
          prompt('q', 'more'),
          begin('more'),
          ask('y', 'cancel'),
          yes('y', {}),
          yes('q', { status: 'cancelled' }),
        ],
        found: ['wire-turn-end f11'],
      },
    ],
    spares: [
      { what: 'an old agent, which has none', lines: [prompt(), begin(), text(), done()], found: [] },
      {
        what: 'an agent before 1.30 whose turn is cancelled',
        lines: [...turn(), prompt('q', 'more'), begin('more'), ...cancel, yes('q', { status: 'cancelled' })],
        found: [],
      },
    ],
  },
  'wire-turn-nesting': {
    breaks: [
      { what: 'an end too many', lines: turn(end), found: ['wire-turn-nesting f4'] },
      {
        what: 'an end too many of a subagent',
        lines: turn(step(1), call('c', 'Agent'), sub('TurnEnd', {}), result('c')),
        found: ['wire-turn-nesting f5'],
      },
    ],
    spares: [
      { what: 'a turn in a turn', lines: turn(begin('inner'), end), found: [] },
      { what: 'an inner turn that failed', lines: turn(begin('inner')), found: [] },
    ],
  },
  'wire-step-order': {
    breaks: [
      { what: 'a step that is left out', lines: turn(step(1), step(3)), found: ['wire-step-order f4'] },
      { what: 'a turn that begins with step 2', lines: turn(step(2)), found: ['wire-step-order f3'] },
      { what: 'a retry of another step', lines: turn(step(1), retry(2)), found: ['wire-step-order f4'] },
      { what: 'an attempt too many', lines: turn(step(1), retry(1, 4)), found: ['wire-step-order f4'] },
      {
        what: 'a subagent that counts on',
        lines: turn(
          step(1),
          call('c', 'Agent'),
          sub('TurnBegin', { user_input: 'x' }),
          sub('StepBegin', { n: 2 }),
          result('c'),
        ),
        found: ['wire-step-order f6'],
      },
    ],
    spares: [
      { what: 'steps that begin anew', lines: turn(step(1), step(2), step(1)), found: [] },
      {
        what: 'a subagent that counts for itself',
        lines: turn(
          step(1),
          step(2),
          call('c', 'Agent'),
          sub('TurnBegin', { user_input: 'x' }),
          sub('StepBegin', { n: 1 }),
          result('c'),
          step(3),
        ),
        found: [],
      },
      { what: 'a retry', lines: turn(step(1), retry(1), text()), found: [] },
    ],
  },
  'wire-call-in-step': {
    breaks: [
      { what: 'a call before the first step', lines: turn(call('c'), result('c')), found: ['wire-call-in-step f3'] },
    ],
    spares: [{ what: 'text before the first step, as of a slash command', lines: turn(text()), found: [] }],
  },
  'wire-result': {
    breaks: [
      { what: 'a result of nothing', lines: turn(step(1), result('c')), found: ['wire-result f4'] },
      { what: 'two results', lines: turn(step(1), call('c'), result('c'), result('c')), found: ['wire-result f6'] },
      {
        what: 'a call without a result',
        lines: turn(step(1), call('c'), event('StatusUpdate', {}), step(2), step(3)),
        found: ['wire-result f4'],
      },
      {
        what: 'two calls with one id and one result, which is of the latest',
        lines: turn(step(1), call('c'), call('c'), result('c')),
        found: ['wire-result f4'],
      },
    ],
    spares: [
      {
        what: 'a result before the next call',
        lines: turn(step(1), call('c'), result('c'), call('d'), result('d')),
        found: [],
      },
      {
        what: 'the same id of two agents',
        lines: turn(
          step(1),
          call('c', 'Agent'),
          call('d'),
          sub('StepBegin', { n: 1 }),
          sub('ToolCall', { type: 'function', id: 'd', function: { name: 'ReadFile' } }),
          result('d'),
          sub('ToolResult', { tool_call_id: 'd', return_value: returned }),
          result('c'),
        ),
        found: [],
      },
      {
        what: 'the same id twice, and two results',
        lines: turn(step(1), call('c'), call('c'), result('c'), result('c')),
        found: [],
      },
      {
        what: 'the same id in the next turn',
        lines: [
          ...turn(step(1), call('c'), result('c')),
          prompt('q', 'more'),
          begin('more'),
          step(1),
          call('c'),
          result('c'),
          end,
          done('q'),
        ],
        found: [],
      },
      { what: 'a step that is tried again', lines: turn(step(1), call('c'), retry(1), text()), found: [] },
      { what: 'a step that is tried again in silence', lines: turn(step(1), call('c'), text()), found: [] },
      {
        what: 'a turn that is cancelled',
        lines: [prompt(), begin(), step(1), call('c'), ...cancel, end, cancelled],
        found: [],
      },
    ],
  },
  'wire-step-interrupted': {
    breaks: [
      { what: 'a finished turn', lines: turn(step(1), event('StepInterrupted')), found: ['wire-step-interrupted f6'] },
    ],
    spares: [
      {
        what: 'a failed turn',
        lines: [prompt(), begin(), step(1), event('StepInterrupted'), end, no('p', -32003)],
        found: [],
      },
      { what: 'another round', lines: turn(step(1), event('StepInterrupted'), step(1)), found: [] },
    ],
  },
  'wire-compaction': {
    breaks: [
      { what: 'an end without its beginning', lines: turn(event('CompactionEnd')), found: ['wire-compaction f3'] },
    ],
    spares: [
      {
        what: 'a compaction without a step',
        lines: turn(event('CompactionBegin'), notice(), event('CompactionEnd')),
        found: [],
      },
      { what: 'one that fails', lines: turn(step(1), event('CompactionBegin')), found: [] },
    ],
  },
  'wire-mcp-loading': {
    breaks: [
      { what: 'an end without its beginning', lines: turn(event('MCPLoadingEnd')), found: ['wire-mcp-loading f3'] },
    ],
    spares: [{ what: 'both', lines: turn(event('MCPLoadingBegin'), event('MCPLoadingEnd'), step(1)), found: [] }],
  },
  'wire-bracket': {
    breaks: [
      {
        what: 'an end of another question',
        lines: turn(
          event('BtwBegin', { id: 'a', question: '' }),
          event('BtwEnd', { id: 'b', response: '', error: null }),
        ),
        found: ['wire-bracket f4'],
      },
      {
        what: 'a hook that was not triggered',
        lines: turn(event('HookResolved', { event: 'Stop' })),
        found: ['wire-bracket f3'],
      },
      {
        what: 'a hook that is resolved twice',
        lines: turn(
          event('HookTriggered', { event: 'Stop' }),
          event('HookResolved', { event: 'Stop' }),
          event('HookResolved', { event: 'Stop' }),
        ),
        found: ['wire-bracket f5'],
      },
    ],
    spares: [
      {
        what: 'several at once',
        lines: turn(
          event('HookTriggered', { event: 'PreToolUse', target: 'Shell' }),
          event('HookTriggered', { event: 'PreToolUse', target: 'Shell' }),
          event('HookResolved', { event: 'PreToolUse', target: 'Shell' }),
          event('HookResolved', { event: 'PreToolUse', target: 'Shell' }),
        ),
        found: [],
      },
      {
        what: 'a side question',
        lines: turn(
          event('BtwBegin', { id: 'a', question: '' }),
          event('BtwEnd', { id: 'a', response: '', error: null }),
        ),
        found: [],
      },
    ],
  },
  'wire-subagent': {
    breaks: [
      {
        what: 'a request in an event',
        lines: turn(step(1), call('c', 'Agent'), sub('ApprovalRequest', { id: 'a' }), result('c')),
        found: ['wire-subagent f5'],
      },
      {
        what: 'a subagent of no call',
        lines: turn(step(1), sub('TurnBegin', { user_input: 'x' }, 'd')),
        found: ['wire-subagent f4'],
      },
    ],
    spares: [
      {
        what: 'a subagent of a subagent',
        lines: turn(
          step(1),
          call('c', 'Agent'),
          sub('StepBegin', { n: 1 }),
          sub('ToolCall', { type: 'function', id: 'd', function: { name: 'Agent' } }),
          sub('SubagentEvent', {
            parent_tool_call_id: 'd',
            agent_id: 'h',
            subagent_type: null,
            event: { type: 'StepBegin', payload: { n: 1 } },
          }),
          sub('ToolResult', {
            tool_call_id: 'd',
            return_value: { is_error: false, output: '', message: '', display: [] },
          }),
          result('c'),
        ),
        found: [],
      },
      {
        what: 'a subagent of an unknown parent',
        lines: turn(
          step(1),
          event('SubagentEvent', {
            parent_tool_call_id: null,
            agent_id: 'g',
            subagent_type: null,
            event: { type: 'StepBegin', payload: { n: 1 } },
          }),
        ),
        found: [],
      },
    ],
  },
  'wire-max-steps': {
    breaks: [
      {
        what: 'another number',
        lines: [prompt(), begin(), step(1), step(2), yes('p', { status: 'max_steps_reached', steps: 5 })],
        found: ['wire-max-steps f5'],
      },
    ],
    spares: [
      {
        what: 'the number of steps',
        lines: [prompt(), begin(), step(1), step(2), yes('p', { status: 'max_steps_reached', steps: 2 })],
        found: [],
      },
      {
        what: 'the number of steps of an old agent',
        dialect: 'wire-legacy',
        lines: legacy().with(-1, yes('r', { status: 'max_steps_reached', steps: 1 })),
        found: [],
      },
    ],
  },
  'wire-model-error': {
    breaks: [
      {
        what: 'a step that is not interrupted',
        lines: [...hello(), prompt(), begin(), step(1), no('p', -32003)],
        found: ['wire-model-error f6 warning'],
      },
    ],
    spares: [
      {
        what: 'a step that is',
        lines: [...hello(), prompt(), begin(), step(1), event('StepInterrupted'), no('p', -32003)],
        found: [],
      },
      { what: 'a model that is not set', lines: [...hello(), prompt(), begin(), no('p', -32001)], found: [] },
    ],
  },
};

function notice(): string {
  const words = {
    id: 'n',
    category: 'task',
    type: 't',
    source_kind: 's',
    source_id: 's',
    title: '',
    body: '',
    severity: 'info',
  };
  return event('Notification', { ...words, created_at: 1.5, payload: {} });
}
