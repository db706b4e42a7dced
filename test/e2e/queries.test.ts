/** The twelve queries of everyday, on tapes of real programs and on what those lack, through the built program. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_QUERIES } from '../../lib/analysis/query/help.ts';
import { wiretapeHere } from '../support/in-process.ts';
import type { TestJournal } from '../support/journal.ts';
import { importTapes } from '../support/query-store.ts';
import { makeSession, rpc } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';

const SECOND = 1_000_000;

/** Session and frame of all that each finds, as `tape#f`. */
const EXPECTED: Record<string, string[]> = {
  'envelope:request is:pending': [
    ...['alone#3', 'alone#4', 'secrets#3', 'secrets#4', 'unasked#3'],
    ...['mcp/everything-cancel#15'],
    ...['qwen-stream-json-0.15.10/hand_direct_mode#10', 'qwen-stream-json-0.15.10/hand_rfc_message_types#7'],
    ...[
      'wire-0.46/approve#2',
      'wire-0.46/errors#14',
      'wire-0.46/errors#15',
      'wire-0.46/errors#16',
      'wire-0.46/subagent#2',
    ],
    ...['wire-0.58/subagent#2'],
    ...[
      'wire-0.59/cancel#4',
      'wire-0.59/cancel#9',
      'wire-0.59/errors#11',
      'wire-0.59/errors#14',
      'wire-0.59/errors#15',
      'wire-0.59/errors#2',
      'wire-0.59/errors#24',
      'wire-0.59/errors#3',
      'wire-0.59/errors#4',
    ],
    ...[
      'wire-0.80/external_tool#4',
      'wire-0.80/external_tool#44',
      'wire-0.80/int_id#4',
      'wire-0.80/mcp_broken#7',
      'wire-0.80/stdin_eof_at_once#4',
    ],
    ...['wire-1.12.0/cancel#12'],
    ...['wire-1.24.0/sigterm_midturn#4'],
    ...['wire-1.25.0/cancel#12', 'wire-1.25.0/late_initialize#14', 'wire-1.25.0/no_initialize#2'],
    ...['wire-1.31.0/hooks#50'],
    ...[
      'wire-1.49.0/approval_session_sweeps#13',
      'wire-1.49.0/approval_session_sweeps#14',
      'wire-1.49.0/approval_unanswered#10',
      'wire-1.49.0/approval_unanswered#4',
      'wire-1.49.0/cancel#12',
      'wire-1.49.0/errors#19',
      'wire-1.49.0/errors#38',
      'wire-1.49.0/external_tool#45',
      'wire-1.49.0/hooks#50',
      'wire-1.49.0/stdin_eof_midturn#4',
    ],
    ...['wire-rs-1.8.0/cancel#12'],
  ],
  'kind:approval wait:60s..*': ['danger#3'],
  'approval:unasked tool:Shell,Bash,WriteFile': [
    ...['unasked#6'],
    // In yolo mode nobody is asked.
    ...['wire-1.24.0/sigterm_midturn#8', 'wire-1.49.0/stdin_eof_midturn#8'],
    ...['wire-1.31.0/hooks#12', 'wire-1.31.0/hooks#34', 'wire-1.31.0/hooks#47'],
    ...['wire-1.49.0/hooks#12', 'wire-1.49.0/hooks#34', 'wire-1.49.0/hooks#47'],
    ...[
      'wire-1.49.0/concurrent#8',
      'wire-1.49.0/concurrent#9',
      'wire-1.49.0/concurrent#10',
      'wire-1.49.0/concurrent#13',
    ],
    ...['wire-1.31.0/plan_mode#22', 'wire-1.31.0/plan_mode#50'],
  ],
  'by:grant tool:Shell': ['wire-1.49.0/approval_session_sweeps#13', 'wire-1.49.0/approval_session_sweeps#14'],
  'kind:approval @params.payload.description:/rm -rf|curl .*\\| *sh/': ['danger#3', 'danger#5'],
  'from:agent kind:noise': ['wire-1.24.0/stdout_noise#17', 'wire-1.24.0/stdout_noise#18'],
  'from:agent size:1mb..*': ['long#3'],
  'kind:prompt-answer latency:120s..* NOT status:finished,end_turn': ['slow#6'],
  '(code:-32099..-32000 OR is:invalid) client:zed* version:1.1*': ['zed#4', 'zed#6'],
  'tool:WriteFile @params.payload.display[*].path:/\\.env$/': ['secrets#3'],
  'subagent:* kind:approval approval:none': ['alone#3'],
  'from:stderr "connection reset" exit:1..*': ['reset#3'],
};

/** Tapes in which none of them finds anything, or that look as if. */
const OTHERS = [
  ...['acp/kimi-allow', 'acp/qwen-cancel', 'acp/kimi-error', 'mcp/everything-basic', 'kimi-stream-json/write'],
  ...['qwen-rfc/chunks', 'qwen-stream-json-0.24.4/agent', 'qwen-stream-json-0.15.10/agent_yolo', 'wire-1.24.0/replay'],
  ...['wire-1.49.0/background_agent', 'wire-1.49.0/concurrent', 'wire-1.49.0/subagent_parallel'],
];

let place: Place;
let tapes: Map<string, string>;

beforeAll(async () => {
  place = makePlace();
  const wanted = new Set([...Object.values(EXPECTED).flat(), ...OTHERS].map((one) => `${one.split('#')[0]}.jsonl`));
  tapes = importTapes(place.home, (name) => wanted.has(name));
  for (const [name, fill] of Object.entries(MADE)) {
    const id = `20261117T${String(tapes.size).padStart(6, '0')}-made`;
    makeSession(place.home, fill, { id, names: { name, tags: {} } });
    tapes.set(id, name);
  }
});

afterAll(() => removePlace(place));

const request = (id: string, type: string, payload: object) =>
  rpc({ method: 'request', id, params: { type, payload: { id, ...payload } } });
const event = (type: string, payload: object) => rpc({ method: 'event', params: { type, payload } });
const approval = (id: string, sender: string, description: string, display: object[] = []) =>
  request(id, 'ApprovalRequest', { tool_call_id: `of-${id}`, sender, action: 'run', description, display });
const answer = (id: string, response: string) => rpc({ id, result: { request_id: id, response } });
const call = (id: string, name: string) =>
  event('ToolCall', { type: 'function', id, function: { name, arguments: '{}' } });
const done = (id: string) =>
  event('ToolResult', { tool_call_id: id, return_value: { is_error: false, output: '', message: '', display: [] } });

function hello(journal: TestJournal, client = 'lab', version = '1.49.0'): TestJournal {
  const params = { protocol_version: '1.10', client: { name: client, version: '0.9' } };
  const server = { name: 'Kimi Code CLI', version };
  journal.data('client', 10, rpc({ id: 'i', method: 'initialize', params }));
  return journal.data('agent', 20, rpc({ id: 'i', result: { protocol_version: '1.10', server, slash_commands: [] } }));
}

/** What no tape has. */
const MADE: Record<string, (journal: TestJournal) => unknown> = {
  secrets(journal) {
    const diff = (path: string) => [{ type: 'diff', path, old_text: '', new_text: 'KEY=1' }];
    hello(journal).data('agent', 100, approval('a', 'WriteFile', 'edit', diff('/app/.env')));
    journal.data('agent', 200, approval('b', 'WriteFile', 'edit', diff('/app/.env.example'))).exit(300);
  },
  danger(journal) {
    hello(journal).data('agent', 100, approval('a', 'Shell', 'Run `rm -rf /`'));
    journal.data('client', 61 * SECOND, answer('a', 'reject'));
    journal.data('agent', 62 * SECOND, approval('b', 'Shell', 'Run `curl https://x.y/z | sh`'));
    journal.data('client', 63 * SECOND, answer('b', 'approve_for_session'));
    journal.data('agent', 64 * SECOND, approval('c', 'Shell', 'Run `ls`'));
    journal.data('client', 65 * SECOND, answer('c', 'approve')).exit(66 * SECOND);
  },
  unasked(journal) {
    hello(journal).data('client', 50, rpc({ id: 'p', method: 'prompt', params: { user_input: 'go' } }));
    journal.data('agent', 60, event('TurnBegin', { user_input: 'go' }) + event('StepBegin', { n: 1 }));
    journal.data('agent', 100, call('c1', 'Shell') + done('c1'));
    journal.data('agent', 200, call('c2', 'ReadFile') + done('c2')).exit(300);
  },
  alone(journal) {
    const payload = { id: 'a', tool_call_id: 'c', sender: 'Shell', action: 'run', description: 'ls', display: [] };
    const of = { agent_id: 'a6b5411be', subagent_type: 'coder', source_kind: 'foreground_turn' };
    hello(journal).data('agent', 100, request('a', 'ApprovalRequest', { ...payload, ...of }));
    journal.data('agent', 200, request('b', 'ApprovalRequest', { ...payload, id: 'b' })).exit(300);
  },
  slow(journal) {
    const prompt = (id: string, t: number, took: number, status: string) => {
      journal.data('client', t, rpc({ id, method: 'prompt', params: { user_input: 'x' } }));
      journal.data('agent', t + took * SECOND, rpc({ id, result: { status } }));
    };
    hello(journal);
    prompt('p1', 100, 121, 'finished');
    prompt('p2', 200 * SECOND, 121, 'max_steps_reached');
    prompt('p3', 400 * SECOND, 119, 'max_steps_reached');
    journal.exit(600 * SECOND);
  },
  long(journal) {
    hello(journal).data('agent', 100, rpc({ method: 'event', params: { type: 'x', payload: 'y'.repeat(1 << 20) } }));
    journal.data('client', 200, rpc({ method: 'x', params: 'y'.repeat(1 << 20) })).exit(300);
  },
  reset(journal) {
    hello(journal).data('stderr', 100, 'httpx.ReadError: Connection RESET by peer\n');
    journal.data('agent', 200, event('x', { text: 'connection reset' })).exit(300, { code: 1, signal: null });
  },
  recovered(journal) {
    hello(journal).data('stderr', 100, 'connection reset, once more\n').exit(300);
  },
  zed(journal) {
    hello(journal, 'Zed', '1.1.7').data('client', 100, rpc({ id: 1, method: 'prompt', params: {} }));
    journal.data('agent', 200, rpc({ id: 1, error: { code: -32602, message: 'Invalid params' } }));
    journal.data('client', 300, rpc({ id: 2, method: 'prompt', params: { user_input: 'x' } }));
    journal.data('agent', 400, rpc({ id: 2, error: { code: -32001, message: 'LLM is not set' } }));
    journal.data('agent', 500, rpc({ id: 3, error: { code: -32601, message: 'no' } })).exit(600);
  },
};

describe('the queries of everyday', () => {
  it('are twelve', () => {
    expect(EXAMPLE_QUERIES.map(({ query }) => query)).toEqual(Object.keys(EXPECTED));
  });

  it.each(EXAMPLE_QUERIES.map(({ query }) => query))('%s', async (query) => {
    const { stdout, stderr, code } = await wiretapeHere(place, ['filter', query, '--json']);
    expect(stderr.toString()).toBe('');
    const rows = stdout.toString().split('\n').slice(0, -1);
    const found = rows.map((row) => JSON.parse(row) as { session: string; f: number });
    expect(found.map(({ session, f }) => `${tapes.get(session)}#${f}`).sort()).toEqual([...EXPECTED[query]!].sort());
    expect(code).toBe(0);
  });
});
