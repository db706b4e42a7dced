/** A tape as a program, for clients that start their agent themselves. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../model/failure.ts';
import { quote } from '../../model/text/shell.ts';
import { makeTemporaryFolder } from '../../storage/files/temporary-folder.ts';
import { storeHome } from '../../storage/store/home.ts';
import { locate, metadataOf, openPlace } from '../../storage/store/open.ts';
import { PROGRAM } from '../../storage/system/installation.ts';
import { parseFault } from '../faults.ts';
import { type ProgramRun, programText, runsIn } from '../program-runs.ts';
import type { ReplayReport } from '../report.ts';
import { Closing } from './closing.ts';
import { checked, type MismatchDetails, ReplayMismatch } from './mismatch.ts';
import { DEFAULT_TIMEOUT_SECONDS, type ReplayOptions, replayAgent } from './replay-agent.ts';

/** What a program runs, and how its runs are judged. */
interface ProgramSpec {
  mode: 'record' | 'replay';
  /** The words of its command. `report` is the file of the report, as a word of the shell. */
  command: readonly string[];
  options: (report: string, program: string) => string;
  /** Called for a run that goes on this many milliseconds after the end of the test. */
  onLate?: (run: ProgramRun, ms: number) => void;
  outcome: (runs: readonly ProgramRun[]) => Promise<ReplayReport | null>;
}

/** Milliseconds after which a run that does not end is given up. */
const MAX_END_MS = 30_000;
const POLL_MS = 10;

/** Start `path` instead of the agent. Its arguments are ignored. */
export class ReplayProgram extends Closing<ReplayReport | null> {
  /** An executable file. It is removed when the program is closed, which ends its runs. */
  readonly path: string;
  /** Whether it records the agent or replays a tape. */
  readonly mode: 'record' | 'replay';
  readonly #folder: string;
  readonly #spec: ProgramSpec;
  #runs: ProgramRun[] | null = null;

  /** @internal */
  constructor(spec: ProgramSpec) {
    super();
    this.#spec = spec;
    this.mode = spec.mode;
    this.#folder = makeTemporaryFolder('wiretape-replay-');
    this.path = join(this.#folder, 'agent');
    const words = spec.command.map(quote).join(' ');
    const text = programText(this.#folder, (report) => `${words} ${spec.options(report, quote(this.path))}`);
    writeFileSync(this.path, text, { mode: 0o700 });
  }

  /** What happened in each run that has ended, in the order in which they began. */
  get reports(): ReplayReport[] {
    const runs = this.#runs ?? runsIn(this.#folder);
    return runs.flatMap(({ isOver, report }) => (isOver && report ? [report] : []));
  }

  /** What happened in the last run; null if none has ended yet. */
  get report(): ReplayReport | null {
    return this.reports.at(-1) ?? null;
  }

  protected async end(): Promise<ReplayReport | null> {
    rmSync(this.path, { force: true });
    try {
      this.#runs = await this.#ended();
    } finally {
      this.#runs ??= runsIn(this.#folder);
      rmSync(this.#folder, { recursive: true, force: true });
    }
    return this.#spec.outcome(this.#runs);
  }

  async #ended(): Promise<ProgramRun[]> {
    const began = performance.now();
    for (;;) {
      const runs = runsIn(this.#folder);
      const late = runs.filter(({ isOver }) => !isOver);
      if (late.length === 0) return runs;
      const ms = performance.now() - began;
      if (ms > MAX_END_MS)
        throw new Failure(
          `the program that the client started does not end (process ${late.map(({ pid }) => pid).join(', ')})`,
          'let the client end its agent before you close the program',
        );
      for (const run of late) this.#spec.onLate?.(run, ms);
      await sleep(POLL_MS);
    }
  }
}

/**
 * Replays a session as a program. `close`, or the end of an `await using` block, ends what the client has started, and
 * throws `ReplayMismatch` if the client departed from the tape, did not finish it, or never started the program.
 */
export function replayProgram(session: string, options: ReplayOptions = {}): ReplayProgram {
  return programOf(session, options, {});
}

export function programOf(session: string, options: ReplayOptions, details: MismatchDetails): ReplayProgram {
  checkReplayable(session, options);
  const command = ['replay', session, ...(options.branches ?? []), ...optionsOf(options)].map(pathOf);
  return new ReplayProgram({
    mode: 'replay',
    command: wiretape(options.home, command),
    options: (report, program) => `--report ${report} --until-removed ${program}`,
    outcome: (runs) => outcomeOf(runs, session, options, { session, ...details }),
  });
}

/** The words that start this program, with the store of the test. */
export function wiretape(home: string | undefined, words: readonly string[]): string[] {
  const env = home === undefined ? [] : ['env', `WIRETAPE_HOME=${resolve(home)}`];
  return [...env, process.execPath, PROGRAM, ...words];
}

/**
 * Every run must do what was recorded. Some clients start an agent only to see whether it is there: a run to which nothing
 * was said does not count beside others.
 */
async function outcomeOf(
  runs: readonly ProgramRun[],
  session: string,
  options: ReplayOptions,
  details: MismatchDetails,
): Promise<ReplayReport> {
  const reports = runs.flatMap(({ report }) => report ?? []);
  const reportsWithTraffic = reports.filter(({ heard }) => heard > 0);
  const counted = reportsWithTraffic.length > 0 ? reportsWithTraffic : reports;
  const failed = counted.find(({ ok }) => !ok);
  if (failed && runs.length > 1) {
    const n = runs.findIndex(({ report }) => report === failed) + 1;
    throw new ReplayMismatch(failed, { ...details, run: `run ${n} of ${runs.length}` });
  }
  const last = counted.at(-1);
  if (last) return checked(last, details);
  const why =
    runs.length === 0 ? 'the client never started the program' : 'the replay was killed before it could begin';
  throw new ReplayMismatch(await reportOfSilentClient(session, options, why), details);
}

/** The report of a client that sent nothing: everything is missing. */
async function reportOfSilentClient(session: string, options: ReplayOptions, what: string): Promise<ReplayReport> {
  const agent = replayAgent(session, options);
  void agent.close().catch(() => {});
  const report = await agent.ended;
  return { ...report, ok: false, departed: [{ f: null, what, next: 'ended', branch: null }, ...report.departed] };
}

/** Fails here with a message, because a client would not understand it. */
function checkReplayable(
  session: string,
  { home = storeHome(process.env), branches = [], faults = [] }: ReplayOptions,
): void {
  for (const word of [session, ...branches]) {
    const opened = openPlace(locate(home, word));
    try {
      metadataOf(opened);
    } finally {
      opened.close();
    }
  }
  for (const fault of faults) parseFault(fault);
}

function optionsOf(options: ReplayOptions): string[] {
  const { speed, maxGap, match, onMiss, keepIds, seed, faults = [], timeout = DEFAULT_TIMEOUT_SECONDS } = options;
  const words: (string | string[])[] = [
    speed === undefined ? '--instant' : ['--speed', `${speed}`],
    maxGap === undefined ? [] : ['--max-gap', `${maxGap}s`],
    match === undefined ? [] : ['--match', match],
    onMiss === undefined ? [] : ['--on-miss', onMiss],
    keepIds ? '--keep-ids' : [],
    seed === undefined ? [] : ['--seed', `${seed}`],
    faults.flatMap((fault) => ['--fault', fault]),
    ['--timeout', `${timeout}s`],
  ];
  return words.flat();
}

/** A path stays valid if the client starts the program in another directory. */
function pathOf(word: string): string {
  return existsSync(word) && word.includes('/') ? resolve(word) : word;
}
