/** Which prompts become turns, what a replay is, and how much of everything there is. */
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { answer, ask, error, event, eventsAt, last, prompt, read, readTape, request } from '../../support/wire.ts';

describe('counts', () => {
  // turns, tools, approvals; of these the client's: allow, allow-always, deny, none
  it.each<[string, ...number[]]>([
    ['wire-0.46/approve', 1, 1, 1, 1, 0, 0, 0],
    ['wire-0.46/cancel', 2, 1, 0, 0, 0, 0, 0],
    ['wire-0.46/errors', 1, 0, 0, 0, 0, 0, 0],
    ['wire-0.46/second_prompt_while_busy', 2, 1, 0, 0, 0, 0, 0],
    ['wire-0.46/tools_yolo', 1, 12, 0, 0, 0, 0, 0],
    ['wire-0.58/llm_error', 9, 1, 0, 0, 0, 0, 0],
    ['wire-0.58/subagent', 1, 2, 1, 1, 0, 0, 0],
    ['wire-0.58/subagent_yolo', 1, 2, 0, 0, 0, 0, 0],
    ['wire-0.59/approval_bad_answer', 5, 5, 5, 2, 0, 0, 3],
    ['wire-0.59/cancel', 3, 2, 2, 1, 0, 0, 1],
    ['wire-0.59/errors', 2, 0, 0, 0, 0, 0, 0],
    ['wire-0.59/subagent', 1, 2, 1, 1, 0, 0, 0],
    ['wire-0.59/tools', 1, 12, 5, 5, 0, 0, 0],
    ['wire-0.80/compact', 5, 0, 0, 0, 0, 0, 0],
    ['wire-0.80/external_tool', 1, 6, 0, 0, 0, 0, 0],
    ['wire-1.21.0/steer', 1, 1, 1, 1, 0, 0, 0],
    ['wire-1.24.0/replay', 1, 0, 0, 0, 0, 0, 0],
    ['wire-1.25.0/late_initialize', 2, 2, 2, 1, 0, 0, 1],
    ['wire-1.31.0/hooks', 1, 4, 0, 0, 0, 0, 0],
    ['wire-1.31.0/plan_mode', 4, 10, 0, 0, 0, 0, 0],
    ['wire-1.49.0/approval_late_duplicate', 2, 1, 1, 1, 0, 0, 0],
    ['wire-1.49.0/approval_session_sweeps', 1, 3, 3, 0, 1, 0, 2],
    ['wire-1.49.0/background_agent', 2, 1, 1, 1, 0, 0, 0],
    ['wire-1.49.0/skill_flow', 2, 0, 0, 0, 0, 0, 0],
  ])('%s', (name, turns, tools, approvals, ...decisions) => {
    const events = readTape(name).flatMap((reading) => reading?.events ?? []);
    const live = events.filter(({ flags }) => !flags?.includes('replayed') && !flags?.includes('resent'));
    expect(new Set(live.flatMap(({ takes }) => takes ?? [])).size).toBe(turns);
    expect(live.filter(({ kind, restates }) => kind === 'tool-call' && !restates)).toHaveLength(tools!);
    const decided = new Map<string | null, string | null>();
    for (const event of live) {
      if (event.kind === 'approval') decided.set(event.request, null);
      if (event.kind === 'approval-answer' && decided.get(event.request) === null)
        decided.set(event.request, event.decision);
    }
    expect(decided.size).toBe(approvals);
    const count = (decision: string | null) => [...decided.values()].filter((one) => one === decision).length;
    expect(['allow', 'allow-always', 'deny', null].map(count)).toEqual(decisions);
  });
});

describe('turns', () => {
  it('are taken up by the TurnBegin of their input, also where media parts have gained a null', () => {
    expect(eventsAt('wire-0.59/errors#31')).toMatchObject([{ takes: 31, nested: false, restates: true, text: 'look' }]);
  });

  it('nest in flows', () => {
    const begins = readTape('wire-1.49.0/skill_flow').flatMap((reading) => reading?.events ?? []);
    const seen = begins.flatMap((event) => (event.kind === 'turn-begin' ? [[event.nested, event.takes]] : []));
    expect(seen).toEqual([
      [false, 4],
      [false, 11],
      [true, undefined],
      [true, undefined],
    ]);
  });

  it('go to the oldest prompt if no input is the same, and nest while one is open', () => {
    const begin = (input: string) => event('TurnBegin', { user_input: input });
    const all = read(wire, prompt('1', 'a'), begin('rewritten'), prompt('2', 'b'), begin('x'), begin('b'), begin('c'));
    expect(all.flat().filter(({ kind }) => kind === 'turn-begin')).toMatchObject([
      { takes: 1, nested: false },
      { nested: true },
      { takes: 3, nested: false },
      { nested: true },
    ]);
    expect(all[1]![0]).not.toHaveProperty('restates');
    expect(all[3]![0]).not.toHaveProperty('takes');
  });

  it('never take up a prompt whose id is no string, that is refused, or that has no input', () => {
    const begin = event('TurnBegin', { user_input: 'x' });
    for (const sent of [[prompt(7, 'x')], [prompt(null, 'x')], [prompt('1', 42)], [ask('1', 'run', { input: 'x' })]])
      expect(last(read(wire, ...sent, begin))).not.toHaveProperty('takes');
    expect(last(read(wire, prompt('1', 'x'), error('<', '1', { code: -32000 }), begin))).not.toHaveProperty('takes');
  });

  it('begin with a step until 0.58, and wait for the run before', () => {
    const events = readTape('wire-0.46/second_prompt_while_busy').flatMap((reading) => reading?.events ?? []);
    expect(events.flatMap(({ kind, takes }) => (kind === 'step-begin' ? [takes] : []))).toEqual([2, undefined, 6]);
    const step = event('step_begin', { n: 1 });
    const inner = event('subagent_event', { task_tool_call_id: 'c', event: { type: 'step_begin', payload: { n: 1 } } });
    const run = (id: unknown) => ask(id, 'run', { prompt: 'x' });
    expect(read(wireLegacy, run(7), run('1'), inner, step).map((events) => events.at(-1)!.takes)).toEqual([
      ...[undefined, undefined, undefined, 2],
    ]);
  });
});

describe('replay', () => {
  it('marks everything from the replay to its answer, and nothing else', () => {
    const lines = readTape('wire-1.24.0/replay');
    const marked = lines.flatMap((reading, line) =>
      reading?.events.every(({ flags }) => flags?.includes('replayed')) ? [line] : [],
    );
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    expect(marked).toEqual([...range(4, 521), 528, ...range(540, 1062)]);
    expect(eventsAt('wire-1.24.0/replay#533')).toMatchObject([{ takes: 533 }]);
  });

  const begin = event('TurnBegin', { user_input: 'x' });
  const text = event('ContentPart', { type: 'text', text: 'x' });
  const replay = ask('r', 'replay');

  it('opens no window while a turn is open', () => {
    expect(last(read(wire, prompt('1', 'x'), begin, replay, text))).not.toHaveProperty('flags');
    expect(last(read(wire, prompt('1', 'x'), replay, begin))).toMatchObject({ takes: 1 });
    expect(last(read(wire, replay, error('<', 'r', { code: -32000 }), text))).not.toHaveProperty('flags');
  });

  it('opens one after a cancelled turn that is never answered', () => {
    const cancelled = [ask('c', 'cancel'), answer('<', 'c', {})];
    expect(last(read(wire, prompt('1', 'x'), begin, ...cancelled, replay, begin))).toMatchObject({
      flags: ['replayed'],
    });
  });

  it('marks no request as sent again', () => {
    const asked = request('a', 'ApprovalRequest', { tool_call_id: 'c' });
    const again = read(
      wire,
      replay,
      asked,
      answer('<', 'r', {}),
      ask('s', 'replay'),
      asked,
      answer('<', 's', {}),
      asked,
    );
    expect(again.map(([event]) => event!.flags)).toEqual([
      ...[undefined, ['replayed'], undefined, undefined, ['replayed'], undefined, undefined],
    ]);
  });
});
