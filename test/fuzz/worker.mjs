/**
 * Tries inputs one after the other, most commands in this process. What it is doing is in a file, because nobody can ask a
 * process that hangs. node worker.mjs KIND SEED FIRST COUNT FOLDER
 */
import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../dist/lib/cli.js';
import { defectIn, filledIn, mayEndWith, someCommands, someProcess } from './commands.mjs';
import { made, tapes } from './inputs.mjs';
import { cpuSecondsOf, MOST_MEMORY, MOST_SECONDS, PATIENCE_SECONDS } from './limits.mjs';
import { MemoryIo } from './memory-io.mjs';
import { mutatePage, mutateTape, mutateZip } from './mutate.mjs';
import { randomFrom } from './random.mjs';

const [kind, seed, first, count, folder] = process.argv.slice(2);
const WIRETAPE = fileURLToPath(new URL('../../dist/bin/wiretape.js', import.meta.url));
const PRELOAD = fileURLToPath(new URL('../support/peak-memory.cjs', import.meta.url));
const ENDING = { tapes: 'jsonl', pages: 'html', zips: 'zip' }[kind];
/** One input in so many is also given to a process of its own. */
const PROCESS_EVERY = 10;
/** Sessions of the store are imports of earlier inputs. */
const STORE_EVERY = 50;

const home = join(folder, 'home');
const out = join(folder, 'out');
const file = join(folder, `input.${ENDING}`);
const sound = join(folder, 'sound.jsonl');
const places = { file, sound, folder: out };
const env = { ...process.env, WIRETAPE_HOME: home };

const { tapes: all, logs } = tapes();
writeFileSync(sound, all[0]);
// Most tries are for tapes; logs are only imported.
const bases =
  kind === 'tapes' ? [...all, ...logs.filter((_, i) => i % 10 === 0)] : await made(join(folder, 'made'), kind, all);
if (bases.length === 0) throw new Error(`nothing to start from: no ${kind} could be made`);

const note = (what) => appendFileSync(join(folder, 'notes'), `${JSON.stringify(what)}\n`);
const tally = { inputs: 0, commands: 0, processes: 0, refused: 0 };

for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const random = randomFrom(Number(seed) * 1_000_003 + n);
  const mutate = { tapes: mutateTape, pages: mutatePage, zips: mutateZip }[kind];
  writeFileSync(file, await mutate(random.pick(bases), random, all));
  if (n % STORE_EVERY === 0) rmSync(home, { recursive: true, force: true });
  for (const command of someCommands(random)) {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    await tryHere(n, command);
  }
  if (n % PROCESS_EVERY === 0) await tryProcess(n, someProcess(random));
  tally.inputs++;
  if (process.memoryUsage.rss() > MOST_MEMORY / 2) globalThis.gc?.();
  writeFileSync(join(folder, 'tally'), JSON.stringify(tally));
  rmSync(join(folder, 'doing'), { force: true });
}

async function tryHere(n, command) {
  writeFileSync(join(folder, 'doing'), JSON.stringify({ n, command }));
  const before = process.resourceUsage().maxRSS * 1024;
  const io = new MemoryIo(env);
  let code;
  try {
    code = await main(filledIn(command, places), io);
  } catch (error) {
    io.stderr += `this is a bug in wiretape: it throws ${error?.stack}`;
  }
  tally.commands++;
  if (code === 2) tally.refused++;
  const defect =
    typeof code === 'number' && !mayEndWith(command, code)
      ? `it ends with ${code}`
      : defectIn(command, io.stdout, io.stderr);
  if (defect) fail(n, command, defect, io.stderr || io.stdout);
  // All commands before it may have left something: it counts if a process of its own has as much.
  const after = process.resourceUsage().maxRSS * 1024;
  if (after > MOST_MEMORY && after > before + (1 << 20)) await tryProcess(n, command);
}

async function tryProcess(n, command) {
  writeFileSync(join(folder, 'doing'), JSON.stringify({ n, command, own: true }));
  const peaks = join(folder, 'peaks');
  rmSync(peaks, { recursive: true, force: true });
  mkdirSync(peaks);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const child = spawn(process.execPath, ['--require', PRELOAD, WIRETAPE, ...filledIn(command, places)], {
    env: { ...env, NO_COLOR: '1', PEAK_MEMORY: peaks },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (chunk) => {
      if (said[stream].length < 1 << 20) said[stream] += chunk;
    });
  const { code, signal, hangs } = await endOf(child);
  tally.processes++;
  let peak = 0;
  try {
    peak = Number(readFileSync(join(peaks, String(child.pid)), 'utf8'));
  } catch {
    // It did not end by itself.
  }
  const defect = hangs
    ? `more than ${MOST_SECONDS} s`
    : signal || !mayEndWith(command, code)
      ? `it ends with ${signal ?? code}`
      : peak > MOST_MEMORY
        ? `it has ${Math.round(peak / 1e6)} MB`
        : defectIn(command, said.stdout, said.stderr);
  if (defect) fail(n, command, defect, said.stderr || said.stdout);
}

/** Seconds count only if the process had them: on a busy machine, all others have most. */
function endOf(child) {
  return new Promise((resolve) => {
    let hangs = false;
    const born = Date.now();
    const timer = setInterval(() => {
      const isLate = cpuSecondsOf(child.pid) > MOST_SECONDS || Date.now() - born > PATIENCE_SECONDS * 1000;
      if (!isLate) return;
      hangs = true;
      child.kill('SIGKILL');
    }, 250);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      resolve({ code, signal, hangs });
    });
  });
}

function fail(n, command, defect, said) {
  const kept = join(folder, 'failures', `${kind}-${seed}-${n}.${ENDING}`);
  mkdirSync(join(folder, 'failures'), { recursive: true });
  copyFileSync(file, kept);
  note({ n, command, defect, kept, said: said.slice(0, 600) });
}
