/**
 * What happens with a chunk after it was forwarded: it is appended to the journal. That is all the forwarding thread
 * does; the worker makes the tape of it. No failure in here reaches the traffic: it is said once, the session is
 * incomplete, and recording goes on if it can. With `strict` the owner is told instead, and ends the run.
 */
import { Worker } from 'node:worker_threads';
import { isoMicros, type Stream } from '../core/frame.ts';
import type { Ending } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import type { SessionNames } from '../store/names.ts';
import { type Journal, Kind } from '../tape/journal.ts';
import { describe } from './metadata.ts';
import { createSession } from './session-folder.ts';
import { Progress } from './shared.ts';
import type { WorkerInput, WorkerMessage } from './worker.ts';

/** How long we keep the client waiting for the tape; the next reader finishes what is left. */
const PATIENCE_MS = 250;
/** Longer than a worker takes to start on a busy machine. */
const STARTING_MS = 8000;
const CLOCK_EVERY = 1_000_000;

export interface RecorderOptions {
  home: string;
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  names: SessionNames;
  tape: string | null;
  dialect: string | null;
  onFailure: (message: string) => void;
  /** Worth a line, but nothing is missing. */
  onNotice: (message: string) => void;
}

export class Recorder implements Tap {
  readonly session: string;
  readonly #journal: Journal;
  readonly #progress = new Progress();
  readonly #onFailure: (message: string) => void;
  readonly #onNotice: (message: string) => void;
  readonly #workerInput: WorkerInput;
  readonly #start = performance.now();
  #lastClock = 0;
  #failures = 0;
  #worker: Worker | null = null;
  #started: Promise<void> = Promise.resolve();
  #complete = false;

  /** Throws if the session cannot be created at all. */
  constructor(options: RecorderOptions) {
    this.#onFailure = options.onFailure;
    this.#onNotice = options.onNotice;
    const { command, env, dialect } = options;
    const startedAt = wallMicros();
    const { id, dir, tape, journal } = createSession({
      home: options.home,
      startedAt: new Date(startedAt / 1000),
      names: options.names,
      tape: options.tape,
      onError: (error) => this.#fail(`the journal cannot be written (${error.message})`),
      begin: (session, fresh) => {
        const metadata = describe({ session, startedAt: isoMicros(startedAt), command, env, dialect });
        fresh.append(Kind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
        fresh.append(Kind.clock, 0, double(startedAt));
      },
    });
    this.session = id;
    this.#journal = journal;
    this.#workerInput = { home: options.home, id, dir, tape, memory: this.#progress.memory };
  }

  data(stream: Stream, chunk: Uint8Array): void {
    this.#append(Kind[stream], chunk);
  }

  event(from: Stream | 'proc', event: string, detail: Record<string, unknown> = {}): void {
    this.#append(Kind.event, Buffer.from(JSON.stringify({ from, event, ...detail })));
  }

  /** Starts the worker; the traffic does not wait for it. */
  startWriting(): void {
    if (this.#worker) return;
    try {
      const worker = new Worker(new URL('./worker.js', import.meta.url), {
        workerData: this.#workerInput,
        // NODE_OPTIONS is the agent's affair here too.
        execArgv: [],
        env: {},
        // Else Node would connect them with our own stdout and stderr, and open both.
        stdout: true,
        stderr: true,
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      });
      worker.on('message', (message: WorkerMessage) => {
        if (message.is === 'complete') this.#complete = true;
        // The tape is not touched by this: it is said, and that is all.
        if (message.is === 'index-failing') this.#onFailure(message.message);
        if (message.is === 'notice') this.#onNotice(message.message);
        if (message.is === 'failing') this.#fail(`the tape cannot be written (${message.message})`);
      });
      worker.on('error', (error) => this.#fail(`the tape writer died (${error.message})`));
      this.#worker = worker;
      this.#started = new Promise((done) => {
        for (const moment of ['message', 'error', 'exit'] as const) worker.once(moment, () => done());
        setTimeout(done, STARTING_MS).unref();
      });
      // However we end: Node stops the worker then.
      process.once('exit', () => this.#progress.leave());
      // Behind all listeners: each of them would hold the process again.
      worker.unref();
    } catch (error) {
      this.#fail(`the tape writer cannot start (${(error as Error).message})`);
    }
  }

  /** While the worker starts it opens files of its own. */
  async workerStarted(): Promise<void> {
    // Nothing else may hold the process while we wait.
    this.#worker?.ref();
    await this.#started;
    this.#worker?.unref();
  }

  /** The agent has ended: the last frame, the final seal, and a short wait for the tape. */
  async finish(ending: Ending): Promise<void> {
    const { code, signal, undelivered, received } = ending;
    const ended = Math.max(0, Math.round((ending.endedAt - this.#start) * 1000) / 1e6);
    await this.#end('exit', { code, signal, ended, received, undelivered, failures: this.#failures });
  }

  async finishUnstarted(errno: string, message: string): Promise<void> {
    await this.#end('spawn-failed', { errno, reason: message });
  }

  async #end(event: string, detail: Record<string, unknown>): Promise<void> {
    const t = this.#now();
    const wall = wallMicros();
    // The last frame repeats the time of the final seal, which nothing else covers.
    const last = { from: 'proc', event, ...detail, at: isoMicros(wall) };
    this.#journal.append(Kind.event, t, Buffer.from(JSON.stringify(last)));
    this.#journal.append(Kind.end, t, double(wall));
    this.#journal.close();
    this.startWriting();
    this.#progress.finish();
    if (this.#worker && !this.#complete) await exitOf(this.#worker, PATIENCE_MS);
  }

  #append(kind: Kind, payload: Uint8Array): void {
    const t = this.#now();
    this.#journal.append(kind, t, payload);
    if (t - this.#lastClock >= CLOCK_EVERY) {
      this.#lastClock = t;
      this.#journal.append(Kind.clock, t, double(wallMicros()));
    }
    this.#progress.grown();
  }

  #now(): number {
    return Math.round((performance.now() - this.#start) * 1000);
  }

  #fail(message: string): void {
    if (this.#failures++ === 0) this.#onFailure(message);
  }
}

/** Wall time in microseconds: the fine clock of this process, unless the system's clock was set since it started. */
function wallMicros(): number {
  const fine = performance.timeOrigin + performance.now();
  const coarse = Date.now();
  return Math.round((Math.abs(fine - coarse) < 5 ? fine : coarse) * 1000);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

async function exitOf(worker: Worker, patienceMs: number): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(done, patienceMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      done();
    });
  });
}
