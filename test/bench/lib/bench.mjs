// What every scenario gets: the programs to compare, a scratch folder, stores of its own, and a way to say where it is.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processors } from './machine.mjs';

/** How long a whole run waits for other programs on the machine, and repeats what they disturbed. */
const PATIENCE_MS = 90_000;

const PROGRAM = fileURLToPath(new URL('../../../dist/bin/wiretape', import.meta.url));
const PASSTHROUGH = fileURLToPath(new URL('../peers/passthrough.mjs', import.meta.url));
const PEER = fileURLToPath(new URL('../peers/peer.mjs', import.meta.url));
const PEER_IN_C = fileURLToPath(new URL('../peers/peer.c', import.meta.url));

export function openBench(options) {
  const scratch = mkdtempSync(join(tmpdir(), 'wiretape-bench-'));
  const progress = reporter(options.verbose);
  // The launcher takes `node` from PATH: it shall be this one.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  // What they tell Node slows down the baselines too.
  delete env.NODE_OPTIONS;
  delete env.NODE_EXTRA_CA_CERTS;
  const compiled = compile(scratch);
  if (!compiled) progress.say('no C compiler: Node peers instead, and no C pass-through; expect more noise');
  const program = resolve(options.program ?? PROGRAM);
  const cpus = compiled ? processors() : null;
  return {
    patience: { ms: options.quick ? PATIENCE_MS / 4 : PATIENCE_MS },
    /** Rounds measured, and those during which somebody else was at work. */
    rounds: 0,
    disturbed: 0,
    pairs: options.pairs,
    frames: options.frames,
    scratch,
    env,
    compiled: compiled !== null,
    /** Agents and clients, as commands. */
    peer: compiled ? [compiled] : [process.execPath, PEER],
    /** In front of a command: keeps it on the first or second processor. Null where that cannot be done. */
    pins: cpus && [cpus[0], cpus[1] ?? cpus[0]].map((cpu) => [compiled, 'pin', cpu, '--']),
    passthrough: [process.execPath, PASSTHROUGH],
    program,
    against: options.against === undefined ? null : resolve(options.against),
    /** The built modules beside the measured program. */
    module: (path) => import(join(dirname(program), '..', 'lib', path)),
    progress: progress.step,
    say: progress.say,
    close() {
      progress.clear();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Calls `use` with an empty store and the environment that selects it; the store is gone afterwards. */
export async function withStore(bench, use) {
  const home = mkdtempSync(join(bench.scratch, 'store-'));
  try {
    return await use(home, { ...bench.env, WIRETAPE_HOME: home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function compile(scratch) {
  const binary = join(scratch, 'peer');
  try {
    execFileSync(process.env.CC ?? 'cc', ['-O2', '-o', binary, PEER_IN_C], { stdio: 'ignore' });
    return binary;
  } catch {
    return null;
  }
}

function reporter(verbose) {
  const tty = process.stderr.isTTY;
  const clear = () => tty && process.stderr.write('\r\x1b[K');
  return {
    clear,
    step(text) {
      if (tty) process.stderr.write(`\r\x1b[K${text}`);
      else if (verbose) process.stderr.write(`${text}\n`);
    },
    say(text) {
      clear();
      process.stderr.write(`bench: ${text}\n`);
    },
  };
}
