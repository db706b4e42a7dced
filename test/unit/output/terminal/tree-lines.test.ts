/** What the tree tells is so: found by reading it beside the lines of the tapes. */
import { describe, expect, it } from 'vitest';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { TimelineTree } from '../../../../lib/output/terminal/tree.ts';
import { timelineOf } from '../../../support/reading.ts';

function line(name: string, f: number): string {
  const { dialect, timeline } = timelineOf(name);
  const made = new TimelineTree({ columns: 120, theme: themeFor(false), dialect, full: true });
  const lines = [...made.entries(timeline.entries)].join('').split('\n');
  return lines.find((one) => one.startsWith(`f${f} `))!.replace(/^f\d+ +[\d.]+ +/, '');
}

describe('the tree tells', () => {
  it.each([
    // Nobody denied or allowed these.
    ['wire-1.25.0/late_initialize', 14, 'approval resolved as deny after 20 ms  Run command `echo x`'],
    ['wire-1.49.0/approval_session_sweeps', 13, 'approval resolved as allow after 10 ms  Run command `echo 2`'],
    ['wire-1.49.0/cancel', 12, 'approval cancelled after 1 ms  Run command `echo x`'],
    [
      ...['wire-0.59/approval_bad_answer', 21],
      'approval no valid answer after 1 ms, resolved as deny [bad-word]  Run command `echo 2`',
    ],
    // A hook that blocks does what it is there for.
    ['wire-1.31.0/hooks', 28, 'hook PreToolUse Shell  deny after 1 ms'],
    // It was blocked: it never ran.
    ['wire-1.49.0/hooks', 25, 'Shell  error  $ echo blocked'],
    // What was asked when the turn was over was not waited for in it.
    ['wire-1.25.0/late_initialize', 2, 'turn 1  cancelled  3.41 s'],
    ['wire-1.49.0/background_agent', 4, 'turn 1  finished  295 ms  200 tokens in, 20 out'],
    ['wire-1.49.0/errors', 11, 'error -32700 (parse error)  Invalid JSON format'],
    ['wire-1.24.0/replay', 524, 'control replay  cancelled after 1 ms'],
  ] as [string, number, string][])('%s f%d', (name, f, words) => {
    expect(line(name, f)).toBe(words);
  });
});
