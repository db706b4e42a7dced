// What a client waits longer because we are there, from its spawn to the agent's first byte; and what every reader takes
// on a store of small sessions beyond a Node that does nothing. Nearly all of that is loading code.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { smallSessions } from './lib/many-sessions.mjs';
import { interleave } from './lib/pairs.mjs';
import { differenceRow } from './lib/rows.mjs';
import { ask, run } from './lib/run.mjs';

const SESSIONS = 330;
const READERS = ['ls', 'filter is:error', 'approvals', 'why last', 'show last', 'stats last', 'check last'];
const MOST = 0.08;

export async function startUp(bench) {
  return [await recording(bench), ...(await readers(bench))];
}

async function recording(bench) {
  const { peer, env } = bench;
  const agent = [...peer, 'first'];
  const drain = (command, environment) => ask([...peer, 'drain', '--', ...command], environment);
  const samples = await interleave(
    bench,
    'start-up',
    {
      record: () => withStore(bench, (_home, own) => drain([bench.program, 'record', '--', ...agent], own)),
      node: () => drain([...bench.passthrough, ...agent], env),
    },
    { count: bench.pairs * 2 },
  );
  const until = (variant, key) => samples[variant].map((sample) => sample[key] - sample.spawned);
  return differenceRow(
    "start-up: to the agent's first byte, against bare Node",
    until('record', 'first'),
    until('node', 'first'),
    0.06,
  );
}

function readers(bench) {
  return withStore(bench, async (home, env) => {
    bench.progress(`start-up: ${SESSIONS} sessions`);
    mkdirSync(join(home, 'sessions'), { mode: 0o700 });
    await smallSessions(bench, home, SESSIONS);
    // The index is made once.
    await run([bench.program, 'ls'], env);
    const took = (command) => async () => {
      const start = performance.now();
      await run(command, env, undefined, [0, 1]);
      return (performance.now() - start) / 1000;
    };
    // Another build, to compare with, is measured in the same rounds.
    const programs = [bench.program, ...(bench.against ? [bench.against] : [])];
    const variants = { nothing: took([process.execPath, '-e', '0']) };
    for (const words of READERS)
      for (const program of programs) variants[`${program} ${words}`] = took([program, ...words.split(' ')]);
    const samples = await interleave(bench, 'start-up', variants, { count: bench.pairs * 2 });
    return READERS.flatMap((words) =>
      programs.map((program) =>
        differenceRow(
          `start-up: ${words}, beyond an empty node${program === bench.against ? ' (the other build)' : ''}`,
          samples[`${program} ${words}`],
          samples.nothing,
          program === bench.against ? null : MOST,
        ),
      ),
    );
  });
}
