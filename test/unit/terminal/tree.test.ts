import { describe, expect, it } from 'vitest';
import { cells } from '../../../lib/core/text.ts';
import { themeFor } from '../../../lib/terminal/theme.ts';
import { Tree } from '../../../lib/terminal/tree.ts';
import { timelineOf } from '../../support/reading.ts';

function tree(name: string, { columns = 80, color = false, full = false } = {}): string[] {
  const { dialect, timeline } = timelineOf(name);
  const made = new Tree({ columns, theme: themeFor(color), dialect, full });
  return [...made.entries(timeline.entries)].join('').split('\n').slice(0, -1);
}

const TAPES = [
  ...['acp/kimi-allow', 'acp/qwen-reject', 'acp/qwen-0.24.4-cancel_in_permission', 'kimi-stream-json/write'],
  ...['mcp/everything-elicitation', 'mcp/everything-progress', 'qwen-rfc/messages', 'qwen-rfc/chunks'],
  ...['qwen-stream-json-0.15.10/agent_yolo', 'qwen-stream-json-0.15.10/hand_content_blocks', 'wire-0.58/subagent'],
  ...['wire-1.31.0/hooks', 'wire-1.31.0/plan_mode', 'wire-1.49.0/errors', 'wire-1.49.0/background_agent'],
];

describe.each(TAPES)('the tree of %s', (name) => {
  it.each([60, 80, 120, 200])('fits %i columns, with no blanks at the ends of lines', (columns) => {
    for (const full of [false, true]) {
      for (const line of tree(name, { columns, full })) {
        expect(cells(line), line).toBeLessThanOrEqual(columns);
        expect(line).toBe(line.trimEnd());
      }
    }
  });

  it('is the same in colour', () => {
    expect(tree(name, { color: true }).map((line) => line.replace(/\x1b\[\d+m/g, ''))).toEqual(tree(name));
  });
});

describe('the tree', () => {
  it('shows a refused change as a diff, under the call it held up', () => {
    expect(tree('acp/qwen-reject').slice(3, 14)).toEqual([
      'f6        6.161  turn 1  end_turn  539 ms, waited 37 ms  2410 in, 34 out',
      '                   SCENARIO=write FILE=/home/dev/project/acp/qwen-reject/r.txt',
      '                   write it',
      'f7        6.335    step 1  246 ms  1204 in, 26 out',
      'f7        6.335      I will write the file.',
      'f9        6.544      Writing to r.txt  abandoned  waited 37 ms',
      'f9        6.544        approval deny after 37 ms [before-call]  edit',
      '                       /home/dev/project/acp/qwen-reject/r.txt',
      '                       + hello from the mock',
      'f11       6.650    step 2  50 ms  1206 in, 8 out',
      'f11       6.650      Finished: 1 tool result(s) seen.',
    ]);
  });

  it.each([
    [
      'wire-0.59/approval_bad_answer',
      'f21       1.472        approval no valid answer after 1 ms, resolved as deny [b…',
    ],
    ['wire-1.49.0/approval_session_sweeps', /approval resolved as allow after/],
    ['mcp/everything-elicitation', 'f20       0.845    question decline after 3 ms'],
    ['mcp/everything-elicitation', '                     [x] Instrument Lover'],
    ['mcp/everything-cancel', 'f17       2.006  cancel 2  user changed mind'],
    ['mcp/everything-sampling', '                     sampled text'],
    ['qwen-stream-json-0.24.4/sdk_mcp', 'f10       3.476    client-call failed after 11 ms  prompts/list  {}'],
    ['qwen-stream-json-0.24.4/control', 'f16       7.924  mode yolo ok after 3 ms'],
    ['qwen-stream-json-0.24.4/control', 'f20       7.934  control set_model ok after 6 ms  mock-model-2'],
    ['qwen-stream-json-0.24.4/interrupt', '                   Operation cancelled.'],
    ['qwen-stream-json-0.15.10/hand_malformed_between_turns', 'f8        9.236  noise client  {oops'],
    ['qwen-stream-json-0.24.4/agent', /notice completed {2}2436 tokens/],
    ['qwen-stream-json-0.15.10/multi', 'f4        8.620  turn 1  success  1.56 s  2410 in, 54 out  (1206+27 hidden)'],
    ['qwen-rfc/commands', '                   当前会话共有 3 条历史记录'],
    ['qwen-rfc/messages', '                         style'],
    ['qwen-rfc/messages', 'f18       1.700  client-call-answer  42'],
    ['qwen-rfc/refusals', '                     edit_file  {"path":"main.py","patch":"..."}'],
    ['wire-0.46/tools_yolo', '                       [x] write'],
    ['wire-0.46/tools_yolo', '                       [>] check'],
    ['wire-0.59/tools', '                       `/home/dev/project/missing.txt` does not exist.'],
  ])('leaves out nothing that was said: %s, %s', (tape, line) => {
    expect(tree(tape)).toContainEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  it.each([
    ['qwen-stream-json-0.24.4/err500', '[API Error: 500 mock internal error]'],
    ['wire-1.49.0/hooks', 'please check once more'],
    ['wire-0.59/approval_bad_answer', 'Rejected by user'],
  ])('says a thing once: %s', (tape, words) => {
    const times = tree(tape).filter((line) => line.includes(words) || line.includes('rejected by the user')).length;
    expect(times).toBe(tape.startsWith('wire-0.59') ? 3 : 1);
  });

  it('tells what an error code means, where the agent says it', () => {
    const lines = tree('wire-1.49.0/errors');
    expect(lines).toContain('f4        2.040  other no_such_method error -32601 (method not found) after 0 ms');
    expect(lines).toContain('f21       5.545  cancel error -32000 (invalid state) after 1 ms');
    // A client's -32000 is its own.
    expect(tree('wire-1.31.0/hooks', { columns: 120 }).join('\n')).toContain('hook error -32000 after 0 ms');
  });

  it('says that a hook ran and what the client said to it, and gathers what belongs together', () => {
    const lines = tree('wire-1.31.0/hooks');
    expect(lines.filter((line) => line.includes('UserPromptSubmit'))).toHaveLength(2);
    expect(lines.some((line) => line.includes('hook-resolved'))).toBe(false);
    expect(tree('acp/qwen-reject').at(-1)).toBe('f14       6.704  process  eof of the client · exit with 0');
  });

  it('shows a question with its answers', () => {
    const lines = tree('mcp/everything-elicitation', { full: true }).map((line) => line.trim());
    expect(lines).toContain('String: Ada');
    expect(lines).toContain('( ) hero-2  Green Lantern');
  });

  it('shows so many lines of a text, and says how many there are more', () => {
    const lines = tree('mcp/everything-elicitation');
    const more = lines.filter((line) => / … \d+ more lines? \(--full\)$/.test(line));
    expect(more.length).toBeGreaterThan(0);
    const full = tree('mcp/everything-elicitation', { full: true });
    expect(full.length).toBeGreaterThan(lines.length);
    expect(full.join('\n')).not.toContain('(--full)');
  });

  it('folds what was sent again into one line', () => {
    const lines = tree('wire-1.24.0/replay');
    const folded = lines.filter((line) => / {2}replayed {2}\d+ items f\d+ to f\d+$/.test(line));
    expect(folded.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain('[replayed]');
  });
});
