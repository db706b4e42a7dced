/** The audit of ACP as more agents speak it: what was edited, what ran after the end of its turn, what was resumed, modes. */
import { describe, expect, it } from 'vitest';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';
import { fixtures } from '../../../support/timeline.ts';

const opened = (more: object = {}): Said[] => [
  ['client', ask(1, 'session/new', { cwd: '/w', mcpServers: [] })],
  ['agent', answer(1, { sessionId: 's', ...more })],
];
const update = (sessionUpdate: string, more: object = {}): Said => [
  'agent',
  tell('session/update', { sessionId: 's', update: { sessionUpdate, toolCallId: 'c', ...more } }),
];
const prompt: Said = ['client', ask(2, 'session/prompt', { sessionId: 's', prompt: [] })];
const calls = (more: object = {}) => update('tool_call', { title: 'run', kind: 'execute', status: 'pending', ...more });
const on = (more: object) => update('tool_call_update', more);
const ends = (stopReason = 'end_turn'): Said => ['agent', answer(2, { stopReason })];
const cancels: Said = ['client', tell('session/cancel', { sessionId: 's' })];
const tick = on({ _meta: { terminal_output_delta: { terminal_id: 'c', data: 'tick\n' } } });
const words = (said: Said[]) => $.auditSaid(acp, said).rows.map($.words);

describe('edited', () => {
  const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
  const asked = (rawInput: object, ran: object) =>
    [
      ...[...opened(), prompt, calls()],
      [
        'agent',
        ask(3, 'session/request_permission', { sessionId: 's', toolCall: { toolCallId: 'c', rawInput }, options }),
      ],
      ['client', answer(3, { outcome: { outcome: 'selected', optionId: 'y' } })],
      ...[on({ rawInput: ran }), on({ status: 'completed' }), ends()],
    ] as Said[];

  it.each([
    ['the same and more', { command: 'ls' }, { command: 'ls', cwd: '/w' }, '[]'],
    ['in other words', { filepath: '/a', diff: '-a' }, { filePath: '/a', oldString: 'a' }, '[]'],
    ['another value', { command: 'ls' }, { command: 'rm', cwd: '/w' }, '[edited]'],
  ])('%s', (_, rawInput, ran, flags) => {
    expect(words(asked(rawInput, ran))).toEqual([`allow client f6 yes f8 ${flags}`]);
  });

  it.each(['opencode-1.18.33-acp/allow', 'opencode-1.18.33-acp/edit', 'opencode-1.18.33-acp/three'])(
    'not in %s',
    (tape) => {
      expect($.auditTape(`${fixtures}${tape}.jsonl`).rows.flatMap(({ flags }) => flags)).not.toContain('edited');
    },
  );
});

describe('a call that was cancelled', () => {
  it('ran if it showed output before', () => {
    const said = [...opened(), prompt, calls({ rawInput: { command: 'x' } }), tick, cancels, ends('cancelled')];
    expect(words(said)).toEqual(['unasked agent - partly - [interrupted no-result]']);
  });

  it('ran if it shows output later, and is one row', () => {
    const said = [...opened(), prompt, calls({ rawInput: { command: 'x' } }), cancels, ends('cancelled'), tick, tick];
    expect(words(said)).toEqual(['unasked agent - partly - [interrupted no-result]']);
    expect(words(said.slice(0, -2))).toEqual([]);
  });

  it('waits like any other if nobody knows whether its tool needs leave', () => {
    const read = calls({ kind: 'read', title: 'look', rawInput: { path: 'x' } });
    expect(words([...opened(), prompt, read, cancels, ends('cancelled'), tick, tick])).toEqual([]);
  });
});

describe('resumed', () => {
  const ran = [prompt, calls({ rawInput: { command: 'x' } }), on({ status: 'completed' }), ends()];
  const resumes = (method: string, ok = true): Said[] => [
    ['client', ask(5, method, { sessionId: 's', cwd: '/w', mcpServers: [] })],
    ['agent', ok ? answer(5, {}) : { jsonrpc: '2.0', id: 5, error: { code: -32000, message: 'no' } }],
  ];

  it.each(['session/load', 'session/resume'])('after %s', (method) => {
    expect(words([...resumes(method), ...ran])).toEqual(['unasked agent - yes f5 [resumed]']);
  });

  it('not if the agent refused, or opened a new session', () => {
    expect(words([...resumes('session/load', false), ...opened(), ...ran])).toEqual(['unasked agent - yes f7 []']);
    expect(words([...opened(), ...ran])).toEqual(['unasked agent - yes f5 []']);
  });
});

it.each(['auto-approve', 'full-access', 'agent-full-access', 'https://agentclientprotocol.com/x#autopilot'])(
  'in the mode %s nobody is asked',
  (currentModeId) => {
    const ran = [prompt, calls({ rawInput: { command: 'x' } }), on({ status: 'completed' }), ends()];
    const said = [...opened({ modes: { currentModeId, availableModes: [] } }), ...ran];
    expect(words(said)).toEqual(['unasked mode - yes f5 []']);
  },
);

describe('the option of Copilot that allows everything', () => {
  const allowAll = (currentValue: string) => ({
    configOptions: [
      { id: 'mode', category: 'mode', currentValue: 'agent' },
      { id: 'allow_all', category: 'permissions', currentValue },
    ],
  });
  const sets = (value: string): Said => [
    'client',
    ask(5, 'session/set_config_option', { sessionId: 's', configId: 'allow_all', value }),
  ];
  const runs = [prompt, calls({ rawInput: { command: 'rm x' } }), on({ status: 'completed' }), ends()];
  const audited = (...said: Said[]) => $.auditSaid(acp, [...said, ...runs]);
  const modes = ({ rows }: $.Audited) => rows.map(({ by, mode }) => `${by} ${mode}`);

  it.each<[string, Said[]]>([
    ['from the start', opened(allowAll('on'))],
    ['by the client', [...opened(allowAll('off')), sets('on'), ['agent', answer(5, allowAll('on'))]]],
    ['by the client, in short', [...opened(allowAll('off')), sets('on'), ['agent', answer(5, {})]]],
    ['by the agent', [...opened(allowAll('off')), update('config_option_update', allowAll('on'))]],
  ])('is a mode: on %s', (_, said) => {
    expect(modes(audited(...said))).toEqual(['mode allow_all']);
  });

  it('is off again, and while the agent has not answered', () => {
    const off: Said[] = [sets('off'), ['agent', answer(5, allowAll('off'))]];
    expect(modes(audited(...opened(allowAll('on')), ...off))).toEqual(['agent agent']);
    expect(modes(audited(...opened(allowAll('off')), sets('on')))).toEqual(['agent agent']);
  });
});
