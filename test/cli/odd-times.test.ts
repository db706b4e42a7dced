/** Tapes whose times are none: every command ends as it would, and never with an error of ours. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runMain } from '../support/main.ts';
import { sample } from '../support/scale.ts';
import { it } from '../support/store.ts';

const LINES = readFileSync('samples/tapes/approve.jsonl', 'utf8').trimEnd().split('\n');

type Change = (line: string, f: number) => string;

const started =
  (value: string): Change =>
  (line) =>
    line.replace(/"started_at":"[^"]*"/, `"started_at":${value}`);
const time =
  (at: (f: number) => string): Change =>
  (line, f) =>
    line.replace(/^(\{"f":\d+,"t":)[\d.]+/, (_, head) => head + at(f));
const firstByte =
  (value: string): Change =>
  (line) =>
    line.replace(/^(\{"f":\d+,"t":[\d.]+)/, `$1,"t0":${value}`);
const seal =
  (value: string): Change =>
  (line) =>
    line.replace(/("type":"seal","f":\d+,"t":)[\d.]+/, `$1${value}`);

const CHANGES: Record<string, Change> = {
  'the year 275760': started('"+275760-09-13T00:00:00.000000Z"'),
  'the year 275761': started('"+275761-01-01T00:00:00Z"'),
  'the year 9999': started('"9999-12-31T23:59:59.999999Z"'),
  'before our time': started('"-000500-01-01T00:00:00Z"'),
  'a word': started('"yesterday"'),
  'a number': started('17'),
  'a long fraction': started(`"2026-11-16T02:29:11.${'9'.repeat(400)}Z"`),
  'three hundred years': time((f) => (f > 3 ? '9999999999.5' : '0.001')),
  'no number': time((f) => (f === 5 ? '1e999' : f === 6 ? '1e308' : '0.001')),
  'less than nothing': time((f) => (f === 5 ? '-5' : '0.001')),
  'back in time': time((f) => String(1000 - f * 3.1)),
  'a first byte at no time': firstByte('1e999'),
  'a first byte too late': firstByte('99'),
  'a first byte too early': firstByte('-1e300'),
  'a seal at no time': seal('1e999'),
};

const COMMANDS = [
  ...[
    'show',
    'show --json',
    'show --frames --json',
    'stats --json',
    'check --json',
    'approvals --json',
    'verify --json',
  ],
  ...[
    'why',
    'why --json',
    'filter gap:1s..*',
    'filter at:2026-01-01..* --json',
    'diff samples/tapes/approve.jsonl --timing',
  ],
  ...['html', 'md', 'json', 'csv', 'perfetto', 'otlp', 'kimi', 'asciicast'].map((format) => `export -f ${format}`),
  ...['report --md', 'redact --scan', 'import', 'ls'],
].map((words) => words.split(' '));

/** The path stands behind the command, and behind the query of `filter`. */
function argvFor([command = '', ...words]: string[], path: string): string[] {
  if (command === 'ls') return [command];
  const at = command === 'filter' ? 1 : 0;
  return [command, ...words.slice(0, at), path, ...words.slice(at)];
}

describe('a time that is', () => {
  it.for(sample(Object.entries(CHANGES), 4))('%s', { timeout: 120_000 }, async ([name, change], { place }) => {
    const folder = join(place.dir, 'tapes');
    mkdirSync(folder);
    const path = join(folder, 'odd.jsonl');
    const lines = LINES.map((line, i) => change(line, i));
    expect(lines, name).not.toEqual(LINES);
    writeFileSync(path, `${lines.join('\n')}\n`);
    for (const words of COMMANDS) {
      const { outcome, stderr } = await runMain(place, argvFor(words, path));
      expect(stderr, words.join(' ')).not.toMatch(/internal error|Error:|invalid|NaN/);
      expect([0, 1, 2], words.join(' ')).toContain(outcome);
    }
  });
});
