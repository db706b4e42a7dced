// Tens of thousands of round trips in one session: memory may settle, but not grow.
import { withStore } from './lib/bench.mjs';
import { median } from './lib/pairs.mjs';
import { ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';

const TRIPS = 60_000;
const AT_MOST_SECONDS = 30;

export async function memory(bench) {
  const { peer } = bench;
  const soak = (command, env) => ask([...peer, 'soak', TRIPS, AT_MOST_SECONDS, '--', ...command], env);
  bench.progress('memory: 60k round trips through record');
  const ours = await withStore(bench, (_home, own) => soak([bench.program, 'record', '--', ...peer, 'echo'], own));
  bench.progress('memory: 60k round trips through bare Node');
  const node = await soak([...bench.passthrough, ...peer, 'echo'], bench.env);
  if (ours.rss.some((kb) => kb < 0)) {
    bench.say('memory: this system does not tell the memory of a process while it runs');
    return [];
  }
  const { start, middle, end } = thirds(ours.rss);
  bench.say(
    `memory: ${ours.trips} round trips; start ${mb(start)}, middle ${mb(middle)}, end ${mb(end)}, peak ${mb(ours.peak)}`,
  );
  return [
    ratioRow('memory at the end of 60k round trips, against its middle', 'memory', [end], [middle], 1.2),
    ratioRow('memory at the end of 60k round trips, against bare Node', 'memory', [end], [thirds(node.rss).end]),
  ];
}

/** Medians over a few samples, because a garbage collector makes teeth. */
function thirds(rss) {
  const at = (from, to) => median(rss.slice(Math.floor(rss.length * from), Math.ceil(rss.length * to)));
  return { start: at(0, 0.05), middle: at(0.45, 0.55), end: at(0.9, 1) };
}

const mb = (kb) => `${(kb / 1024).toFixed(0)} MB`;
