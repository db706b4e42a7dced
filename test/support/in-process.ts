/**
 * `wiretape` for scripts, without a process of its own. The shell finds a small program of that name on its PATH; it
 * hands its arguments, environment and directory to the test's process, where `main` answers, and prints the answer.
 *
 * One command runs at a time. Each gets its own environment and output through its Io, and its own current directory.
 * A command that leaves anything behind in the process (environment, directory, exit code, listeners) fails.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main } from '../../lib/cli.ts';
import { exactJson } from '../../lib/model/id.ts';
import { decideColor, type Io } from '../../lib/output/terminal/io.ts';
import { type Ended, WIRETAPE, wiretape } from './run.ts';
import type { Place } from './store.ts';
import { waitFor } from './wait.ts';

/** These start processes, or read from stdin. So does whatever has a command after `--`. */
const NEED_A_PROCESS = ['record', 'replay', 'demo', 'minimize'];

/** The scenarios of the demo that scripts look at: each is recorded once, and copied into the stores of the others. */
const SCENARIOS = ['everything', 'hello'];

const stub = (dir: string) => `#!/bin/sh
demo='${dir}'/demos/$3
[ "$1 $2 $4" != 'demo --scenario --json' ] || [ ! -d "$demo" ] || {
  mkdir -p "$WIRETAPE_HOME/sessions"
  cp -a "$demo/sessions/." "$WIRETAPE_HOME/sessions"
  exec cat "$demo/stdout"
}
case $1 in ${NEED_A_PROCESS.join('|')}) exec '${WIRETAPE}' "$@" ;; esac
case " $* " in *' -- '*) exec '${WIRETAPE}' "$@" ;; esac
request='${dir}'/$$
mkfifo "$request.done"
env -0 > "$request.env"
{ pwd; [ $# -eq 0 ] || printf '%s\\0' "$@"; } > "$request.argv"
echo $$ > '${dir}/requests'
read -r code < "$request.done"
[ ! -s "$request.stderr" ] || cat "$request.stderr" >&2
[ ! -s "$request.stdout" ] || cat "$request.stdout"
exit "$code"
`;

/** An Io that keeps what is written, and has no terminal. */
class MemoryIo implements Io {
  readonly interactive = false;
  readonly columns: number;
  color: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly #stdout: Buffer[] = [];
  #stderr = '';

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
    this.columns = Number(env.COLUMNS) || Number.POSITIVE_INFINITY;
    this.color = decideColor(env, false);
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stderr(): string {
    return this.#stderr;
  }

  async write(chunk: string | Uint8Array): Promise<boolean> {
    this.#stdout.push(Buffer.from(chunk as string));
    return true;
  }

  json(value: unknown): Promise<boolean> {
    return this.write(`${exactJson(value)}\n`);
  }

  say(line: string): void {
    this.#stderr += `${line}\n`;
  }

  progress(): void {}
  page(): void {}
  async close(): Promise<void> {}
}

/** What a command must leave as it found it. */
function processState(): string {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return JSON.stringify({ cwd: process.cwd(), exitCode: process.exitCode, env: process.env, listeners });
}

/** One command at a time has this process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs one command in this process, in the directory `cwd` if it is given. */
function runHere(argv: readonly string[], env: NodeJS.ProcessEnv, cwd = process.cwd()): Promise<Ended> {
  const mine = last.then(() => runAlone(argv, env, cwd));
  last = mine.catch(() => {});
  return mine;
}

async function runAlone(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ended> {
  const io = new MemoryIo(env);
  const before = process.cwd();
  const state = processState();
  if (cwd !== before) process.chdir(cwd);
  const outcome = await main(argv, io).finally(() => process.chdir(before));
  if (processState() !== state) throw new Error(`it changed this process: ${state} became ${processState()}`);
  if (typeof outcome !== 'number') throw new Error(`it wants to end by ${outcome.signal}`);
  return { stdout: io.stdout, stderr: Buffer.from(io.stderr), code: outcome, signal: null };
}

/**
 * What a reader says, without a process of its own: for tests about the answer, not about the program. With `cwd`,
 * nothing else may start a process meanwhile without saying in which directory.
 */
export function wiretapeHere(
  place: Place,
  args: readonly string[],
  { env = place.env, cwd }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Ended> {
  return runHere(args, env, cwd);
}

/** A command that a shell would take word by word, and that can run in this process; null for any other. */
export function plainCommand(text: string): string[] | null {
  if (!/^wiretape(?: (?:[\w./:=@%+,#-]+|'[^']*'))*$/.test(text)) return null;
  const [, ...argv] = [...text.matchAll(/'([^']*)'|[^ ]+/g)].map(([word, quoted]) => quoted ?? word);
  return NEED_A_PROCESS.includes(argv[0]!) || argv.includes('--') ? null : argv;
}

/** Answers the small program for as long as it is open. */
export class InProcess {
  /** The directory for the PATH. */
  readonly bin = mkdtempSync(join(tmpdir(), 'wiretape-here-'));
  readonly #requests: Socket;

  constructor() {
    const pipe = join(this.bin, 'requests');
    execFileSync('mkfifo', [pipe]);
    // Open in both directions: it never ends while no script writes to it.
    this.#requests = new Socket({ fd: openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK), readable: true });
    createInterface({ input: this.#requests }).on('line', (id) => void this.#answer(join(this.bin, id)));
    writeFileSync(join(this.bin, 'wiretape'), stub(this.bin));
    chmodSync(join(this.bin, 'wiretape'), 0o755);
  }

  /** Records what scripts begin with. */
  async recordDemos(place: Place): Promise<void> {
    await Promise.all(
      SCENARIOS.map(async (scenario) => {
        const home = join(this.bin, 'demos', scenario);
        const env = { ...place.env, WIRETAPE_HOME: home };
        const { stdout } = await wiretape(place, ['demo', '--scenario', scenario, '--json'], { env });
        writeFileSync(join(home, 'stdout'), stdout);
      }),
    );
  }

  async #answer(request: string): Promise<void> {
    const [cwd, ...words] = readFileSync(`${request}.argv`, 'utf8').split(/\n([\s\S]*)/);
    const argv = words.join('').split('\0').slice(0, -1);
    const lines = readFileSync(`${request}.env`, 'utf8').split('\0').slice(0, -1);
    const env = Object.fromEntries(lines.map((line) => line.split(/=([\s\S]*)/).slice(0, 2)));
    const failed = (error: Error) => ({ stdout: '', stderr: `in-process: ${error.stack}\n`, code: 70 });
    const { stdout, stderr, code } = await runHere(argv, env, cwd!).catch(failed);
    writeFileSync(`${request}.stdout`, stdout);
    writeFileSync(`${request}.stderr`, stderr);
    // A script that was killed meanwhile never opens it.
    await waitFor(() => tell(`${request}.done`, `${code}\n`), 'the end of a command').catch(() => {});
  }

  close(): void {
    this.#requests.destroy();
    rmSync(this.bin, { recursive: true, force: true });
  }
}

/** Writes to a pipe that somebody reads; false if nobody does, yet. */
function tell(pipe: string, text: string): boolean {
  try {
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}
