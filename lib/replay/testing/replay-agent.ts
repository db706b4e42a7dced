/** A tape in place of an agent, for tests, on streams in this process. */
import { randomInt } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Failure } from '../../model/failure.ts';
import { AS_RECORDED, AT_ONCE, type Pace } from '../../model/pace.ts';
import { visible } from '../../model/text/text.ts';
import { framesMatching } from '../../storage/search/frames-matching.ts';
import { storeHome } from '../../storage/store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace } from '../../storage/store/open.ts';
import { AgentReplay, type AgentReplayOptions } from '../agent.ts';
import { parseFault } from '../faults.ts';
import { LineWriter } from '../line-writer.ts';
import { readLines } from '../message-reader.ts';
import { TEST_GRACE_SECONDS } from '../program-runs.ts';
import type { ReplayReport } from '../report.ts';
import { Closing } from './closing.ts';
import { checked } from './mismatch.ts';

export interface ReplayOptions {
  /** The store. Default: the one that the command line uses, `$WIRETAPE_HOME` or `~/.local/share/wiretape`. */
  home?: string;
  /** Times the recorded speed. Default: no waiting at all. */
  speed?: number;
  /** The longest wait for the next line in seconds, if `speed` is given. */
  maxGap?: number;
  /** How lines of the client are matched with recorded ones. Default: `params`. */
  match?: AgentReplayOptions['match'];
  /** What to do with a request that is not on the tape. Default: `error`. */
  onMiss?: AgentReplayOptions['onMiss'];
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

/** Seconds. */
export const DEFAULT_TIMEOUT_SECONDS = 30;

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

export class ReplayedAgent extends Closing<ReplayReport> {
  /** What the client writes. */
  readonly stdin: Writable;
  /** What the agent writes. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The client's differences as text, as they happen. */
  readonly said: string[] = [];
  /** Resolves when the recorded agent would have ended. */
  readonly ended: Promise<ReplayReport>;
  readonly #agent: AgentReplay;

  constructor(sessions: readonly [OpenSession, ...OpenSession[]], options: ReplayOptions) {
    super();
    const [session, ...others] = sessions;
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const { match = 'params', onMiss = 'error', keepIds = false, seed = randomInt(2 ** 32) } = options;
    this.#agent = new AgentReplay(
      session,
      {
        ...{ match, onMiss, keepIds, seed, others, stderr: true, signals: false, loop: false },
        pace: paceIn(options),
        timeout: options.timeout ?? DEFAULT_TIMEOUT_SECONDS,
        grace: TEST_GRACE_SECONDS,
        faults: (options.faults ?? []).map(parseFault),
        framesOf: (query) => framesMatching(session, query),
        cwd: process.cwd(),
        print: (line) => this.said.push(visible(line)),
      },
      new LineWriter(stdout),
      new LineWriter(stderr),
    );
    readLines(
      stdin,
      (line) => this.#agent.receive(line),
      () => this.#agent.end(),
      () => this.#agent.failOnEndlessLine(),
    );
    this.#agent.onBackPressure = (isCrowded) => void (isCrowded ? stdin.pause() : stdin.resume());
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.ended = this.#run(sessions, [stdout, stderr]);
  }

  async #run(sessions: readonly OpenSession[], streams: readonly Writable[]): Promise<ReplayReport> {
    try {
      const { report } = await this.#agent.run();
      return report;
    } finally {
      // Both sides of a stream: it closes only then, and a client may wait for that.
      for (const stream of streams) stream.end();
      for (const session of sessions) session.close();
    }
  }

  /** Ends the client's stream. */
  protected async end(): Promise<ReplayReport> {
    this.stdin.end();
    void this.#agent.close();
    // There may be no reader, and the agent waits for one.
    this.stdout.resume();
    this.stderr.resume();
    return checked(await this.ended);
  }
}

function paceIn({ speed, maxGap }: ReplayOptions): Pace {
  if (speed === undefined) return AT_ONCE;
  if (!(speed > 0)) throw new Failure(`invalid speed ${speed}`, 'use a number greater than 0');
  return { speed, maxGap: maxGap ?? AS_RECORDED.maxGap };
}
