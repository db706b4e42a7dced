/** A tape in the place of an agent, for tests: on streams in this process, or as a program that a client can start. */
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { AS_RECORDED, AT_ONCE, type Pace } from '../core/pace.ts';
import { quote } from '../core/shell.ts';
import { visible } from '../core/text.ts';
import { Failure } from '../failure.ts';
import { type AgentOptions, AgentReplay } from '../replay/agent.ts';
import { parseFault } from '../replay/faults.ts';
import { readLines } from '../replay/lines-in.ts';
import { Outlet } from '../replay/outlet.ts';
import { mismatches, type ReplayReport } from '../replay/report.ts';
import { framesMatching } from '../search/matching.ts';
import { storeHome } from '../store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace } from '../store/open.ts';
import { PROGRAM } from '../store/program.ts';

export interface ReplayOptions {
  /** The store. Default: the one that the command line uses, `$WIRETAPE_HOME` or `~/.local/share/wiretape`. */
  home?: string;
  /** Times the recorded speed. Default: no waiting at all. */
  speed?: number;
  /** The longest wait for the next line in seconds, if `speed` is given. */
  maxGap?: number;
  /** Which recorded line a line of the client stands for. Default: `params`. */
  match?: AgentOptions['match'];
  /** What becomes of a request that is not on the tape. Default: `error`. */
  onMiss?: AgentOptions['onMiss'];
  /** Leave recorded ids as they are. */
  keepIds?: boolean;
  /** For ids and faults that are the same in each run. */
  seed?: number;
  /** As for `wiretape replay --fault`. */
  faults?: readonly string[];
  /** Other sessions that may have a branch that fits. */
  branches?: readonly string[];
  /** Seconds of silence after which the replay ends. Default: 30. */
  timeout?: number;
}

/** The client did not do what was recorded. */
export class ReplayMismatch extends Error {
  readonly report: ReplayReport;

  constructor(report: ReplayReport) {
    super(`the client did not do what was recorded in ${report.session}:\n${mismatches(report).join('\n')}`);
    this.name = 'ReplayMismatch';
    this.report = report;
  }
}

const PATIENCE = 30;

/**
 * Replays a session as an agent on streams in this process. Write the client's lines to `stdin`, and read the agent's from
 * `stdout`. `close`, or the end of an `await using` block, throws `ReplayMismatch` if the client departed from the tape.
 */
export function replayAgent(session: string, options: ReplayOptions = {}): ReplayedAgent {
  const home = options.home ?? storeHome(process.env);
  const sessions = [session, ...(options.branches ?? [])].map((word) => openPlace(locate(home, word)));
  try {
    for (const one of sessions) metadataOf(one);
    return new ReplayedAgent(sessions as [OpenSession, ...OpenSession[]], options);
  } catch (error) {
    for (const one of sessions) one.close();
    throw error;
  }
}

export class ReplayedAgent implements AsyncDisposable {
  /** What the client writes. */
  readonly stdin: Writable;
  /** What the agent says. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What the client did otherwise, in words, as it happens. */
  readonly said: string[] = [];
  /** Resolves when the recorded agent would have ended. */
  readonly ended: Promise<ReplayReport>;
  readonly #agent: AgentReplay;

  constructor(sessions: readonly [OpenSession, ...OpenSession[]], options: ReplayOptions) {
    const [session, ...others] = sessions;
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const { match = 'params', onMiss = 'error', keepIds = false, seed = randomInt(2 ** 32) } = options;
    this.#agent = new AgentReplay(
      session,
      {
        ...{ match, onMiss, keepIds, seed, others, stderr: true, signals: false, loop: false },
        pace: paceIn(options),
        timeout: options.timeout ?? PATIENCE,
        faults: (options.faults ?? []).map(parseFault),
        framesOf: (query) => framesMatching(session, query),
        cwd: process.cwd(),
        say: (line) => this.said.push(visible(line)),
      },
      new Outlet(stdout),
      new Outlet(stderr),
    );
    readLines(
      stdin,
      (line) => this.#agent.hear(line),
      () => this.#agent.end(),
    );
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.ended = this.#run(sessions);
  }

  async #run(sessions: readonly OpenSession[]): Promise<ReplayReport> {
    try {
      const { report } = await this.#agent.run();
      return report;
    } finally {
      this.stdout.push(null);
      this.stderr.push(null);
      for (const session of sessions) session.close();
    }
  }

  /** Ends the client's stream. Throws `ReplayMismatch` if the client did not do what was recorded. */
  async close(): Promise<ReplayReport> {
    this.stdin.end();
    // Nobody may be reading, and the agent waits for its reader.
    this.stdout.resume();
    this.stderr.resume();
    return checked(await this.ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A tape as a program: start `path` in the place of the agent. Its arguments are ignored. */
export class ReplayProgram implements AsyncDisposable {
  /** An executable file. */
  readonly path: string;
  readonly #folder: string;
  readonly #report: string;

  constructor(command: readonly string[], report: (folder: string) => readonly string[]) {
    this.#folder = mkdtempSync(join(tmpdir(), 'wiretape-replay-'));
    this.#report = join(this.#folder, 'report.json');
    this.path = join(this.#folder, 'agent');
    const words = [...command, ...report(this.#report)].map(quote).join(' ');
    writeFileSync(this.path, `#!/bin/sh\nexec ${words}\n`, { mode: 0o700 });
  }

  /** What happened in the last run; null if the program has not ended yet. */
  get report(): ReplayReport | null {
    try {
      return JSON.parse(readFileSync(this.#report, 'utf8')) as ReplayReport;
    } catch {
      return null;
    }
  }

  /** Removes the program. Throws `ReplayMismatch` if the client did not do what was recorded. */
  async close(): Promise<ReplayReport | null> {
    const { report } = this;
    rmSync(this.#folder, { recursive: true, force: true });
    return report === null ? null : checked(report);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Replays a session as a program, for clients that start their agent themselves. */
export function replayProgram(session: string, options: ReplayOptions = {}): ReplayProgram {
  replayable(session, options);
  const command = [process.execPath, PROGRAM, 'replay', session, ...(options.branches ?? []), ...optionsOf(options)];
  const env = options.home === undefined ? [] : ['env', `WIRETAPE_HOME=${resolve(options.home)}`];
  return new ReplayProgram([...env, ...command.map(pathOf)], (report) => ['--report', report]);
}

export interface RecordOrReplayOptions extends ReplayOptions {
  /** Record again although the tape exists. Default: whether `$WIRETAPE_UPDATE` is set. */
  update?: boolean;
}

/**
 * A program that records the agent to `tape` if that file does not exist, and replays it if it does: a test that runs
 * against the real agent once and from the tape from then on.
 */
export function recordOrReplay(
  tape: string,
  agent: readonly string[],
  { update = Boolean(process.env.WIRETAPE_UPDATE), ...options }: RecordOrReplayOptions = {},
): ReplayProgram {
  if (update) rmSync(tape, { force: true });
  if (existsSync(tape)) return replayProgram(tape, options);
  const command = [process.execPath, PROGRAM, 'record', '--tape', resolve(tape), '--', ...agent];
  const env = options.home === undefined ? [] : ['env', `WIRETAPE_HOME=${resolve(options.home)}`];
  return new ReplayProgram([...env, ...command], () => []);
}

/** Says now what a client could not make sense of. */
function replayable(
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
  const { speed, maxGap, match, onMiss, keepIds, seed, faults = [], timeout = PATIENCE } = options;
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

function paceIn({ speed, maxGap }: ReplayOptions): Pace {
  if (speed === undefined) return AT_ONCE;
  if (!(speed > 0)) throw new Failure(`invalid speed ${speed}`, 'use a number greater than 0');
  return { speed, maxGap: maxGap ?? AS_RECORDED.maxGap };
}

function checked(report: ReplayReport): ReplayReport {
  if (!report.ok) throw new ReplayMismatch(report);
  return report;
}

/** A path stays valid if the client starts the program in another directory. */
function pathOf(word: string): string {
  return existsSync(word) && word.includes('/') ? resolve(word) : word;
}
