// `report` of a session of 100k frames: redacted, replayed, written as a page and packed; against `gzip -6` of its tape.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { interleave } from './lib/pairs.mjs';
import { limitRow, ratioRow } from './lib/rows.mjs';
import { run } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';
import { wireMix } from './lib/wire-mix.mjs';

const FRAMES = 100_000;
/** Seconds. */
const MOST = 10;

export async function report(bench) {
  const frames = Math.min(FRAMES, bench.frames);
  bench.progress(`report: a tape of ${frames} frames`);
  const tape = join(bench.scratch, 'report.jsonl');
  const file = join(bench.scratch, 'report.zip');
  await saveTape(bench, tape, wireMix(frames), { cwd: '/home/dev/project' });
  const took = async (script, ...words) => {
    const start = performance.now();
    await run(['sh', '-c', script, 'sh', ...words], bench.env);
    return (performance.now() - start) / 1000;
  };
  const command = [bench.program, 'report', tape, '-o', file, '--force'];
  const samples = await interleave(
    bench,
    `report of ${frames} frames`,
    {
      // It says on stderr what it wrote.
      ours: () => took('"$@" 2> /dev/null', ...command),
      gzip: () => took('gzip -6 -c "$1" > /dev/null', tape),
    },
    { count: Math.min(bench.pairs, 3) },
  );
  for (const path of [tape, file]) rmSync(path);
  const name = `report of ${frames} frames`;
  return [
    limitRow(name, 'time', samples.ours, { most: MOST }),
    ratioRow(`${name}, against gzip -6 of the tape`, 'time', samples.ours, samples.gzip),
  ];
}
