import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kimiPrint } from '../../../lib/dialects/kimi-print/index.ts';
import { FIXTURES, kindsOf, readLines, readTape } from '../../support/stream-lines.ts';

const tape = (name: string) => readTape(kimiPrint, `${FIXTURES}/kimi-stream-json/${name}.jsonl`);
const kinds = (name: string) =>
  tape(name)
    .readings.filter(({ frame }) => frame.form !== 'event')
    .map(kindsOf);

it('what each line is', () => {
  expect(kinds('err400')).toEqual(['handshake', 'log', 'log']);
  expect(kinds('plain')).toEqual(['handshake', 'text', 'notice']);
  expect(kinds('write')).toEqual(['handshake', 'text + tool-call', 'tool-result', 'text', 'notice']);
  const other = [{ role: 'meta', type: 'system.mood' }, { role: 'narrator' }, { type: 'x' }, {}];
  expect(
    readLines(
      kimiPrint,
      other.map((value) => ['<', value]),
    ).map(kindsOf),
  ).toEqual(['notice', 'other', 'other', 'noise']);
});

it('the prompt on the command line is taken up by the first line', () => {
  for (const name of ['err400', 'plain', 'think', 'write']) {
    const takes = tape(name).readings.flatMap(({ events }) => events.map(({ takes }) => takes));
    expect(takes.filter((f) => f !== undefined)).toEqual([0]);
    expect(tape(name).line(1).events[0]!.takes).toBe(0);
  }
});

it('prompts that come as lines are taken up one after the other', () => {
  const ask = { role: 'user', content: 'go' };
  const call = {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', function: { name: 'Bash', arguments: '{}' } }],
  };
  const done = {
    role: 'assistant',
    content: [
      { type: 'think', think: 'hm' },
      { type: 'text', text: 'done' },
    ],
  };
  const hint = { role: 'meta', type: 'session.resume_hint' };
  const command = ['kimi', '--print', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const read = readLines(
    kimiPrint,
    [
      ['>', ask],
      ['>', ask],
      ['<', call],
      ['<', done],
      ['<', hint],
      ['<', done],
    ],
    command,
  );
  expect(read.map(({ events }) => events[0]!.takes)).toEqual([undefined, undefined, 1, undefined, undefined, 2]);
  expect(kindsOf(read[3]!)).toBe('thinking + text');
});

it('calls and results', () => {
  const { line } = tape('write');
  expect(line(1).events[0]).toMatchObject({ about: { agent: { name: 'kimi-code', version: '2.1.0' } } });
  expect(line(2).events[1]).toMatchObject({ call: 'call_mock_11_0', tool: 'Write', complete: true, writes: true });
  expect(line(3).events[0]).toMatchObject({
    call: 'call_mock_11_0',
    ok: true,
    text: 'Wrote 20 bytes to /home/dev/project/kimip/k.txt',
  });
  expect(line(4).message).toMatchObject({ envelope: 'notification', type: 'assistant' });
});

it('reads any object without a word', () => {
  const value = fc.record(
    {
      role: fc.oneof(fc.constantFrom('meta', 'assistant', 'tool', 'user'), fc.jsonValue()),
      type: fc.jsonValue(),
      content: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom<'>' | '<'>('>', '<'), value)), (session) => {
      for (const { events } of readLines(kimiPrint, session)) expect(events.length).toBeGreaterThan(0);
    }),
  );
});
