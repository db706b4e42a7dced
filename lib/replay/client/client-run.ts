/** A run of a live agent from a tape, from its start to its report. */
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { Failure } from '../../model/failure.ts';
import { blocksOf } from '../../model/frame.ts';
import { AS_RECORDED, type Pace } from '../../model/pace.ts';
import { visible } from '../../model/text/text.ts';
import { idOf, type Session } from '../../session/session.ts';
import { openPlace, using } from '../../storage/store/open.ts';
import { placeOf } from '../../storage/store/sessions.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import { Drive, type DriveEnd, type DriveListener } from './drive.ts';
import { StreamPeer } from './peer.ts';
import { RecordedAgent, type RecordedAgentExit, type RecordedAgentOptions } from './recorded-agent.ts';
import type { OnUnmatched } from './replies.ts';
import { type ClientReport, isOk } from './report.ts';

export interface ClientRunOptions {
  pace?: Pace;
  onUnmatched?: OnUnmatched;
  /** Seconds. */
  timeout?: number;
  until?: number | null;
  listener?: Partial<DriveListener>;
  /** The working directory of an agent that runs already. Default: ours. */
  cwd?: string;
  /** The client after a handover; `begins` is called then. */
  successor?: { input: Readable; output: Writable; begins?(unanswered: number): void };
}

/** An agent that is started and recorded. */
export type AgentLaunch = Omit<RecordedAgentOptions, 'replays' | 'dialect'>;

/** An agent that runs already: `input` is what it reads, `output` what it writes. */
export interface AgentStreams {
  input: Writable;
  output: Readable;
  /** How it ended, if that is known. */
  exited?: Promise<RecordedAgentExit | null>;
  /** Gets the signals that the recorded agent got. */
  signal?: (signal: NodeJS.Signals) => void;
}

export const DEFAULT_TIMEOUT = 60;
const MAX_ID_LENGTH = 200;

export interface ClientRunResult {
  report: ClientReport;
  how: DriveEnd;
  exit: RecordedAgentExit | null;
  /** The agent could not be started, with this exit code. */
  unstarted: number | null;
}

interface ConnectedAgent {
  peer: StreamPeer;
  exited: Promise<RecordedAgentExit | null>;
  terminate(): Promise<void>;
  session: string | null;
}

export class ClientRun {
  readonly ended: Promise<ClientRunResult>;
  readonly #session: Session;
  readonly #options: ClientRunOptions;
  readonly #drive: Drive;
  readonly #agent: ConnectedAgent;
  readonly #home: string | null;

  /** Throws `Failure` if the tape cannot drive anything. */
  constructor(session: Session, agent: AgentLaunch | AgentStreams, options: ClientRunOptions = {}) {
    const { pace = AS_RECORDED, onUnmatched = 'reject', timeout = DEFAULT_TIMEOUT, until = null, listener } = options;
    this.#session = session;
    this.#options = options;
    const isStarted = 'command' in agent;
    this.#home = isStarted ? agent.home : null;
    const command = isStarted ? agent.command : session.command;
    const cwd = (isStarted ? agent.cwd : options.cwd) ?? process.cwd();
    const completeListener: DriveListener = { unmatched() {}, departed() {}, ...listener };
    this.#drive = new Drive(session, { pace, onUnmatched, timeout, until, command, cwd }, completeListener);
    this.#checkPlan();
    this.#agent = isStarted
      ? new RecordedAgent({ ...agent, ...this.#recordingOptions() }, this.#drive)
      : streamAgent(agent, this.#drive);
    this.#drive.start(this.#agent.peer);
    this.ended = this.#runToEnd();
  }

  /** Passes a signal on to the agent. */
  signal(signal: NodeJS.Signals): void {
    this.#agent.peer.signal(signal);
  }

  /** The agent has sent everything and read everything: a client whose end is not on the tape need not wait for more. */
  agentFinished(): void {
    this.#drive.agentFinished();
  }

  /** Ends the agent, if it still runs. */
  async close(): Promise<void> {
    this.#drive.stop();
    void this.#agent.terminate();
    await this.ended;
  }

  /** Options of the recorder. A tape from elsewhere may contain anything, and not everything can be an argument. */
  #recordingOptions(): Pick<RecordedAgentOptions, 'replays' | 'dialect'> {
    const { dialect } = this.#drive.plan;
    const replays = visible(idOf(this.#session).slice(0, MAX_ID_LENGTH));
    return { replays, dialect: this.#session.dialect === dialect ? dialect : null };
  }

  #checkPlan(): void {
    const { plan } = this.#drive;
    while (plan.lines === 0 && !plan.isFarEnough) plan.readOn();
    if (plan.lines > 0 || plan.traits.needsNoClient || this.#options.until) return;
    plan.close();
    throw new Failure(
      `the tape of ${this.#session.id} has no lines from the client, so there is nothing to send`,
      "agents' own logs often lack the client's side; record a session with wiretape record",
    );
  }

  async #runToEnd(): Promise<ClientRunResult> {
    const how = await this.#drive.over;
    const agent = this.#agent;
    if (how === 'handover') this.#handOver();
    else agent.peer.end();
    if (how === 'silent' || how === 'stopped') await agent.terminate();
    else if (how === 'closed') await this.#waitForExit();
    const exit = await agent.exited;
    return this.#conclude(how, exit);
  }

  /** An agent that has closed its stdout is expected to leave. */
  async #waitForExit(): Promise<void> {
    const { timeout = DEFAULT_TIMEOUT } = this.#options;
    const exit = new Wakeup();
    const wake = () => exit.wake();
    this.#agent.exited.then(wake, wake);
    if (!(await exit.wait(timeout))) await this.#agent.terminate();
  }

  #handOver(): void {
    const { successor } = this.#options;
    const { plan, report, unanswered } = this.#drive;
    report.handed_over = this.#options.until ?? null;
    plan.close();
    if (!successor) return;
    // The new client has not seen them, and the agent waits for the answers.
    const open = [...unanswered];
    successor.begins?.(open.length);
    for (const { frame } of open) for (const block of blocksOf(frame)) successor.output.write(block);
    this.#agent.peer.handOver(successor);
  }

  #conclude(how: DriveEnd, exit: RecordedAgentExit | null): ClientRunResult {
    const { report, plan } = this.#drive;
    report.replayed_as = this.#agent.session;
    report.ended = exit && { code: exit.code, signal: exit.signal, timed_out: how === 'silent' };
    const unstarted = this.#setFrameNumbers(exit);
    if (unstarted !== null) {
      plan.close();
      return { report, how, exit, unstarted };
    }
    this.#drive.conclude(how, exit);
    const { until = null } = this.#options;
    if (until !== null && how !== 'handover')
      this.#drive.departed({ f: until, what: 'the run ended before this frame' });
    if (how === 'closed' && exit) this.#compareExit(exit);
    report.ok = isOk(report);
    return { report, how, exit, unstarted: null };
  }

  /** Lines of the agent were counted; in the new session they have frames. Returns the exit code if it was not started. */
  #setFrameNumbers(exit: RecordedAgentExit | null): number | null {
    const { report } = this.#drive;
    const { code = null } = exit ?? {};
    const mayBeUnstarted = code === 126 || code === 127;
    const byLine = new Map(report.unmatched.map((entry) => [entry.f, entry]));
    for (const entry of report.unmatched) entry.f = null;
    if (report.replayed_as === null) return mayBeUnstarted && report.sent === 0 ? code : null;
    if (byLine.size === 0 && !mayBeUnstarted) return null;
    return using(openPlace(placeOf(this.#home!, report.replayed_as)), (session) => {
      let line = 0;
      for (const { f, from, event } of session.frames()) {
        if (event === 'spawn-failed') return code;
        if (from !== 'agent' || event !== null) continue;
        const entry = byLine.get(++line);
        if (entry) entry.f = f;
      }
      return null;
    });
  }

  #compareExit(exit: RecordedAgentExit): void {
    const { plan, report } = this.#drive;
    const [first] = report.never_sent;
    const ended = exit.signal ? `was killed by ${exit.signal}` : `exited with ${exit.code}`;
    if (first !== undefined) return this.#drive.departed({ f: first, what: `the agent ${ended} before this line` });
    // An agent that was killed may end by itself this time.
    if (plan.exit?.signal) return;
    const code = plan.exit?.code ?? 0;
    if (statusOf(exit) !== code)
      this.#drive.departed({ f: null, what: `the agent ${ended}, the recorded one exited with ${code}` });
  }
}

/** As shells have it: some agents end by the signal, and some with its number. */
function statusOf({ code, signal }: RecordedAgentExit): number | null {
  return signal ? 128 + constants.signals[signal] : code;
}

function streamAgent({ input, output, exited, signal = () => {} }: AgentStreams, drive: Drive): ConnectedAgent {
  const peer = new StreamPeer(input, output, drive, signal);
  return { peer, exited: exited ?? drive.over.then(() => null), terminate: async () => {}, session: null };
}
