// One line of 64 MB from the agent: how long it takes, and that neither the client nor the tape has another byte.
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { factRow, limitRow, ratioRow } from './lib/rows.mjs';
import { ask, digestOf } from './lib/run.mjs';

const BYTES = 64 * 1024 * 1024;

export async function longLine(bench) {
  const { peer, env } = bench;
  const agent = [...peer, 'line', BYTES];
  const drain = async (command, environment) => {
    const answer = await ask([...peer, 'drain', '--', ...command], environment);
    return { ...answer, took: answer.eof - answer.first };
  };
  const samples = await interleave(bench, 'long-line', {
    record: () => withStore(bench, (_home, own) => drain([bench.program, 'record', '--', ...agent], own)),
    node: () => drain([...bench.passthrough, ...agent], env),
  });
  const took = (variant) => samples[variant].map((sample) => sample.took);
  return [
    ratioRow('64 MB line, against bare Node', 'time', took('record'), took('node'), 2),
    limitRow(
      '64 MB line: peak memory',
      'memory',
      samples.record.map(({ peak }) => peak),
      { most: 400 * 1024 },
    ),
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
