/** stream-json, the RFC and kimi-print on all tapes: recognised, counted as TRUTH.tsv counts, nothing left over. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../lib/dialects/dialect.ts';
import { kimiPrint } from '../../../lib/dialects/kimi-print/index.ts';
import { qwenRfc } from '../../../lib/dialects/qwen-rfc/index.ts';
import { streamJson } from '../../../lib/dialects/stream-json/index.ts';
import { sharedTapesFolder as SHARED, skipped } from '../../support/shared-folder.ts';
import { counts, FIXTURES, readTape } from '../../support/stream-lines.ts';

const DIALECTS = [streamJson, qwenRfc, kimiPrint];

function dialectOf(tape: string): Dialect | null {
  if (tape.startsWith('qwen-stream-json')) return streamJson;
  return tape.startsWith('kimi-stream-json') ? kimiPrint : null;
}

/** The most certain; null if none can be. */
function recognised(path: string): string | null {
  const { first } = readTape(streamJson, path);
  const scores = DIALECTS.map((dialect) => dialect.recognise(first));
  const best = Math.max(...scores);
  return best === 0 ? null : DIALECTS[scores.indexOf(best)]!.name;
}

it.each([
  ['qwen-rfc/messages', 'qwen-rfc'],
  ['qwen-rfc/chunks', 'qwen-rfc'],
  ['qwen-rfc/commands', 'qwen-rfc'],
  ['qwen-stream-json-0.15.10/hand_rfc_chat_request', 'stream-json'],
  ['qwen-stream-json-0.15.10/hand_rfc_message_types', 'stream-json'],
  ['qwen-stream-json-0.15.10/hand_oneshot_json', 'stream-json'],
  ['kimi-stream-json/plain', 'kimi-print'],
])('%s is %s', (tape, name) => {
  expect(recognised(`${FIXTURES}/${tape}.jsonl`)).toBe(name);
});

it('is recognised by the command line as long as nobody has spoken', () => {
  const scores = (...command: string[]) => DIALECTS.map(({ recognise }) => recognise({ command, lines: [] }) > 0);
  expect(scores('qwen', '--input-format', 'stream-json', '--output-format=stream-json')).toEqual([true, false, false]);
  expect(scores('qwen', '--output-format', 'stream-chunk-json')).toEqual([false, true, false]);
  expect(scores('kimi', '-p', 'hi', '--output-format', 'stream-json')).toEqual([false, false, true]);
  expect(scores('kimi', '--wire')).toEqual([false, false, false]);
});

describe.skipIf(SHARED === null)(`tapes of TRUTH.tsv${skipped}`, () => {
  const truth = SHARED !== null ? readFileSync(`${SHARED}/TRUTH.tsv`, 'utf8').trim().split('\n').slice(1) : [];
  const rows = truth.map((row) => row.split('\t')).map(([tape, , , , ...numbers]) => ({ tape: tape!, numbers }));
  const ours = rows.filter(({ tape }) => dialectOf(tape));

  it.each(ours)('$tape', ({ tape, numbers }) => {
    const { readings } = readTape(dialectOf(tape)!, `${SHARED}/${tape}`);
    expect(counts(readings)).toEqual(numbers.map(Number));
    const unknown = readings.filter(({ events }) => events.length === 0 || events.some(({ kind }) => kind === 'other'));
    expect(unknown.map(({ message }) => message.type)).toEqual([]);
  });

  it('no tape is taken for what it is not', () => {
    for (const { tape } of rows)
      expect([tape, recognised(`${SHARED}/${tape}`)]).toEqual([tape, dialectOf(tape)?.name ?? null]);
  });

  it('a turn has as many steps as its agent counts', () => {
    for (const { tape } of ours) {
      let steps = 0;
      for (const { events, message } of readTape(dialectOf(tape)!, `${SHARED}/${tape}`).readings) {
        for (const event of events) if (!event.subagent && (event.step || event.kind === 'step-begin')) steps++;
        if (!message.type?.startsWith('result/')) continue;
        expect([tape, steps]).toEqual([tape, (message.body as { num_turns: number }).num_turns]);
        steps = 0;
      }
    }
  });
});
