/**
 * Everything the program writes goes through here. The rules:
 * - Results go to stdout. Messages go to stderr: `wiretape: message`, then `hint: ...`, lower case, no full stop.
 * - Colour is decided once: --color, FORCE_COLOR, NO_COLOR, then whether stdout is a terminal.
 * - A closed pipe (EPIPE) is not an error.
 * - Long text goes through a pager on a terminal. JSON is never coloured, paged or shortened.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { Exit, Failure } from '../../model/failure.ts';
import { exactJson } from '../../model/id.ts';
import { clip, visible } from '../../model/text/text.ts';
import { resolveExecutable } from '../../recording/proxy/executable.ts';
import { UnreadableTape } from '../../storage/tape/unreadable.ts';
import { Screen, type ScreenWatcher } from './screen.ts';

export interface Io {
  env: NodeJS.ProcessEnv;
  /** The width in cells. Infinite for files and pipes, so their text is never shortened. */
  columns: number;
  interactive: boolean;
  color: boolean;
  /** Why the output is incomplete, if writing failed; null if the reader closed the pipe. */
  readonly lost?: Failure | null;
  /** Writes to stdout. Resolves when more can be written; false when the reader has closed the pipe. */
  write(chunk: string | Uint8Array): Promise<boolean>;
  /** Writes one JSON line. */
  json(value: unknown): Promise<boolean>;
  /** A line on stderr. */
  say(line: string): void;
  /** Shows progress if stderr is a terminal. The call with `done` equal to `all` removes it. */
  progress(what: string, done: number, all: number): void;
  /** The same for bytes of a file, while nothing else is shown. */
  reading?(done: number, all: number): void;
  /** A line on stderr that is drawn again and again; null if stderr is no terminal. An empty text removes it. */
  readonly status?: ((text: string) => void) | null;
  /** The whole screen, if stdout is a terminal that can be drawn on. */
  screen?(watcher: ScreenWatcher): Screen | null;
  /** Sends all further text through a pager if stdout is a terminal. */
  page(): void;
  close(): Promise<void>;
}

export function decideColor(env: NodeJS.ProcessEnv, onTerminal: boolean, flag?: string): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  if (env.NO_COLOR) return false;
  return onTerminal && env.TERM !== 'dumb';
}

/** Loading `node:tty` also loads `node:net`, so files and pipes are recognised without it. */
export function isTerminal(fd: number): boolean {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}

/** The Io of this process. It opens `process.stdout` at the first write; `record` never writes. */
export class ProcessIo implements Io {
  readonly env = process.env;
  readonly interactive = isTerminal(1);
  color = decideColor(this.env, this.interactive);
  lost: Failure | null = null;
  #closed = false;
  #pager: ChildProcess | null = null;
  /** Messages to print when the pager has exited. */
  #delayed: string[] = [];
  #opened: Writable | null = null;
  /** A `Screen` is open. */
  #isDrawn = false;
  #onDrain: () => void = () => {};
  readonly #meter = new ProgressMeter();
  readonly status = this.#meter.watched ? (text: string) => this.#meter.say(text) : null;

  get columns(): number {
    if (this.interactive) return process.stdout.columns || 80;
    return Number(this.env.COLUMNS) || Number.POSITIVE_INFINITY;
  }

  async write(chunk: string | Uint8Array): Promise<boolean> {
    if (this.#closed) return false;
    // The progress bar and the output share the screen.
    if (this.interactive) this.#meter.clear();
    const rest = this.interactive || this.#opened ? chunk : this.#writePlainly(chunk);
    if (rest && !this.#out().write(rest)) await this.#drained();
    return !this.#closed;
  }

  /** Writes to a file or a pipe without loading `process.stdout`. Returns what could not be written yet. */
  #writePlainly(chunk: string | Uint8Array): Uint8Array | null {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
      return null;
    } catch (error) {
      // A non-blocking pipe is full: the stream waits for it.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return rest;
      this.#end(error as NodeJS.ErrnoException);
      return null;
    }
  }

  /** No more output is possible. */
  #end(error?: NodeJS.ErrnoException): void {
    this.#closed = true;
    if (!error || error.code === 'EPIPE' || this.#pager) return;
    this.lost ??= new Failure(`cannot write the output: ${error.message}`);
  }

  json(value: unknown): Promise<boolean> {
    return this.write(`${exactJson(value)}\n`);
  }

  say(line: string): void {
    this.#meter.clear();
    // The pager would draw over it.
    if (this.#pager) this.#delayed.push(line);
    else process.stderr.write(`${line}\n`);
  }

  progress(what: string, done: number, all: number): void {
    this.#meter.show(what, done, all);
  }

  reading(done: number, all: number): void {
    // A pager or a screen would be drawn over.
    if (!this.#pager && !this.#isDrawn) this.#meter.read(done, all);
  }

  page(): void {
    if (!this.interactive || this.#pager || this.#opened) return;
    const command = this.env.WIRETAPE_PAGER ?? this.env.PAGER ?? 'less';
    const [program] = command.trim().split(/\s+/);
    if (!program || program === 'cat' || !resolveExecutable(program, this.env.PATH)) return;
    // Ctrl-C is for the pager.
    process.on('SIGINT', () => {});
    const { spawn } = process.getBuiltinModule('node:child_process');
    const pager = spawn('/bin/sh', ['-c', command], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', ...this.env },
    });
    pager.on('error', () => {
      this.#closed = true;
    });
    this.#pager = pager;
  }

  screen(watcher: ScreenWatcher): Screen | null {
    if (!this.interactive || this.env.TERM === 'dumb') return null;
    this.#meter.clear();
    this.#isDrawn = true;
    return new Screen(process.stdout, watcher);
  }

  async close(): Promise<void> {
    this.#meter.clear();
    const pager = this.#pager;
    if (!pager) return;
    pager.stdin?.end();
    if (pager.exitCode === null) await once(pager, 'exit');
    for (const line of this.#delayed) process.stderr.write(`${line}\n`);
  }

  /** The stream, opened at the first write. */
  #out(): Writable {
    if (this.#opened) return this.#opened;
    const out: Writable = this.#pager?.stdin ?? process.stdout;
    const gone = (error?: NodeJS.ErrnoException) => {
      this.#end(error);
      this.#onDrain();
    };
    out.on('error', gone);
    out.on('close', () => gone());
    out.on('drain', () => this.#onDrain());
    this.#opened = out;
    return out;
  }

  #drained(): Promise<void> {
    return new Promise((done) => {
      this.#onDrain = done;
      if (this.#closed) done();
    });
  }
}

/** Writes many lines in few writes. Stops when the reader closes the pipe. */
export async function writeAll(io: Io, lines: Iterable<string>): Promise<void> {
  const buffer = new BufferedText(io);
  for (const line of lines) if (buffer.add(line) && !(await buffer.write())) return;
  await buffer.write();
}

/** What comes in small pieces, until it is worth a write. */
export class BufferedText {
  readonly #io: Io;
  #text = '';

  constructor(io: Io) {
    this.#io = io;
  }

  /** Whether it should be written now. */
  add(text: string): boolean {
    this.#text += text;
    return this.#text.length >= 1 << 15;
  }

  /** False when the reader has closed the pipe. */
  write(): Promise<boolean> {
    const text = this.#text;
    this.#text = '';
    return this.#io.write(text);
  }
}

/** Reports damaged lines of a tape. */
export function reportDamage(io: Io, id: string, damaged: number): void {
  if (damaged === 0) return;
  io.say(`wiretape: cannot read ${damaged} line${damaged > 1 ? 's' : ''} of the tape`);
  io.say(`hint: wiretape verify ${visible(id)}`);
}

/** Reports notices and progress of long work on the store. */
export function progressReporter(io: Io, what: string) {
  return {
    notice(message: string, hint?: string | null): void {
      io.say(`wiretape: ${visible(message)}`);
      if (hint) io.say(`hint: ${visible(hint)}`);
    },
    progress: (done: number, all: number) => io.progress(what, done, all),
  };
}

/** Progress of work in steps, each of which reads the same frames. It is never complete: call `io.progress('', 0, 0)`. */
export function framesProgress(io: Pick<Io, 'progress'>, what: string, all: number): (frames: number) => void {
  return (frames) => io.progress(what, Math.min(frames, all - 1), all);
}

/** Shows what is waited for, and for how long, if it takes more than a second. */
export async function withStatus<T>(io: Io, what: string, work: Promise<T>): Promise<T> {
  const { status } = io;
  if (!status) return work;
  const from = Date.now();
  const timer = setInterval(() => status(`wiretape: ${what}, ${Math.round((Date.now() - from) / 1000)} s`), 1000);
  return work.finally(() => {
    clearInterval(timer);
    status('');
  });
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

/** A progress bar on stderr: only on a terminal, and only for long work. */
class ProgressMeter {
  readonly watched = isTerminal(2);
  readonly #born = Date.now();
  #drawn = Number.NEGATIVE_INFINITY;
  #shown = Number.NEGATIVE_INFINITY;
  #onScreen = false;

  show(what: string, done: number, all: number): void {
    if (!this.watched) return;
    if (done >= all) return this.clear();
    this.#shown = Date.now();
    this.#draw(what, done, all);
  }

  /** Other progress takes precedence over this one. */
  read(done: number, all: number): void {
    if (!this.watched || Date.now() - this.#shown < 1000) return;
    if (done >= all) return this.clear();
    this.#draw('reading, in MB:', Math.floor(done / 1e6), Math.ceil(all / 1e6));
  }

  #draw(what: string, done: number, all: number): void {
    const now = Date.now();
    if (now - this.#born < 300 || now - this.#drawn < 100) return;
    this.#drawn = now;
    this.#onScreen = true;
    const width = 24;
    const bar = '#'.repeat(Math.floor((width * done) / all)).padEnd(width);
    process.stderr.write(`\r\x1b[Kwiretape: ${what} [${bar}] ${done} of ${all}`);
  }

  /** One line of plain text, cut to the width of the terminal. */
  say(text: string): void {
    this.clear();
    if (text === '') return;
    this.#onScreen = true;
    for (const signal of ENDING_SIGNALS) process.once(signal, this.#clearAndEnd);
    process.stderr.write(clip(text, (process.stderr.columns || 80) - 1));
  }

  clear(): void {
    if (this.#onScreen) process.stderr.write('\r\x1b[K');
    this.#onScreen = false;
    for (const signal of ENDING_SIGNALS) process.off(signal, this.#clearAndEnd);
  }

  /** Ctrl-C leaves no half line behind. Then the signal does what it would have done. */
  readonly #clearAndEnd = (signal: NodeJS.Signals) => {
    this.clear();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
}

/** An error of the operating system is not a bug. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return error instanceof Error && typeof syscall === 'string' && /^E[A-Z0-9]+$/.test(code ?? '');
}

/** The only place that turns an error into a message and an exit code. */
export function reportError(error: unknown, io: Io): number {
  if (error instanceof Failure || error instanceof UnreadableTape) {
    io.say(`wiretape: ${visible(error.message)}`);
    if (error instanceof Failure) for (const line of error.lines) io.say(`  ${visible(line)}`);
    if (error.hint) io.say(`hint: ${visible(error.hint)}`);
    return error instanceof Failure ? error.exitCode : Exit.failed;
  }
  if (isSystemError(error)) {
    io.say(`wiretape: ${visible(error.message)}`);
    return Exit.failed;
  }
  reportBug(error, io);
  return Exit.failed;
}

/** A stack trace helps only maintainers, so it is shown only with WIRETAPE_DEBUG. */
export function reportBug(error: unknown, io: Pick<Io, 'env' | 'say'>): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (['', '0'].includes(io.env.WIRETAPE_DEBUG ?? '')) {
    io.say(`wiretape: internal error: ${visible(`${name}: ${message}`)}`);
    io.say('hint: this is a bug in wiretape; please report it with what WIRETAPE_DEBUG=1 adds');
    return;
  }
  io.say(`wiretape: internal error: ${visible(stack, true)}`);
  io.say('hint: this is a bug in wiretape; please report it with the lines above');
}
