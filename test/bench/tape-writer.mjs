// The tape writer by itself: the journal of a flood made into a tape, as a reader does for a dead recorder, in a process
// of its own each time. The journal is written from a real pipe, so that its chunks are of real sizes.
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { touchPages } from './lib/machine.mjs';
import { interleave } from './lib/pairs.mjs';
import { limitRow } from './lib/rows.mjs';
import { ask } from './lib/run.mjs';

export async function tapeWriter(bench) {
  const journal = join(bench.scratch, 'journal');
  const tape = join(bench.scratch, 'rebuilt.jsonl');
  await saveJournal(bench, journal);
  const command = [
    process.execPath,
    fileURLToPath(new URL('./lib/rebuild.mjs', import.meta.url)),
    bench.program,
    journal,
    tape,
  ];
  const rebuild = async () => {
    const answer = await ask(command, bench.env);
    rmSync(tape);
    return answer;
  };
  const prepare = () => touchPages(tape, bench.frames * 250);
  const samples = await interleave(bench, 'tape-writer', { rebuild }, { prepare });
  rmSync(journal);
  const rates = samples.rebuild.map(({ frames, seconds }) => frames / seconds);
  return [limitRow('tape writer alone, frames a second', 'rate', rates, { least: 400_000 })];
}

async function saveJournal(bench, path) {
  bench.progress('tape-writer: a journal');
  const { Journal, Kind } = await bench.module('tape/journal.js');
  const journal = new Journal(path, (error) => {
    throw error;
  });
  const start = performance.now();
  const micros = () => Math.round((performance.now() - start) * 1000);
  const clock = Buffer.alloc(8);
  clock.writeDoubleLE(Date.now() * 1000);
  const metadata = {
    type: 'metadata',
    wiretape: 1,
    session: 'bench',
    started_at: new Date().toISOString(),
    command: [],
  };
  journal.append(Kind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
  journal.append(Kind.clock, 0, clock);
  const [file, ...args] = [...bench.peer, 'flood', bench.frames, 344];
  const agent = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  agent.stdout.on('data', (chunk) => journal.append(Kind.agent, micros(), chunk));
  await new Promise((done) => agent.on('close', done));
  journal.append(Kind.end, micros(), clock);
  journal.close();
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
