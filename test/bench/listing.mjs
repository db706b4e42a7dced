// `ls` over many small sessions: what it takes beyond a Node that does nothing. The sessions are copies of a recorded
// one under other ids, read into the index once before.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { differenceRow } from './lib/rows.mjs';
import { run } from './lib/run.mjs';

const SESSIONS = 10_000;

export async function listing(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress(`ls: ${SESSIONS} sessions`);
    await run([bench.program, 'record', '--', 'sh', '-c', 'seq 20'], env);
    multiply(join(home, 'sessions'), SESSIONS);
    await run([bench.program, 'ls'], env);
    const took = async (...args) => {
      const start = performance.now();
      await run([process.execPath, ...args], env);
      return (performance.now() - start) / 1000;
    };
    const samples = await interleave(bench, 'ls', {
      ls: () => took(bench.program, 'ls'),
      json: () => took(bench.program, 'ls', '--json'),
      nothing: () => took('-e', '0'),
    });
    return [
      differenceRow(`ls of ${SESSIONS} sessions, beyond an empty node`, samples.ls, samples.nothing, 0.3),
      differenceRow('the same with --json', samples.json, samples.nothing, 0.3),
    ];
  });
}

function multiply(folder, count) {
  const [id] = readdirSync(folder);
  const tape = readFileSync(join(folder, id, 'wire.jsonl'), 'utf8');
  const owner = readFileSync(join(folder, id, 'owner.json'));
  for (let i = 1; i < count; i++) {
    const started = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
    const copy = `${started.replace(/[-:]/g, '').slice(0, 15)}-bbbb`;
    mkdirSync(join(folder, copy), { mode: 0o700 });
    writeFileSync(join(folder, copy, 'owner.json'), owner);
    const own = tape.replaceAll(id, copy).replace(/"started_at":"[^"]*"/, `"started_at":"${started}"`);
    writeFileSync(join(folder, copy, 'wire.jsonl'), own);
  }
}
