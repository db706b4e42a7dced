/** What differs between two runs of one scenario and means nothing, as each protocol has it. */
import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { isDifference } from '../../../../lib/analysis/diff/result.ts';
import type { Frame, From } from '../../../../lib/model/frame.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';

type Said = [from: From, value: unknown];

interface Run {
  command?: string[];
  cwd?: string;
}

function session(lines: readonly Said[], { command = ['agent'], cwd = '/work/one' }: Run = {}): Session {
  const frames = lines.map(([from, value], i): Frame => {
    const form = typeof value === 'string' ? 'text' : 'message';
    const raw = new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
    return { f: i + 1, t: i / 10, t0: null, from, form, raw, eol: '\n', event: null, detail: {} };
  });
  const end = { f: frames.length + 1, t: frames.length / 10, t0: null, raw: new Uint8Array(), eol: '' } as const;
  frames.push({ ...end, from: 'proc', form: 'event', event: 'exit', detail: { code: 0, signal: null } });
  const about = {
    session: 'test',
    started_at: '2026-11-16T00:00:00.000000Z',
    command,
    cwd,
    recorder: 'wiretape 0.1.0',
  };
  return sessionInMemory({ type: 'metadata', wiretape: 1, ...about }, frames);
}

/** What differs and counts, in short. */
function differences(a: Session, b: Session): string[] {
  return diffSessions(a, b)
    .entries.filter(isDifference)
    .map(({ section, op, kind, changes }) => [section, op, kind, ...changes.map(({ path }) => path)].join(' '));
}

const request = (id: number | string, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
const notice = (method: string, params: unknown) => ({ jsonrpc: '2.0', method, params });
const answer = (id: number | string, result: unknown) => ({ jsonrpc: '2.0', id, result });

describe('Claude', () => {
  const run = (pid: number): Said[] => [
    ['client', { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize', hooks: null } }],
    [
      'agent',
      {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'r1', response: { commands: [], pid } },
      },
    ],
  ];

  it('tells its process id', () => {
    expect(differences(session(run(101)), session(run(202)))).toEqual([]);
  });
});

describe('MCP', () => {
  const run = (id: number): Said[] => [
    ['client', request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} })],
    ['agent', answer(0, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } })],
    ['client', notice('notifications/initialized', {})],
    ['client', request(id, 'tools/list', {})],
    ['client', notice('notifications/cancelled', { requestId: id, reason: 'too slow' })],
  ];

  it('names what is cancelled by an id', () => {
    expect(differences(session(run(3)), session(run(4)))).toEqual([]);
  });
});

describe('Wire', () => {
  const run = (events: number, status: string): Said[] => [
    ['client', request('1', 'initialize', { protocol_version: '1.10' })],
    ['agent', answer('1', { protocol_version: '1.10', server: { name: 'kimi', version: '1' }, slash_commands: [] })],
    ['client', request('2', 'replay', {})],
    ['agent', answer('2', { status, events, requests: 0 })],
  ];

  it('comes so far by chance with a replay that is cancelled, not with one that is finished', () => {
    expect(differences(session(run(1, 'cancelled')), session(run(2, 'cancelled')))).toEqual([]);
    expect(differences(session(run(1, 'finished')), session(run(2, 'finished')))).toHaveLength(1);
  });
});

/** A prompt, and a call with its approval. */
function acp(cwd: string, call: { title: string; rawInput: unknown; option?: string }): Said[] {
  const { title, rawInput, option = 'Allow' } = call;
  const toolCall = { toolCallId: 'call_1', title, kind: 'edit', status: 'pending', rawInput };
  return [
    ['client', request(1, 'initialize', { protocolVersion: 1 })],
    ['agent', answer(1, { protocolVersion: 1, agentInfo: { name: 'x', version: '1' } })],
    ['client', request(2, 'session/new', { cwd, mcpServers: [] })],
    ['agent', answer(2, { sessionId: 's1' })],
    ['client', request(3, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] })],
    ['agent', notice('session/update', { sessionId: 's1', update: { sessionUpdate: 'tool_call', ...toolCall } })],
    [
      'agent',
      request(7, 'session/request_permission', {
        sessionId: 's1',
        toolCall,
        options: [{ optionId: 'a', name: option, kind: 'allow_once' }],
      }),
    ],
    ['client', answer(7, { outcome: { outcome: 'selected', optionId: 'a' } })],
    [
      'agent',
      notice('session/update', {
        sessionId: 's1',
        update: { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed' },
      }),
    ],
    ['agent', answer(3, { stopReason: 'end_turn' })],
  ];
}

describe('ACP', () => {
  it('has moments and paths in the arguments of calls', () => {
    const run = (at: number, cwd: string) => {
      const rawInput = { started_at_ms: at, changes: { [`${cwd}/a.txt`]: { type: 'add' } }, other: {} };
      return session(acp(cwd, { title: 'Edit a.txt', rawInput }), { cwd });
    };
    expect(differences(run(1794855075250, '/work/zone'), run(1794855057209, '/work/area'))).toEqual([]);
  });

  it('has numbers in the arguments of calls that count', () => {
    const run = (ms: number) => session(acp('/work/one', { title: 'Wait', rawInput: { timeout_ms: ms } }));
    expect(differences(run(1000), run(2000))).toEqual(['conversation changed tool-call /arguments/timeout_ms']);
  });

  it('tells the folder in which a session works', () => {
    const run = (cwd: string) =>
      session(acp(cwd, { title: `Edit ${cwd}/a.txt`, rawInput: { path: `${cwd}/a.txt` } }), { cwd: '/' });
    expect(differences(run('/work/one'), run('/srv/two'))).toEqual([]);
  });

  it('repeats the recorded folder in a replay, whose client names another', () => {
    const call = { title: 'Write a.txt', rawInput: { path: '/home/dev/shop/a.txt' } };
    const recorded = session(acp('/home/dev/shop', call), { cwd: '/home/dev' });
    const run = session(acp('/tmp/run', call), { cwd: '/tmp/run' });
    const replay = { ...run, metadata: { ...run.metadata, replay_of: 'test' } };
    expect(differences(recorded, replay)).toEqual([]);
    expect(differences(replay, recorded)).toEqual([]);
    expect(differences(recorded, run)).not.toEqual([]);
  });

  it('shortens the folder in titles and labels', () => {
    const run = (cwd: string) => {
      const title = `Creating ...${`${cwd}/hello.txt`.slice(-20)}`;
      const option = `Yes, and allow access to ${cwd.split('/').at(-1)}/`;
      return session(acp(cwd, { title, rawInput: {}, option }), { cwd });
    };
    expect(differences(run('/work/runs/first-1.0'), run('/srv/second-22.0'))).toEqual([]);
  });

  const opened = (lines: Said[]): Said[] => [
    ['client', request(1, 'initialize', { protocolVersion: 1 })],
    ['agent', answer(1, { protocolVersion: 1, agentInfo: { name: 'x', version: '1' } })],
    ['client', request(2, 'session/new', { cwd: '/work/one', mcpServers: [] })],
    ['agent', answer(2, { sessionId: 's1' })],
    ...lines,
  ];
  const update = (said: Record<string, unknown>): Said => [
    'agent',
    notice('session/update', { sessionId: 's1', update: said }),
  ];

  it('tells a mode that was asked for before the answer or after it', () => {
    const asked: Said = ['client', request(3, 'session/set_mode', { sessionId: 's1', modeId: 'plan' })];
    const answered: Said = ['agent', answer(3, {})];
    const told = update({
      sessionUpdate: 'config_option_update',
      configOptions: [{ id: 'mode', currentValue: 'plan' }],
    });
    const other = update({
      sessionUpdate: 'config_option_update',
      configOptions: [{ id: 'mode', currentValue: 'yolo' }],
    });
    expect(differences(session(opened([asked, told, answered])), session(opened([asked, answered, told])))).toEqual([]);
    expect(differences(session(opened([asked, answered, told])), session(opened([asked, answered, other])))).toEqual([
      'conversation added mode ',
    ]);
  });

  it('may name a tool only after it was asked about', () => {
    const call = { toolCallId: 'call_1', title: 'echo ok', kind: 'execute', rawInput: { command: 'echo ok' } };
    const run = (before: Record<string, unknown>, name: string | null = 'shell') =>
      session(
        opened([
          ['client', request(3, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] })],
          [
            'agent',
            request(7, 'session/request_permission', {
              sessionId: 's1',
              toolCall: { ...call, ...before },
              options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
            }),
          ],
          ['client', answer(7, { outcome: { outcome: 'selected', optionId: 'a' } })],
          update({
            sessionUpdate: 'tool_call_update',
            toolCallId: 'call_1',
            ...(name === null ? { status: 'failed' } : { status: 'completed', _meta: { toolName: name } }),
          }),
          ['agent', answer(3, { stopReason: 'end_turn' })],
        ]),
      );
    expect(differences(run({}), run({ _meta: { toolName: 'shell' } }))).toEqual([]);
    // It is never named if it does not run.
    expect(differences(run({}), run({}, null))).toEqual(['conversation changed tool-call /result/status']);
    expect(differences(run({}), run({}, 'bash')).slice(0, 1)).toEqual(['conversation changed tool-call /tool']);
  });
});

describe('Codex in MCP', () => {
  const event = (msg: unknown): Said => [
    'agent',
    notice('codex/event', { _meta: { requestId: 3, threadId: 't' }, id: '3', msg }),
  ];
  const command = ['/bin/bash', '-lc', 'echo ok'];

  it('tells the arguments of a call otherwise once it begins', () => {
    const run = (decision: 'approved' | 'denied', after: Said[]): Said[] => [
      ['client', request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} })],
      [
        'agent',
        answer(0, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } }),
      ],
      ['client', notice('notifications/initialized', {})],
      ['client', request(3, 'tools/call', { name: 'codex', arguments: { prompt: 'go' } })],
      event({
        type: 'raw_response_item',
        item: { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"echo ok"}', call_id: 'call_1' },
      }),
      [
        'agent',
        request(9, 'elicitation/create', {
          ...{ message: 'Allow?', requestedSchema: { type: 'object', properties: {} }, threadId: 't' },
          ...{ codex_elicitation: 'exec-approval', codex_mcp_tool_call_id: '3', codex_call_id: 'call_1' },
          ...{ codex_command: command, codex_cwd: '/work/one' },
        }),
      ],
      ['client', answer(9, { decision })],
      ...after,
      ['agent', answer(3, { content: [{ type: 'text', text: 'Done.' }] })],
    ];
    const ran = [
      event({ type: 'exec_command_begin', call_id: 'call_1', command, cwd: '/work/one' }),
      event({
        type: 'exec_command_end',
        call_id: 'call_1',
        exit_code: 0,
        aggregated_output: 'ok',
        status: 'completed',
      }),
    ];
    const refused = [
      event({
        type: 'raw_response_item',
        item: { type: 'function_call_output', call_id: 'call_1', output: 'rejected' },
      }),
    ];
    const found = differences(session(run('approved', ran)), session(run('denied', refused)));
    expect(found[0]).toBe('conversation changed tool-call /result/status /result/output');
  });
});

describe('calls that were cut off', () => {
  const event = (type: string, payload: unknown): Said => ['agent', notice('event', { type, payload })];

  it('may have run if their arguments are whole, whatever came after them', () => {
    const call = event('ToolCall', {
      type: 'function',
      id: 'k-1',
      function: { name: 'Shell', arguments: '{"command": "sleep 6"}' },
    });
    const status = event('StatusUpdate', { context_usage: null, token_usage: null, message_id: null });
    const run = (lines: Said[]) =>
      session(
        [
          ['client', request('1', 'initialize', { protocol_version: '1.10' })],
          [
            'agent',
            answer('1', { protocol_version: '1.10', server: { name: 'kimi', version: '1' }, slash_commands: [] }),
          ],
          ['client', request('2', 'prompt', { user_input: 'go' })],
          event('TurnBegin', { user_input: 'go' }),
          event('StepBegin', { n: 1 }),
          ...lines,
        ],
        { command: ['kimi', '--wire', '--yolo'] },
      );
    expect(differences(run([status, call]), run([call, status]))).toEqual([]);
    const part = event('ToolCall', { type: 'function', id: 'k-1', function: { name: 'Shell', arguments: '{"comm' } });
    expect(differences(run([call]), run([part])).filter((one) => one.startsWith('approvals'))).toHaveLength(1);
  });
});

describe('one-shot runs', () => {
  const text = [{ type: 'text', text: 'Done.' }];
  const said: Said[] = [
    ['agent', { type: 'system', subtype: 'init', session_id: 's', cwd: '/work/one', tools: [], model: 'm' }],
    ['agent', { type: 'assistant', session_id: 's', message: { id: 'm1', role: 'assistant', content: text } }],
    ['agent', { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'Done.' }],
  ];
  const stream = ['--output-format', 'stream-json'];

  it('have their prompt on the command line', () => {
    const once = session(said, { command: ['claude', '-p', 'say it', ...stream] });
    const prompt = { type: 'user', session_id: '', message: { role: 'user', content: 'say it' } };
    const lines = session([['client', prompt], ...said], {
      command: ['claude', ...stream, '--input-format', 'stream-json'],
    });
    const other = session(said, { command: ['claude', '-p', 'say something', ...stream] });
    expect(differences(once, lines).filter((one) => one.startsWith('conversation'))).toEqual([]);
    expect(differences(once, other)).toEqual(['conversation changed turn /prompt']);
  });

  it('may have it without an option', () => {
    const codex: Said[] = [
      ['agent', { type: 'thread.started', thread_id: 't' }],
      ['agent', { type: 'turn.started' }],
      ['agent', { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'see /work/sub/a.txt' } }],
      ['agent', { type: 'turn.completed', usage: {} }],
    ];
    const run = (...words: string[]) =>
      session(codex, { command: ['codex', 'exec', '--json', ...words], cwd: '/work' });
    expect(differences(run('say it'), run('-p', 'profile', 'say it', '-m', 'other'))).toEqual([]);
    expect(differences(run('say it'), run('say that'))).toEqual(['conversation changed turn /prompt']);
  });

  it('may work in another folder than they were started in', () => {
    const run = (folder: string) => {
      const item = { id: 'i', type: 'agent_message', text: `see ${folder}/a.txt` };
      const lines: Said[] = [
        ['client', 'say it'],
        ['agent', { type: 'thread.started', thread_id: 't' }],
        ['agent', { type: 'turn.started' }],
        ['agent', { type: 'item.completed', item }],
        ['agent', { type: 'turn.completed', usage: {} }],
      ];
      return session(lines, { command: ['codex', 'exec', '--experimental-json', '--cd', folder], cwd: '/work' });
    };
    expect(differences(run('/work/first'), run('/work/second/run'))).toEqual([]);
  });
});

describe('across protocols', () => {
  const hello = (agent: Record<string, unknown>, more: Record<string, unknown>): Said[] => [
    ['client', request(1, 'initialize', { protocolVersion: 1 })],
    ['agent', answer(1, { protocolVersion: 1, agentInfo: agent })],
    ['client', request(2, 'session/new', { cwd: '/work/one', mcpServers: [] })],
    ['agent', answer(2, { sessionId: 's1', ...more })],
  ];
  const init = (more: Record<string, unknown>): Said[] => [
    ['agent', { type: 'system', subtype: 'init', session_id: 's', cwd: '/work/one', tools: [], ...more }],
  ];
  const handshakes = (a: Session, b: Session) =>
    diffSessions(a, b)
      .entries.filter(({ section }) => section === 'handshake')
      .flatMap(({ changes }) => changes.map(({ path }) => path));
  const once = { command: ['claude', '-p', 'go', '--output-format', 'stream-json'] };

  it('names are spelled, models described and modes called otherwise, and some say no version', () => {
    const one = session(
      hello({ name: 'Claude-Code' }, { modes: { currentModeId: 'ask' }, models: { currentModelId: 'm[high]' } }),
    );
    const other = session(init({ model: 'm', permissionMode: 'default', claude_code_version: '2.1' }), once);
    expect(handshakes(one, other)).toEqual([]);
    const third = session(init({ model: 'n', permissionMode: 'default', claude_code_version: '2.1' }), once);
    expect(handshakes(one, third)).toEqual(['/model']);
  });

  /** A call and a text after it, in ACP and in stream-json. */
  const acpCall = (call: Record<string, unknown>, output: string, said: string) => {
    const update = (told: Record<string, unknown>): Said => [
      'agent',
      notice('session/update', { sessionId: 's1', update: told }),
    ];
    const content = (text: string) => [{ type: 'content', content: { type: 'text', text } }];
    return session([
      ...hello({ name: 'claude-code' }, {}),
      ['client', request(3, 'session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'go' }] })],
      update({ sessionUpdate: 'tool_call', toolCallId: 'c1', status: 'pending', ...call }),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed', content: content(output) }),
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } }),
      ['agent', answer(3, { stopReason: 'end_turn' })],
    ]);
  };
  const streamCall = (name: string, input: unknown, output: string, text: string) => {
    const said = (content: unknown): Said => [
      'agent',
      { type: 'assistant', session_id: 's', message: { id: `m-${text}`, role: 'assistant', content: [content] } },
    ];
    const result = { type: 'tool_result', tool_use_id: 't1', content: output };
    return session(
      [
        ...init({ model: 'm' }),
        said({ type: 'tool_use', id: 't1', name, input }),
        ['agent', { type: 'user', session_id: 's', message: { role: 'user', content: [result] } }],
        said({ type: 'text', text }),
        ['agent', { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: text }],
      ],
      once,
    );
  };
  const conversation = (a: Session, b: Session) => differences(a, b).filter((one) => one.startsWith('conversation'));

  it('names are written otherwise, and output and texts have other lines around them', () => {
    const one = streamCall('file_change', { file_path: 'a.txt' }, 'ok', 'Done.');
    const named = { _meta: { toolName: 'fileChange' }, title: 'x', rawInput: { filePath: 'a.txt' } };
    expect(conversation(one, acpCall(named, '```console\nok\n```', '\n\nDone.'))).toEqual([]);
    expect(conversation(one, acpCall(named, 'not ok', 'Done!'))).toEqual([
      'conversation changed tool-call /result/output',
      'conversation changed text /text',
    ]);
  });

  it('a command is told with its shell and its folder, and a tool with its server', () => {
    const one = streamCall(
      'calc.add',
      { command: "/bin/bash -lc 'echo '\\''a'\\'''", cwd: '/work/one' },
      'ok',
      'Done.',
    );
    const named = { _meta: { toolName: 'add' }, title: 'x', rawInput: { command: "echo 'a'" } };
    expect(conversation(one, acpCall(named, 'ok', 'Done.'))).toEqual([]);
    const other = { ...named, rawInput: { command: ['bash', '-c', 'echo b'], cwd: '/work/two' } };
    expect(conversation(one, acpCall(other, 'ok', 'Done.'))).toEqual([
      'conversation changed tool-call /arguments/command /arguments/cwd',
    ]);
  });

  it('what a call is given and gives back may not be told, and then its place tells which it is', () => {
    const one = streamCall('write', { path: 'a.txt', kind: { type: 'add' } }, 'ok', 'Done.');
    expect(conversation(one, acpCall({ title: 'Editing files' }, '', 'Done.'))).toEqual([]);
    expect(conversation(one, acpCall({ title: 'Editing files' }, 'no', 'Done.'))).toEqual([
      'conversation changed tool-call /result/output',
    ]);
    const named = { _meta: { toolName: 'create' }, title: 'x', rawInput: { file: '/work/one/a.txt', kind: 'add' } };
    expect(conversation(one, acpCall(named, 'ok', 'Done.'))).toEqual([
      'conversation changed tool-call /tool /arguments/path /arguments/file',
    ]);
    const another = { ...named, rawInput: { file: '/work/one/b.txt', shade: 'red' } };
    expect(conversation(one, acpCall(another, 'ok', 'Done.'))).toEqual([
      'conversation removed tool-call ',
      'conversation added tool-call ',
    ]);
  });

  it('hostile arguments and names take no long time', () => {
    const deep = (leaf: string): unknown => JSON.parse(`${'['.repeat(1000)}"${leaf}"${']'.repeat(1000)}`);
    const long = 'a'.repeat(300_000);
    const one = streamCall(`${'_'.repeat(100_000)}.`, { deep: deep('x'), long }, 'ok', 'Done.');
    const other = acpCall({ title: 'x y', rawInput: { deep: deep('y'), long: `${long}b` } }, 'ok', 'Done.');
    expect(conversation(one, other).length).toBeGreaterThan(0);
  });

  it('a tool is not compared with the title of a call', () => {
    const one = streamCall('bash', { command: 'ls' }, 'ok', 'Done.');
    const titled = { title: 'List the files', rawInput: { command: 'ls' } };
    expect(conversation(one, acpCall(titled, 'ok', 'Done.'))).toEqual([]);
    const other = { _meta: { toolName: 'shell' }, title: 'List the files', rawInput: { command: 'ls' } };
    expect(conversation(one, acpCall(other, 'ok', 'Done.'))).toEqual(['conversation changed tool-call /tool']);
  });
});
