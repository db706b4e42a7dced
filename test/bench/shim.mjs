// A run that a shim passes through (`info --json`, `--version`): what the client waits longer than for the agent itself.
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { differenceRow } from './lib/rows.mjs';
import { ask, run } from './lib/run.mjs';

export async function shim(bench) {
  const { peer, env } = bench;
  const [agent, ...args] = [...peer, 'first'];
  const path = join(bench.scratch, 'shim');
  await withStore(bench, (_home, own) => run([bench.program, 'shim', agent, '--out', path], own));
  const drain = (command) => ask([...peer, 'drain', '--', command, ...args], env);
  const samples = await interleave(
    bench,
    'shim',
    { shim: () => drain(path), agent: () => drain(agent) },
    { count: bench.pairs * 10 },
  );
  const took = (variant) => samples[variant].map((sample) => sample.exit - sample.spawned);
  return [differenceRow('shim: a run passed through, against the agent itself', took('shim'), took('agent'), 0.005)];
}
