// From the client's spawn to the agent's first byte: what the client waits longer because we are there.
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { differenceRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';

export async function startUp(bench) {
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
  return [
    differenceRow(
      "start-up: to the agent's first byte, against bare Node",
      until('record', 'first'),
      until('node', 'first'),
      0.06,
    ),
  ];
}
