/** What real agents were seen to do with subagents and at their end, and what a reader must make of it. */
import { describe, expect, it } from 'vitest';
import { askItems, buildFixture, callOf, itemAt, itemsOf, turnsOf } from '../../support/timeline.ts';

describe('subagents', () => {
  it.each([
    ['wire-0.59/subagent', 'sub-1'],
    ['wire-0.68/subagent_parallel', 'sub-1'],
    ['wire-0.68/subagent_parallel', 'sub-2'],
  ])('%s: the request about %s comes before the call, which starts with it', (tape, id) => {
    const built = buildFixture(tape);
    const item = callOf(built, id);
    const [asked] = askItems(item);
    expect(asked!.f).toBeLessThan(item.f);
    expect(asked).toMatchObject({ flags: ['before-call'], ask: { bound: true, decision: 'allow' } });
    expect(asked).toMatchObject({ subagent: item.subagent, parent: item.parent, turn: 1, step: item.step });
    expect(item).toMatchObject({ t: asked!.t, call: { queue: 0, result: { ok: true } } });
    expect(item.call.run).toBeCloseTo(item.call.result!.t - asked!.answer!.t, 6);
  });

  it('wire-rs-1.8.0/approval_bad_answer: an approval comes before the main agent’s own text and call', () => {
    const built = buildFixture('wire-rs-1.8.0/approval_bad_answer');
    const item = callOf(built, 'b-2');
    expect(item).toMatchObject({ f: 26, subagent: null, step: 1 });
    expect(askItems(item)).toMatchObject([{ f: 23, flags: ['bad-word', 'before-call'], ask: { bound: true } }]);
  });

  it('wire-rs-1.8.0/external_tool: the client is asked to run a tool before the call of it is told', () => {
    const built = buildFixture('wire-rs-1.8.0/external_tool');
    const item = callOf(built, 'x-5');
    expect(askItems(item)).toMatchObject([{ f: 36, flags: ['before-call'], answer: { f: 37 }, ask: { bound: true } }]);
    expect(item).toMatchObject({ f: 39, t: item.call.asks[0]!.t, call: { result: { f: 40, ok: true } } });
    expect(item.call.wait).toBeCloseTo(item.call.asks[0]!.wait!, 6);
    expect(built.timeline.counts.tools).toBe(6);
  });

  it('wire-0.46/subagent: shows by its approval alone', () => {
    const built = buildFixture('wire-0.46/subagent');
    expect(built.timeline.counts).toMatchObject({ tools: 1, approvals: 1 });
    expect(itemAt(built, 7)).toMatchObject({
      kind: 'approval',
      subagent: null,
      ask: { call_id: 'sub-1', bound: false },
    });
  });

  it('wire-1.49.0/background_agent: its calls are never told, only what it asks, under the call that started it', () => {
    const built = buildFixture('wire-1.49.0/background_agent');
    expect(built.timeline.counts).toMatchObject({ tools: 1, approvals: 1 });
    const inside = callOf(built, 'ba-1').entries;
    expect(inside).toMatchObject([{ kind: 'approval', turn: null, ask: { call_id: 'bsub-1', bound: false } }]);
    expect(built.readings.flatMap(({ events }) => events).filter(({ kind }) => kind === 'subagent')).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    ['wire-0.59/sigint_midturn', 'with 130'],
    ['wire-1.49.0/sigint_midturn', 'with 0'],
    ['wire-rs-1.8.0/sigint_midturn', 'by SIGINT'],
  ])('%s: after SIGINT the agent exits %s, and the turn has no answer', (tape, how) => {
    const built = buildFixture(tape);
    expect(turnsOf(built)).toMatchObject([{ status: 'unanswered' }]);
    expect(built.timeline.entries.at(-1)).toMatchObject({ name: 'exit', text: how, turn: null });
    expect(callOf(built, 'k-1').call).toMatchObject({ state: 'cut', result: null });
  });

  it.each(['wire-0.80/stdin_eof_at_once', 'wire-1.49.0/stdin_eof_at_once'])(
    '%s: the input ends right after the prompt: it is taken up, and that is all',
    (tape) => {
      const built = buildFixture(tape);
      const [turn] = turnsOf(built);
      expect(turn).toMatchObject({ f: 4, status: 'unanswered', usage: { output: 0 } });
      expect(
        itemsOf(built).filter((item) => item.turn === 1 && !['prompt', 'process', 'log'].includes(item.kind)),
      ).toEqual([]);
      expect(built.timeline.entries.at(-1)).toMatchObject({ name: 'exit', text: 'with 0' });
    },
  );

  it('wire-1.49.0/cancel: how to resume is told on stderr, which is a log', () => {
    const built = buildFixture('wire-1.49.0/cancel');
    expect(itemAt(built, 40)).toMatchObject({ kind: 'log', text: expect.stringMatching(/^To resume this session: /) });
  });

  it('wire-0.46/errors_fatal: tracebacks on stderr are a log, line by line, and never noise', () => {
    const built = buildFixture('wire-0.46/errors_fatal');
    const said = itemsOf(built).filter(({ f }) => built.readings[f - 1]!.frame.from === 'stderr');
    expect(said.length).toBeGreaterThan(10);
    expect(new Set(said.map(({ kind }) => kind))).toEqual(new Set(['log']));
  });

  it('wire-1.49.0/stdout_noise: trace lines come at the exit, and are noise between turns', () => {
    const built = buildFixture('wire-1.49.0/stdout_noise');
    const noise = itemsOf(built).filter(({ kind }) => kind === 'noise');
    expect(noise).toMatchObject([
      { f: 17, turn: null, text: expect.stringMatching(/^SCRIPTED_ECHO TURN 1: /) },
      { f: 18, turn: null, text: expect.stringMatching(/^SCRIPTED_ECHO TURN 2: /) },
    ]);
    expect(turnsOf(built)[0]!.f_end).toBeLessThan(16);
  });
});
