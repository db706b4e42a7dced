/** What a call of ACP 2 runs is what its terminals run, whatever its arguments say: a policy judges that. */
import { expect, it } from 'vitest';
import { commandOf } from '../../../../lib/analysis/audit/subject.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import * as $ from '../../../support/audit.ts';

const update = (sessionUpdate: string, more: object) => ({
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: { sessionId: 's', update: { sessionUpdate, ...more } },
});
const call = (rawInput: object | null) =>
  update('tool_call_update', { toolCallId: 'c', name: 'shell', kind: 'execute', status: 'in_progress', rawInput });
const uses = (...ids: string[]) =>
  update('tool_call_update', { toolCallId: 'c', content: ids.map((terminalId) => ({ type: 'terminal', terminalId })) });
const terminal = (terminalId: string, command: string) => update('terminal_update', { terminalId, command });

function ran(...updates: object[]): string | null {
  const running = update('state_update', { state: 'running' });
  const ends = update('tool_call_update', { toolCallId: 'c', status: 'completed' });
  const frames = [running, ...updates, ends].map(
    (line, i): Frame => ({
      ...{ f: i + 1, t: i, t0: null, from: 'agent', form: 'message' },
      ...{ eol: '\n', event: null, detail: {}, raw: Buffer.from(JSON.stringify(line)) },
    }),
  );
  const rows = $.auditFrames(acp, frames).rows;
  expect(rows).toHaveLength(1);
  return commandOf(rows[0]!);
}

it.each([
  ['as its arguments say', ['ls'], [call({ command: 'ls' }), terminal('t', 'ls'), uses('t')]],
  ['another command', ['rm -rf /'], [call({ command: 'ls' }), terminal('t', 'rm -rf /'), uses('t')]],
  ['a command that is known only later', ['rm x'], [call(null), uses('t'), terminal('t', 'rm x')]],
  ['two', ['ls', 'rm x'], [call({ command: 'ls' }), terminal('t', 'ls'), terminal('u', 'rm x'), uses('t', 'u')]],
])('a call whose terminal runs %s', (_, commands, updates) => {
  expect(ran(...updates)).toBe(commands.join('\n'));
});
