import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Exit, Failure } from '../model/failure.ts';
import { parseDuration } from '../model/text/quantity.ts';
import { visible } from '../model/text/text.ts';
import type { Io } from '../output/terminal/io.ts';
import { minimize } from '../replay/minimize/minimize.ts';
import { rangesOf } from '../replay/minimize/ranges.ts';
import { smallerTape } from '../replay/minimize/smaller-tape.ts';
import { type Structure, structureOf } from '../replay/minimize/structure.ts';
import { Stopped, Trials } from '../replay/minimize/trials.ts';
import { VerdictFile } from '../replay/minimize/verdict-file.ts';
import { idOf } from '../session/session.ts';
import { fileAt } from '../storage/files/destination.ts';
import { writeFileAt } from '../storage/files/output.ts';
import { temporaryFolder } from '../storage/files/temporary-folder.ts';
import { storeHome } from '../storage/store/home.ts';
import { metadataOf, type OpenSession, withSession } from '../storage/store/open.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { wholeNumber } from './shared/options.ts';
import { onStop } from './shared/stop-signals.ts';

const HELP = `
Examples:
  $ wiretape minimize last --test './client-test.sh {}'
  $ wiretape minimize k3f9 --test 'npm test' -o bug.jsonl --jobs 4
  $ wiretape minimize k3f9 --test '! my-client {} 2>&1 | grep -q TypeError'
  $ wiretape minimize k3f9 --test '! wiretape check {} | grep -q wire-id'

The test is run by sh, in the current folder, once for each smaller session. {}
and $WIRETAPE_TAPE are the path of its tape. An exit code other than 0 means
that it still fails; 125 means that it cannot decide, as in git bisect run.
Turns are left out first, then requests with their answers, steps, and items
with all of their frames. The handshake stays. The result is a tape that can be
shown, checked and replayed; its frames are renumbered.
Results are kept in FILE.state until the search is over: after Ctrl-C, FILE is
the smallest tape so far, and the same command continues.
Exit codes: 0 minimized, 1 the test does not fail, 2 error.`;

interface MinimizeOptions extends Flags<'force' | 'json'> {
  test: string;
  output?: string;
  jobs: number;
  timeout?: number;
}

export const define: Define = (command, context) => {
  command
    .argument('[session]', 'a session or a tape (default: last)')
    .requiredOption('--test <command>', 'a command that fails; {} is the path of the tape')
    .option('-o, --output <file>', 'the smallest tape (default: SESSION-min.jsonl)')
    .option('--force', 'overwrite an existing file')
    .option('--jobs <count>', 'how many tests run at once', wholeNumber('--jobs', 1), 1)
    .option('--timeout <time>', 'end a test after this time: 60s', parseTimeout)
    .option('--json', 'print the result as a JSON object')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: MinimizeOptions) => {
      if (options.test.trim() === '') throw new Failure('the test is empty', "write it as --test 'COMMAND {}'");
      await withSession(storeHome(context.io.env), word ?? 'last', (session) => run(context, session, options));
    });
};

function parseTimeout(word: string): number {
  const seconds = parseDuration(word);
  if (seconds) return seconds;
  throw new Failure(`invalid value ${JSON.stringify(word)} for --timeout`, 'use a time such as 60s or 5m');
}

async function run(context: CommandContext, session: OpenSession, options: MinimizeOptions): Promise<void> {
  metadataOf(session);
  if (session.running) throw new Failure(`session ${session.id} is still being recorded`, 'end it first');
  const output = options.output ?? `${idOf(session)}-min.jsonl`;
  const state = `${output}.state`;
  // A search that is continued may replace its own output.
  const goesOn = existsSync(state);
  fileAt(output, goesOn || (options.force ?? false));
  const memory = new VerdictFile(state, { tape: await digestOf(session.tape), test: options.test });
  if (goesOn) context.io.say(`wiretape: continuing from ${visible(state)}: ${memory.size} known`);
  const scratch = temporaryFolder('wiretape-minimize-');
  const stopping = new AbortController();
  const stopListening = onStop((code) => {
    context.exit(code);
    stopping.abort();
  });
  try {
    await new SessionMinimizer(context, session, options, {
      output,
      memory,
      folder: scratch.path,
      stop: stopping.signal,
    }).run(goesOn);
  } finally {
    stopListening();
    context.io.status?.('');
    scratch.remove();
  }
}

async function digestOf(tape: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(tape)) hash.update(chunk);
  return hash.digest('hex');
}

interface MinimizeWorkspace {
  output: string;
  memory: VerdictFile;
  folder: string;
  stop: AbortSignal;
}

class SessionMinimizer {
  readonly #io: Io;
  readonly #session: OpenSession;
  readonly #options: MinimizeOptions;
  readonly #workspace: MinimizeWorkspace;
  readonly #structure: Structure;
  readonly #trials: Trials;
  #kept: readonly number[];
  #level = '';

  constructor({ io }: CommandContext, session: OpenSession, options: MinimizeOptions, workspace: MinimizeWorkspace) {
    this.#io = io;
    this.#session = session;
    this.#options = options;
    this.#workspace = workspace;
    this.#structure = structureOf(session);
    this.#kept = this.#structure.frames;
    const { test, jobs, timeout = null } = options;
    this.#trials = new Trials({
      ...{ test, jobs, timeout, env: io.env, ...workspace },
      write: (frames, path) => writeFileAt(path, this.#tapeOf(frames)),
      tried: () => io.status?.(this.#progress()),
    });
  }

  async run(goesOn: boolean): Promise<void> {
    const { memory, stop, output } = this.#workspace;
    try {
      await this.#checkWhole(goesOn);
      const trials = this.#trials;
      await minimize(
        this.#structure,
        (count, candidate) => trials.firstFailing(count, candidate),
        (reduction) => {
          this.#kept = reduction.frames;
          this.#level = reduction.level;
          this.#save();
          if (!this.#io.status) this.#io.say(`wiretape: ${this.#progress()}`);
        },
      );
      const isReliable = await this.#failsAgain();
      this.#save();
      memory.remove();
      await this.#report(isReliable);
    } catch (error) {
      if (!(error instanceof Stopped) && !stop.aborted) throw error;
      this.#io.status?.('');
      const isSmaller = this.#kept.length < this.#structure.frames.length;
      const best = isSmaller ? `; the smallest so far is ${visible(output)}, with ${this.#sizes()}` : '';
      this.#io.say(`wiretape: stopped after ${this.#trials.count} tests${best}`);
      this.#io.say('hint: run the same command again to continue');
    }
  }

  /** Without a failure there is nothing to search for. */
  async #checkWhole(goesOn: boolean): Promise<void> {
    const outcome = await this.#trials.run(this.#structure.frames);
    if (this.#workspace.stop.aborted) throw new Stopped();
    if (this.#trials.verdictOf(outcome) === 'fails') return;
    if (!goesOn) this.#workspace.memory.remove();
    const { code, lastLines } = outcome;
    const lines = lastLines.filter((line) => line !== '');
    if (code === 0) {
      const hint = '{} and $WIRETAPE_TAPE are the path of the tape; an exit code other than 0 is a failure';
      throw new Failure('the test does not fail with the whole session', hint, Exit.no, lines);
    }
    const why = code === 125 ? 'cannot decide' : 'cannot be run';
    throw new Failure(`the test ${why} (exit code ${code})`, null, Exit.failed, lines);
  }

  async #failsAgain(): Promise<boolean> {
    const verdict = this.#trials.verdictOf(await this.#trials.run(this.#kept));
    if (this.#workspace.stop.aborted) throw new Stopped();
    return verdict === 'fails';
  }

  #tapeOf(frames: readonly number[]): Generator<Uint8Array> {
    return smallerTape(this.#session, this.#structure, frames);
  }

  #save(): void {
    writeFileAt(this.#workspace.output, this.#tapeOf(this.#kept), { force: true });
  }

  get #turns(): number {
    const there = new Set(this.#kept);
    return this.#structure.units.turns.filter((unit) => unit.some((f) => there.has(f))).length;
  }

  #sizes(): string {
    const { frames, units } = this.#structure;
    return `${this.#kept.length} of ${frames.length} frames, ${this.#turns} of ${units.turns.length} turns`;
  }

  #progress(): string {
    const by = this.#level === '' ? '' : ` (last: ${this.#level})`;
    return `minimize: ${this.#sizes()}, ${this.#trials.count} tests${by}`;
  }

  async #report(isReliable: boolean): Promise<void> {
    const { output } = this.#workspace;
    const { frames, units } = this.#structure;
    this.#io.status?.('');
    if (!isReliable) {
      this.#io.say('wiretape: the test passed when it was run again on the result: it is not reliable');
      this.#io.say('hint: if it fails only sometimes, let the test try several times');
    } else if (this.#turns === 0 && units.turns.length > 0) {
      this.#io.say('wiretape: the test fails even without any turn');
      this.#io.say('hint: does it read its tape? {} and $WIRETAPE_TAPE are the path');
    }
    if (this.#options.json) {
      await this.#io.json({
        ...{ session: idOf(this.#session), tape: resolve(output), frames: this.#kept.length, turns: this.#turns },
        ...{ frames_before: frames.length, turns_before: units.turns.length, kept: rangesOf(this.#kept) },
        ...{ tests: this.#trials.count, reliable: isReliable },
      });
    } else await this.#io.write(`${visible(output)}: ${this.#sizes()}, after ${this.#trials.count} tests\n`);
  }
}
