/**
 * Sessions made by hand for what no tape of a real program shows, or shows only in passing: one odd thing each. Frames are
 * a second apart, numbered from 1.
 */
import * as $ from '../../support/audit.ts';
import { c, exit, framesOf, proc, type Step } from '../../support/check.ts';
import { answer, ask, refuse, type Said, tell } from '../../support/reading.ts';
import type { SessionToRead } from './pass.ts';

const wire = (...steps: (Said | Step)[]): SessionToRead => made('wire', ['kimi', '--wire'], steps);
const acp = (...steps: (Said | Step)[]): SessionToRead => made('acp', ['agent', 'acp'], steps);
const mcp = (...steps: (Said | Step)[]): SessionToRead => made('mcp', ['server'], steps);

function made(dialect: string, command: string[], steps: (Said | Step)[]): SessionToRead {
  const all = steps.map((step): Step => (Array.isArray(step) ? { from: step[0], line: step[1] } : step));
  return { command, dialect, source: 'record', frames: framesOf(all) };
}

const eof = (from: 'client' | 'agent', detail: Record<string, unknown> = {}): Step => ({ from, event: 'eof', detail });
const done = [eof('client'), exit()];

/** A turn of Wire that has come to an approval: f1 to f4. */
const asking: Said[] = [$.prompts('p'), $.begins('p'), $.calls('x'), $.wants('r', 'x')];
const cancels = (id: string): Said => ['client', ask(id, 'cancel')];
const steps = (n: number): Said => $.says('StepBegin', { n });
/** The same, said by an agent that the call `task` started. */
const inside = (event: Said, agent_id = 'a1'): Said => {
  const { params } = event[1] as { params: unknown };
  return $.says('SubagentEvent', { parent_tool_call_id: 'task', agent_id, subagent_type: 'coder', event: params });
};

const opened: Said[] = [
  ['client', ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c' } })],
  ['agent', answer(0, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's' } })],
  ['client', tell('notifications/initialized')],
];
const toolsCall = (id: number): Said => ['client', ask(id, 'tools/call', { name: 'book', arguments: { id } })];
const elicits = (id: number): Said => [
  'agent',
  ask(id, 'elicitation/create', { message: 'When?', requestedSchema: {} }),
];
const withdraws = (from: 'client' | 'agent', requestId: number): Said => [
  from,
  tell('notifications/cancelled', { requestId }),
];
const accepts = (id: number): Said => ['client', answer(id, { action: 'accept', content: {} })];
const returns = (id: number): Said => ['agent', answer(id, { content: [{ type: 'text', text: 'done' }] })];

const permits = [{ optionId: 'always', name: 'Always allow edits in src', kind: 'allow_always' }];
const says = (sessionId: string, update: object): Said => ['agent', tell('session/update', { sessionId, update })];
const edit = (toolCallId: string, status: string) => ({ toolCallId, kind: 'edit', title: 'Edit', status });
const acpOpened: Said[] = [
  ['client', ask(0, 'initialize', { protocolVersion: 1 })],
  ['agent', answer(0, { protocolVersion: 1 })],
];
const opens = (id: number, sessionId: string): Said[] => [
  ['client', ask(id, 'session/new', { cwd: '/', mcpServers: [] })],
  ['agent', answer(id, { sessionId })],
];
const acpPrompt = (id: number, sessionId: string): Said => [
  'client',
  ask(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] }),
];

const ASKED = { tool_call_id: 'x', sender: 'Shell', action: 'run command', description: 'Run command `ls`' };
const OUTPUT = { is_error: false, output: 'done', message: '', display: [] };
const optionsFor = (id: string) => [{ optionId: 'always', name: `Always allow ${id}`, kind: 'allow_always' }];

const permission = (id: number, call: string): Said => [
  'agent',
  ask(id, 'session/request_permission', { sessionId: 's', options: permits, toolCall: edit(call, 'pending') }),
];
const chooses = (id: number): Said => ['client', answer(id, { outcome: { outcome: 'selected', optionId: 'always' } })];

export const MADE: Record<string, SessionToRead> = {
  // How it ends.
  'recorder killed while an approval is open': wire(...asking, proc('lost')),
  'recorder killed while a question of a server is open': mcp(...opened, toolsCall(1), elicits(7), proc('lost')),
  'client closes stdin after the agent closed stdout': wire(...asking, eof('agent'), eof('client'), exit()),
  'agent closes its stdin while an approval is open': wire(...asking, eof('client', { by: 'agent' }), exit()),
  'agent ends while an approval is open': wire(...asking, exit(1)),
  'pipes left to another process': wire(...asking, proc('abandoned', { streams: ['agent'] }), exit()),
  'part of the recording is missing': wire(...asking, proc('gap', { missing: 9 }), exit()),
  'nothing says how it ended': wire(...asking),

  // Turns and what is asked around them.
  'approval before its turn is taken up, settled by its answer': wire(
    ...[$.prompts('p'), $.wants('r', 'x'), $.begins('p'), $.finishes('p'), ...done],
  ),
  'approval of a subagent before its turn is taken up': wire(
    ...[$.prompts('p'), inside($.calls('x')), $.asks('r', 'ApprovalRequest', { ...ASKED, agent_id: 'a1' })],
    ...[$.begins('p'), $.decides('r', 'approve'), $.finishes('p'), ...done],
  ),
  'approval before its turn is taken up, call in the next turn': wire(
    ...[$.prompts('p'), $.wants('r', 'x'), $.begins('p'), $.finishes('p')],
    ...[$.prompts('q'), $.begins('q'), $.calls('x'), $.results('x'), $.finishes('q'), ...done],
  ),
  'next turn while an approval is open': wire(
    ...[...asking, $.prompts('q'), $.begins('q'), $.finishes('q'), $.decides('r', 'approve'), ...done],
  ),
  'next turn while a call runs': wire(...asking.slice(0, 3), $.prompts('q'), $.begins('q'), proc('lost')),
  'prompt refused while a call runs': wire(
    ...[...asking.slice(0, 3), $.prompts('q'), ['agent', refuse('q', -32000)] as Said, exit(1)],
  ),
  'turn cancelled while an approval is open, and nothing more': wire(...asking, cancels('c')),
  'turn cancelled while a tool of the client is open, and nothing more': wire(
    ...[...asking.slice(0, 3), $.asks('t', 'ToolCallRequest', { name: 'Shell', arguments: '{}' }), cancels('c')],
  ),
  'two sessions, one answered while the other runs a call': acp(
    ...[...acpOpened, ...opens(1, 's1'), ...opens(2, 's2'), acpPrompt(3, 's1'), acpPrompt(4, 's2')],
    ...[says('s1', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hm' } })],
    ...[says('s2', { sessionUpdate: 'tool_call', ...edit('x', 'in_progress') })],
    ...[['agent', answer(3, { stopReason: 'end_turn' })] as Said, exit(1)],
  ),
  'step outside any turn, then a prompt': wire(
    ...[
      steps(1),
      $.prompts('p'),
      $.wants('r', 'x'),
      $.begins('p'),
      $.decides('r', 'approve'),
      $.finishes('p'),
      ...done,
    ],
  ),
  'call before its turn is taken up, about which nobody is asked': wire(
    ...[$.prompts('p'), $.calls('x'), $.results('x'), $.begins('p'), $.finishes('p'), ...done],
  ),
  'call before its turn is taken up, approval after that': wire(
    ...[$.prompts('p'), $.calls('x'), $.begins('p'), $.wants('r', 'x'), $.decides('r', 'approve')],
    ...[$.results('x'), $.finishes('p'), ...done],
  ),
  'prompt taken up by a request about an earlier call': acp(
    ...[...acpOpened, ...opens(1, 's'), says('s', { sessionUpdate: 'tool_call', ...edit('x', 'pending') })],
    ...[
      acpPrompt(2, 's'),
      permission(9, 'x'),
      chooses(9),
      ['agent', answer(2, { stopReason: 'end_turn' })] as Said,
      ...done,
    ],
  ),
  'approval of a background agent while a turn is open': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.calls('task', 'Agent')],
    ...[$.results('task', false, 'task_id: bash-1\nagent_id: a1\nstatus: running')],
    ...[
      $.asks('r', 'ApprovalRequest', {
        ...ASKED,
        source_kind: 'background_agent',
        source_id: 'bash-1',
        agent_id: 'a1',
      }),
    ],
    ...[$.decides('r', 'approve'), $.resolves('r', 'approve'), $.finishes('p'), ...done],
  ),
  'approval after its turn was cancelled': wire(...asking.slice(0, 3), cancels('c'), asking[3]!, ...done),
  'approval after the client has left': wire(...asking.slice(0, 3), eof('client'), asking[3]!, exit()),
  'approval resolved after the client has left': wire(...asking, eof('client'), $.resolves('r', 'reject'), exit()),
  'line of the agent after its exit': wire(...asking, $.resolves('r', 'reject'), $.finishes('p'), exit(), steps(1)),

  // Calls.
  'call announced twice': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.calls('x'), $.calls('x'), $.results('x'), $.finishes('p'), ...done],
  ),
  'question before its call': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.asks('q', 'QuestionRequest', { tool_call_id: 'x', questions: [] })],
    ...[$.calls('x', 'AskUserQuestion'), $.replies('q', { request_id: 'q', answers: { a: 'b' } })],
    ...[$.results('x'), $.finishes('p'), ...done],
  ),
  'approval of a call that is never announced': wire(
    ...[$.prompts('p'), $.begins('p'), $.wants('r', 'x'), $.decides('r', 'approve'), $.results('x')],
    ...[$.finishes('p'), ...done],
  ),
  'call of a server withdrawn while another is open': mcp(
    ...[...opened, toolsCall(1), withdraws('client', 1), toolsCall(2), elicits(7), accepts(7), returns(2), ...done],
  ),
  'only call of a server withdrawn before it asks': mcp(
    ...[...opened, toolsCall(1), withdraws('client', 1), elicits(7), accepts(7), ...done],
  ),
  'question withdrawn by the server': mcp(
    ...[...opened, toolsCall(1), elicits(7), withdraws('agent', 7), returns(1), ...done],
  ),
  'step ends before a call has a result': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.calls('x'), steps(2), $.calls('y'), exit(1)],
  ),
  'step of a subagent is tried again': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.calls('task', 'Task'), inside(steps(1)), inside($.calls('x'))],
    ...[inside($.says('StepRetry', { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 1, error_type: 'x' })), exit(1)],
  ),
  'two agents number their calls alike': wire(
    ...[$.prompts('p'), $.begins('p'), steps(1), $.calls('task', 'Task'), $.calls('x'), inside(steps(1))],
    ...[inside($.calls('x')), inside($.results('x')), exit(1)],
  ),

  // Answers and grants.
  'request sent again with its id': acp(
    ...[
      ...acpOpened,
      ...opens(1, 's'),
      acpPrompt(2, 's'),
      says('s', { sessionUpdate: 'tool_call', ...edit('x', 'pending') }),
    ],
    ...[
      permission(9, 'x'),
      permission(9, 'x'),
      chooses(9),
      says('s', { sessionUpdate: 'tool_call_update', ...edit('x', 'completed') }),
    ],
    ...[['agent', answer(2, { stopReason: 'end_turn' })] as Said, ...done],
  ),
  'invalid answer, and nothing more': wire(...asking, $.decides('r', 'perhaps')),
  'tool of the client fails, then succeeds': wire(
    ...[...asking.slice(0, 3), $.asks('t', 'ToolCallRequest', { name: 'Shell', arguments: '{}' })],
    ...[c(refuse('t', 1)), c(answer('t', { tool_call_id: 't', return_value: OUTPUT })), $.finishes('p'), ...done],
  ),
  'grant whose option has words and whose request has a kind': acp(
    ...[
      ...acpOpened,
      ...opens(1, 's'),
      acpPrompt(2, 's'),
      says('s', { sessionUpdate: 'tool_call', ...edit('x', 'pending') }),
    ],
    ...[
      [
        'agent',
        ask(9, 'session/request_permission', { sessionId: 's', options: permits, toolCall: edit('x', 'pending') }),
      ] as Said,
    ],
    ...[['client', answer(9, { outcome: { outcome: 'selected', optionId: 'always' } })] as Said],
    ...[says('s', { sessionUpdate: 'tool_call_update', ...edit('x', 'completed') })],
    ...[says('s', { sessionUpdate: 'tool_call', ...edit('y', 'pending') })],
    ...[says('s', { sessionUpdate: 'tool_call_update', ...edit('y', 'completed') })],
    ...[['agent', answer(2, { stopReason: 'end_turn' })] as Said, ...done],
  ),
  'two grants of different options for one kind': acp(
    ...[...acpOpened, ...opens(1, 's'), acpPrompt(2, 's')],
    ...['x', 'y'].flatMap((id, i): Said[] => [
      says('s', { sessionUpdate: 'tool_call', ...edit(id, 'pending') }),
      [
        'agent',
        ask(10 + i, 'session/request_permission', {
          sessionId: 's',
          options: optionsFor(id),
          toolCall: edit(id, 'pending'),
        }),
      ],
      ['client', answer(10 + i, { outcome: { outcome: 'selected', optionId: 'always' } })],
      says('s', { sessionUpdate: 'tool_call_update', ...edit(id, 'completed') }),
    ]),
    ...[['agent', answer(2, { stopReason: 'end_turn' })] as Said, ...done],
  ),
  'resolved as a grant without an answer': wire(
    ...[...asking, $.resolves('r', 'approve_for_session'), $.results('x'), $.finishes('p'), ...done],
  ),
};
