/**
 * The terminal, and its sole owner. Its rules:
 * - stdout is the answer, stderr the talk: `wiretape: what is wrong`, then a `hint:` line; lower case, no full stop.
 * - Colour is decided once: --color, FORCE_COLOR, NO_COLOR, then whether stdout is a terminal.
 * - A reader that goes away (EPIPE) is no error.
 * - Long text goes through a pager on a terminal; JSON is never coloured, paged or cut.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { exactJson } from './core/id.ts';
import { visible } from './core/text.ts';
import { Exit, Failure } from './failure.ts';
import { resolveExecutable } from './proxy/executable.ts';
import { UnreadableTape } from './tape/unreadable.ts';

export interface Io {
  env: NodeJS.ProcessEnv;
  /** Cells in a line. Text for files and pipes is not cut. */
  columns: number;
  interactive: boolean;
  color: boolean;
  /** Why the answer is not whole, if it could not be written; a reader that went away is no reason. */
  readonly lost?: Failure | null;
  /** Writes to stdout; resolves when more may come, false when nobody reads any more. */
  write(chunk: string | Uint8Array): Promise<boolean>;
  /** One object, one line. */
  json(value: unknown): Promise<boolean>;
  /** A line on stderr. */
  say(line: string): void;
  /** How far long work has come, where somebody watches; the last call takes it off the screen. */
  progress(what: string, done: number, all: number): void;
  /** From here on text goes through a pager, if there is a terminal to page on. */
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

/** Node's module for terminals brings its networks along: files and pipes are known without it. */
export function isTerminal(fd: number): boolean {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}

/** The Io of this process. `process.stdout` is opened only when something is written: `record` never does. */
export class ProcessIo implements Io {
  readonly env = process.env;
  readonly interactive = isTerminal(1);
  color = decideColor(this.env, this.interactive);
  lost: Failure | null = null;
  #closed = false;
  #pager: ChildProcess | null = null;
  /** For when the pager is gone. */
  #unsaid: string[] = [];
  #opened: Writable | null = null;
  #onDrain: () => void = () => {};
  readonly #meter = new Meter();

  get columns(): number {
    if (this.interactive) return process.stdout.columns || 80;
    return Number(this.env.COLUMNS) || Number.POSITIVE_INFINITY;
  }

  async write(chunk: string | Uint8Array): Promise<boolean> {
    if (this.#closed) return false;
    // On one screen with the answer, which begins its own line.
    if (this.interactive) this.#meter.clear();
    const rest = this.interactive || this.#opened ? chunk : this.#writePlainly(chunk);
    if (rest && !this.#out().write(rest)) await this.#drained();
    return !this.#closed;
  }

  /** To a file or a pipe, as `process.stdout` would, without the time that it takes to load. What is left, if anything. */
  #writePlainly(chunk: string | Uint8Array): Uint8Array | null {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
      return null;
    } catch (error) {
      // Not ready: the stream knows what to do.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return rest;
      this.#end(error as NodeJS.ErrnoException);
      return null;
    }
  }

  /** Nothing can be written any more. */
  #end(error?: NodeJS.ErrnoException): void {
    this.#closed = true;
    if (!error || error.code === 'EPIPE' || this.#pager) return;
    this.lost ??= new Failure(`the answer could not be written: ${error.message}`);
  }

  json(value: unknown): Promise<boolean> {
    return this.write(`${exactJson(value)}\n`);
  }

  say(line: string): void {
    this.#meter.clear();
    // A pager has the screen: what is said now would be drawn over.
    if (this.#pager) this.#unsaid.push(line);
    else process.stderr.write(`${line}\n`);
  }

  progress(what: string, done: number, all: number): void {
    this.#meter.show(what, done, all);
  }

  page(): void {
    if (!this.interactive || this.#pager || this.#opened) return;
    const command = this.env.WIRETAPE_PAGER ?? this.env.PAGER ?? 'less';
    const [program] = command.trim().split(/\s+/);
    if (!program || program === 'cat' || !resolveExecutable(program, this.env.PATH)) return;
    // Ctrl-C is the pager's.
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

  async close(): Promise<void> {
    const pager = this.#pager;
    if (!pager) return;
    pager.stdin?.end();
    if (pager.exitCode === null) await once(pager, 'exit');
    for (const line of this.#unsaid) process.stderr.write(`${line}\n`);
  }

  /** Opened at the first word, and listened to once. */
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

/** Many lines, a handful of writes. Stops when nobody reads any more. */
export async function writeAll(io: Io, lines: Iterable<string>): Promise<void> {
  let gathered = '';
  for (const line of lines) {
    gathered += line;
    if (gathered.length < 1 << 15) continue;
    if (!(await io.write(gathered))) return;
    gathered = '';
  }
  await io.write(gathered);
}

/** What long work on the store has to say, on this terminal. */
export function talkOn(io: Io, what: string) {
  return {
    notice(message: string, hint?: string | null): void {
      io.say(`wiretape: ${visible(message)}`);
      if (hint) io.say(`hint: ${visible(hint)}`);
    },
    progress: (done: number, all: number) => io.progress(what, done, all),
  };
}

/** One line on stderr that is drawn over and over; only on a terminal, only for what takes long. */
class Meter {
  readonly #watched = isTerminal(2);
  readonly #born = Date.now();
  #drawn = Number.NEGATIVE_INFINITY;
  #onScreen = false;

  show(what: string, done: number, all: number): void {
    if (!this.#watched) return;
    const now = Date.now();
    if (done >= all) return this.clear();
    if (now - this.#born < 300 || now - this.#drawn < 100) return;
    this.#drawn = now;
    this.#onScreen = true;
    const width = 24;
    const bar = '#'.repeat(Math.floor((width * done) / all)).padEnd(width);
    process.stderr.write(`\r\x1b[Kwiretape: ${what} [${bar}] ${done} of ${all}`);
  }

  clear(): void {
    if (this.#onScreen) process.stderr.write('\r\x1b[K');
    this.#onScreen = false;
  }
}

/** What the machine refuses is no bug of ours. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** The one place where an error becomes words and an exit code. */
export function report(error: unknown, io: Io): number {
  if (error instanceof Failure || error instanceof UnreadableTape) {
    io.say(`wiretape: ${visible(error.message)}`);
    if (error instanceof Failure) for (const line of error.lines) io.say(`  ${visible(line)}`);
    if (error.hint) io.say(`hint: ${visible(error.hint)}`);
    return error instanceof Failure ? error.exitCode : Exit.failed;
  }
  if (error instanceof Error && REFUSALS.has((error as NodeJS.ErrnoException).code ?? '')) {
    io.say(`wiretape: ${visible(error.message)}`);
    return Exit.failed;
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.say(`wiretape: ${visible(what, true)}`);
  io.say('hint: this is a bug in wiretape; please report it with the lines above');
  return Exit.failed;
}
