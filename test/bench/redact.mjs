// Redaction, both of its passes, against `JSON.parse` of the lines and nothing else. 0.15x is 20 MB a second where that
// reads 130.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { run } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';
import { wireMix } from './lib/wire-mix.mjs';
import { rateOf } from './timeline.mjs';

const FRAMES = 200_000;
const MIXED = 100_000;

export async function redact(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress('redact: a tape to read');
    await run([bench.program, 'record', '--', ...bench.peer, 'flood', FRAMES, 344], env);
    await run([bench.program, 'ls'], env);
    const [id] = readdirSync(join(home, 'sessions'));
    const mix = join(bench.scratch, 'redact.jsonl');
    await saveTape(bench, mix, wireMix(Math.min(MIXED, bench.frames)));
    const rows = [
      await rateOf(bench, 'redact', 'a flood', [join(home, 'sessions', id, 'wire.jsonl')], 1, 0.15),
      await rateOf(bench, 'redact', 'a long session', [mix], 2, 0.15),
    ];
    rmSync(mix);
    return rows;
  });
}
