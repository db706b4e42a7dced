// One line of 64 MB from the agent: how long it takes, and that neither the client nor the tape has another byte.
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { touchPages } from './lib/machine.mjs';
import { interleave } from './lib/pairs.mjs';
import { factRow, ratioRow } from './lib/rows.mjs';
import { ask, digestOf } from './lib/run.mjs';

const BYTES = 64 * 1024 * 1024;

export async function longLine(bench) {
  const { peer, env } = bench;
  const agent = [...peer, 'line', BYTES];
  const drain = (command, environment) => ask([...peer, 'drain', '--', ...command], environment);
  const variants = {
    record: () => withStore(bench, (_home, own) => drain([bench.program, 'record', '--', ...agent], own)),
    node: () => drain([...bench.passthrough, ...agent], env),
  };
  const prepare = () => touchPages(join(bench.scratch, 'pages'), 2.2 * BYTES);
  const samples = await interleave(bench, 'long-line', variants, { prepare });
  const took = (variant) => samples[variant].map(({ eof, first }) => eof - first);
  const peak = (variant) => samples[variant].map((sample) => sample.peak);
  return [
    ratioRow('64 MB line, against bare Node', 'time', took('record'), took('node'), 2),
    ratioRow('64 MB line: peak memory, against bare Node', 'memory', peak('record'), peak('node')),
    ...(await exactness(bench, agent)),
  ];
}

async function exactness(bench, agent) {
  bench.progress('long-line: byte for byte');
  const sent = await digestOf(agent, bench.env);
  return withStore(bench, async (_home, own) => {
    const arrived = await digestOf([bench.program, 'record', '--', ...agent], own);
    const kept = await digestOf([bench.program, 'show', 'last', '--raw', '--from', 'agent'], own);
    const same = (other) => other.sha256 === sent.sha256 && other.bytes === BYTES;
    return [
      factRow('64 MB line: byte-exact at the client', same(arrived)),
      factRow('64 MB line: byte-exact on the tape', same(kept)),
    ];
  });
}
