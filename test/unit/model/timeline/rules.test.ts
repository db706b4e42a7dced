/** The rules of the model, each with the example and the numbers that it was found with. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import type { Entry, Step } from '../../../../lib/model/timeline/entries.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';
import {
  buildFixture,
  buildSaid,
  buildTape,
  callOf,
  callsOf,
  itemsOf,
  shared,
  stepsOf,
  turnsOf,
} from '../../../support/timeline.ts';

const event = (type: string, payload: unknown): Said => ['agent', tell('event', { type, payload })];
const request = (id: string, type: string, payload: object): Said => [
  'agent',
  ask(id, 'request', { type, payload: { id, ...payload } }),
];
const prompt = (id: string): Said[] => [
  ['client', ask(id, 'prompt', { user_input: id })],
  event('TurnBegin', { user_input: id }),
];
const done = (id: string): Said => ['agent', answer(id, { status: 'finished' })];
const call = (id: string, name = 'Shell'): Said => event('ToolCall', { id, function: { name, arguments: '{}' } });
const result = (id: string): Said =>
  event('ToolResult', { tool_call_id: id, return_value: { is_error: false, output: '' } });
const text = (said: string): Said => event('ContentPart', { type: 'text', text: said });
const step = (n: number): Said => event('StepBegin', { n });

describe('turns', () => {
  it('T2: a prompt that is refused is no turn', () => {
    const built = buildFixture('wire-1.24.0/second_prompt_while_busy');
    const refused = built.timeline.entries.filter((entry) => entry.is === 'item' && entry.kind === 'prompt');
    expect(refused).toMatchObject([{ f: 11, turn: null, answer: { f: 12, ok: false, code: -32000 } }]);
    expect(turnsOf(built)).toHaveLength(1);
  });

  it.each(['wire-1.24.0/ralph', 'wire-1.49.0/skill_flow'])('T3: %s nests turns, which hold their steps', (tape) => {
    const nested = itemsOf(buildFixture(tape)).filter(({ kind }) => kind === 'turn-begin');
    expect(nested.length).toBeGreaterThan(1);
    for (const { entries } of nested) expect(stepsOf(entries)).toMatchObject([{ shown: 1 }]);
  });

  it('T5: a turn that is never answered ends with its last frame, and shows the cancel', () => {
    const [first] = turnsOf(buildFixture('wire-0.59/cancel'));
    expect(first).toMatchObject({ f: 4, f_end: 11, status: 'unanswered', cancelled_f: 10 });
    expect(turnsOf(buildFixture('wire-0.80/mcp_broken')).map(({ status }) => status)).toEqual([
      'unanswered',
      'finished',
    ]);
    const cut = buildFixture('wire-1.24.0/sigterm_midturn');
    expect(turnsOf(cut)[0]!.status).toBe('unanswered');
    expect(cut.timeline.entries.at(-1)).toMatchObject({ kind: 'process', name: 'exit', turn: null });
  });

  it('T6: what refers to something goes with it, however late', () => {
    const approval = itemsOf(buildFixture('wire-1.25.0/cancel')).find(({ kind }) => kind === 'approval');
    expect(approval).toMatchObject({ f: 12, turn: 1, ask: { resolved: { f: 16, decision: 'deny' } } });
    const hooks = itemsOf(buildFixture('wire-1.49.0/hooks_block_prompt')).filter(({ kind }) => kind === 'hook');
    expect(hooks[0]).toMatchObject({ f: 5, turn: 1 });
  });

  it('T7: tokens told after the answer belong to the turn that was answered', () => {
    const { wheres, readings } = buildFixture('acp/kimi-multi');
    const late = readings.findIndex(({ events }) => events[0]?.kind === 'usage');
    expect(readings[late]!.frame.f).toBe(14);
    expect(wheres[late]).toEqual({ turn: 1, step: null, item: null });
    expect(wheres[late - 1]!.turn).toBeNull();
  });

  it('T7: turns of two sessions are open at once', () => {
    const say = (session: string, words: string): Said => [
      'agent',
      tell('session/update', {
        sessionId: session,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } },
      }),
    ];
    const send = (id: number, sessionId: string): Said => [
      'client',
      ask(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: sessionId }] }),
    ];
    const built = buildSaid(acp, [
      ...[
        send(1, 'a'),
        send(2, 'b'),
        say('a', 'one '),
        say('b', 'two '),
        say('a', 'more of one'),
        say('b', 'more of two'),
      ],
      ...[1, 2].map((id): Said => ['agent', answer(id, { stopReason: 'end_turn' })]),
    ]);
    expect(
      turnsOf(built).map(({ status, entries }) => [
        status,
        stepsOf(entries).flatMap(({ entries }) => entries.map((item) => item.is === 'item' && item.text)),
      ]),
    ).toEqual([
      ['end_turn', ['one more of one']],
      ['end_turn', ['two more of two']],
    ]);
  });

  it('T8: an agent stands under the call that started it, one in the background without a turn', () => {
    const { entries } = callOf(buildFixture('wire-0.59/subagent'), 'sa-1');
    expect(stepsOf(entries).map(({ n }) => n)).toEqual([1, 2]);
    const background = callOf(buildFixture('wire-1.49.0/background_agent'), 'ba-1');
    expect(background.entries).toMatchObject([{ kind: 'approval', turn: null, subagent: 'ae14c9b53', f: 16 }]);
  });
});

describe('steps', () => {
  it('S1: are counted in the turn, whatever the agent calls them', () => {
    const [turn] = turnsOf(buildFixture('wire-1.31.0/hooks'));
    expect(stepsOf(turn!.entries).map(({ n, shown }) => [n, shown])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 1],
    ]);
  });

  it.skipIf(!shared)('S2: are as many as num_turns says', () => {
    const seen = { same: 0, other: 0 };
    for (const folder of readdirSync(shared!).filter((name) => name.startsWith('qwen-'))) {
      for (const name of readdirSync(join(shared!, folder)).filter((name) => /(?<!\.meta)\.jsonl$/.test(name))) {
        const built = buildTape(join(shared!, folder, name));
        for (const turn of turnsOf(built)) {
          const { readings } = built;
          const last = readings.find(
            ({ frame, events }) => frame.f === turn.f_end && events[0]?.kind === 'prompt-answer',
          );
          const told = (last?.message.body as { num_turns?: number } | undefined)?.num_turns;
          if (told === undefined) continue;
          const main = turn.entries.filter((entry) => entry.is === 'step').length;
          seen[main === told ? 'same' : 'other']++;
        }
      }
    }
    expect(seen).toEqual({ same: 53, other: 0 });
  });

  it('S3: begin in ACP with the first word, after a result and after tokens', () => {
    const [turn] = turnsOf(buildFixture('acp/qwen-0.24.4-allow_shell'));
    expect(stepsOf(turn!.entries).map(({ f, f_end, usage }) => [f, f_end, usage.output])).toEqual([
      [7, 14, 25],
      [15, 16, 5],
    ]);
  });

  it.each([
    ['acp/qwen-allow', ['text', 'approval', 'tool-call', 'status'], ['text']],
    ['acp/qwen-reject', ['text', 'approval', 'tool-call'], ['text']],
  ])('S3: %s: a call after tokens is one of the answer that they close', (tape, ...kinds) => {
    const [turn] = turnsOf(buildFixture(tape));
    const steps = stepsOf(turn!.entries);
    expect(steps.map(({ usage }) => usage.output)).toEqual([26, 8]);
    expect(steps.map(({ entries }) => entries.map((entry) => entry.is === 'item' && entry.kind))).toEqual(kinds);
  });

  it('S3: an answer that is nothing but calls has its tokens, told before them', () => {
    const update = (words: object): Said => ['agent', tell('session/update', { sessionId: 's', update: words })];
    const told = (outputTokens: number) =>
      update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '' },
        _meta: { usage: { inputTokens: 1, outputTokens } },
      });
    const called = (toolCallId: string) => update({ sessionUpdate: 'tool_call', toolCallId, title: 'ls' });
    const ran = (toolCallId: string) => update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    const built = buildSaid(acp, [
      ['client', ask(1, 'session/new', {})],
      ['agent', answer(1, { sessionId: 's' })],
      ['client', ask(2, 'session/prompt', { sessionId: 's', prompt: [] })],
      ...[told(10), called('a'), called('b'), ran('a'), ran('b')],
      ...[told(20), called('c'), ran('c')],
      ['agent', answer(2, { stopReason: 'end_turn' })],
    ]);
    const steps = stepsOf(turnsOf(built)[0]!.entries);
    expect(steps.map(({ usage, entries }) => [usage.output, entries.length])).toEqual([
      [10, 2],
      [20, 1],
    ]);
  });

  it('S4: a whole block replaces what was streamed of it', () => {
    const items = itemsOf(buildFixture('qwen-stream-json-0.15.10/partial_think'));
    expect(items.filter(({ kind }) => kind === 'text').map(({ text }) => text)).toEqual(['Hi there.']);
    expect(items.filter(({ kind }) => kind === 'thinking')).toHaveLength(1);
  });

  it('S5: what a step said before it is tried again is discarded; a silent retry leaves both texts and the call', () => {
    const built = buildFixture('wire-1.49.0/llm_error');
    const thoughts = itemsOf(built).filter(({ kind }) => kind === 'thinking');
    expect(thoughts.map(({ flags }) => flags)).toEqual([['discarded'], ['discarded'], []]);
    expect(itemsOf(built).find(({ f }) => f === 46)!.text).toBe('partial whole answer');
    expect(callOf(built, 'le-1').call).toMatchObject({ state: 'abandoned', run: null });
  });
});

describe('calls, waiting and running', () => {
  it('C2: a result closes the latest open call of its id, and none that has one', () => {
    const built = buildSaid(wire, [
      ...prompt('p'),
      call('x'),
      result('x'),
      done('p'),
      ...prompt('q'),
      call('x'),
      result('x'),
      result('x'),
      done('q'),
    ]);
    expect(callsOf(built).map(({ turn, call }) => [turn, call!.result?.f])).toEqual([
      [1, 4],
      [2, 9],
    ]);
    expect(itemsOf(built).filter(({ kind }) => kind === 'tool-result')).toMatchObject([{ f: 10, turn: 2 }]);
  });

  it('C2: an approval before its call is that call’s, and the call starts with it', () => {
    const { call: sub, t } = callOf(buildFixture('wire-0.59/subagent'), 'sub-1');
    expect(sub.asks).toMatchObject([{ f: 11, subagent: 'sa-1', flags: new Set(['before-call']), bound: true }]);
    expect([sub.queue, t]).toEqual([0, sub.asks[0]!.t]);
  });

  it('C2: a second approval of the same id waits for the next call', () => {
    const asked = (id: string) => request(id, 'ApprovalRequest', { tool_call_id: 'x' });
    const built = buildSaid(wire, [
      ...prompt('p'),
      call('x'),
      asked('a'),
      asked('b'),
      result('x'),
      call('x'),
      done('p'),
    ]);
    expect(callsOf(built).map(({ call }) => call!.asks.map(({ f }) => f))).toEqual([[4], [5]]);
  });

  it('W1: k-2 ran 0.112 s, not since its announcement', () => {
    expect(callOf(buildFixture('wire-1.49.0/concurrent'), 'k-2').call.run).toBeCloseTo(0.112, 3);
  });

  it('W1: an answer decides, not the word that the agent has for it later', () => {
    const { call: b5 } = callOf(buildFixture('wire-0.59/approval_bad_answer'), 'b-5');
    expect(b5.wait).toBeCloseTo(1, 2);
    expect(b5.run!).toBeLessThan(0.1);
  });

  it('W2: the second call is in a queue while the first is asked about', () => {
    const built = buildFixture('wire-0.80/approval_two_parallel');
    expect(callOf(built, 'p-2').call.queue).toBeCloseTo(1.507, 3);
    expect(callOf(built, 'p-2').call.run!).toBeLessThan(0.01);
    expect(built.timeline.wait).toBeCloseTo(1.5, 2);
  });

  it('W2: waiting is a union', () => {
    const asked = (id: string, of: string) => request(id, 'ApprovalRequest', { tool_call_id: of });
    const yes = (id: string): Said => ['client', answer(id, { request_id: id, response: 'approve' })];
    const built = buildSaid(wire, [
      ...prompt('p'),
      call('x'),
      call('y'),
      asked('a', 'x'),
      asked('b', 'y'),
      yes('a'),
      yes('b'),
      result('x'),
      result('y'),
      done('p'),
    ]);
    expect(callsOf(built).map(({ call }) => call!.wait)).toEqual([2, 2]);
    expect([turnsOf(built)[0]!.wait, built.timeline.wait]).toEqual([3, 3]);
  });

  it('W2: also of what was asked before the turn was taken up', () => {
    const { timeline } = buildFixture('qwen-stream-json-0.24.4/sdk_mcp');
    const [turn] = timeline.entries.filter((entry) => entry.is === 'turn');
    // 0.022 + 0.006 + 0.011 (f10-12, in which f11-13 lies) + 0.003 + 0.007
    expect(turn!.wait).toBeCloseTo(0.049, 6);
    expect(timeline.wait).toBeCloseTo(turn!.wait, 6);
  });

  it.each([
    ['acp/kimi-reject', 1, 'a client that says no'],
    ['acp/qwen-0.24.4-cancel_in_permission', 1, 'a client that cancels'],
    ['qwen-stream-json-0.15.10/hand_permission_error_response', 1, 'a client that fails'],
    ['qwen-stream-json-0.15.10/hand_oneshot_tool_noask', 1, 'a rule of the agent'],
    ['wire-0.59/approval_bad_answer', 3, 'an agent that takes an invalid answer for a no'],
    ['wire-1.49.0/hooks', 1, 'a hook that blocks'],
  ])('A6: what was refused did not run: %s', (tape, refused) => {
    const calls = callsOf(buildFixture(tape)).filter(({ call }) => call!.result && !call!.result.ok);
    expect(calls.filter(({ call }) => call!.run === null)).toHaveLength(refused);
  });

  it('A6: what was allowed and failed did run', () => {
    expect(callOf(buildFixture('wire-0.59/tools'), 't-8').call).toMatchObject({
      result: { ok: false },
      run: expect.closeTo(0.003, 3),
    });
  });

  it('W3: a hook that nobody answers is waited for until the agent goes on; one after the result is no running time', () => {
    const { call: h4 } = callOf(buildFixture('wire-1.31.0/hooks'), 'h-4');
    expect(h4.asks.map(({ f }) => f)).toEqual([50, 54]);
    expect(h4.wait!).toBeGreaterThan(1.9);
    expect(h4.run!).toBeLessThan(0.1);
  });

  it('W3: what an MCP server asks is waited for by the only call that is open', () => {
    const [first] = callsOf(buildFixture('mcp/everything-elicitation'));
    expect(first!.call).toMatchObject({ asks: [{ kind: 'question' }], queue: expect.closeTo(0.003, 2) });
  });

  it('W3: a call that the client has withdrawn is not waited for, and the reason is told', () => {
    const withdrawn = buildFixture('mcp/everything-cancel');
    expect(callOf(withdrawn, '2')).toMatchObject({ flags: ['cancelled'], call: { state: 'cut', run: null } });
    expect(itemsOf(withdrawn).find(({ kind }) => kind === 'cancel')).toMatchObject({
      f: 17,
      text: 'user changed mind',
    });
    const built = buildSaid(mcp, [
      ['client', ask(1, 'tools/call', { name: 'slow' })],
      ['client', tell('notifications/cancelled', { requestId: 1 })],
      ['client', ask(2, 'tools/call', { name: 'form' })],
      ['agent', ask(1, 'elicitation/create', { message: 'who?' })],
      ['client', answer(1, { action: 'decline' })],
      ['agent', answer(2, { content: [] })],
    ]);
    expect(callOf(built, '2').call).toMatchObject({ asks: [{ kind: 'question' }], wait: 1, run: 1 });
  });

  it('W4: a call without result ends with its turn', () => {
    expect(callOf(buildFixture('wire-1.49.0/cancel'), 'c-1').call).toMatchObject({ state: 'cut', run: null });
  });
});

describe('tokens', () => {
  it('U3: a turn is what the sum has grown by, and what no step tells is hidden', () => {
    const turns = turnsOf(buildFixture('qwen-stream-json-0.15.10/multi'));
    expect(turns.map(({ usage }) => usage.input + usage.cache_read)).toEqual([2410, 2414, 2422]);
    expect(turns[0]!.hidden!.input).toBeGreaterThan(0);
  });

  it('U3: what a stream tells is not added to what the whole tells', () => {
    const [turn] = turnsOf(buildFixture('qwen-stream-json-0.24.4/partial_shell_progress'));
    expect(turn!.hidden).toEqual({ input: 0, cache_read: 0, cache_write: 0, output: 0 });
  });
});

describe('replays and what is sent again', () => {
  it('R1: a replay counts nowhere, and is no turn', () => {
    const built = buildFixture('wire-1.24.0/replay');
    const replayed = itemsOf(built).filter(({ f, flags }) => f < 523 && flags.includes('replayed'));
    expect(replayed).toHaveLength(518);
    expect(replayed.every(({ turn, step }) => turn === null && step === null)).toBe(true);
    expect(built.timeline.counts).toMatchObject({ turns: 1, tools: 0, approvals: 0 });
  });

  it('R2: a request sent again is the same row, and was waited for from the first time on', () => {
    const approvals = itemsOf(buildFixture('wire-1.49.0/background_agent')).filter(({ kind }) => kind === 'approval');
    expect(approvals).toMatchObject([{ f: 16, parts: 2, flags: ['background', 'resent'], answer: { f: 20 } }]);
  });

  it('F4: a second answer changes nothing', () => {
    const approval = itemsOf(buildFixture('wire-1.49.0/approval_late_duplicate')).find(({ ask }) => ask);
    expect(approval).toMatchObject({ answer: { f: 11 }, ask: { decision: 'allow' } });
    const { timeline } = buildSaid(wire, [...prompt('p'), text('x'), step(1), done('p'), done('p')]);
    expect(timeline.entries).toMatchObject([{ is: 'turn', f_end: 5, prompt: { answer: { f: 5 } } }]);
  });
});

describe('agents', () => {
  const inner = (parent: string, agent: string, type: string, payload: unknown): Said =>
    event('SubagentEvent', { parent_tool_call_id: parent, agent_id: agent, event: { type, payload } });
  const says = (parent: string, agent: string, said: string) =>
    inner(parent, agent, 'ContentPart', { type: 'text', text: said });

  it('T8: several of one call are told apart: each has its own steps and its own words', () => {
    const built = buildSaid(wire, [
      ...prompt('1'),
      step(1),
      call('s', 'AgentSwarm'),
      ...['a', 'b'].map((agent) => inner('s', agent, 'StepBegin', { n: 1 })),
      ...[says('s', 'a', 'on'), says('s', 'b', 'two'), says('s', 'a', 'e'), says('s', 'b', '!')],
      inner('s', 'a', 'StepBegin', { n: 2 }),
      says('s', 'a', 'more'),
      says('s', 'b', '!'),
      result('s'),
      done('1'),
    ]);
    const steps = callOf(built, 's').entries as Step[];
    expect(steps.map(({ n, entries }) => [n, ...itemsIn(entries)])).toEqual([
      [1, 'a one'],
      [1, 'b two!!'],
      [2, 'a more'],
    ]);
  });

  it('T8: one that another call starts again goes on under that call', () => {
    const built = buildSaid(wire, [
      ...prompt('1'),
      step(1),
      call('c', 'Agent'),
      inner('c', 'a', 'StepBegin', { n: 1 }),
      says('c', 'a', 'first'),
      result('c'),
      call('d', 'Agent'),
      inner('d', 'a', 'StepBegin', { n: 1 }),
      says('d', 'a', 'again'),
      result('d'),
      done('1'),
    ]);
    for (const [id, said] of [
      ['c', 'a first'],
      ['d', 'a again'],
    ] as const) {
      const steps = callOf(built, id).entries as Step[];
      expect(steps).toMatchObject([{ n: 1, state: 'done' }]);
      expect(itemsIn(steps[0]!.entries)).toEqual([said]);
    }
  });

  const itemsIn = (entries: Entry[]) =>
    entries.flatMap((entry) => (entry.is === 'item' ? [`${entry.subagent} ${entry.text}`] : []));
});
