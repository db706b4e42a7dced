/**
 * What happens with a chunk after it was forwarded: it is appended to the journal. That is all the forwarding thread
 * does; the writer process makes the tape of it. No failure in here reaches the traffic: it is said once, the session is
 * incomplete, and recording goes on if it can. With `strict` the owner is told instead, and ends the run.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoMicros, type Stream } from '../core/frame.ts';
import type { Ending } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import { JOURNAL_REST } from '../store/home.ts';
import type { SessionNames } from '../store/names.ts';
import { type Journal, Kind } from '../tape/journal.ts';
import { Feed } from './feed.ts';
import { type Report, SLOW_MS } from './link.ts';
import { describe } from './metadata.ts';
import { createSession } from './session-folder.ts';
import { type WriterInput, WriterProcess } from './writer-process.ts';

/** How long we keep the client waiting for the tape; the next reader finishes what is left. */
const PATIENCE_MS = 250;
/** The same where the client has asked for a file of its own, which it may want to read at once. */
const PATIENCE_FOR_FILE_MS = 900;
/** How long we wait for a slow disk to take what it was given. */
const SLOW_DISK_MS = 600;
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
  readonly #feed: Feed;
  readonly #tapeFd: number;
  readonly #env: NodeJS.ProcessEnv;
  readonly #onFailure: (message: string) => void;
  readonly #onNotice: (message: string) => void;
  readonly #writerInput: WriterInput;
  readonly #start = performance.now();
  readonly #patienceMs: number;
  #lastClock = 0;
  #failures = 0;
  #writer: WriterProcess | null = null;

  /** Throws if the session cannot be created at all. */
  constructor(options: RecorderOptions) {
    this.#onFailure = options.onFailure;
    this.#onNotice = options.onNotice;
    const { command, env, dialect } = options;
    const startedAt = wallMicros();
    let isSlow = false;
    const { id, dir, tape, journal } = createSession({
      home: options.home,
      startedAt: new Date(startedAt / 1000),
      names: options.names,
      tape: options.tape,
      onError: (error) => this.#fail(`the journal cannot be written (${error.message})`),
      begin: (session, fresh) => {
        const metadata = describe({ session, startedAt: isoMicros(startedAt), command, env, dialect });
        const before = performance.now();
        fresh.append(Kind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
        fresh.append(Kind.clock, 0, double(startedAt));
        isSlow = performance.now() - before > 2 * SLOW_MS;
      },
    });
    this.session = id;
    this.#patienceMs = options.tape === null ? PATIENCE_MS : PATIENCE_FOR_FILE_MS;
    this.#env = env;
    this.#journal = journal;
    this.#tapeFd = openSync(tape, 'r+');
    this.#feed = new Feed(journal, isSlow);
    this.#writerInput = { home: options.home, id, dir, tape, names: options.names };
  }

  data(stream: Stream, chunk: Uint8Array): void {
    this.#append(Kind[stream], chunk);
  }

  event(from: Stream | 'proc', event: string, detail: Record<string, unknown> = {}): void {
    this.#append(Kind.event, Buffer.from(JSON.stringify({ from, event, ...detail })));
  }

  /** Whether the writer process is needed before anything else. */
  get isSlow(): boolean {
    return this.#feed.isSlow;
  }

  /** Starts the writer process; the traffic does not wait for it. */
  startWriting(): void {
    if (this.#writer) return;
    try {
      this.#writer = new WriterProcess({
        ...this.#writerInput,
        journalFd: this.#journal.fd,
        tapeFd: this.#tapeFd,
        env: this.#env,
        onReport: (report) => this.#hear(report),
        onDeath: (reason) => {
          this.#fail(`the tape writer died (${reason})`);
          this.#feed.takeBack(null);
        },
      });
      this.#feed.attach(this.#writer);
    } catch (error) {
      this.#fail(`the tape writer cannot start (${(error as Error).message})`);
    }
  }

  #hear(report: Report): void {
    // The tape is not touched by this: it is said, and that is all.
    if (report.is === 'index-failing') this.#onFailure(report.message);
    if (report.is === 'notice') this.#onNotice(report.message);
    if (report.is === 'failing') this.#fail(report.message);
    if (report.is === 'stored') this.#feed.answered(report.messages, report.size);
  }

  /** The agent has ended: the last frame, the final seal, and a short wait for the tape, which `hurry` cuts short. */
  async finish(ending: Ending, hurry: Promise<void>): Promise<void> {
    const { code, signal, undelivered, received } = ending;
    const ended = Math.max(0, Math.round((ending.endedAt - this.#start) * 1000) / 1e6);
    await this.#end('exit', { code, signal, ended, received, undelivered, failures: this.#failures }, hurry);
  }

  async finishUnstarted(errno: string, message: string): Promise<void> {
    await this.#end('spawn-failed', { errno, reason: message }, new Promise(() => {}));
  }

  async #end(event: string, detail: Record<string, unknown>, hurry: Promise<void>): Promise<void> {
    const t = this.#now();
    const wall = wallMicros();
    // The last frame repeats the time of the final seal, which nothing else covers.
    const last = { from: 'proc', event, ...detail, at: isoMicros(wall) };
    this.#feed.append(Kind.event, t, Buffer.from(JSON.stringify(last)));
    this.#feed.append(Kind.end, t, double(wall));
    this.startWriting();
    const isStored = await Promise.race([this.#feed.settle(SLOW_DISK_MS), hurry]);
    this.#keepRest(this.#feed.takeRest() ?? this.#journal.unwritten);
    if (isStored) await this.#writer?.finish(this.#patienceMs, hurry);
    else this.#writer?.leave();
    this.#journal.close();
    closeSync(this.#tapeFd);
  }

  /** What the journal does not take goes into a file beside it: how it ended, or at least, by being there, that it did. */
  #keepRest(records: Buffer | null): void {
    if (!records) return;
    try {
      writeFileSync(join(this.#writerInput.dir, JOURNAL_REST), records, { mode: 0o600 });
    } catch {
      // It was made, if that was possible; its content is what is missing.
    }
  }

  #append(kind: Kind, payload: Uint8Array): void {
    const t = this.#now();
    this.#feed.append(kind, t, payload);
    if (t - this.#lastClock >= CLOCK_EVERY) {
      this.#lastClock = t;
      this.#feed.append(Kind.clock, t, double(wallMicros()));
    }
    this.#writer?.wakeSoon();
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
