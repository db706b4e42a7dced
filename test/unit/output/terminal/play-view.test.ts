/** The end of a timeline on a screen: the same as the end of the whole, at every frame and in every size. */
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { tailOf } from '../../../../lib/model/timeline/select.ts';
import { type PlayState, playScreen } from '../../../../lib/output/terminal/play-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { GrowingPass } from '../../../../lib/session/growing-pass.ts';
import { NO_NAMES } from '../../../../lib/session/session.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';

const METADATA = { type: 'metadata' as const, wiretape: 1, session: 's', cwd: '/', recorder: 'x', command: ['agent'] };

function stateAt(pass: GrowingPass<{ take(): void }>, { f, t }: Frame, more: Partial<PlayState> = {}): PlayState {
  const { timeline, dialect } = pass;
  const metadata = { ...METADATA, started_at: '2026-11-16T05:04:01.000000Z' };
  return {
    session: { metadata, names: NO_NAMES, dialect, timeline, recent: [] },
    ...{ mode: 'playing', clock: t, speed: 1, f, t, lastF: f, lastT: t, turn: null, ahead: null, note: null },
    ...{ typed: null, isHelp: false, scroll: 0, full: false, ...more },
  };
}

function passOver(command: readonly string[]): GrowingPass<{ take(): void }> {
  return new GrowingPass({ command }, () => ({ take: () => {} }), { tree: true });
}

const plain = themeFor(false);
const TAPES = [
  ...['acp/kimi-allow', 'acp/qwen-reject', 'mcp/everything-progress', 'qwen-stream-json-0.15.10/agent_yolo'],
  ...['wire-0.58/subagent', 'wire-1.31.0/hooks', 'wire-1.31.0/plan_mode', 'wire-1.49.0/errors'],
];

describe.each(TAPES)('%s', (name) => {
  it.each([
    [80, 24],
    [200, 50],
    [60, 6],
  ])('fits a terminal of %i columns and %i rows, frame by frame', (columns, rows) => {
    const { frames, command } = readLineLog(new URL(`../../../fixtures/tapes/${name}.jsonl`, import.meta.url).pathname);
    const pass = passOver(command);
    for (const frame of frames) {
      pass.take(frame);
      pass.flush();
      const state = stateAt(pass, frame);
      const lines = playScreen(state, { columns, rows }, plain).text.split('\n');
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(cells(line), line).toBeLessThanOrEqual(columns);
      const all = playScreen(state, { columns, rows: 400 }, plain).text.split('\n').slice(0, -1);
      while (all.at(-1) === '') all.pop();
      const end = lines.slice(0, -1);
      if (all.length >= rows - 1) expect(end).toEqual(all.slice(1 - rows));
      else expect(end.slice(0, all.length)).toEqual(all);
    }
  });
});

/** A session of many turns, each with steps, calls and long prompts. */
function long(): { pass: GrowingPass<{ take(): void }>; last: Frame } {
  const pass = passOver(['kimi', '--wire']);
  let f = 0;
  let last: Frame | null = null;
  const say = (from: 'client' | 'agent', message: object) => {
    const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    last = { f: ++f, t: f, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
    pass.take(last);
  };
  const event = (type: string, payload: object) => say('agent', { method: 'event', params: { type, payload } });
  for (let n = 0; n < 40; n++) {
    const user_input = `go ${n}\n`.repeat(30);
    say('client', { id: `p${n}`, method: 'prompt', params: { user_input } });
    event('TurnBegin', { user_input });
    for (let step = 1; step <= 3; step++) {
      event('StepBegin', { n: step });
      event('ContentPart', { type: 'text', text: `text of step ${step}\n`.repeat(3) });
      for (let call = 0; call < 5; call++) {
        const id = `c${n}-${step}-${call}`;
        event('ToolCall', { type: 'function', id, function: { name: 'Shell', arguments: `{"command":"echo ${id}"}` } });
        const return_value = { is_error: false, output: `${id}\n`.repeat(12), message: '', display: [] };
        event('ToolResult', { tool_call_id: id, return_value });
      }
    }
    event('TurnEnd', {});
    say('agent', { id: `p${n}`, result: { status: 'finished' } });
  }
  pass.flush();
  return { pass, last: last! };
}

describe('a long session', () => {
  const { pass, last } = long();

  it('shows its end without making lines of everything', () => {
    const whole = playScreen(stateAt(pass, last), { columns: 80, rows: 20_000 }, plain).text.split('\n').slice(0, -1);
    const end = whole.length - [...whole].reverse().findIndex((line) => line !== '');
    for (const [rows, scroll] of [
      [24, 0],
      [24, 100],
      [50, 1000],
      [5, 33],
      [2, 0],
    ] as const) {
      const { text, most } = playScreen(stateAt(pass, last, { scroll }), { columns: 80, rows }, plain);
      expect(text.split('\n').slice(0, -1)).toEqual(whole.slice(end - scroll - rows + 1, end - scroll));
      expect(most === null).toBe(scroll < 1000);
    }
  });

  it('has the last entries within their turns and steps', () => {
    const { entries } = pass.timeline;
    const { entries: some, isAll } = tailOf(entries, 6);
    expect(isAll).toBe(false);
    const [turn] = some;
    const [step] = turn!.entries;
    expect([some.length, turn!.is, turn!.entries.length, step!.is]).toEqual([1, 'turn', 1, 'step']);
    const whole = entries.at(-1)!.entries.at(-1)!.entries;
    expect(step!.entries.map(({ f }) => f)).toEqual(whole.slice(-4).map(({ f }) => f));
    expect(tailOf(entries, 1e9).isAll).toBe(true);
    expect(tailOf(entries, 1e9).entries).toBe(entries);
    expect(tailOf([], 0)).toEqual({ entries: [], isAll: true });
  });
});

describe('a long text', () => {
  const saying = (text: string) => {
    const pass = passOver(['kimi', '--wire']);
    const raw = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const part = { type: 'ContentPart', payload: { type: 'text', text } };
    const lines = [
      raw({ id: 'p', method: 'prompt', params: { user_input: 'go' } }),
      raw({ method: 'event', params: part }),
    ];
    let last: Frame | null = null;
    for (const [n, line] of lines.entries()) {
      const from = n === 0 ? 'client' : 'agent';
      last = { f: n + 1, t: n, t0: null, from, form: 'message', raw: line, eol: '\n', event: null, detail: {} };
      pass.take(last);
    }
    pass.flush();
    return (rows: number, scroll = 0) =>
      playScreen(stateAt(pass, last!, { scroll }), { columns: 80, rows }, plain)
        .text.split('\n')
        .slice(0, -1);
  };

  it('ends as the whole ends', () => {
    const screen = saying(Array.from({ length: 20_000 }, (_, n) => `line ${n} 世界`).join('\n'));
    const whole = screen(20_010).filter((line) => line !== '');
    expect(whole.at(-1)).toContain('line 19999 世界');
    expect(screen(24)).toEqual(whole.slice(-23));
    expect(screen(24, 15_000)).toEqual(whole.slice(-15_023, -15_000));
  });

  it('is broken at the same places as it grows, even if it has no lines', () => {
    const text = '😀 word '.repeat(20_000);
    const [before, after] = [saying(text)(24), saying(`${text}and on`)(24)];
    expect(after.slice(0, -2)).toEqual(before.slice(0, -2));
    expect(before.join('')).not.toContain('\\ud');
  });
});

describe('the line at the bottom', () => {
  const pass = passOver([]);
  const frame: Frame = {
    ...{ f: 12, t: 3725.25, t0: null, from: 'proc', form: 'event', raw: new Uint8Array(), eol: '' },
    ...{ event: 'spawn', detail: {} },
  };
  pass.take(frame);
  pass.flush();
  const bottom = (columns: number, more: Partial<PlayState> = {}) =>
    playScreen(stateAt(pass, frame, more), { columns, rows: 3 }, plain)
      .text.split('\n')
      .at(-1)!;

  it('has times of any length', () => {
    expect(bottom(80)).toMatch(/^playing 1x {2}1:02:05\.2\/1:02:05\.2 {2}f12\/f12 /);
    expect(bottom(80, { t: 5, lastT: 65 })).toMatch(/ 0:05\.0\/1:05\.0 /);
  });

  it('shows as many keys as fit, and shortens the rest', () => {
    expect(bottom(200)).toMatch(
      /space pause {2}→← step {2}t turn {2}a approval {2}\/ search {2}\+- speed {2}\? help {2}q quit$/,
    );
    expect(bottom(60)).toMatch(/\? help {2}q quit$/);
    expect(bottom(20)).toBe('playing 1x  1:02:05…');
  });

  it('shows a query as it is typed, its end if it is long, and what is wrong with it', () => {
    expect(bottom(80, { typed: 'tool:世界\x1b' })).toBe('/tool:世界␛▏');
    expect(bottom(20, { typed: 'x'.repeat(40) })).toBe(`/${'x'.repeat(18)}▏`);
    const wrong = bottom(40, { typed: 'y'.repeat(100), note: 'unknown qualifier, and so on and on' });
    expect(wrong).toMatch(/^\/y+▏ {2}unknown q.*…$/);
    expect(cells(wrong)).toBeLessThanOrEqual(40);
  });

  it('is the same in colour', () => {
    const { text } = playScreen(stateAt(pass, frame, { mode: 'paused' }), { columns: 80, rows: 3 }, themeFor(true));
    expect(
      text
        .replace(/\x1b\[\d+m/g, '')
        .split('\n')
        .at(-1),
    ).toBe(bottom(80, { mode: 'paused' }));
    expect(text).toContain('\x1b[');
  });
});

it('shows the frames of a session in an unknown protocol', () => {
  const pass = passOver([]);
  const recent = ['one', 'two \x1b[2J'].map((text, n) => ({
    frame: {
      ...{ f: n + 1, t: n, t0: null, from: 'agent' as const, form: 'text' as const, raw: Buffer.from(text) },
      ...{ eol: '\n' as const, event: null, detail: {} },
    },
    type: null,
  }));
  for (const { frame } of recent) pass.take(frame);
  pass.flush();
  const state = stateAt(pass, recent[1]!.frame);
  state.session.recent = recent;
  const lines = playScreen(state, { columns: 80, rows: 8 }, plain).text.split('\n');
  expect(lines.filter((line) => line.startsWith('f'))).toEqual([
    'f1     0.000000    agent  ←  one',
    'f2     1.000000    agent  ←  two ␛[2J',
  ]);
});
