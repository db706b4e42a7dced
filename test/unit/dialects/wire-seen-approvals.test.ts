/**
 * What real agents were seen to do with approvals and cancels, version by version: each test is named after that, and
 * says what a reader must make of it.
 */
import { describe, expect, it } from 'vitest';
import { buildFixture, callOf, itemAt, itemsOf, turnsOf } from '../../support/timeline.ts';

describe('a cancel while something is asked', () => {
  it.each([
    ['wire-0.59/cancel', 10],
    ['wire-0.80/cancel', 12],
  ])('%s: is answered, the prompt never is, and the next prompt works', (tape, cancel) => {
    const built = buildFixture(tape);
    const [first, , third] = turnsOf(built);
    expect(first).toMatchObject({ status: 'unanswered', cancelled_f: cancel, f_end: cancel + 1 });
    expect(first!.prompt).toMatchObject({ answer: null });
    expect(itemAt(built, cancel)).toMatchObject({ kind: 'cancel', turn: 1, answer: { f: cancel + 1, ok: true } });
    expect(callOf(built, 'c-1').call).toMatchObject({ state: 'cut', result: null, run: null });
    expect(third).toMatchObject({ status: 'finished', cancelled_f: null });
  });

  it('wire-0.80/external_tool: the same with a tool of the client, which is never answered', () => {
    const built = buildFixture('wire-0.80/external_tool');
    expect(turnsOf(built)).toMatchObject([{ status: 'unanswered', cancelled_f: 45 }]);
    expect(itemAt(built, 44)).toMatchObject({
      kind: 'client-call',
      answer: null,
      ask: { bound: true, call_id: 'x-6' },
    });
    expect(callOf(built, 'x-6').call).toMatchObject({ state: 'cut', result: null });
  });

  it('wire-1.49.0/external_tool: the prompt is answered, the tool of the client is not', () => {
    const built = buildFixture('wire-1.49.0/external_tool');
    expect(turnsOf(built)).toMatchObject([{ status: 'cancelled', cancelled_f: 46, f_end: 49 }]);
    expect(itemAt(built, 45)).toMatchObject({ kind: 'client-call', answer: null });
    expect(callOf(built, 'x-6').call).toMatchObject({ state: 'cut', result: null });
  });

  it.each(['wire-1.12.0/cancel', 'wire-rs-1.8.0/cancel'])('%s: the approval is never resolved', (tape) => {
    const built = buildFixture(tape);
    expect(turnsOf(built)[0]).toMatchObject({ status: 'cancelled', f_end: 15 });
    expect(itemAt(built, 12)).toMatchObject({
      kind: 'approval',
      answer: null,
      ask: { decision: 'cancelled', resolved: null },
    });
  });

  it('wire-1.25.0/cancel: a reject comes after the answer to the prompt, and belongs to the turn that is over', () => {
    const built = buildFixture('wire-1.25.0/cancel');
    const [first, second] = turnsOf(built);
    const asked = itemAt(built, 12);
    expect(first).toMatchObject({ status: 'cancelled', f_end: 15 });
    expect(asked).toMatchObject({
      turn: 1,
      f_end: 16,
      ask: { decision: 'cancelled', resolved: { f: 16, decision: 'deny' } },
    });
    expect(built.wheres[15]).toMatchObject({ turn: 1, item: 12 });
    // Nobody waited for it any longer than until the cancel.
    expect(asked.ask!.wait).toBeLessThanOrEqual(first!.t_end - asked.t);
    expect(second).toMatchObject({ f: 17, status: 'cancelled' });
  });

  it('wire-1.49.0/cancel: the reject comes between the end of the turn and the answer', () => {
    const built = buildFixture('wire-1.49.0/cancel');
    expect(built.readings[14]!.events).toMatchObject([{ kind: 'turn-end' }]);
    expect(itemAt(built, 12)).toMatchObject({
      turn: 1,
      ask: { decision: 'cancelled', resolved: { f: 16, decision: 'deny' } },
    });
    expect(turnsOf(built)[0]).toMatchObject({ status: 'cancelled', f_end: 17 });
  });

  it('wire-1.49.0/approval_unanswered: after the client has gone, no reject is told', () => {
    const built = buildFixture('wire-1.49.0/approval_unanswered');
    expect(itemAt(built, 10)).toMatchObject({ answer: null, ask: { decision: null, resolved: null } });
    expect(turnsOf(built)).toMatchObject([{ status: 'unanswered', cancelled_f: null }]);
  });
});

describe('an approval without a handshake', () => {
  it('wire-1.25.0/no_initialize: is never asked, and the turn hangs', () => {
    const built = buildFixture('wire-1.25.0/no_initialize');
    expect(built.timeline.counts).toMatchObject({ tools: 1, approvals: 0 });
    expect(turnsOf(built)).toMatchObject([{ status: 'unanswered' }]);
    expect(callOf(built, 'n-1').call).toMatchObject({ state: 'cut', asks: [] });
  });

  it('wire-1.25.0/late_initialize: of a turn that is over is asked later, and rejected after the next turn', () => {
    const built = buildFixture('wire-1.25.0/late_initialize');
    const [dead, next] = turnsOf(built);
    const asked = itemAt(built, 14);
    expect(asked).toMatchObject({
      ...{ kind: 'approval', turn: 1, step: 1, answer: null, f_end: 31 },
      ask: { bound: true, call_id: 'n-1', decision: null, resolved: { f: 31, decision: 'deny' } },
    });
    expect(built.wheres[30]).toMatchObject({ turn: 1, item: 14 });
    // It stretches neither of the turns, and is nothing that the second one waited for.
    expect(dead).toMatchObject({ f: 2, f_end: 12, wait: 0 });
    expect(next).toMatchObject({ f: 16, f_end: 30, status: 'finished' });
    expect(next!.wait).toBeCloseTo(itemAt(built, 22).ask!.wait!, 6);
  });

  it('wire-1.49.0/late_initialize: of a turn that is over is gone', () => {
    const built = buildFixture('wire-1.49.0/late_initialize');
    expect(built.timeline.counts).toMatchObject({ tools: 2, approvals: 1 });
    expect(callOf(built, 'n-1').call).toMatchObject({ state: 'cut', asks: [] });
    expect(callOf(built, 'n-2').call!.asks).toMatchObject([{ f: 22 }]);
  });

  it('wire-1.49.0/background_agent: a second handshake sends an open one again, which is the same one', () => {
    const built = buildFixture('wire-1.49.0/background_agent');
    const asked = itemsOf(built).filter(({ kind }) => kind === 'approval');
    expect(asked).toMatchObject([{ f: 16, parts: 2, answer: { f: 20 }, ask: { decision: 'allow' } }]);
    expect(asked[0]!.flags).toContain('resent');
    expect(built.wheres[17]).toMatchObject({ item: 16 });
    expect(built.timeline.counts.approvals).toBe(1);
    // From the first time on.
    expect(asked[0]!.ask!.wait).toBeCloseTo(asked[0]!.answer!.t - asked[0]!.t, 6);
  });
});

describe('an answer that is not as it should be', () => {
  // The frames of the approval and of its answer.
  const tapes = {
    'wire-0.59/approval_bad_answer': { 'b-1': [7, 8], 'b-2': [21, 22], 'b-3': [32, 33], 'b-5': [54, 55] },
    'wire-1.49.0/approval_bad_answer': { 'b-1': [9, 10], 'b-2': [24, 25], 'b-3': [36, 37], 'b-5': [60, 61] },
    'wire-rs-1.8.0/approval_bad_answer': { 'b-1': [10, 11], 'b-2': [23, 24], 'b-3': [37, 38], 'b-5': [61, 62] },
  } as const;
  const cases = Object.entries(tapes);

  it.each(cases)('%s: a wrong request_id is honoured', (tape, { 'b-1': [asked, answered] }) => {
    const built = buildFixture(tape);
    expect(built.readings[answered - 1]!.events).toMatchObject([{ decision: 'allow', flags: ['wrong-request-id'] }]);
    expect(itemAt(built, asked).ask).toMatchObject({ decision: 'allow', resolved: { decision: 'allow' } });
    expect(callOf(built, 'b-1').call!.result).toMatchObject({ ok: true });
  });

  it.each(cases)('%s: an unknown word is a reject', (tape, { 'b-2': [asked, answered] }) => {
    const built = buildFixture(tape);
    expect(built.readings[answered - 1]!.events).toMatchObject([
      { option: 'allow', decision: null, flags: ['bad-word'] },
    ]);
    expect(itemAt(built, asked).ask).toMatchObject({ decision: null, resolved: { decision: 'deny' } });
    expect(callOf(built, 'b-2').call!.result).toMatchObject({ ok: false });
  });

  it.each(cases)(
    '%s: one without request_id is a reject, although it approves',
    (tape, { 'b-3': [asked, answered] }) => {
      const built = buildFixture(tape);
      expect(built.readings[answered - 1]!.events).toMatchObject([
        { option: 'approve', decision: null, flags: ['no-request-id'] },
      ]);
      expect(itemAt(built, asked).ask).toMatchObject({ decision: null, resolved: { decision: 'deny' } });
      expect(callOf(built, 'b-3').call!.result).toMatchObject({ ok: false });
    },
  );

  it.each(cases.slice(1))(
    '%s: a result beside an error is an error, so a reject',
    (tape, { 'b-5': [asked, answered] }) => {
      const built = buildFixture(tape);
      expect(built.readings[answered - 1]!.events).toMatchObject([{ decision: null, flags: ['both', 'client-error'] }]);
      expect(itemAt(built, asked)).toMatchObject({
        ...{ answer: { f: answered, ok: false }, flags: ['both', 'late-answer'] },
        ask: { decision: null, resolved: { f: answered + 1, decision: 'deny' } },
      });
      expect(callOf(built, 'b-5').call!.result).toMatchObject({ ok: false });
    },
  );

  it('wire-0.59/approval_bad_answer: such a line is ignored there, and the next answer counts', () => {
    const built = buildFixture('wire-0.59/approval_bad_answer');
    expect(built.readings[54]!.events).toMatchObject([{ decision: null, flags: ['both', 'client-error'] }]);
    const asked = itemAt(built, 54);
    expect(asked).toMatchObject({
      answer: { f: 56 },
      ask: { decision: 'allow', resolved: { f: 58, decision: 'allow' } },
    });
    expect(asked.ask!.wait).toBeCloseTo(asked.answer!.t - asked.t, 6);
    expect(callOf(built, 'b-5').call!.result).toMatchObject({ ok: true });
  });
});

describe('a standing grant', () => {
  it('wire-1.49.0/approval_session_sweeps: answers what else is open of the same action, with no answer of the client', () => {
    const built = buildFixture('wire-1.49.0/approval_session_sweeps');
    const [first, ...swept] = itemsOf(built).filter(({ kind }) => kind === 'approval');
    expect(first).toMatchObject({ answer: { f: 15 }, ask: { decision: 'allow-always', resolved: { f: 16 } } });
    expect(swept).toMatchObject([
      { answer: null, ask: { decision: null, action: first!.ask!.action, resolved: { f: 17, decision: 'allow' } } },
      { answer: null, ask: { decision: null, action: first!.ask!.action, resolved: { f: 18, decision: 'allow' } } },
    ]);
    for (const { t, ask } of swept) expect(ask!.wait).toBeCloseTo(ask!.resolved!.t - t, 6);
  });

  it('wire-1.24.0/resume_continue: survives the process: the call runs and nobody is asked', () => {
    const built = buildFixture('wire-1.24.0/resume_continue');
    expect(built.timeline.counts).toMatchObject({ tools: 1, approvals: 0 });
    expect(callOf(built, 'rc-2').call).toMatchObject({ asks: [], state: 'done', result: { ok: true } });
  });

  it('wire-0.80/resume_continue: did not then: the call is asked about again', () => {
    const built = buildFixture('wire-0.80/resume_continue');
    expect(built.timeline.counts).toMatchObject({ tools: 1, approvals: 1 });
    expect(callOf(built, 'rc-2').call!.asks).toMatchObject([{ decision: 'allow' }]);
  });

  it.each([
    ['wire-0.59/cancel', 9, 'run shell command'],
    ['wire-0.80/cancel', 11, 'run command'],
    ['wire-1.49.0/cancel', 12, 'run command'],
  ])('%s: the action is called as that version calls it', (tape, f, action) => {
    expect(itemAt(buildFixture(tape), f).ask).toMatchObject({ action });
  });
});

it('wire-0.46/approve: the agent never hears the answer, nor the end of its input', () => {
  const built = buildFixture('wire-0.46/approve');
  expect(itemAt(built, 6)).toMatchObject({ answer: { f: 7 }, ask: { decision: 'allow', resolved: null } });
  expect(callOf(built, 'a-1').call).toMatchObject({ state: 'cut', result: null });
  expect(turnsOf(built)).toMatchObject([{ status: 'unanswered' }]);
  expect(built.timeline.entries.at(-1)).toMatchObject({ kind: 'process', name: 'exit', text: 'by SIGTERM' });
});
