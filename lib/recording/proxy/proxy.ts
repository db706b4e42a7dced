/**
 * Forwards bytes between the client and the agent, and mirrors EOF, signals and exit. It forwards before it informs the
 * tap, adds nothing to any stream, and ends when the agent has exited and everything that was read has been delivered.
 */
import type { Readable, Writable } from 'node:stream';
import type { Stream } from '../../model/frame.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import type { StartState } from './launcher.ts';
import { MergedOutput } from './merged-output.ts';
import { Outlet } from './outlet.ts';
import { onPeerClose } from './peer-close.ts';
import { Pump, type Tap } from './pump.ts';
import { catchSignals, signalGroup } from './signals.ts';
import { type RunningAgent, startAgent } from './start-agent.ts';
import {
  areMerged,
  closeDescriptor,
  keepStderrClosed,
  makeBlocking,
  openStderr,
  openStdin,
  openStdout,
  writeToStderr,
} from './streams.ts';

/** How long a grandchild may keep the agent's streams open: without output, and in total. */
const GRANDCHILD_SILENCE_MS = 300;
const GRANDCHILD_TOTAL_MS = 2000;
/** How often to look whether it still writes. */
const LOOK_SECONDS = 0.025;
/** How long to keep delivering to a client that sent a terminating signal and does not read. */
const GRACE_MS = 1000;
/** An agent that closes its streams because it exits is gone within this time. */
const EXITING_SECONDS = 0.1;
const ENDING_SIGNALS = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

export interface ProxyResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** When the agent exited, by `performance.now()`. */
  endedAt: number;
  received: Record<Stream, number>;
  undelivered: Record<Stream, number>;
}

export interface ProxyOptions {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  start: StartState;
  tap: Tap;
  /** The agent has this pid, which is also its process group. Nothing else has happened yet. */
  onBirth: (pid: number) => void;
  /** Its streams are connected. `speak` writes a message of wiretape to stderr, between lines. */
  onSpawn: (pid: number, speak: (line: string) => void) => void;
  /** The agent has exited; its streams may still be open. */
  onExit: () => void;
  /** A terminating signal came after the agent exited and everything was delivered. */
  onLateSignal: () => void;
}

/** Runs the agent. Throws `SpawnFailure` if it cannot be started. */
export async function runProxy(options: ProxyOptions): Promise<ProxyResult> {
  keepStderrClosed();
  const pending: NodeJS.Signals[] = [];
  let forward = (signal: NodeJS.Signals): void => void pending.push(signal);
  // Never restored: a late signal must not change the exit status.
  catchSignals((signal) => forward(signal));
  const agent = await startAgent(options.command, options);
  const session = new ProxySession(agent, options);
  forward = session.signal;
  for (const signal of pending) session.signal(signal);
  const ending = await session.end;
  forward = (signal) => void (ENDING_SIGNALS.has(signal) && options.onLateSignal());
  return ending;
}

class ProxySession {
  readonly end: Promise<ProxyResult>;
  readonly #agent: RunningAgent;
  readonly #tap: Tap;
  readonly #client: Pump;
  readonly #stdout: Pump;
  readonly #stderr: Pump;
  readonly #toAgent: Outlet;
  readonly #out: Outlet;
  readonly #err: Outlet;
  /** If stdout and stderr are the same file. */
  readonly #both: MergedOutput | null;
  readonly #closing: Promise<void>[] = [];
  #exited = false;
  #hasEndingSignal = false;
  readonly #streamEnd = new Wakeup();

  constructor(agent: RunningAgent, options: ProxyOptions) {
    const { tap } = options;
    this.#agent = agent;
    this.#tap = tap;
    this.end = this.#untilEnd(options.onExit);
    tap.event('proc', 'spawn', { pid: agent.pid });
    const stdin = openStdin();
    this.#toAgent = new Outlet(agent.stdin);
    this.#client = new Pump({
      stream: 'client',
      source: stdin,
      outlet: this.#toAgent,
      reader: 'agent',
      tap,
      onEnd: () => {
        agent.stdin.end();
        this.#closing.push(this.#close(0, stdin));
      },
    });
    // The agent closed its stdin, so the client's writes must fail as well.
    this.#toAgent.onBroken = () => this.#client.end('agent');
    onPeerClose(agent.stdin, () => this.#toAgent.break());

    const merged = areMerged();
    this.#out = new Outlet(openStdout());
    this.#err = merged ? this.#out : new Outlet(openStderr());
    this.#both = merged ? new MergedOutput(this.#out) : null;
    this.#stdout = this.#outgoing('agent', this.#out, this.#both?.stdout);
    this.#stderr = this.#outgoing('stderr', this.#err, this.#both?.stderr);
    agent.release();
    // The client stopped reading, so the agent's writes must fail with EPIPE.
    this.#out.onBroken = () => {
      this.#stdout.end('client');
      if (merged) this.#stderr.end('client');
    };
    if (!merged) this.#err.onBroken = () => this.#stderr.end('client');
    const toStderr = this.#both?.stderr ?? ((chunk: Uint8Array) => this.#err.write(chunk));
    options.onSpawn(agent.pid, (line) => (this.#err.broken ? writeToStderr(line) : toStderr(Buffer.from(line))));
  }

  readonly signal = (signal: NodeJS.Signals): void => {
    this.#hasEndingSignal ||= ENDING_SIGNALS.has(signal);
    // The pid may belong to another process after the agent has exited.
    if (!this.#exited) signalGroup(this.#agent.pid, signal);
    this.#tap.event('proc', 'signal', { signal });
  };

  #outgoing(stream: 'agent' | 'stderr', outlet: Outlet, forward?: (chunk: Uint8Array) => void): Pump {
    const source = stream === 'agent' ? this.#agent.stdout : this.#agent.stderr;
    return new Pump({
      stream,
      source,
      outlet,
      reader: 'client',
      tap: this.#tap,
      ...(forward ? { forward } : {}),
      onEnd: () => {
        this.#both?.release();
        source.destroy();
        this.#streamEnd.wake();
        this.#closing.push(stream === 'agent' || this.#both ? this.#closeStdout(outlet) : this.#closeStderr(outlet));
      },
    });
  }

  /** Closes our stdout when the agent's has ended and all of it is delivered. */
  async #closeStdout(outlet: Outlet): Promise<void> {
    if (this.#both && !(this.#stdout.ended && this.#stderr.ended)) return;
    await outlet.whenEmpty();
    await this.#close(1, outlet.stream);
  }

  /** Closes our stderr if the agent keeps running without it. At exit it stays open for our own messages. */
  async #closeStderr(outlet: Outlet): Promise<void> {
    const exit = new Wakeup();
    this.#agent.exit.then(() => exit.wake());
    if (await exit.wait(EXITING_SECONDS)) return;
    await outlet.whenEmpty();
    await this.#close(2, outlet.stream);
  }

  async #close(fd: 0 | 1 | 2, stream: Readable | Writable): Promise<void> {
    if (!stream.closed) {
      makeBlocking(stream);
      stream.destroy();
      await new Promise<void>((done) => stream.once('close', () => done()));
    }
    closeDescriptor(fd);
  }

  async #untilEnd(onExit: () => void): Promise<ProxyResult> {
    const { code, signal } = await this.#agent.exit;
    this.#exited = true;
    onExit();
    const endedAt = performance.now();
    this.#client.end('agent');
    await this.#untilStreamsEnd(endedAt);
    await this.#untilDelivered();
    for (const outlet of [this.#out, this.#err]) {
      outlet.break();
      outlet.stream.destroy();
    }
    await Promise.all(this.#closing);
    return {
      code,
      signal,
      endedAt,
      received: { client: this.#client.bytes, agent: this.#stdout.bytes, stderr: this.#stderr.bytes },
      undelivered: {
        client: this.#toAgent.undelivered,
        agent: this.#out.undelivered,
        stderr: this.#both ? 0 : this.#err.undelivered,
      },
    };
  }

  /** A grandchild may keep the streams open. Waits while it writes, up to a limit. */
  async #untilStreamsEnd(endedAt: number): Promise<void> {
    let since = endedAt;
    let quietSince = endedAt;
    let delivered = -1;
    let last = endedAt;
    while (!(this.#stdout.ended && this.#stderr.ended)) {
      await this.#streamEnd.wait(LOOK_SECONDS);
      const now = performance.now();
      const waiting = this.#out.waiting + this.#err.waiting > 0;
      const stuck = waiting && delivered === this.#out.delivered + this.#err.delivered;
      delivered = this.#out.delivered + this.#err.delivered;
      // Time in which the client does not read does not count against the grandchild.
      if (stuck) since += now - last;
      if (waiting) quietSince = now;
      last = now;
      if (stuck && this.#hasEndingSignal && now - endedAt > GRACE_MS) return this.#abandon();
      quietSince = Math.max(quietSince, this.#stdout.lastByteAt, this.#stderr.lastByteAt);
      if (now - quietSince > GRANDCHILD_SILENCE_MS || now - since > GRANDCHILD_TOTAL_MS) return this.#abandon();
    }
  }

  #abandon(): void {
    const open = { agent: this.#stdout, stderr: this.#stderr };
    const streams = (['agent', 'stderr'] as const).filter((stream) => !open[stream].ended);
    if (streams.length === 0) return;
    const stalled = streams.filter((stream) => open[stream].isHeld);
    this.#tap.event('proc', 'abandoned', { streams, ...(stalled.length > 0 ? { stalled } : {}) });
    this.#both?.release();
    if (!this.#stdout.ended) this.#stdout.abandon();
    if (!this.#stderr.ended) this.#stderr.abandon();
  }

  async #untilDelivered(): Promise<void> {
    const delivered = new Wakeup();
    Promise.all([this.#out.whenEmpty(), this.#err.whenEmpty()]).then(() => delivered.wake());
    while (!(await delivered.wait(GRACE_MS / 1000)) && !this.#hasEndingSignal);
  }
}
