// What `check` and `filter` need at their peak to read a tape, against a tape with a tenth of its frames.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { longSession } from './lib/long-session.mjs';
import { interleave } from './lib/pairs.mjs';
import { ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';

const FEW = 100_000;
const MANY = 1_000_000;
/** Wire in many turns with approvals, most of them never answered; MCP without turns. Each text is in so many pieces. */
const DIALECTS = { wire: 20, mcp: 1 };
const COMMANDS = {
  check: (tape) => ['check', '--fail-on', 'never', tape],
  filter: (tape) => ['filter', 'from:agent', tape],
};
/** Peaks differ little from run to run. */
const RUNS = 2;

export async function readerMemory(bench) {
  if (!bench.compiled) {
    bench.say('reader-memory: the peer in C is needed to tell the peak of a process');
    return [];
  }
  const rows = [];
  for (const [dialect, pieces] of Object.entries(DIALECTS)) {
    bench.progress(`reader-memory: writing ${dialect} tapes`);
    const few = await tapeOf(bench, dialect, FEW, pieces);
    const many = await tapeOf(bench, dialect, MANY, pieces);
    for (const [name, words] of Object.entries(COMMANDS)) {
      const peak = (tape) => () => peakOf(bench, words(tape));
      const found = await interleave(
        bench,
        `${name} ${dialect}`,
        { few: peak(few), many: peak(many) },
        { count: RUNS },
      );
      const what = `memory of ${name}, a ${dialect} tape of 1M frames, against 100k`;
      rows.push(ratioRow(what, 'memory', found.many.map(kb), found.few.map(kb), 1.2));
    }
    for (const tape of [few, many]) rmSync(tape);
  }
  return rows;
}

const kb = ({ peak }) => peak;

async function tapeOf(bench, dialect, frames, pieces) {
  const path = join(bench.scratch, `${dialect}-${frames}.jsonl`);
  await saveTape(bench, path, await longSession(bench, dialect, { frames, pieces }));
  return path;
}

/** `check` says on stderr that it has forgotten open requests: a million frames leave more than it keeps. */
function peakOf(bench, words) {
  const quietly = ['sh', '-c', 'exec "$@" 2>/dev/null', 'sh', bench.program, ...words];
  return withStore(bench, (_home, env) => ask([...bench.peer, 'drain', '--', ...quietly], env));
}
