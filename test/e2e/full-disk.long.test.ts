/** A disk that fills up while something is written to be sent: no half of a file is left, and the old one stays. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { withBadDisk } from '../support/bad-disk.ts';
import { wiretape } from '../support/run.ts';
import { it } from '../support/store.ts';

const ENOSPC = 28;
const TAPE = 'samples/tapes/tour.jsonl';
const WAYS = [
  ['report', TAPE],
  ['report', TAPE, '--html'],
  ...['html', 'md', 'json', 'csv', 'perfetto', 'otlp', 'asciicast'].map((name) => ['export', TAPE, '-f', name]),
];

describe('a full disk', () => {
  it.for(WAYS.map((args) => ({ args, name: args.join(' ') })))('$name', async ({ args }, { place, skip }) => {
    const env = withBadDisk(place, { file: 'precious', errno: ENOSPC, after: 1000 });
    if (env === null) return skip('no C compiler');
    const path = join(place.dir, 'precious');
    const fresh = await wiretape(place, [...args, '-o', path], { env });
    expect(fresh.stderr.toString()).toMatch(/ENOSPC|no space left/i);
    expect(fresh.code).toBe(2);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'before');
    const again = await wiretape(place, [...args, '-o', path, '--force'], { env });
    expect(again.code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(place.dir).filter((name) => name.startsWith('precious'))).toEqual(['precious']);
  });
});
