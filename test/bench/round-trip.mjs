// A request of about 200 bytes and its echo, one after the other: what the man in the middle adds to each.
// Left to the scheduler, the same program takes 20 or 110 µs, as it happens to be on the client's processor or not; so
// all processes share one (which shows every cycle that is spent), or the one in the middle has its own (which shows
// what a client sees). The warm-up covers the start of the recorder's worker and the compilation of the hot code.
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';

const WARM = 8000;
const COUNT = 2000;
const NAMES = { node: 'bare Node', tee: 'tee | agent | tee', c: 'C pass-through' };

export async function roundTrip(bench) {
  if (!bench.pins) return tripsOn(bench, 'round trip', [], [], Object.keys(NAMES));
  const [first, second] = bench.pins;
  return [
    ...(await tripsOn(bench, 'round trip', first, second, ['node'])),
    ...(await tripsOn(bench, 'round trip on one core', first, first, Object.keys(NAMES))),
  ];
}

/** Client and agent behind the prefix `outside`, the program in the middle behind `between`. */
async function tripsOn(bench, name, outside, between, baselines) {
  const { peer, env } = bench;
  const agent = [...outside, ...peer, 'echo'];
  const through = (command, environment) =>
    ask([...outside, ...peer, 'trips', WARM, COUNT, '--', ...between, ...command], environment);
  const quoted = agent.map((word) => `'${word}'`).join(' ');
  const copy = (file) => `tee '${join(bench.scratch, file)}'`;
  const possible = {
    node: () => through([...bench.passthrough, ...agent], env),
    tee: () => through(['sh', '-c', `${copy('in')} | ${quoted} | ${copy('out')}`], env),
    ...(bench.compiled ? { c: () => through([...peer, 'pass', '--', ...agent], env) } : {}),
  };
  const samples = await interleave(bench, name, {
    record: () => withStore(bench, (_home, own) => through([bench.program, 'record', '--', ...agent], own)),
    ...Object.fromEntries(Object.entries(possible).filter(([variant]) => baselines.includes(variant))),
  });
  const all = (variant, key) => samples[variant].map((sample) => sample[key]);
  const row = (variant, key, most) =>
    ratioRow(`${name} ${key}, against ${NAMES[variant]}`, 'time', all('record', key), all(variant, key), most);
  const others = Object.keys(samples).filter((variant) => variant !== 'record' && variant !== 'node');
  return [
    row('node', 'p50', 1.15),
    row('node', 'p99', 1.5),
    ...others.flatMap((variant) => [row(variant, 'p50'), row(variant, 'p99')]),
  ];
}
