/** One-shot JSON outputs as real agents print them: recognised by what they say alone, and read to the last line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clineJson } from '../../../lib/dialects/cline-json/index.ts';
import { codexExec } from '../../../lib/dialects/codex-exec/index.ts';
import { copilotJson } from '../../../lib/dialects/copilot-json/index.ts';
import { DialectDetector } from '../../../lib/dialects/detect.ts';
import { geminiJson } from '../../../lib/dialects/gemini-json/index.ts';
import { traitsOf } from '../../../lib/dialects/index.ts';
import { opencodeJson } from '../../../lib/dialects/opencode-json/index.ts';
import { vibeJson } from '../../../lib/dialects/vibe-json/index.ts';
import { readLineLog } from '../../../lib/storage/tape/import/line-log.ts';
import { eventsOf, pinned, type Said } from '../../support/reading.ts';
import { buildFixture, fixtures, turnsOf } from '../../support/timeline.ts';

const DIALECTS = [codexExec, geminiJson, copilotJson, opencodeJson, clineJson, vibeJson];
const NONE = [0, 0, 0];

/** Of each tape: how its turn ends, its tokens (input, cached, output), and the kinds of its lines. */
type Row = [tape: string, status: string, tokens: number[], kinds: string];

const CODEX: Row[] = [
  ['codex-exec-0.166.0/err400', 'error', NONE, 'handshake turn-begin error prompt-answer'],
  [
    'codex-exec-0.166.0/mcp',
    'completed',
    [400, 2000, 84],
    'handshake notice turn-begin tool-call tool-result text usage+prompt-answer',
  ],
  [
    'codex-exec-0.166.0/shell',
    'completed',
    [400, 2000, 84],
    'handshake turn-begin text tool-call tool-result text usage+prompt-answer',
  ],
  [
    'codex-exec-0.166.0/spawn',
    'completed',
    [600, 3000, 126],
    'handshake notice turn-begin text tool-call tool-result tool-call tool-result text usage+prompt-answer',
  ],
  ['codex-exec-0.166.0/think', 'completed', [200, 1000, 42], 'handshake turn-begin thinking text usage+prompt-answer'],
  ['codex-sdk-0.163.0/abort', 'unanswered', NONE, 'prompt handshake turn-begin'],
  [
    'codex-sdk-0.163.0/two',
    'completed',
    [400, 2000, 84],
    'prompt handshake turn-begin text tool-call tool-result tool-call tool-result text usage+prompt-answer',
  ],
];

const GEMINI: Row[] = [
  ['gemini-cli-0.61.0-stream-json/err400', 'error', NONE, 'handshake status usage+prompt-answer'],
  [
    'gemini-cli-0.61.0-stream-json/shell',
    'success',
    [600, 3000, 126],
    'handshake status text tool-call tool-result text usage+prompt-answer',
  ],
];

const BEGUN = 'status status handshake status step-begin status status';
const STEP = 'step-end step-begin status status text status text status step-end';
const times = (count: number) => Array.from({ length: count }, () => 'status').join(' ');

const COPILOT: Row[] = [
  [
    'copilot-1.0.102-json/denied',
    'finished',
    NONE,
    `${BEGUN} text ${times(3)} text tool-call ${times(9)} tool-result ${STEP} status prompt-answer`,
  ],
  [
    'copilot-1.0.102-json/plain',
    'finished',
    NONE,
    `${BEGUN} text text text status text status step-end status prompt-answer`,
  ],
  [
    'copilot-1.0.102-json/shell',
    'finished',
    NONE,
    `${BEGUN} text ${times(3)} text tool-call ${times(12)} progress progress progress ${times(6)} tool-result ${STEP} ${times(7)} prompt-answer`,
  ],
];

const OPENCODE: Row[] = [
  ['opencode-1.18.33-run-json/plain', 'finished', [200, 1000, 42], 'step-begin text usage+step-end'],
  [
    'opencode-1.18.33-run-json/shell',
    'finished',
    [200, 1000, 42],
    'step-begin text tool-call+tool-result usage+step-end',
  ],
];

const CLINE: Row[] = [
  [
    'cline-3.0.65-json/plain',
    'completed',
    [200, 1000, 42],
    'status step-begin text text text usage text step-end status status handshake+prompt-answer',
  ],
  [
    'cline-3.0.65-json/shell',
    'completed',
    [400, 2000, 84],
    'status step-begin text usage text tool-call tool-result step-end step-begin text usage text step-end status status handshake+prompt-answer',
  ],
];

const VIBE: Row[] = [
  ['mistral-vibe-3.0.3-streaming/shell', 'finished', NONE, 'status text tool-call+tool-result text'],
];

const TAPES: Record<string, Row[]> = {
  'codex-exec': CODEX,
  'gemini-json': GEMINI,
  'copilot-json': COPILOT,
  'opencode-json': OPENCODE,
  'cline-json': CLINE,
  'vibe-json': VIBE,
};

const ROWS = Object.entries(TAPES).flatMap(([dialect, rows]) =>
  rows.map(([tape, status, tokens, kinds]) => ({ tape, dialect, status, tokens, kinds })),
);

describe.each(ROWS)('$tape', ({ tape, dialect, status, tokens, kinds }) => {
  it(`is ${dialect}, whatever the command line`, () => {
    const { command, frames } = readLineLog(`${fixtures}${tape}.jsonl`);
    const others = [
      [],
      ['agent'],
      ['claude', '-p', 'go', '--output-format', 'stream-json'],
      ['kimi', '--wire'],
      ['x', 'acp'],
    ];
    for (const one of [command, ...others]) {
      const detector = new DialectDetector(one);
      for (const frame of frames) detector.take(frame);
      expect([one, detector.best.dialect.name]).toEqual([one, dialect]);
    }
  });

  it('is read to the last line', () => {
    expect(pinned(tape)).toMatchObject({ dialect, kinds });
  });

  it('is one turn', () => {
    const turns = turnsOf(buildFixture(tape));
    expect(turns).toMatchObject([{ n: 1, status }]);
    const { input, cache_read, output } = turns[0]!.usage;
    expect([input, cache_read, output]).toEqual(tokens);
  });
});

it('copilot: a message that was not streamed is text, one that was is repeated', () => {
  const event = (type: string, data: unknown): Said => ['agent', { type, data, id: 'e', timestamp: 't' }];
  const said = [
    event('assistant.message_delta', { messageId: 'a', deltaContent: 'hi' }),
    event('assistant.message', { messageId: 'a', content: 'hi' }),
    event('assistant.message', { messageId: 'b', content: 'ho' }),
  ];
  const [delta, repeats, whole] = eventsOf(copilotJson, said).map(([first]) => first!);
  expect([delta!.delta, repeats!.restates, whole!.restates]).toEqual([true, true, undefined]);
});

describe.each(DIALECTS)('$name', (dialect) => {
  it('asks nobody, and says so', () => {
    const { switches, needsNoClient } = traitsOf(dialect.name);
    expect(needsNoClient).toBe(true);
    expect(switches.at(-1)).toMatchObject({ options: null });
  });

  it('a prompt on stdin is plain text, on as many lines as it has, and may look like JSON', () => {
    const said: Said[] = [
      ['client', '{"type":"turn.started"}'],
      ['client', '[1]'],
      ['client', 'go'],
    ];
    const [first, ...rest] = eventsOf(dialect, said);
    expect(first).toMatchObject([{ kind: 'prompt', text: '{"type":"turn.started"}' }]);
    expect(rest).toMatchObject([[{ kind: 'control', text: '[1]' }], [{ kind: 'control', text: 'go' }]]);
  });

  it('never throws', () => {
    const types = ROWS.filter((row) => row.dialect === dialect.name).flatMap(({ tape }) =>
      buildFixture(tape).readings.flatMap(({ value }) => (value ? [value as Record<string, unknown>] : [])),
    );
    const broken = fc
      .tuple(fc.constantFrom(...types), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([real, odd]) => {
        const keys = Object.keys(real);
        const values = Object.values(odd);
        return Object.fromEntries(keys.map((key, i) => [key, key === 'type' ? real[key] : values[i]]));
      });
    fc.assert(
      fc.property(fc.array(broken), (values) => {
        const events = eventsOf(
          dialect,
          values.map((value): Said => ['agent', value]),
        );
        expect(events.every((list) => list.length > 0)).toBe(true);
      }),
    );
  });
});
