/** A client in a test's hands: it starts a program as clients do, talks to it, and notes what it sees, in order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { hasReader, makePipes } from './pipes.ts';
import { processesWith } from './processes.ts';
import { waitFor, whenever } from './wait.ts';

export interface ClientOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Real pipes, as most clients use, or the sockets that Node calls pipes. */
  streams?: 'pipe' | 'socket';
  /** Stdout and stderr are one pipe; all of it counts as stdout. */
  merged?: boolean;
  /** In a process group of its own, as under a terminal. */
  detached?: boolean;
  /** Streams that are not read before `read` is called. */
  unread?: ('stdout' | 'stderr')[];
  /** Told of every chunk of stdout as it comes. */
  onStdout?: (chunk: Buffer) => void;
}

export type Seen = 'stdout eof' | 'stderr eof' | 'exit';

export class Client {
  readonly pid: number;
  readonly order: Seen[] = [];
  code: number | null = null;
  signal: NodeJS.Signals | null = null;
  /** Bytes of stdout so far. */
  received = 0;
  readonly #process: ChildProcess;
  readonly #stdin: Writable;
  readonly #streams: Record<'stdout' | 'stderr', Readable | null>;
  readonly #chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  readonly #stdinPath: string | null = null;
  readonly #onStdout: (chunk: Buffer) => void;
  /** Emits `change` after whatever a condition may ask about. */
  readonly #changes = new EventEmitter();
  #stdinClosed = false;

  constructor(command: readonly string[], options: ClientOptions) {
    const { env, cwd, streams, merged, detached, unread } = options;
    this.#onStdout = options.onStdout ?? (() => {});
    const [file, ...args] = command;
    const common = { env, detached: detached ?? false, ...(cwd === undefined ? {} : { cwd }) };
    if (streams === 'socket') {
      const child = spawn(file!, args, { ...common, stdio: 'pipe' });
      this.#process = child;
      this.#stdin = child.stdin;
      this.#streams = { stdout: child.stdout, stderr: child.stderr };
    } else {
      const [stdin, stdout, stderr] = makePipes(['stdin', 'stdout', ...(merged ? [] : ['stderr'])]);
      this.#process = spawn(file!, args, {
        ...common,
        stdio: [stdin!.theirs, stdout!.theirs, (stderr ?? stdout!).theirs],
      });
      for (const pipe of [stdin, stdout, stderr]) if (pipe) closeSync(pipe.theirs);
      this.#stdinPath = stdin!.path;
      this.#stdin = new Socket({ fd: stdin!.ours, readable: false, writable: true });
      this.#streams = { stdout: readerOf(stdout!.ours), stderr: stderr ? readerOf(stderr.ours) : null };
    }
    this.#process.on('error', () => this.#note('exit'));
    this.pid = this.#process.pid ?? 0;
    this.#stdin.on('error', () => {});
    this.#stdin.on('close', () => {
      this.#stdinClosed = true;
    });
    this.#process.on('exit', (code, signal) => {
      this.code = code;
      this.signal = signal;
      this.#note('exit');
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.#listen(name);
      if (unread?.includes(name)) this.pause(name);
    }
  }

  #listen(name: 'stdout' | 'stderr'): void {
    const stream = this.#streams[name];
    const seen: Seen = `${name} eof`;
    if (!stream) return;
    stream.on('data', (chunk) => {
      this.received += name === 'stdout' ? chunk.length : 0;
      this.#chunks[name].push(chunk);
      if (name === 'stdout') this.#onStdout(chunk);
      this.#changes.emit('change');
    });
    stream.on('error', () => {});
    stream.on('close', () => this.#note(seen));
    stream.on('end', () => stream.destroy());
  }

  #note(seen: Seen): void {
    this.order.push(seen);
    this.#changes.emit('change');
  }

  pause(name: 'stdout' | 'stderr'): void {
    this.#streams[name]?.pause();
  }

  read(name: 'stdout' | 'stderr'): void {
    this.#streams[name]?.resume();
  }

  /** Closes our end: nobody will ever read what still comes. */
  close(name: 'stdout' | 'stderr'): void {
    this.#streams[name]?.destroy();
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#chunks.stdout);
  }

  get stderr(): Buffer {
    return Buffer.concat(this.#chunks.stderr);
  }

  /** Resolves when all of it was taken, with the code of the error if it was not. */
  write(data: string | Uint8Array): Promise<string | null> {
    if (this.#stdinClosed) return Promise.resolve('closed');
    return new Promise((done) =>
      this.#stdin.write(data, (error) => done(error ? ((error as NodeJS.ErrnoException).code ?? error.message) : null)),
    );
  }

  end(data?: string | Uint8Array): void {
    if (data === undefined) this.#stdin.end();
    else this.#stdin.end(data);
  }

  /** Whether anybody has the other end of our stdin open. */
  isHeard(): boolean {
    if (this.#stdinPath === null) throw new Error('only a pipe can tell');
    return hasReader(this.#stdinPath);
  }

  async until(text: string, name: 'stdout' | 'stderr' = 'stdout', times = 1): Promise<void> {
    const has = () => this[name].toString('latin1').split(text).length > times;
    await whenever(this.#changes, has, `${name} has "${text}" ${times} times`);
  }

  saw(what: Seen): boolean {
    return this.order.includes(what);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async exited(): Promise<void> {
    await whenever(this.#changes, () => this.saw('exit'), 'the exit');
  }

  /** Exit and the end of both streams, in whatever order. */
  async over(): Promise<void> {
    await this.exited();
    for (const name of ['stdout', 'stderr'] as const) {
      if (this.#streams[name]) await whenever(this.#changes, () => this.saw(`${name} eof`), `the EOF of ${name}`);
    }
  }

  /**
   * The agent's process: the one we started, or, where that is a recorder, its child with our marker. A recorder also
   * starts `mkfifo`, and is a copy of itself for a moment whenever it starts anything.
   */
  async agent(marker: string, recorded: boolean): Promise<number> {
    if (!recorded) return this.pid;
    const isOurs = (argv: readonly string[]) => argv.includes('record') || argv[0] === 'mkfifo';
    const found = () => processesWith(marker).find(({ ppid, argv }) => ppid === this.pid && !isOurs(argv));
    return (await waitFor(found, 'the start of the agent'))!.pid;
  }

  /** Ends whatever is left of it. */
  dispose(): void {
    this.#process.kill('SIGKILL');
    this.#stdin.destroy();
    this.#streams.stdout?.destroy();
    this.#streams.stderr?.destroy();
  }
}

function readerOf(fd: number): Readable {
  return new Socket({ fd, readable: true, writable: false });
}
