/** What Claude Code does differently from qwen in the same protocol, on recorded sessions. */
import { describe, expect, it } from 'vitest';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { auditFrames } from '../../support/audit.ts';
import * as $ from '../../support/claude.ts';
import { callOf, itemsOf, stepsOf, turnsOf } from '../../support/timeline.ts';

const without = (raw: Uint8Array, text: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(raw).replace(text, ''));

describe('tokens (rule U3)', () => {
  it('are told of each turn, and of the session by model', () => {
    const built = $.buildClaude('turns');
    const turn = { input: 120, cache_read: 1000, cache_write: 0, output: 42 };
    expect(turnsOf(built).map(({ usage }) => usage)).toEqual([turn, turn, turn]);
    expect(built.timeline.usage).toEqual({ input: 360, cache_read: 3000, cache_write: 0, output: 126 });
  });

  it('of subagents are in the sum of the session only', () => {
    const built = $.buildClaude('agents2');
    expect(turnsOf(built)[0]!.usage).toEqual({ input: 240, cache_read: 2000, cache_write: 0, output: 84 });
    expect(built.timeline.usage).toEqual({ input: 720, cache_read: 6000, cache_write: 0, output: 252 });
  });
});

describe('partial messages (rules S2 and S4)', () => {
  it('are one step, with the output of its last count', () => {
    const steps = stepsOf($.buildClaude('partial').timeline.entries);
    expect(steps.map(({ f, f_end, usage }) => ({ f, f_end, usage }))).toEqual([
      { f: 8, f_end: 23, usage: { input: 120, cache_read: 1000, cache_write: 0, output: 42 } },
    ]);
  });

  it('make one item a block, though its stream ends after it was repeated', () => {
    const said = itemsOf($.buildClaude('partial')).filter(({ kind }) => kind === 'text' || kind === 'thinking');
    expect(said.map(({ f, f_end, text }) => ({ f, f_end, text }))).toEqual([
      { f: 9, f_end: 16, text: 'Let me think. The user wants a greeting.' },
      { f: 17, f_end: 21, text: 'Hi there.' },
    ]);
  });
});

describe('tasks', () => {
  it('are subagents of the turn if the agent waits for them', () => {
    const rows = $.auditClaude('agents2').rows.map(({ f, turn, flags }) => ({ f, turn, flags }));
    expect(rows).toEqual([
      { f: 14, turn: 1, flags: ['before-call', 'subagent'] },
      { f: 18, turn: 1, flags: ['subagent'] },
    ]);
  });

  it('outlive the turn if their call, or its result, says so', () => {
    const [row] = $.auditClaude('bgagent').rows;
    expect(row).toMatchObject({ f: 13, turn: null, flags: ['background', 'subagent'] });
    const { frames, command } = $.claudeTape('bgagent');
    const silent = frames.map((frame) => ({ ...frame, raw: without(frame.raw, ',"run_in_background":true') }));
    expect(auditFrames(streamJson, silent, command).rows[0]).toMatchObject({ f: 13, turn: null });
  });

  it('that are commands are no subagents, and what is said of them goes with their call', () => {
    const built = $.buildClaude('bgshell');
    expect(itemsOf(built).filter(({ subagent, kind }) => subagent !== null || kind === 'subagent')).toEqual([]);
    const { entries } = callOf(built, 'toolu_mock_499_1');
    expect(entries).toMatchObject([
      { kind: 'status', f: 8 },
      { kind: 'notice', f: 13, turn: 1 },
    ]);
  });
});
