// Two long sessions that differ in one approval: the diff against reading both timelines, and what it needs at its peak
// against sessions with a tenth of the frames.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withStore } from './lib/bench.mjs';
import { longSession } from './lib/long-session.mjs';
import { interleave } from './lib/pairs.mjs';
import { ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';

const READ = fileURLToPath(new URL('./lib/diff-rate.mjs', import.meta.url));
const FEW = 100_000;
const MANY = 1_000_000;
/** Each text is in so many pieces. */
const PIECES = 20;
const ANSWER = /"response":"approve(?:_for_session)?"/;
/** Peaks differ little from run to run. */
const RUNS = 2;

export async function diff(bench) {
  bench.progress('diff: tapes to compare');
  const few = await tapesOf(bench, FEW);
  const many = await tapesOf(bench, MANY);
  const read = (how) => () => ask([process.execPath, READ, bench.program, how, ...few], bench.env);
  const samples = await interleave(bench, 'diff', { ours: read('diff'), timelines: read('timelines') });
  for (const { kinds } of samples.ours)
    if (!kinds.includes('approval')) throw new Error(`the planted approval was not found: ${kinds}`);
  const seconds = (variant) => samples[variant].map((sample) => sample.seconds);
  const rows = [
    ratioRow('diff of 2 x 100k frames, against both timelines', 'time', seconds('ours'), seconds('timelines'), 5),
  ];
  if (bench.compiled) rows.push(await memoryRow(bench, few, many));
  for (const tape of [...few, ...many]) rmSync(tape);
  return rows;
}

async function memoryRow(bench, few, many) {
  const quietly = (tapes) => ['sh', '-c', '"$@" >/dev/null 2>&1 || [ $? = 1 ]', 'sh', bench.program, 'diff', ...tapes];
  const peak = (tapes) => () =>
    withStore(bench, (_home, env) => ask([...bench.peer, 'drain', '--', ...quietly(tapes)], env));
  const found = await interleave(bench, 'memory of diff', { few: peak(few), many: peak(many) }, { count: RUNS });
  const kb = ({ peak: most }) => most;
  return ratioRow(
    'memory of diff, 2 x 1M frames, against 2 x 100k',
    'memory',
    found.many.map(kb),
    found.few.map(kb),
    1.4,
  );
}

/** The same conversation twice; in the second one, an approval in the middle is a rejection. */
async function tapesOf(bench, frames) {
  const paths = ['a', 'b'].map((side) => join(bench.scratch, `diff-${side}-${frames}.jsonl`));
  for (const [i, path] of paths.entries()) {
    const session = await longSession(bench, 'wire', { frames, pieces: PIECES });
    await saveTape(bench, path, i === 0 ? session : { ...session, frames: planted(session.frames, frames / 2) }, {
      session: `s${i}`,
    });
  }
  return paths;
}

function* planted(frames, from) {
  let count = 0;
  let isDone = false;
  for (const frame of frames) {
    const line = !isDone && ++count >= from && frame.from === 'client' ? frame.raw.toString() : '';
    isDone ||= ANSWER.test(line);
    yield line === '' ? frame : { ...frame, raw: Buffer.from(line.replace(ANSWER, '"response":"reject"')) };
  }
}
