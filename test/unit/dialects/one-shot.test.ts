/** A prompt on the command line: a turn from the agent's first line on, or from its exit if it says nothing. */
import { describe, expect, it } from 'vitest';
import { kimiPrint } from '../../../lib/dialects/kimi-print/index.ts';
import { qwenRfc } from '../../../lib/dialects/qwen-rfc/index.ts';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { exitAfter, framesOf, type Said } from '../../support/reading.ts';
import { build, buildFixture, itemsOf, turnsOf } from '../../support/timeline.ts';

const kimi = ['kimi', '-p', 'go', '--output-format', 'stream-json'];
const qwen = ['qwen', '-p', 'go', '--output-format', 'stream-json'];
const spoken: Said[] = [['agent', { role: 'assistant', content: 'done' }]];

describe('how the process exits is the answer where nothing else is', () => {
  it.each([
    ['plain', 'finished', 'with 0'],
    ['think', 'finished', 'with 0'],
    ['write', 'finished', 'with 0'],
    ['err400', 'error', 'with 1'],
  ])('kimi-stream-json/%s: %s', (name, status, exit) => {
    const built = buildFixture(`kimi-stream-json/${name}`);
    expect(turnsOf(built)).toMatchObject([{ n: 1, prompt: null, status, code: null }]);
    const last = built.timeline.entries.at(-1)!;
    expect(last).toMatchObject({ is: 'item', name: 'exit', text: exit, turn: null });
    expect(turnsOf(built)[0]!.f_end).toBe(last.f - 1);
  });

  it('is none of an agent that was killed', () => {
    const frames = framesOf(spoken);
    const built = build(kimiPrint, [...frames, exitAfter(frames, null, 'SIGKILL')], kimi);
    expect(turnsOf(built)).toMatchObject([{ status: 'unanswered' }]);
  });

  it('is none to prompts that came as lines', () => {
    const frames = framesOf([['client', { role: 'user', content: 'go' }], ...spoken]);
    const command = ['kimi', '--print', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const built = build(kimiPrint, [...frames, exitAfter(frames, 0)], command);
    expect(turnsOf(built)).toMatchObject([{ prompt: { f: 1 }, status: 'unanswered' }]);
  });

  it('is none in stream-json, where the agent owes a result', () => {
    const frames = framesOf([['agent', { type: 'system', subtype: 'init' }]]);
    expect(turnsOf(build(streamJson, [...frames, exitAfter(frames, 0)], qwen))).toMatchObject([
      { f: 1, status: 'unanswered' },
    ]);
  });
});

describe('a run that dies without a word', () => {
  it.each([
    [kimiPrint, kimi, 'error'],
    [streamJson, qwen, 'unanswered'],
    [qwenRfc, ['qwen', '-p', 'go', '--output-format', 'stream-chunk-json'], 'unanswered'],
  ])('$name: has taken up its prompt, and is a turn at its exit', (dialect, command, status) => {
    const built = build(dialect, [exitAfter([], 1)], command);
    expect(built.timeline.counts.turns).toBe(1);
    expect(turnsOf(built)).toMatchObject([{ n: 1, f: 1, f_end: 1, prompt: null, status, entries: [] }]);
    expect(itemsOf(built)).toMatchObject([{ kind: 'process', name: 'exit', turn: null }]);
  });

  it.each([
    [kimiPrint, ['kimi', '--output-format', 'stream-json']],
    [streamJson, ['qwen', '--input-format', 'stream-json', '--output-format', 'stream-json']],
    [qwenRfc, ['qwen', '--output-format', 'stream-chunk-json']],
  ])('$name: without a prompt on its command line it is none', (dialect, command) => {
    expect(build(dialect, [exitAfter([], 1)], command).timeline.counts.turns).toBe(0);
  });
});
