/** How often commands read a tape: once, whatever they are asked. */
import { beforeAll, describe, expect, vi } from 'vitest';
import { LineReader } from '../../../lib/storage/tape/line-reader.ts';
import { IMPORTS, importOne } from '../../support/imports.ts';
import { runMain } from '../../support/main.ts';
import { it, type Place } from '../../support/store.ts';

/** Every reader of a tape that was closed, which each one is. */
const closed = new Set<LineReader>();

beforeAll(() => {
  const { close } = LineReader.prototype;
  vi.spyOn(LineReader.prototype, 'close').mockImplementation(function (this: LineReader) {
    closed.add(this);
    close.call(this);
  });
  return () => vi.restoreAllMocks();
});

/** What a command prints, and how often it opens the tape. */
async function run(place: Place, ...argv: string[]): Promise<{ out: string; opens: number }> {
  importOne(place, `${IMPORTS}line-logs/wire-1.49.0-subagent_parallel.jsonl`);
  closed.clear();
  const { outcome, stdout, stderr } = await runMain(place, argv);
  expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
  return { out: stdout, opens: closed.size };
}

describe('a tape is read once by', () => {
  const COMMANDS = [
    ['show', 'last'],
    ['show', 'last', '--frames'],
    ['show', 'last', '--json'],
    ['show', 'last', '-q', 'kind:approval'],
    ['show', 'last', '-q', 'state:ended,incomplete kind:approval'],
    ['show', 'last', '--frames', '-q', 'latency:*', '--json'],
    ['show', 'last', '--frames', '-q', '"subagent"'],
    ['show', 'last#f17'],
    ['show', 'last#f17', '--json'],
    ['stats', 'last'],
    ['stats', 'last', '--json'],
    ['check', 'last', '--fail-on', 'never'],
    ['why', 'last'],
    ['export', 'last', '--format', 'jsonl'],
  ].map((argv) => ({ argv, line: argv.join(' ') }));

  it.for(COMMANDS)('$line', async ({ argv }, { place }) => {
    const { out, opens } = await run(place, ...argv);
    expect(out.length).toBeGreaterThan(20);
    // Exporting copies lines after it has looked at the first.
    expect(opens).toBe(argv[0] === 'export' ? 2 : 1);
  });

  it('is read twice where later frames say more about those that are printed first', async ({ place }) => {
    expect((await run(place, 'show', 'last', '--frames', '--json')).opens).toBe(2);
  });
});
