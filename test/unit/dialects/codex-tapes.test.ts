/** Codex's app-server as it speaks: recognised by what it says alone, and read to the last line. */
import { describe, expect, it } from 'vitest';
import { DialectDetector } from '../../../lib/dialects/detect.ts';
import { readLineLog } from '../../../lib/storage/tape/import/line-log.ts';
import { pinned, readFixture } from '../../support/reading.ts';
import { buildFixture, fixtures, turnsOf } from '../../support/timeline.ts';

const FOLDER = 'codex-app-server-0.166.0';
const NONE = [0, 0, 0];
const ONE = [200, 1000, 42];
const TWO = [400, 2000, 84];

/** Of each tape: how its turns end, and the tokens of each (input, cached, output). */
const TAPES: [tape: string, turns: [status: string, tokens: number[]][]][] = [
  ['amendment', [['completed', [600, 3000, 126]]]],
  ['ask', [['completed', TWO]]],
  ['badword', [['completed', TWO]]],
  ['dynamic', [['completed', TWO]]],
  ['err401', [['error', NONE]]],
  ['hang', [['unanswered', NONE]]],
  ['hangmodel', [['unanswered', NONE]]],
  ['intask', [['cancelled', ONE]]],
  ['joined', [['completed', ONE]]],
  ['mcp', [['completed', TWO]]],
  ['own', [['completed', ONE]]],
  ['patch', [['completed', TWO]]],
  ['review', [['completed', NONE]]],
  ['spawn', [['completed', [1000, 5000, 210]]]],
  ['steer', [['completed', TWO]]],
  [
    'threads',
    [
      ['cancelled', ONE],
      ['completed', TWO],
    ],
  ],
  ['three', [['completed', TWO]]],
  ['uninitialised', []],
];

/** A prompt, its answer, the state of the thread, the turn, the repeated prompt. */
const BEGUN = 'prompt turn-begin status turn-begin status status';
const HELLO = 'handshake handshake notice status handshake handshake handshake status';
const SAID = 'status text text';
const OVER = 'usage status status status prompt-answer';

const KINDS: Record<string, string> = {
  patch: `${HELLO} ${BEGUN} ${SAID} tool-call status approval approval-answer approval-resolved status tool-result status usage status status ${SAID} usage status status status status prompt-answer`,
  mcp: 'handshake handshake notice status handshake handshake handshake status status status prompt notice turn-begin status turn-begin status status tool-call status approval approval-answer approval-resolved status tool-result usage status status text text usage status status status prompt-answer',
};

describe.each(TAPES)('%s', (tape, turns) => {
  const name = `${FOLDER}/${tape}`;

  it('is codex, whatever the command line', () => {
    const { command, frames } = readLineLog(`${fixtures}${name}.jsonl`);
    for (const one of [
      command,
      [],
      ['agent'],
      ['claude', '-p', 'go'],
      ['kimi', '--wire'],
      ['x', 'acp'],
      ['uvx', 'mcp'],
    ]) {
      const detector = new DialectDetector(one);
      for (const frame of frames) detector.take(frame);
      expect([one, detector.best.dialect.name]).toEqual([one, 'codex']);
    }
  });

  it('has no line that is not known', () => {
    const others = readFixture(name).readings.flatMap(({ events }) => events.filter(({ kind }) => kind === 'other'));
    // The client calls a method that there is not, twice.
    expect(others.map((event) => 'name' in event && event.name)).toEqual(
      tape === 'uninitialised' ? Array.from({ length: 4 }, () => 'no/such') : [],
    );
    if (KINDS[tape]) expect(pinned(name).kinds).toBe(KINDS[tape]);
  });

  it('has its turns and tokens', () => {
    const found = turnsOf(buildFixture(name)).map(({ status, usage: { input, cache_read, output } }) => {
      return [status, [input, cache_read, output]];
    });
    expect(found).toEqual(turns);
  });
});

it('has the kinds of a plain turn', () => {
  expect(pinned(`${FOLDER}/err401`).kinds).toBe(`${HELLO} ${BEGUN} notice status error status prompt-answer`);
  expect(pinned(`${FOLDER}/dynamic`).kinds).toContain(
    `client-call client-call-answer tool-result usage status ${SAID} ${OVER}`,
  );
});
