/** What an agent sends again from earlier sessions is compared too: with what the other agent sent again. */
import { describe, expect, it } from 'vitest';
import { type DiffOptions, diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import type { SessionDiff } from '../../../../lib/analysis/diff/result.ts';
import { diffText } from '../../../../lib/output/terminal/diff-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { a, c, framesOf, type Step } from '../../../support/check.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';

const session = (steps: Step[], command: string[] = []): Session =>
  sessionInMemory(metadataFor('x', command), framesOf(steps));
const told = ({ entries }: SessionDiff) =>
  entries.map(({ op, path, changes }) => [op, path, ...changes.map((change) => change.path)].join(' '));

const rpc = (message: object) => ({ jsonrpc: '2.0', ...message });
const event = (type: string, payload: object = {}) => a(rpc({ method: 'event', params: { type, payload } }));
const says = (text: string) => event('ContentPart', { type: 'text', text });
const hello = [
  c(rpc({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } })),
  a(rpc({ id: 'i', result: { protocol_version: '1.10', server: { name: 'Kimi Code CLI', version: '1.49.0' } } })),
];

/** What was said in a turn of an earlier session. */
interface Said {
  prompt?: string;
  texts?: string[];
  command?: string;
  asked?: string;
  output?: string;
  call?: string;
}

function turn({
  prompt = 'go',
  texts = ['I run it.'],
  command = 'ls',
  asked = 'Run `ls`',
  output = 'a',
  call = 'c',
}: Said) {
  const approval = { id: `r-${call}`, tool_call_id: call, sender: 'Shell', action: 'run', description: asked };
  const result = { is_error: false, output, message: '', display: [] };
  return [
    event('TurnBegin', { user_input: prompt }),
    event('StepBegin', { n: 1 }),
    ...texts.map(says),
    event('ToolCall', {
      type: 'function',
      id: call,
      function: { name: 'Shell', arguments: JSON.stringify({ command }) },
    }),
    a(rpc({ id: `r-${call}`, method: 'request', params: { type: 'ApprovalRequest', payload: approval } })),
    event('ToolResult', { tool_call_id: call, return_value: result }),
    event('TurnEnd'),
  ];
}

function replay(lines: Step[], status = 'finished', id = 'w'): Step[] {
  const requests = lines.filter((line) => JSON.stringify(line).includes('ApprovalRequest')).length;
  const result = { status, events: lines.length - requests, requests };
  return [c(rpc({ id, method: 'replay' })), ...lines, a(rpc({ id, result }))];
}
const wire = (...windows: Step[][]): Session => session([...hello, ...windows.flat()], ['kimi', '--wire']);
const compared = (one: Said, other: Said, options: DiffOptions = {}) =>
  diffSessions(
    wire(replay([...turn({ call: 'c0' }), ...turn(one)])),
    wire(replay([...turn({ call: 'c0' }), ...turn(other)])),
    options,
  );

describe('a replay of Wire', () => {
  it.each<[string, Said, string[]]>([
    ['a prompt', { prompt: 'stop' }, ['changed /replayed/turn-begin/2 /text']],
    ['a text', { texts: ['I do not.'] }, ['changed /replayed/turn-begin/2/step/1/text/1 /text']],
    ['a call', { command: 'ls -a' }, ['changed /replayed/turn-begin/2/step/1/tool-call/1 /arguments/command']],
    ['a result', { output: 'b' }, ['changed /replayed/turn-begin/2/step/1/tool-call/1 /result/output']],
    ['a request', { asked: 'Run' }, ['changed /replayed/turn-begin/2/step/1/tool-call/1/approval/1 /description']],
  ])('of %s that differs is told, and nothing else', (_, said, expected) => {
    const diff = compared({}, said);
    expect(told(diff)).toEqual(expected);
    expect(diff).toMatchObject({ same: false, counts: { replayed: 1 } });
    const style = { columns: 100, theme: themeFor(false), full: false, beside: false };
    expect([...diffText(diff, style)].join('')).toContain('\nreplayed\n~ turn of the agent');
    // Of a long session only hashes are kept, and what differs is read again.
    expect(told(compared({}, said, { short: 4 }))).toEqual(expected);
  });

  it('is the same in other chunks and with other ids', () => {
    expect(compared({ texts: ['I run', ' it.'], call: 'x1' }, { texts: ['I', ' run it.'], call: 'y2' })).toMatchObject({
      ...{ same: true, entries: [] },
    });
  });

  it('that only one client asked for is one difference, however long it is', () => {
    const diff = diffSessions(wire(replay([...turn({}), ...turn({ call: 'd' })])), wire());
    expect(told(diff)).toEqual(['removed /control/1 ', 'removed /replayed /frames']);
    expect(diff.entries[1]!.changes).toMatchObject([{ a: 14, b: null }]);
  });

  it('that was cut off on both sides may have come further on one of them', () => {
    const cut = (...lines: Step[]) => wire(replay(turn({})), replay(lines, 'cancelled', 'v'));
    const begun = [event('TurnBegin', { user_input: 'go' }), event('StepBegin', { n: 1 })];
    expect(told(diffSessions(cut(...begun), cut(...begun, says('I run it.'))))).toEqual([]);
    expect(told(diffSessions(cut(...begun, says('I run')), cut(...turn({ prompt: 'go' }))))).toEqual([]);
    expect(told(diffSessions(cut(...begun, says('I run')), cut(...begun, says('You run'))))).toHaveLength(1);
    // One that was not cut off came to its end.
    const whole = wire(replay(turn({})), replay(turn({}), 'finished', 'v'));
    expect(diffSessions(cut(...begun), whole).counts.replayed).toBeGreaterThan(0);
  });

  it('is not the conversation: nothing of it is an approval, a turn or a finding', () => {
    const diff = compared({}, { command: 'rm -r /', asked: 'Run `rm -r /`' });
    expect(diff.turns).toEqual([]);
    expect(Object.keys(diff.counts)).toEqual(['replayed']);
  });
});

describe('other agents', () => {
  it('session/load of ACP: what is loaded', () => {
    const load = fixtureSessions().find(({ metadata }) => metadata.session === 'codex-acp-2.6.0/load.jsonl')!;
    const frames = [...load.frames()];
    const other = frames.map((frame) => {
      const text = Buffer.from(frame.raw).toString();
      // The first run is not changed, only what is sent again of it.
      if (frame.f < 25 || !text.includes('Running a command.')) return frame;
      return { ...frame, raw: Buffer.from(text.replace('Running a command.', 'Running nothing.')) };
    });
    const diff = diffSessions(load, sessionInMemory(load.metadata, other));
    expect(told(diff)).toContain('changed /replayed/text/1 /text');
    expect(diff.counts.replayed).toBe(1);
  });

  it.each<[string, string[], (text: string) => Step[]]>([
    [
      'lines that Claude marks',
      ['claude', '--input-format', 'stream-json', '--resume', 'x'],
      (content) => [
        a({ type: 'user', message: { role: 'user', content }, session_id: 's', uuid: 'u', isReplay: true }),
        a({ type: 'system', subtype: 'init', session_id: 's', cwd: '/', tools: [], model: 'm', uuid: 'i' }),
      ],
    ],
    [
      'thread/resume of Codex',
      ['codex', 'app-server'],
      (text) => [
        c({ id: 1, method: 'thread/resume', params: { threadId: 't' } }),
        a({ id: 1, result: { thread: { id: 't', turns: [{ items: [{ type: 'agentMessage', text }] }] }, model: 'm' } }),
      ],
    ],
    [
      'get_messages of pi',
      ['pi', '--mode', 'rpc'],
      (content) => [
        c({ id: '2', type: 'get_messages' }),
        a({
          ...{ id: '2', type: 'response', command: 'get_messages', success: true },
          data: { messages: [{ content }] },
        }),
      ],
    ],
    [
      'session.getMessages of Copilot',
      ['copilot', '--server', '--stdio'],
      (content) => [
        c(rpc({ id: 1, method: 'session.resume', params: { sessionId: 's' } })),
        a(rpc({ id: 1, result: { sessionId: 's' } })),
        c(rpc({ id: 2, method: 'session.getMessages', params: { sessionId: 's' } })),
        a(rpc({ id: 2, result: { events: [{ type: 'user.message', data: { content } }] } })),
      ],
    ],
  ])('%s', (_, command, lines) => {
    expect(diffSessions(session(lines('one'), command), session(lines('one'), command)).entries).toEqual([]);
    expect(diffSessions(session(lines('one'), command), session(lines('two'), command)).same).toBe(false);
  });
});
