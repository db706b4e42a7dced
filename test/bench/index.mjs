// The index: the rows of a flood, made from its tape, against better-sqlite3 inserting the same rows and nothing else;
// each time in a process of its own, into a fresh file.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { atLeastRow } from './lib/rows.mjs';
import { ask, run } from './lib/run.mjs';

const ROWS = fileURLToPath(new URL('./lib/index-rows.mjs', import.meta.url));

export async function index(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress('index: a flood to read');
    await run([bench.program, 'record', '--', ...bench.peer, 'flood', bench.frames, 344], env);
    await run([bench.program, 'ls'], env);
    const fill = async (how) => {
      const fresh = mkdtempSync(join(bench.scratch, 'index-'));
      try {
        return await ask([process.execPath, ROWS, bench.program, how, home, fresh], bench.env);
      } finally {
        rmSync(fresh, { recursive: true, force: true });
      }
    };
    const samples = await interleave(bench, 'index', { ours: () => fill('ours'), raw: () => fill('raw') });
    const rates = (variant) => samples[variant].map(({ frames, seconds }) => frames / seconds);
    return [
      atLeastRow(
        'index: frames a second, against raw inserts of the same rows',
        'rate',
        rates('ours'),
        rates('raw'),
        0.3,
      ),
    ];
  });
}
