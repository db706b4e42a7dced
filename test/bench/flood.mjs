// A million events from the agent, as fast as they go: in blocks of 64 kB, and a write a line as most agents do it.
// How long the client waits for them, what memory the recorder takes, and when the tape is complete.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { touchPages } from './lib/machine.mjs';
import { interleave } from './lib/pairs.mjs';
import { limitRow, ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';
import { completeTape } from './lib/tape.mjs';

const LINE_BYTES = 190;
const LINES_OF_64_KB = 344;
/** Journal and tape of a flood, in bytes a frame. */
const FILE_BYTES = 450;
/** The recorder waits 250 ms for its tape at most; the rest is for leaving. */
const LEAVE_WITHIN = 0.35;

export async function flood(bench) {
  return [...(await floodOf(bench, 'flood', LINES_OF_64_KB)), ...(await floodOf(bench, 'flood, a write a line', 1))];
}

async function floodOf(bench, name, block) {
  const { frames } = bench;
  const samples = await measure(bench, name, block);
  const ours = (pick) => samples.record.map(pick);
  const took = (variant) => samples[variant].map(({ eof, first }) => eof - first);
  const rate = ({ first, complete }) => frames / (complete.at - first);
  const readers = samples.record.filter(({ complete }) => complete.by === 'reader').length;
  bench.say(`${name}: the tape was completed by the next reader in ${readers} of ${samples.record.length} runs`);
  const leaving = ours(({ eof, exit }) => exit - eof);
  const peaks = ours(({ peak }) => peak);
  return [
    ratioRow(`${name}: client's wait, against bare Node`, 'time', took('record'), took('node'), 1.5),
    ratioRow(`${name}: client's wait, against tee`, 'time', took('record'), took('tee')),
    limitRow(`${name}: peak memory`, 'memory', peaks, { most: 150 * 1024 }),
    limitRow(`${name}: EOF to exit of the recorder`, 'time', leaving, { most: LEAVE_WITHIN }),
    limitRow(`${name}: frames a second, to complete tape`, 'rate', ours(rate), { least: 400_000 }),
  ];
}

function measure(bench, name, block) {
  const { peer, env, frames } = bench;
  const agent = [...peer, 'flood', frames, block];
  const quoted = agent.map((word) => `'${word}'`).join(' ');
  const file = join(bench.scratch, 'tee');
  const drain = async (command, environment) => {
    const answer = await ask([...peer, 'drain', '--', ...command], environment);
    if (answer.bytes !== frames * LINE_BYTES) throw new Error(`${answer.bytes} bytes arrived`);
    return answer;
  };
  const record = async (home, own) => {
    const answer = await drain([bench.program, 'record', '--', ...agent], own);
    const complete = await completeTape(bench, own, home);
    if (!complete.seal || complete.seal.f < frames) throw new Error('the tape lacks frames');
    return { ...answer, complete };
  };
  const tee = async () => {
    const answer = await drain(['sh', '-c', `${quoted} | tee '${file}'`], env);
    rmSync(file);
    return answer;
  };
  const variants = {
    record: () => withStore(bench, record),
    node: () => drain([...bench.passthrough, ...agent], env),
    tee,
  };
  return interleave(bench, name, variants, { prepare: () => touchPages(file, frames * FILE_BYTES) });
}
