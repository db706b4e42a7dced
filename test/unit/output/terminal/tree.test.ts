import { describe, expect, it } from 'vitest';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { TimelineTree } from '../../../../lib/output/terminal/tree.ts';
import { ask, type Said, tell, timelineOf } from '../../../support/reading.ts';
import { buildSaid } from '../../../support/timeline.ts';

function tree(name: string, { columns = 80, color = false, full = false } = {}): string[] {
  const { dialect, timeline } = timelineOf(name);
  const made = new TimelineTree({ columns, theme: themeFor(color), dialect, full });
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
    expect(tree('acp/qwen-reject').slice(2, 15)).toEqual([
      'f4        5.977  handshake session/new  ok after 182 ms',
      '',
      'f6        6.161  turn 1  end_turn  539 ms, waited 37 ms  2410 tokens in, 34 out',
      '                   SCENARIO=write FILE=/home/dev/project/acp/qwen-reject/r.txt',
      '                   write it',
      'f7        6.335    step 1  246 ms  1204 tokens in, 26 out',
      'f7        6.335      I will write the file.',
      'f9        6.544      Writing to r.txt  no result  waited 37 ms',
      'f9        6.544        approval deny after 37 ms [before-call]  edit',
      '                       /home/dev/project/acp/qwen-reject/r.txt',
      '                       + hello from the mock',
      'f11       6.650    step 2  50 ms  1206 tokens in, 8 out',
      'f11       6.650      Finished: 1 tool result(s) seen.',
    ]);
  });

  it.each([
    [
      'wire-0.59/approval_bad_answer',
      'f21       1.472        approval no valid answer after 1 ms, resolved as deny [b…',
    ],
    ['wire-1.49.0/approval_session_sweeps', /approval resolved as allow after/],
    ['mcp/everything-elicitation', 'f20       0.845    question declined after 3 ms'],
    ['mcp/everything-elicitation', '                     [x] Instrument Lover'],
    ['mcp/everything-cancel', 'f17       2.006  cancel 2  user changed mind'],
    ['mcp/everything-sampling', '                     sampled text'],
    ['qwen-stream-json-0.24.4/sdk_mcp', 'f10       3.476    client-call prompts/list  failed after 11 ms'],
    ['qwen-stream-json-0.24.4/control', 'f16       7.924  mode yolo  ok after 3 ms'],
    ['qwen-stream-json-0.24.4/control', 'f20       7.934  control set_model  ok after 6 ms  mock-model-2'],
    ['qwen-stream-json-0.24.4/interrupt', '                   Operation cancelled.'],
    ['qwen-stream-json-0.15.10/hand_malformed_between_turns', 'f8        9.236  noise client  {oops'],
    ['qwen-stream-json-0.24.4/agent', /notice completed {2}2436 tokens/],
    ['qwen-stream-json-0.15.10/multi', 'f4        8.620  turn 1  success  1.56 s  2410 tokens in, 54 out'],
    ['qwen-rfc/commands', '                   当前会话共有 3 条历史记录'],
    ['qwen-rfc/messages', '                         style'],
    ['qwen-rfc/messages', 'f18       1.700  client-call-answer  42'],
    ['qwen-rfc/refusals', '                     edit_file  main.py  patch: ...'],
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
    expect(lines).toContain('                     error -32601 (method not found) after 0 ms');
    expect(lines).toContain('f21       5.545  cancel  error -32000 (invalid state) after 1 ms');
    // A client's -32000 is its own.
    expect(tree('wire-1.31.0/hooks', { columns: 120 }).join('\n')).toContain('error -32000 after 0 ms');
  });

  it('shows the code of an error that answers nothing', () => {
    const { dialect, timeline } = timelineOf('wire-1.49.0/errors');
    const error = timeline.entries.find((entry) => entry.is === 'item' && entry.kind === 'error')!;
    const made = new TimelineTree({ columns: 80, theme: themeFor(false), dialect, full: false });
    const [line] = made.entries([{ ...error, code: -32700 } as typeof error]);
    expect(line).toBe('f11       3.093  error -32700 (parse error)  Invalid JSON format\n');
  });

  it('tells a hook once: what the client said, and what the agent made of it', () => {
    const lines = tree('wire-1.31.0/hooks', { columns: 120 }).map((line) => line.slice(17).trim());
    expect(lines.filter((line) => line.includes('UserPromptSubmit'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('hook PreToolUse Shell'))).toHaveLength(4);
    const at = lines.findIndex((line) => line.startsWith('hook PreToolUse Shell  deny'));
    expect(lines[at + 1]).toBe('"not today"');
    expect(lines).toContainEqual(
      expect.stringMatching(/^hook PreToolUse Shell {2}no answer after .* {2}taken as allow$/),
    );
    expect(lines.some((line) => line.includes('hook-resolved'))).toBe(false);
  });

  it('says which part of a handshake, and which mode', () => {
    const lines = tree('wire-1.31.0/plan_mode').map((line) => line.slice(17));
    expect(lines).toContainEqual(expect.stringMatching(/^handshake initialize {2}ok after/));
    expect(lines).toContainEqual(expect.stringMatching(/^mode plan {2}ok after/));
    expect(tree('mcp/everything-progress').join('\n')).toContain('handshake notifications/initialized');
  });

  it('shows calls of the client by what they are given, not as JSON', () => {
    const lines = tree('acp/kimi-allow_fs').map((line) => line.slice(17).trim());
    const at = lines.findIndex((line) => line.startsWith('client-call fs/write_text_file  answered after'));
    expect(lines.slice(at + 1, at + 3)).toEqual(['/home/dev/project/acp/kimi-allow_fs/a.txt', '+ hello from the mock']);
    expect(lines.join('\n')).not.toContain('sessionId');
    expect(tree('mcp/everything-progress').join('\n')).toMatch(/client-call roots\/list {2}answered after \d+ ms\n/);
  });

  it('tells a prompt that nobody took up from one that was answered', () => {
    const said: Said[] = [['client', ask('1', 'prompt', { user_input: 'hello?' })]];
    const { timeline } = buildSaid(wire, said);
    const made = new TimelineTree({ columns: 80, theme: themeFor(false), dialect: 'wire', full: false });
    expect([...made.entries(timeline.entries)].join('')).toBe('f1        0.000  prompt  not started  hello?\n');
  });

  it('tells what an agent says of a prompt that is not on the tape, and not how its turn ended', () => {
    const event = (type: string, payload: unknown) => ['agent', tell('event', { type, payload })] as Said;
    const said = [event('TurnBegin', { user_input: 'hi' }), event('StepBegin', { n: 1 }), event('TurnEnd', {})];
    const { timeline } = buildSaid(wire, said);
    const made = new TimelineTree({ columns: 80, theme: themeFor(false), dialect: 'wire', full: false });
    expect([...made.entries(timeline.entries)].join('')).toBe(
      'f1        0.000  turn 1  ended, outcome unknown  2.00 s\n                   hi\nf2        1.000    step 1  1.00 s\n',
    );
  });

  it('has no blanks at the end of a line where a text ended in one', () => {
    const payload = { type: 'think', think: 'so ' };
    const { timeline } = buildSaid(wire, [['agent', tell('event', { type: 'ContentPart', payload })]]);
    const made = new TimelineTree({ columns: 80, theme: themeFor(false), dialect: 'wire', full: false });
    expect([...made.entries(timeline.entries)].join('')).toBe('f1        0.000  thinking  so\n');
  });

  it('gathers what belongs together', () => {
    expect(tree('acp/qwen-reject').at(-1)).toBe('f14       6.704  process  client closed stdin · exit with 0');
  });

  it('has arguments on one line where they fit, else a line each', () => {
    const wide = tree('wire-1.49.0/background_agent', { columns: 160 }).join('\n');
    expect(wide).toContain('description: check a value  prompt: Work in the background.  subagent_type: coder');
    const narrow = tree('wire-1.49.0/background_agent').map((line) => line.trim());
    expect(narrow).toContain('prompt: Work in the background.');
  });

  it('lets words of ours go on in the next line, whole', () => {
    const lines = tree('acp/qwen-reject', { columns: 60 });
    const at = lines.findIndex((line) => line.includes('turn 1'));
    expect(lines.slice(at, at + 2)).toEqual([
      'f6        6.161  turn 1  end_turn  539 ms, waited 37 ms',
      '                     2410 tokens in, 34 out',
    ]);
  });

  it('is as wide on the left as the longest session needs', () => {
    const { dialect, timeline } = timelineOf('acp/qwen-reject');
    const last = { f: 1_234_567, t: 100_000 };
    const made = new TimelineTree({ columns: 80, theme: themeFor(false), dialect, full: false, last });
    expect(made.title()).toBe('frame       seconds\n');
    expect([...made.entries(timeline.entries)][0]).toBe('f1            0.000  process  spawn\n');
  });

  it('shows a question with its answers', () => {
    const lines = tree('mcp/everything-elicitation', { full: true }).map((line) => line.trim());
    expect(lines).toContain('String: Ada');
    expect(lines).toContain('( ) hero-2  Green Lantern');
    expect(lines).toContain('[x] Instrument Lover');
    expect(lines).toContainEqual(expect.stringMatching(/question declined after/));
    expect(tree('wire-1.31.0/plan_mode').join('\n')).toContain('question empty answer after');
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
