/** A tape in place of a client, for tests: it drives a live agent and reports its differences. */
import { AS_RECORDED, AT_ONCE } from '../../model/pace.ts';
import { storeHome } from '../../storage/store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace } from '../../storage/store/open.ts';
import { type AgentLaunch, type AgentStreams, ClientRun, type ClientRunOptions } from '../client/client-run.ts';
import { type ClientReport, mismatches } from '../client/report.ts';
import { Closing } from './closing.ts';

interface ReplayClientSettings {
  /** The store of the session, and of the new one. Default: the one that the command line uses. */
  home?: string;
  /** Times the recorded speed, for the time that the client took. Default: no waiting at all. */
  speed?: number;
  /** The longest wait in seconds, if `speed` is given. */
  maxGap?: number;
  /** What becomes of a request of the agent that is not on the tape. Default: `reject`. */
  onUnmatched?: NonNullable<ClientRunOptions['onUnmatched']>;
  /** Seconds of silence after which the agent is ended. Default: 60. */
  timeout?: number;
}

/** The agent is started, recorded, and ended if it does not end by itself. */
export interface AgentCommand {
  /** The program and its arguments. */
  command: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

export type ReplayClientOptions = ReplayClientSettings & (AgentCommand | { streams: AgentStreams });

/** The agent did not do what was recorded. */
export class AgentMismatch extends Error {
  readonly report: ClientReport;

  constructor(report: ClientReport) {
    super(`the agent did not do what was recorded in ${report.session}:\n${mismatches(report).join('\n')}`);
    this.name = 'AgentMismatch';
    this.report = report;
  }
}

/**
 * Drives an agent from a session, as `wiretape replay SESSION -- AGENT` does. `close`, or the end of an `await using`
 * block, waits for the end and throws `AgentMismatch` if the agent departed from the tape.
 */
export function replayClient(session: string, options: ReplayClientOptions): ReplayedClient {
  const home = options.home ?? storeHome(process.env);
  const opened = openPlace(locate(home, session));
  try {
    metadataOf(opened);
    return new ReplayedClient(opened, home, options);
  } catch (error) {
    opened.close();
    throw error;
  }
}

export class ReplayedClient extends Closing<ClientReport> {
  /** Resolves when the agent has ended, whatever it did. */
  readonly ended: Promise<ClientReport>;
  readonly #run: ClientRun;
  readonly #stderr: Uint8Array[] = [];

  constructor(session: OpenSession, home: string, options: ReplayClientOptions) {
    super();
    const { speed, maxGap, onUnmatched, timeout } = options;
    const pace = speed === undefined ? AT_ONCE : { speed, maxGap: maxGap ?? AS_RECORDED.maxGap };
    this.#run = new ClientRun(session, this.#agentOf(home, options), {
      ...{ pace, ...(onUnmatched ? { onUnmatched } : {}), ...(timeout ? { timeout } : {}) },
    });
    this.ended = this.#run.ended.then(({ report }) => report).finally(() => session.close());
  }

  /** What the agent has written on stderr, if it was started here. */
  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  /** Ends the agent now. */
  async stop(): Promise<ClientReport> {
    await this.#run.close();
    return this.ended;
  }

  /** Waits for the end. Throws `AgentMismatch` if the agent did not do what was recorded. */
  protected async end(): Promise<ClientReport> {
    const report = await this.ended;
    if (!report.ok) throw new AgentMismatch(report);
    return report;
  }

  #agentOf(home: string, options: ReplayClientOptions): AgentLaunch | AgentStreams {
    if ('streams' in options) return options.streams;
    const { command, cwd, env = process.env } = options;
    const onStderr = (chunk: Uint8Array) => this.#stderr.push(chunk);
    return { home, command, env, recordOptions: [], onStderr, ...(cwd === undefined ? {} : { cwd }) };
  }
}
