/** Sessions that go on with one conversation, in each protocol that names its conversations. */
import { describe, expect } from 'vitest';
import { FIRST, granted, ID, initialize, inWire, ran, recorded, SECOND, turn } from '../../../support/auditor.ts';
import { rowsOf, runMain } from '../../../support/main.ts';
import type { Said } from '../../../support/reading.ts';
import { it, type Place } from '../../../support/store.ts';

function inAcp(place: Place): void {
  const rpc = (value: object) => ({ jsonrpc: '2.0', ...value });
  const update = (update: object): Said => [
    'agent',
    rpc({ method: 'session/update', params: { sessionId: ID, update } }),
  ];
  const called = (id: string): Said =>
    update({
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: 'ls',
      kind: 'execute',
      status: 'pending',
      rawInput: { command: 'ls' },
    });
  const done = (id: string): Said => update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed' });
  const prompted = (...inside: Said[]): Said[] => [
    [
      'client',
      rpc({ id: 2, method: 'session/prompt', params: { sessionId: ID, prompt: [{ type: 'text', text: 'x' }] } }),
    ],
    ...inside,
    ['agent', rpc({ id: 2, result: { stopReason: 'end_turn' } })],
  ];
  const begun: Said[] = [
    ['client', rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } })],
    ['agent', rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })],
  ];
  const options = [{ optionId: 'always', name: 'Always allow', kind: 'allow_always' }];
  recorded(
    place,
    FIRST,
    ['agent', '--acp'],
    [
      ...begun,
      ['client', rpc({ id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } })],
      ['agent', rpc({ id: 1, result: { sessionId: ID } })],
      ...prompted(
        called('a'),
        [
          'agent',
          rpc({
            id: 9,
            method: 'session/request_permission',
            params: { sessionId: ID, toolCall: { toolCallId: 'a', title: 'ls', kind: 'execute' }, options },
          }),
        ],
        ['client', rpc({ id: 9, result: { outcome: { outcome: 'selected', optionId: 'always' } } })],
        done('a'),
      ),
    ],
  );
  recorded(
    place,
    SECOND,
    ['agent', '--acp'],
    [
      ...begun,
      ['client', rpc({ id: 1, method: 'session/load', params: { sessionId: ID, cwd: '/', mcpServers: [] } })],
      ['agent', rpc({ id: 1, result: {} })],
      ...prompted(called('b'), done('b')),
    ],
  );
}

function inStreamJson(place: Place): void {
  const NEW = '5d8f5b0e-3f43-4c35-a1b6-0f3a5f1b7c11';
  const lines = (session_id: string, id: string, asked: boolean): Said[] => [
    ['client', { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' } }],
    ['agent', { type: 'control_response', response: { subtype: 'success', request_id: 'i', response: {} } }],
    ['client', { type: 'user', message: { role: 'user', content: 'x' } }],
    ['agent', { type: 'system', subtype: 'init', session_id, permissionMode: 'default', tools: ['Bash'] }],
    [
      'agent',
      {
        type: 'assistant',
        session_id,
        message: {
          id: 'm',
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }],
        },
      },
    ],
    ...(asked
      ? ([
          [
            'agent',
            {
              type: 'control_request',
              request_id: 'q',
              request: {
                subtype: 'can_use_tool',
                tool_name: 'Bash',
                input: { command: 'ls' },
                tool_use_id: id,
                permission_suggestions: [{ type: 'addRules' }],
              },
            },
          ],
          [
            'client',
            {
              type: 'control_response',
              response: {
                subtype: 'success',
                request_id: 'q',
                response: {
                  behavior: 'allow',
                  updatedInput: { command: 'ls' },
                  updatedPermissions: [
                    { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
                  ],
                },
              },
            },
          ],
        ] as Said[])
      : []),
    [
      'agent',
      {
        type: 'user',
        session_id,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      },
    ],
    ['agent', { type: 'result', subtype: 'success', session_id, is_error: false, result: 'done' }],
  ];
  recorded(place, FIRST, ['claude', '--output-format', 'stream-json'], lines(ID, 'a', true));
  recorded(place, SECOND, ['claude', '--output-format', 'stream-json', '--resume', ID], lines(ID, 'b', false));
  recorded(place, '20261117T101500-zzzz', ['claude', '--output-format', 'stream-json'], lines(NEW, 'c', false));
}

describe('--chain', () => {
  it.for([
    ['wire', inWire],
    ['acp', inAcp],
    ['stream-json', inStreamJson],
  ] as const)('%s: names the earlier session and the frame of its grant', async ([, make], { place }) => {
    make(place);
    const rows = await rowsOf(place, 'approvals', '--chain', '--json');
    const [grant] = rows.filter(({ decision }) => decision === 'allow-always');
    expect(grant).toMatchObject({ session: FIRST, conversations: [ID], earlier_grant: null });
    expect(rows.filter(({ session }) => session === SECOND)).toMatchObject([
      { decision: 'unasked', by: 'agent', earlier_grant: { session: FIRST, f: grant!.f, conversation: ID } },
    ]);
    expect(rows.filter(({ session, earlier_grant }) => session !== SECOND && earlier_grant)).toEqual([]);
  });

  it('shows the sessions of a conversation together, if one of them is named', async ({ place }) => {
    inWire(place);
    recorded(place, '20261116T120000-xxxx', ['kimi', '--wire'], [...initialize, ...turn('p', ...ran('c', 'ls'))]);
    const { stdout } = await runMain(place, ['approvals', SECOND, '--chain']);
    expect(stdout).toContain(`conversation ${ID}: 2 sessions`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`f6 ran unasked: the standing grant f7 of ${FIRST} covers it, if`);
    expect(stdout).not.toContain('xxxx');
    expect((await runMain(place, ['approvals', '--chain', '--csv'])).stdout).toContain(`,${FIRST},7\r\n`);
  });

  it('is not claimed without ids', async ({ place }) => {
    recorded(place, FIRST, ['kimi', '--wire'], [...initialize, ...turn('p', ...granted)]);
    recorded(place, SECOND, ['kimi', '--wire', '--continue'], [...initialize, ...turn('p', ...ran('b', 'ls'))]);
    const rows = await rowsOf(place, 'approvals', '--chain', '--json');
    expect(rows.map(({ earlier_grant }) => earlier_grant)).toEqual([null, null]);
  });
});
