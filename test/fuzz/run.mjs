/**
 * npm run fuzz -- --minutes 10: changes real tapes, pages and reports at random, and runs the commands that read them. No
 * input may make a command say that it has a bug, print a stack trace, take more than 10 seconds or 512 MB, or end with a
 * code that it does not have.
 *
 *   --only tapes|pages|zips   --seed N   --minutes N or --inputs N, for each   --first N
 *
 * What fails is kept, and named with the seed and the number of the input: the same seed gives the same inputs.
 */
import { fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuSecondsOf, MOST_SECONDS, PATIENCE_SECONDS } from './limits.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const KINDS = ['tapes', 'pages', 'zips'];
/** A worker ends after so many inputs, so that what it leaves in memory does not add up. */
const ROUND = 200;

const text = { type: 'string' };
const { values } = parseArgs({ options: { only: text, seed: text, minutes: text, inputs: text, first: text } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
const kinds = values.only ? [values.only] : KINDS;
if (kinds.some((kind) => !KINDS.includes(kind)) || !Number.isSafeInteger(seed)) {
  console.error('fuzz: --only is one of tapes, pages, zips; --seed is a number');
  process.exit(2);
}

let failures = 0;
for (const kind of kinds) failures += await fuzz(kind);
process.exitCode = failures > 0 ? 1 : 0;

async function fuzz(kind) {
  const folder = mkdtempSync(join(tmpdir(), `wiretape-fuzz-${kind}-`));
  const end = Date.now() + Number(values.minutes ?? (values.inputs ? 1e6 : 1)) * 60_000;
  const most = Number(values.inputs ?? Number.MAX_SAFE_INTEGER);
  const begun = Number(values.first ?? 0);
  const sum = { inputs: 0, commands: 0, processes: 0, refused: 0 };
  const failed = [];
  let next = begun;
  while (Date.now() < end && next - begun < most) {
    const round = Math.min(ROUND, most - (next - begun));
    const { hung, code } = await work(kind, next, round, folder, end);
    const tally = readJson(join(folder, 'tally')) ?? { inputs: 0 };
    for (const key of Object.keys(sum)) sum[key] += tally[key] ?? 0;
    const doing = readJson(join(folder, 'doing'));
    if (doing && (hung || code)) {
      const kept = keptInput(kind, doing.n, folder);
      failed.push({ ...doing, kept, defect: hung ? `more than ${MOST_SECONDS} s` : `the process ends with ${code}` });
    }
    if (code && !doing) throw new Error(`the worker ends with ${code}, and no command is to blame`);
    if (tally.inputs === 0 && !doing && Date.now() < end) throw new Error('the worker does nothing');
    next += tally.inputs + (hung || code ? 1 : 0);
    rmSync(join(folder, 'tally'), { force: true });
    rmSync(join(folder, 'doing'), { force: true });
  }
  if (existsSync(join(folder, 'notes')))
    failed.push(
      ...readFileSync(join(folder, 'notes'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  console.log(
    `${kind}: seed ${seed}, ${sum.inputs} inputs, ${sum.commands} commands (${sum.refused} refused), ${sum.processes} processes, ${failed.length} failures`,
  );
  for (const { n, command, defect, said, kept } of failed)
    console.log(
      `  --seed ${seed} --first ${n}: ${command.join(' ')}: ${defect}${kept ? `\n    ${kept}` : ''}${said ? `\n    ${said.replaceAll('\n', '\n    ')}` : ''}`,
    );
  if (failed.length === 0) rmSync(folder, { recursive: true, force: true });
  return failed.length;
}

/** One worker, until it is done, hangs, or the time is over. */
function work(kind, first, count, folder, end) {
  return new Promise((resolve) => {
    const worker = fork(WORKER, [kind, seed, first, count, folder].map(String), {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let hung = false;
    let stopped = false;
    let last = { doing: '', cpu: 0, at: Date.now() };
    const timer = setInterval(() => {
      const doing = readText(join(folder, 'doing'));
      const cpu = cpuSecondsOf(worker.pid) || 0;
      if (doing !== last.doing || doing.includes('"own":true')) last = { doing, cpu, at: Date.now() };
      hung = doing !== '' && (cpu - last.cpu > MOST_SECONDS || Date.now() - last.at > PATIENCE_SECONDS * 1000);
      stopped = Date.now() > end;
      if (hung || stopped) worker.kill('SIGKILL');
    }, 250);
    worker.on('exit', (code, signal) => {
      clearInterval(timer);
      resolve({ hung: hung && !stopped, code: hung || stopped ? 0 : (code ?? signal) });
    });
  });
}

/** The worker keeps what fails, unless it is ended itself. */
function keptInput(kind, n, folder) {
  const [name] = readdirSync(folder).filter((one) => one.startsWith('input.'));
  const kept = join(folder, 'failures', `${kind}-${seed}-${n}-${name}`);
  mkdirSync(join(folder, 'failures'), { recursive: true });
  copyFileSync(join(folder, name), kept);
  return kept;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readJson(path) {
  try {
    return JSON.parse(readText(path));
  } catch {
    return null;
  }
}
