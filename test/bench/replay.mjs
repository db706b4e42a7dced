// A long turn replayed at once to a client that only reads: how many frames a second, and whether memory stays flat.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { interleave } from './lib/pairs.mjs';
import { limitRow, ratioRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';

const FEW = 100_000;
const MANY = 1_000_000;
const PROMPT = '{"jsonrpc":"2.0","id":"9","method":"prompt","params":{"user_input":"go"}}';

export async function replay(bench) {
  if (!bench.compiled) {
    bench.say('replay: the peer in C is needed to tell the peak of a process');
    return [];
  }
  bench.progress('replay: tapes of one long turn');
  const few = await tapeOf(bench, FEW);
  const many = await tapeOf(bench, MANY);
  const run = (tape) => () => runOf(bench, tape);
  const found = await interleave(bench, 'replay', { few: run(few), many: run(many) });
  for (const tape of [few, many]) rmSync(tape);
  const rates = found.many.map(({ spawned, exit }) => MANY / (exit - spawned));
  const peaks = (runs) => runs.map(({ peak }) => peak);
  return [
    limitRow('replay --instant of 1M frames: frames a second', 'rate', rates, { least: 200_000 }),
    ratioRow('replay: memory at 1M frames, against 100k', 'memory', peaks(found.many), peaks(found.few), 1.2),
  ];
}

async function tapeOf(bench, frames) {
  const path = join(bench.scratch, `replay-${frames}.jsonl`);
  await saveTape(bench, path, { command: ['kimi', '--wire'], frames: turnOf(frames) });
  return path;
}

function* turnOf(frames) {
  let n = 0;
  const line = (from, message) => ({ t: ++n / 1e5, form: 'message', from, raw: Buffer.from(message), eol: '\n' });
  const event = (type, payload) =>
    line('agent', JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } }));
  yield line('client', PROMPT.replace('"9"', '"1"'));
  yield event('TurnBegin', { user_input: 'go' });
  yield event('StepBegin', { n: 1 });
  while (n < frames) yield event('ContentPart', { type: 'text', text: `some words of a long answer, piece ${n}` });
  yield line('agent', '{"jsonrpc":"2.0","id":"1","result":{"status":"finished"}}');
  yield { t: ++n / 1e5, form: 'event', from: 'client', event: 'eof', detail: {} };
  yield { t: ++n / 1e5, form: 'event', from: 'proc', event: 'exit', detail: { code: 0, signal: null } };
}

function runOf(bench, tape) {
  const command = `printf '%s\\n' '${PROMPT}' | exec "$@"`;
  const words = ['sh', '-c', command, 'sh', bench.program, 'replay', '--instant', tape];
  return withStore(bench, (_home, env) => ask([...bench.peer, 'drain', '--', ...words], env));
}
