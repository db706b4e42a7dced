/** What was found wrong when every tape was read by eye beside its timeline, each with the frames where it was seen. */
import { describe, expect, it } from 'vitest';
import { timelineRows } from '../../../../lib/model/timeline/json.ts';
import { type Built, buildFixture, callOf, itemsOf, stepsOf, turnsOf } from '../../../support/timeline.ts';

const at = (built: Built, f: number) => itemsOf(built).find((item) => item.f === f)!;
const rows = ({ timeline }: Built) => [...timelineRows('s', 0, timeline.entries)];

describe('who said what', () => {
  it('a steer that was refused never comes into effect', () => {
    const built = buildFixture('wire-1.21.0/steer');
    expect([4, 13, 15].map((f) => at(built, f).f_end)).toEqual([5, 20, 21]);
  });

  it('a handshake that was refused changes nothing', () => {
    const { handshake } = buildFixture('wire-1.24.0/second_prompt_while_busy').timeline;
    expect(handshake).toMatchObject({ protocol: '1.5', client: { name: 'wire-lab' }, agent: { version: '1.24.0' } });
    expect(buildFixture('wire-1.25.0/late_initialize').timeline.handshake.protocol).toBe('1.6');
  });

  it.each([
    ['wire-0.59/cancel', 9],
    ['wire-1.25.0/cancel', 12],
    ['wire-1.49.0/cancel', 12],
    ['wire-rs-1.8.0/cancel', 12],
  ])('A4: %s f%d is cancelled by the client, not denied', (tape, f) => {
    expect(at(buildFixture(tape), f).ask).toMatchObject({ decision: 'cancelled' });
  });

  it.each([
    ['wire-1.25.0/late_initialize', 14, 'deny'],
    ['wire-1.49.0/approval_session_sweeps', 13, 'allow'],
  ])('A4: %s f%d was decided by nobody, and resolved by the agent', (tape, f, decision) => {
    expect(at(buildFixture(tape), f).ask).toMatchObject({ decision: null, resolved: { decision } });
  });

  it('tells what is wrong with an answer, and that there was another', () => {
    const flags = (tape: string, f: number) => at(buildFixture(tape), f).flags;
    expect(flags('wire-1.49.0/approval_late_duplicate', 10)).toEqual(['duplicate-answer', 'late-answer']);
    expect(flags('wire-1.49.0/question', 45)).toEqual(['bad-shape']);
    expect(flags('wire-1.49.0/question', 38)).toEqual([]);
    const bad = buildFixture('wire-0.59/approval_bad_answer');
    const asked = itemsOf(bad).filter(({ kind }) => kind === 'approval');
    expect(asked.map((item) => item.flags.join(' '))).toEqual([
      ...['wrong-request-id', 'bad-word', 'no-request-id', 'bad-shape', 'both answered-again'],
    ]);
  });
});

describe('what became of it', () => {
  it.each([
    ['wire-1.24.0/sigterm_midturn', ['interrupted']],
    ['wire-1.49.0/stdin_eof_midturn', ['interrupted']],
    ['wire-1.49.0/cancel', ['interrupted', 'interrupted', 'done']],
    ['acp/kimi-cancel', ['interrupted', 'done']],
    // It had its result, or nobody answers in this protocol.
    ['qwen-stream-json-0.24.4/max_turns', ['done']],
    ['kimi-stream-json/plain', ['done']],
  ])('the last step of %s', (tape, states) => {
    const last = turnsOf(buildFixture(tape)).map(({ entries }) => stepsOf(entries).at(-1)!.state);
    expect(last).toEqual(states);
  });

  it.each([
    ['wire-0.59/approval_bad_answer', 'b-2'],
    ['wire-1.31.0/hooks', 'h-2'],
    ['wire-1.49.0/hooks_block_prompt', 'h-1'],
    ['acp/kimi-reject', '0:call_mock_3_0'],
  ])('A6: in %s, %s was refused and never ran', (tape, id) => {
    expect(callOf(buildFixture(tape), id).call).toMatchObject({ run: null, result: { ok: false } });
  });

  it('A6: what ran after a hook that said nothing, or failed as allowed, has run', () => {
    expect(callOf(buildFixture('wire-1.31.0/hooks'), 'h-3').call.run).toBeCloseTo(0.009);
    expect(callOf(buildFixture('wire-1.17.0/mcp'), 'mcp-2').call.run).toBeCloseTo(2.505);
  });

  it('a replay that was cancelled did not finish', () => {
    const built = buildFixture('wire-1.24.0/replay');
    expect([4, 524].map((f) => at(built, f).answer?.status)).toEqual(['finished', 'cancelled']);
  });
});

describe('nothing is lost', () => {
  it('why a tool failed, why a step is tried again, which mode, which error', () => {
    const { result } = callOf(buildFixture('wire-1.24.0/stdout_noise'), 'no-1').call;
    expect(result!.blocks).toEqual([{ type: 'text', text: '`/home/dev/project/n.txt` does not exist.' }]);
    expect(at(buildFixture('wire-1.49.0/llm_error'), 7).name).toBe('APIStatusError 500');
    expect(at(buildFixture('wire-1.31.0/plan_mode'), 4).name).toBe('plan');
    expect(at(buildFixture('wire-1.49.0/errors'), 11).code).toBe(-32700);
  });

  it('JSON has the code and the text of an answer, what the agent made of it, and times without noise', () => {
    const errors = rows(buildFixture('wire-1.49.0/errors'));
    expect(errors.find(({ f }) => f === 11)).toMatchObject({ kind: 'error', code: -32700 });
    expect(errors.find(({ f }) => f === 21)).toMatchObject({
      code: -32000,
      answer_text: 'No agent turn is in progress',
    });
    const swept = rows(buildFixture('wire-1.49.0/approval_session_sweeps'));
    expect(swept.find(({ f }) => f === 13)).toMatchObject({ decision: null, resolved: 'allow', resolved_f: 17 });
    const steer = rows(buildFixture('wire-1.21.0/steer'));
    expect(steer.find(({ kind }) => kind === 'tool-call')).toMatchObject({ wait: 0.003, run: 0.011, queue: 0.001 });
    expect(steer.find(({ kind }) => kind === 'handshake')).toMatchObject({ latency: 2.034 });
  });
});
