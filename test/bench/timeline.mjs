// The timeline of a tape, against `JSON.parse` of its lines and nothing else: a flood of text in small pieces, and the
// recorded sessions of every dialect that the tests have, each over and over, as long or short as they are; in a process
// of its own each time.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { atLeastRow } from './lib/rows.mjs';
import { ask, run } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';

const READ = fileURLToPath(new URL('./lib/timeline-rate.mjs', import.meta.url));
const TAPES = fileURLToPath(new URL('../fixtures/tapes/', import.meta.url));
const FRAMES = 200_000;

export async function timeline(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress('timeline: tapes to read');
    await run([bench.program, 'record', '--', ...bench.peer, 'flood', FRAMES, 344], env);
    await run([bench.program, 'ls'], env);
    const [id] = readdirSync(join(home, 'sessions'));
    const mix = join(bench.scratch, 'mix');
    const times = await saveMix(bench, mix);
    const rows = [
      await rateOf(bench, 'timeline', 'of a flood', [join(home, 'sessions', id, 'wire.jsonl')], 1, 0.6),
      await rateOf(bench, 'timeline', 'of real sessions', tapesIn(mix), times, 0.6),
    ];
    rmSync(mix, { recursive: true });
    return rows;
  });
}

/** How fast the tapes are read in this way, against parsing their lines. */
export async function rateOf(bench, how, what, tapes, times, target) {
  const name = `${how} ${what}`;
  const read = (way) => () => ask([process.execPath, READ, bench.program, way, times, ...tapes], bench.env);
  const samples = await interleave(bench, name, { ours: read(how), parse: read('parse') });
  const rates = (variant) => samples[variant].map(({ frames, seconds }) => frames / seconds);
  return atLeastRow(`${name}: frames a second, against JSON.parse`, 'rate', rates('ours'), rates('parse'), target);
}

/** A tape of each session; how often they must be read to make so many frames together. */
async function saveMix(bench, dir) {
  const { readLineLog } = await bench.module('tape/import/line-log.js');
  mkdirSync(dir);
  const logs = logsIn(TAPES).map(readLineLog);
  for (const [i, log] of logs.entries()) await saveTape(bench, join(dir, `${i}.jsonl`), log);
  return Math.ceil(FRAMES / logs.reduce((sum, { frames }) => sum + frames.length, 0));
}

function logsIn(dir) {
  return readdirSync(dir, { recursive: true })
    .filter((name) => /(?<!\.meta)\.jsonl$/.test(basename(name)))
    .sort()
    .map((name) => join(dir, name));
}

const tapesIn = (dir) => readdirSync(dir).map((name) => join(dir, name));
