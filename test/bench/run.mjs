// `npm run bench`: measures the built program against its baselines, side by side in one run, and prints one table.
import { approvals } from './approvals.mjs';
import { diff } from './diff.mjs';
import { flood } from './flood.mjs';
import { index } from './index.mjs';
import { openBench } from './lib/bench.mjs';
import { describeMachine, machine } from './lib/machine.mjs';
import { readOptions, USAGE } from './lib/options.mjs';
import { brokenRow } from './lib/rows.mjs';
import { table } from './lib/table.mjs';
import { listing } from './listing.mjs';
import { longLine } from './long-line.mjs';
import { memory } from './memory.mjs';
import { page } from './page.mjs';
import { query } from './query.mjs';
import { readerMemory } from './reader-memory.mjs';
import { redact } from './redact.mjs';
import { replay } from './replay.mjs';
import { roundTrip } from './round-trip.mjs';
import { shim } from './shim.mjs';
import { startUp } from './start-up.mjs';
import { tapeWriter } from './tape-writer.mjs';
import { timeline } from './timeline.mjs';

const SCENARIOS = {
  'start-up': startUp,
  shim,
  'round-trip': roundTrip,
  'long-line': longLine,
  memory,
  'reader-memory': readerMemory,
  flood,
  'tape-writer': tapeWriter,
  index,
  timeline,
  diff,
  ls: listing,
  query,
  approvals,
  redact,
  replay,
  page,
};

async function main(argv) {
  const options = readOptions(argv);
  if (options.help) return console.log(USAGE);
  const names = Object.keys(SCENARIOS);
  if (options.list) return console.log(names.join('\n'));
  const unknown = options.only.find((name) => !names.includes(name));
  if (unknown) throw new Error(`no scenario ${unknown}; there are ${names.join(', ')}`);

  const about = machine();
  if (options.json) console.log(JSON.stringify({ machine: about, pairs: options.pairs, frames: options.frames }));
  else console.log(`${describeMachine(about)}\nmedians of ${options.pairs} interleaved pairs\n`);

  const bench = openBench(options);
  const rows = [];
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      bench.close();
      process.exit(130);
    });
  }
  try {
    for (const name of names.filter((name) => options.only.length === 0 || options.only.includes(name))) {
      const found = await SCENARIOS[name](bench).catch((error) => [brokenRow(name, error)]);
      if (options.json) for (const row of found) console.log(JSON.stringify({ scenario: name, ...row }));
      rows.push(...found);
    }
  } finally {
    bench.close();
  }
  if (bench.disturbed > 0) bench.say(`others disturbed ${bench.disturbed} of ${bench.rounds} rounds`);
  if (!options.json) process.stdout.write(table(rows));
  if (rows.some((row) => row.verdict === 'MISS')) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error.message}\n${USAGE}`);
  process.exitCode = 2;
}
