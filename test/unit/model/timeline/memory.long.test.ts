/** Without `keep`, what is held does not grow with the session, whatever it does. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { TimelineBuilder } from '../../../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../../../lib/session/reader.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';

/** Kinds of things that are remembered, and what is bounded by itself: steers and hooks. */
const KINDS = 10;
const OTHERS = 2000;

const event = (type: string, payload: unknown): Said => ['agent', tell('event', { type, payload })];
const request = (id: string, type: string, payload: object): Said => [
  ...(['agent', ask(id, 'request', { type, payload: { id, ...payload } })] as const),
];

/** Calls, approvals, hooks and text, some never answered, in one turn or in many; ids new each time, or few. */
function wireRound(i: number, turns: boolean): Said[] {
  const call = i % 2 ? `c${i}` : `c${i % 7}`;
  const prompt: Said[] =
    turns || i === 0
      ? [['client', ask(`p${i}`, 'prompt', { user_input: `${i}` })], event('TurnBegin', { user_input: `${i}` })]
      : [];
  const approved: Said[] = i % 5 ? [['client', answer(`a${i}`, { request_id: `a${i}`, response: 'approve' })]] : [];
  const done: Said[] =
    i % 3
      ? [event('ToolResult', { tool_call_id: call, return_value: { is_error: false, output: 'x'.repeat(100) } })]
      : [];
  return [
    ...prompt,
    event('StepBegin', { n: 1 }),
    event('ContentPart', { type: 'text', text: 'some words '.repeat(10) }),
    event('ToolCall', { id: call, function: { name: `Tool${i}`, arguments: '{}' } }),
    event('HookTriggered', { event: 'PreToolUse', target: 'Shell' }),
    request(`a${i}`, 'ApprovalRequest', { tool_call_id: call, sender: 'Shell', action: 'run' }),
    request(`b${i}`, 'ApprovalRequest', { tool_call_id: `unknown${i}`, sender: 'Shell', action: 'run' }),
    ...approved,
    ...done,
    event('SubagentEvent', { parent_tool_call_id: `other${i}`, event: { type: 'StepBegin', payload: { n: 1 } } }),
    ['client', ask(`s${i}`, 'steer', { user_input: 'x' })],
    ...(turns && i % 4 ? ([['agent', answer(`p${i}`, { status: 'finished' })]] as Said[]) : []),
  ];
}

const mcpRound = (i: number): Said[] => [
  ['client', ask(i, 'tools/call', { name: `t${i}`, arguments: { i } })],
  ['agent', ask(i, 'elicitation/create', { message: 'which?' })],
  ...(i % 2
    ? ([
        ['client', answer(i, { action: 'accept' })],
        ['agent', answer(i, { content: [] })],
      ] as Said[])
    : []),
];

function* frames(most: number, round: (i: number) => Said[]): Generator<Frame> {
  let f = 0;
  for (let i = 0; ; i++) {
    for (const [from, value] of round(i)) {
      if (++f > most) return;
      const raw = Buffer.from(JSON.stringify(value));
      yield { f, t: f / 1000, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
    }
  }
}

describe('memory', () => {
  it.each<[string, number, number, Dialect, (i: number) => Said[]]>([
    ['in many turns', 60_000, 200, wire, (i) => wireRound(i, true)],
    ['in one turn', 40_000, 100, wire, (i) => wireRound(i, false)],
    ['without turns', 40_000, 100, mcp, mcpRound],
  ])(
    'does not grow %s',
    (_, count, remembered, dialect, round) => {
      const reader = new SessionReader(dialect, { command: [] });
      const builder = new TimelineBuilder({ keep: false, remembered });
      let most = 0;
      let f = 0;
      for (const frame of frames(count, round)) {
        builder.take(reader.read(frame));
        if (++f % 1000 === 0) most = Math.max(most, builder.retained);
      }
      expect(builder.timeline.counts.tools).toBeGreaterThan(2 * remembered);
      expect(builder.timeline.entries).toEqual([]);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(KINDS * remembered + OTHERS);
    },
    240_000,
  );
});
