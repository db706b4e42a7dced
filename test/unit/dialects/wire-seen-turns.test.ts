/** What real agents were seen to do with turns, steps and errors, and what a reader must make of it. */
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import { answer, ask, exitAfter, framesOf, only, type Said, tell } from '../../support/reading.ts';
import {
  build,
  buildFixture,
  buildSaid,
  callOf,
  callsOf,
  itemAt,
  itemsOf,
  stepsOf,
  turnsOf,
} from '../../support/timeline.ts';

const event = (type: string, payload: unknown): Said => ['agent', tell('event', { type, payload })];

describe('a model that fails', () => {
  it.each(['wire-1.30.0/llm_error', 'wire-1.49.0/llm_error'])(
    '%s: a dropped connection is retried silently: both texts stay, and the call that was begun is abandoned',
    (tape) => {
      const [, , , , , dropped, inCall] = turnsOf(buildFixture(tape));
      expect(stepsOf(dropped!.entries)).toHaveLength(1);
      expect(stepsOf(dropped!.entries)[0]!.entries).toMatchObject([
        { kind: 'text', parts: 2, text: 'partial whole answer', flags: [] },
      ]);
      expect(dropped).toMatchObject({ status: 'finished' });
      expect(stepsOf(inCall!.entries)[0]!.entries).toMatchObject([
        { kind: 'text', text: 'partial ' },
        { kind: 'tool-call', call: { id: 'le-1', state: 'abandoned', result: null, run: null } },
        { kind: 'text', text: 'whole answer' },
      ]);
    },
  );

  it('wire-1.24.0/llm_error: a dropped connection was an error then', () => {
    const built = buildFixture('wire-1.24.0/llm_error');
    expect(turnsOf(built).slice(5, 7)).toMatchObject([
      { status: 'error', code: -32003 },
      { status: 'error', code: -32003 },
    ]);
    expect(callOf(built, 'le-1').call).toMatchObject({ state: 'cut', result: null });
  });

  it('wire-1.30.0/llm_error: retries after 500 and 429 cannot be seen, in 1.49.0 they can', () => {
    const retries = (tape: string) => itemsOf(buildFixture(tape)).filter(({ kind }) => kind === 'step-retry');
    expect(retries('wire-1.30.0/llm_error')).toEqual([]);
    const seen = retries('wire-1.49.0/llm_error');
    expect(seen.filter(({ turn }) => turn === 1 || turn === 8).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^attempt 2 of 3/),
      expect.stringMatching(/^attempt 2 of 3/),
    ]);
    for (const tape of ['wire-1.30.0/llm_error', 'wire-1.49.0/llm_error'])
      expect(turnsOf(buildFixture(tape))[0]).toMatchObject({ status: 'finished' });
  });

  it('wire-1.30.0/llm_error: an answer that is only thought finishes', () => {
    const turn = turnsOf(buildFixture('wire-1.30.0/llm_error'))[4]!;
    expect(turn).toMatchObject({ status: 'finished' });
    expect(stepsOf(turn.entries)[0]!.entries).toMatchObject([{ kind: 'thinking', text: 'hmm', flags: [] }]);
  });

  it('wire-1.49.0/llm_error: an answer that is only thought is tried again, then an error', () => {
    const turn = turnsOf(buildFixture('wire-1.49.0/llm_error'))[4]!;
    expect(turn).toMatchObject({ status: 'error', code: -32003 });
    const said = stepsOf(turn.entries)[0]!.entries.flatMap((one) => (one.is === 'item' ? [[one.kind, one.flags]] : []));
    expect(said).toEqual([
      ['thinking', ['discarded']],
      ['step-retry', []],
      ['thinking', ['discarded']],
      ['step-retry', []],
      ['thinking', []],
    ]);
  });
});

describe('a broken MCP server', () => {
  it.each(['wire-0.80/mcp_broken', 'wire-1.31.0/mcp_broken'])(
    '%s: leaves the prompt without an answer, and the session goes on',
    (tape) => {
      const [first, second] = turnsOf(buildFixture(tape));
      expect(first).toMatchObject({ status: 'unanswered', code: null, prompt: { answer: null } });
      expect(first!.f_end).toBeLessThan(second!.f);
      expect(second).toMatchObject({ status: 'finished' });
    },
  );

  it('wire-1.49.0/mcp_broken: is an internal error', () => {
    expect(turnsOf(buildFixture('wire-1.49.0/mcp_broken'))).toMatchObject([
      { status: 'error', code: -32603 },
      { status: 'finished' },
    ]);
  });

  it('wire-rs-1.8.0/mcp_broken: is not noticed', () => {
    expect(turnsOf(buildFixture('wire-rs-1.8.0/mcp_broken')).map(({ status }) => status)).toEqual([
      'finished',
      'finished',
    ]);
  });
});

describe('what the agents before 0.59 take', () => {
  it('wire-0.46/second_prompt_while_busy: a second run waits, and is a turn when the first is over', () => {
    const built = buildFixture('wire-0.46/second_prompt_while_busy');
    const [first, second] = turnsOf(built);
    expect(first).toMatchObject({ f: 2, f_end: 12, status: 'finished', prompt: { f: 2, text: 'one' } });
    expect(second).toMatchObject({ f: 6, f_end: 16, status: 'finished', prompt: { f: 6, text: 'two' } });
    expect(stepsOf(second!.entries)).toMatchObject([{ n: 1, f: 13 }]);
    // The first one's own work comes after the second prompt, and stays its own.
    expect(callOf(built, 'b-1')).toMatchObject({ turn: 1, call: { result: { f: 8 } } });
    expect(built.wheres[7]).toMatchObject({ turn: 1 });
  });

  it('wire-0.46/int_id: an integer id is ignored, its prompt is no turn', () => {
    const built = buildFixture('wire-0.46/int_id');
    expect(itemAt(built, 2)).toMatchObject({ kind: 'prompt', turn: null, answer: null });
    expect(turnsOf(built)).toMatchObject([{ prompt: { f: 3, text: 'string id' }, status: 'finished' }]);
  });

  it('wire-0.46/errors: an error without data is read like any other', () => {
    const { timeline } = buildFixture('wire-0.46/errors');
    const answers = timeline.entries.flatMap((one) => (one.is === 'item' && one.answer ? [one.answer.code] : []));
    expect(answers).toEqual([-32601, -32602, -32602, null]);
  });

  it('wire-0.46/errors: a line without jsonrpc is ignored, and stays a request without an answer', () => {
    const built = buildFixture('wire-0.46/errors');
    expect(built.readings[14]!.message).toMatchObject({ envelope: 'request', id: 'e-11', method: 'interrupt' });
    expect(itemAt(built, 15)).toMatchObject({ kind: 'cancel', answer: null });
    // The next of them that is as it should be has its own answer.
    expect(itemAt(built, 17)).toMatchObject({ kind: 'cancel', answer: { f: 18, ok: true } });
  });

  it('wire-0.46/errors_fatal: a line that is JSON but no object kills it', () => {
    const built = buildFixture('wire-0.46/errors_fatal');
    expect(itemAt(built, 4)).toMatchObject({ kind: 'noise', turn: null, text: expect.stringMatching(/^\[/) });
    expect(built.timeline.entries.at(-1)).toMatchObject({ name: 'exit', text: 'with 1' });
    expect(built.timeline.counts.turns).toBe(0);
  });
});

describe('lines that some agents do not take', () => {
  const huge = 'x'.repeat(300_000);
  it.each([
    [wireLegacy, 'run', { input: huge }],
    [wire, 'prompt', { user_input: huge }],
  ])('300 kB kill $name until 0.68: the prompt is whole, and no turn', (dialect, method, params) => {
    const frames = framesOf([['client', ask('1', method, params)]]);
    const built = build(dialect, [...frames, exitAfter(frames, 1)]);
    expect(itemAt(built, 1)).toMatchObject({ kind: 'prompt', turn: null, answer: null });
    expect(itemAt(built, 1).text).toBe(huge);
    expect(built.timeline.counts.turns).toBe(0);
    expect(itemAt(built, 2)).toMatchObject({ name: 'exit', text: 'with 1', turn: null });
  });

  it('300 kB are a turn from 0.79 on, and are said once', () => {
    const said: Said[] = [
      ['client', ask('1', 'prompt', { user_input: huge })],
      event('TurnBegin', { user_input: huge }),
      event('StepBegin', { n: 1 }),
      event('ContentPart', { type: 'text', text: 'read it all' }),
      ['agent', answer('1', { status: 'finished' })],
    ];
    const built = buildSaid(wire, said);
    expect(turnsOf(built)).toMatchObject([{ status: 'finished', prompt: { f: 1 } }]);
    expect(itemsOf(built).map(({ text }) => text)).toEqual([huge, 'read it all']);
  });

  const hologram = [{ type: 'unknown', name: 'hologram', value: { type: 'hologram', data: 1 } }];

  it('wire-1.49.0/bad_part: an unknown content part ends the agent', () => {
    const built = buildFixture('wire-1.49.0/bad_part');
    expect(itemAt(built, 4)).toMatchObject({ kind: 'prompt', turn: null, answer: null, blocks: hologram });
    expect(built.timeline.counts.turns).toBe(0);
    expect(built.timeline.entries.at(-1)).toMatchObject({ name: 'exit', text: 'with 1' });
  });

  it('wire-rs-1.8.0/bad_part: an unknown content part is refused, the next prompt is taken', () => {
    const built = buildFixture('wire-rs-1.8.0/bad_part');
    expect(itemAt(built, 4)).toMatchObject({ turn: null, blocks: hologram, answer: { f: 5, ok: false, code: -32602 } });
    expect(turnsOf(built)).toMatchObject([{ n: 1, prompt: { text: 'still there?' }, status: 'finished' }]);
  });

  it('wire-0.59/errors: a line without a method is taken for a cancel, and refused as one', () => {
    const built = buildFixture('wire-0.59/errors');
    expect(itemAt(built, 16)).toMatchObject({ kind: 'noise', flags: ['invalid'] });
    expect(built.readings[16]!.events).toMatchObject([
      { kind: 'error', code: -32000, flags: ['orphan'], text: 'No agent turn is in progress' },
    ]);
  });

  it('wire-1.49.0/errors: a line without a method is ignored', () => {
    const built = buildFixture('wire-1.49.0/errors');
    expect(itemAt(built, 27)).toMatchObject({ kind: 'noise', flags: ['invalid'], answer: null });
    expect(built.readings[27]!.frame.from).toBe('client');
  });

  it('wire-rs-1.8.0/errors: a line without a method is refused, by an error without an id', () => {
    const built = buildFixture('wire-rs-1.8.0/errors');
    expect(itemAt(built, 26)).toMatchObject({ kind: 'noise', flags: ['invalid'] });
    const refused = only(built.readings[26]!.events, 'error');
    expect(refused).toMatchObject({ code: -32600, text: 'Invalid response' });
    expect(refused).not.toHaveProperty('flags');
  });
});

describe('hooks', () => {
  it('wire-1.49.0/hooks_block_prompt: a prompt that a hook blocks is a finished turn with a text and no step', () => {
    const [blocked] = turnsOf(buildFixture('wire-1.49.0/hooks_block_prompt'));
    expect(blocked).toMatchObject({ f: 4, status: 'finished', code: null });
    expect(stepsOf(blocked!.entries)).toEqual([]);
    expect(blocked!.entries.at(-1)).toMatchObject({ kind: 'text', step: null, text: 'prompt refused' });
  });

  it('wire-1.49.0/hooks: a hook after a tool is triggered before the result, asked after it, and holds up nothing', () => {
    const built = buildFixture('wire-1.49.0/hooks');
    const call = callOf(built, 'h-1');
    const { result, run } = call.call;
    const [before, after] = call.call.asks;
    expect([before!.action, after!.action]).toEqual(['PreToolUse', 'PostToolUse']);
    expect([18, result!.f, after!.f]).toEqual([18, 19, 20]);
    expect(run).toBeCloseTo(result!.t - (before!.t + before!.wait!), 6);
    const ids = built.readings.flatMap(({ message, events }) =>
      events[0]?.kind === 'hook' && message.id ? message.id : [],
    );
    expect(ids.length).toBeGreaterThan(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  });

  it('one that is resolved steps later is still the oldest of its event and target', () => {
    const hook = { event: 'PostToolUse', target: 'Shell' };
    const said: Said[] = [
      ['client', ask('1', 'prompt', { user_input: 'x' })],
      event('TurnBegin', { user_input: 'x' }),
      event('StepBegin', { n: 1 }),
      event('HookTriggered', hook),
      event('StepBegin', { n: 2 }),
      event('HookTriggered', hook),
      event('HookResolved', { ...hook, action: 'allow' }),
      event('HookResolved', { ...hook, action: 'block', reason: 'no' }),
      ['agent', answer('1', { status: 'finished' })],
    ];
    const built = buildSaid(wire, said);
    expect(itemAt(built, 4)).toMatchObject({ step: 1, answer: { f: 7, status: 'allow' } });
    expect(itemAt(built, 6)).toMatchObject({ step: 2, answer: { f: 8, status: 'deny', text: 'no' } });
  });
});

describe('other habits', () => {
  it.each([
    ['wire-1.24.0/plan_mode', 29, /^Plan ready for review \(saved at /, 0],
    ['wire-1.31.0/plan_mode', 29, /^Approve this plan/, 1],
  ])('%s: how the plan is asked about, and whether it is displayed', (tape, f, words, displayed) => {
    const built = buildFixture(tape);
    expect(itemAt(built, f)).toMatchObject({ kind: 'question', ask: { bound: true } });
    expect(itemAt(built, f).ask!.questions[0]!.text).toMatch(words);
    expect(itemsOf(built).filter(({ kind, turn }) => kind === 'plan' && turn === 1)).toHaveLength(displayed);
  });

  it('wire-1.49.0/question: a reminder is appended to the result of a call that is repeated', () => {
    const results = callsOf(buildFixture('wire-1.49.0/question')).map(({ call }) => call!.result!.blocks[0]);
    const reminded = results.map((block) => block!.type === 'text' && block!.text.includes('<system-reminder>'));
    expect(reminded).toEqual([false, false, false, false, false, true]);
  });

  it('wire-1.49.0/slash: /btw is no command, but a turn without a step that says so', () => {
    const btw = turnsOf(buildFixture('wire-1.49.0/slash'))[5]!;
    expect(btw).toMatchObject({ status: 'finished', prompt: { text: '/btw what time is it?' } });
    expect(btw.entries).toMatchObject([{ kind: 'text', text: 'Unknown slash command "/btw".', step: null }]);
  });

  it('wire-1.24.0/ralph: a loop nests turns of its own, whose steps count on in the one turn', () => {
    const built = buildFixture('wire-1.24.0/ralph');
    expect(turnsOf(built)).toMatchObject([{ f: 4, f_end: 22, status: 'finished' }]);
    const nested = turnsOf(built)[0]!.entries;
    expect(nested.map((entry) => entry.is === 'item' && entry.kind)).toEqual(Array(3).fill('turn-begin'));
    expect(stepsOf(nested)).toMatchObject([
      { n: 1, shown: 1 },
      { n: 2, shown: 1 },
      { n: 3, shown: 1 },
    ]);
  });

  it('wire-1.24.0/replay: what is replayed is neither asked, nor called, nor a turn', () => {
    const { timeline, readings } = buildFixture('wire-1.24.0/replay');
    const replayed = readings.filter(({ events }) => events.some(({ flags }) => flags?.includes('replayed')));
    const kinds = new Set(replayed.flatMap(({ events }) => events.map(({ kind }) => kind)));
    for (const kind of ['turn-begin', 'tool-call', 'approval'] as const) expect(kinds).toContain(kind);
    expect(timeline.counts).toEqual({ turns: 1, tools: 0, approvals: 0, errors: 0 });
    expect(timeline.wait).toBe(0);
    // A cancel in the window is the client's own, and live.
    expect(timeline.entries).toContainEqual(expect.objectContaining({ kind: 'cancel', f: 525, flags: [] }));
  });
});
