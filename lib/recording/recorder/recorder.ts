/**
 * Appends every chunk to the journal after it was forwarded. The writer process makes the tape from the journal. A
 * failure here never affects the traffic: it is reported once, the session is marked incomplete, and recording continues
 * if possible. With `strict`, the caller stops the agent.
 */
import { closeSync, existsSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoMicros, type Stream } from '../../model/frame.ts';
import type { SessionNames } from '../../session/session.ts';
import { attempt, JOURNAL_REST } from '../../storage/store/home.ts';
import { createSession } from '../../storage/store/session-folder.ts';
import { type Journal, RecordKind } from '../../storage/tape/journal.ts';
import type { ProxyResult } from '../proxy/proxy.ts';
import type { Tap } from '../proxy/pump.ts';
import { JournalFeed } from './journal-feed.ts';
import { metadataOfRecording } from './metadata.ts';
import { type WriterInput, WriterProcess } from './writer-process.ts';
import { SLOW_MS, type WriterReport } from './writer-protocol.ts';

/** How long the exit waits for the tape. The next reader finishes what is left. */
const PATIENCE_MS = 250;
/** The same with --tape: the client may want to read the file at once. */
const PATIENCE_FOR_FILE_MS = 900;
/** How long the exit waits for a slow disk. */
const SLOW_DISK_MS = 600;
const CLOCK_EVERY_MICROS = 1_000_000;

export interface RecorderOptions {
  home: string;
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  names: SessionNames;
  tape: string | null;
  dialect: string | null;
  /** The session that the client replays, if it does. */
  replays: string | null;
  onFailure: (message: string) => void;
  /** Called with problems that lose no data. */
  onNotice: (message: string) => void;
}

export class Recorder implements Tap {
  readonly session: string;
  readonly #journal: Journal;
  readonly #feed: JournalFeed;
  readonly #tapeFd: number;
  readonly #options: RecorderOptions;
  readonly #writerInput: WriterInput;
  readonly #start = performance.now();
  readonly #patienceMs: number;
  #lastClock = 0;
  #failures = 0;
  #writer: WriterProcess | null = null;

  /** Throws if the session cannot be created. */
  constructor(options: RecorderOptions) {
    this.#options = options;
    const { home, names, command, env, dialect, replays } = options;
    const startedAt = wallMicros();
    let isSlow = false;
    const { id, dir, tape, journal } = createSession({
      ...{ home, names, tape: options.tape },
      startedAt: new Date(startedAt / 1000),
      onError: (error) => this.#fail(`the journal cannot be written (${error.message})`),
      begin: (session, fresh) => {
        const metadata = metadataOfRecording({
          session,
          startedAt: isoMicros(startedAt),
          command,
          env,
          dialect,
          replays,
        });
        const before = performance.now();
        fresh.append(RecordKind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
        fresh.append(RecordKind.clock, 0, doubleBytes(startedAt));
        isSlow = performance.now() - before > 2 * SLOW_MS;
      },
    });
    this.session = id;
    this.#patienceMs = options.tape === null ? PATIENCE_MS : PATIENCE_FOR_FILE_MS;
    this.#journal = journal;
    this.#tapeFd = openSync(tape, 'r+');
    this.#feed = new JournalFeed(journal, isSlow);
    this.#writerInput = { home, id, dir, tape, names };
  }

  data(stream: Stream, chunk: Uint8Array): void {
    this.#append(RecordKind[stream], chunk);
  }

  event(from: Stream | 'proc', event: string, detail: Record<string, unknown> = {}): void {
    this.#append(RecordKind.event, Buffer.from(JSON.stringify({ from, event, ...detail })));
  }

  /** Whether the disk is slow, so that the writer process is needed at once. */
  get isSlow(): boolean {
    return this.#feed.isSlow;
  }

  /** Starts the writer process, without waiting for it. */
  startWriting(): void {
    if (this.#writer) return;
    try {
      this.#writer = new WriterProcess({
        ...this.#writerInput,
        journalFd: this.#journal.fd,
        tapeFd: this.#tapeFd,
        env: this.#options.env,
        onReport: (report) => this.#handleReport(report),
        onDeath: (reason) => {
          this.#fail(`the tape writer stopped unexpectedly (${reason})`);
          this.#feed.takeBack(null);
        },
      });
      this.#feed.attach(this.#writer);
    } catch (error) {
      this.#fail(`the tape writer cannot start (${(error as Error).message})`);
    }
  }

  #handleReport(report: WriterReport): void {
    // The tape is not affected.
    if (report.is === 'index-failing') this.#options.onFailure(report.message);
    if (report.is === 'notice') this.#options.onNotice(report.message);
    if (report.is === 'failing') this.#fail(report.message);
    if (report.is === 'stored') this.#feed.onStored(report.messages, report.size);
  }

  /** The agent has exited: writes the last frame and the final seal, and waits briefly for the tape or `hurry`. */
  async finish(ending: ProxyResult, hurry: Promise<void>): Promise<void> {
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
    // No reader can make the tape of a journal that was removed: only the writer process still has it open.
    const isRemoved = fstatSync(this.#journal.fd).nlink === 0;
    const missing = existsSync(this.#writerInput.dir) ? 'journal' : 'folder';
    if (isRemoved) this.#fail(`the session's ${missing} was removed during recording`);
    // No digest covers the final seal, so the last frame repeats its time.
    const last = { from: 'proc', event, ...detail, at: isoMicros(wall) };
    this.#feed.append(RecordKind.event, t, Buffer.from(JSON.stringify(last)));
    this.#feed.append(RecordKind.end, t, doubleBytes(wall));
    this.startWriting();
    const isStored = await Promise.race([this.#feed.settle(SLOW_DISK_MS), hurry]);
    const rest = this.#feed.takeRest() ?? this.#journal.unwritten;
    // The writer process may have records that its disk will never take.
    this.#keepRest(isStored ? rest : (rest ?? Buffer.alloc(0)));
    if (isStored) await this.#writer?.finish(this.#patienceMs, hurry, isRemoved);
    else this.#writer?.leave();
    this.#journal.close();
    closeSync(this.#tapeFd);
  }

  /**
   * Saves records that the journal did not take in a file beside it. Its existence alone shows that the recorder ended.
   */
  #keepRest(records: Buffer | null): void {
    const path = join(this.#writerInput.dir, JOURNAL_REST);
    // If writing fails, an empty file is still useful.
    if (records) attempt(() => writeFileSync(path, records, { mode: 0o600 }), undefined);
  }

  #append(kind: RecordKind, payload: Uint8Array): void {
    const t = this.#now();
    this.#feed.append(kind, t, payload);
    if (t - this.#lastClock >= CLOCK_EVERY_MICROS) {
      this.#lastClock = t;
      this.#feed.append(RecordKind.clock, t, doubleBytes(wallMicros()));
    }
    this.#writer?.wakeSoon();
  }

  #now(): number {
    return Math.round((performance.now() - this.#start) * 1000);
  }

  #fail(message: string): void {
    if (this.#failures++ === 0) this.#options.onFailure(message);
  }
}

/** Wall time in microseconds, by the precise clock of this process unless the system clock was changed since its start. */
function wallMicros(): number {
  const fine = performance.timeOrigin + performance.now();
  const coarse = Date.now();
  return Math.round((Math.abs(fine - coarse) < 5 ? fine : coarse) * 1000);
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
