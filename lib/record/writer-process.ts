/**
 * The recorder's side of its writer process. It is a process, not a thread, because it touches disks and content that
 * may take any time: when the agent has ended it gets a moment to finish, then it is killed, and what is left is done
 * by the next reader. It shares no descriptor with the traffic and nobody but us knows it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SessionNames } from '../store/names.ts';
import { addWriter } from '../store/owner.ts';
import { encodeMessage, type Report, Say } from './link.ts';

export interface WriterInput {
  home: string;
  id: string;
  dir: string;
  tape: string;
  names: SessionNames;
}

/** The journal may grow this long before the writer looks again: waking it for every chunk would cost round trips. */
const BATCH_MS = 25;
/** Less than the traffic's own share of a busy machine. */
const NICE = 10;

export interface WriterOptions extends WriterInput {
  journalFd: number;
  tapeFd: number;
  env: NodeJS.ProcessEnv;
  onReport: (report: Report) => void;
  /** It is gone though nobody sent it away. */
  onDeath: (reason: string) => void;
}

export class WriterProcess {
  readonly #child: ChildProcess;
  readonly #link: Duplex;
  readonly #options: WriterOptions;
  #waking = false;
  #done = false;
  #holding = false;
  #dead = false;
  #onOver: () => void = () => {};

  /** Throws if it cannot be started at all. */
  constructor(options: WriterOptions) {
    this.#options = options;
    const { home, id, dir, tape, names, journalFd, tapeFd } = options;
    const input: WriterInput = { home, id, dir, tape, names };
    const file = fileURLToPath(new URL('./writer.js', import.meta.url));
    this.#child = spawn(process.execPath, ['--no-warnings', file, JSON.stringify(input)], {
      // The agent's directory may be gone, or must be unmountable.
      cwd: '/',
      // A terminal's Ctrl-C is not meant for it.
      detached: true,
      env: withoutNodeSettings(options.env),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', journalFd, tapeFd],
    });
    this.#child.on('error', (error) => this.#die(error.message));
    this.#child.on('exit', (code, signal) => this.#die(signal ?? `exit code ${code}`));
    this.#link = this.#child.stdio[3] as Duplex;
    this.#link?.on('error', () => {});
    let text = '';
    this.#link?.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString('utf8')).split('\n');
      text = lines.pop()!;
      for (const line of lines) this.#hear(JSON.parse(line) as Report);
    });
    // Traffic first, from its very start.
    lowerPriority(this.#child.pid);
    this.#child.unref();
    (this.#link as unknown as { unref?(): void } | undefined)?.unref?.();
  }

  get alive(): boolean {
    return !this.#dead;
  }

  /** The journal has grown. */
  wakeSoon(): void {
    if (this.#waking) return;
    this.#waking = true;
    setTimeout(() => {
      this.#waking = false;
      this.send(Say.grown);
    }, BATCH_MS).unref();
  }

  /** `sent` is called when the system has taken it, or never will. */
  send(kind: Say, content?: Uint8Array, sent: () => void = () => {}): void {
    if (this.#dead || this.#link.destroyed) return sent();
    this.#link.write(encodeMessage(kind, content), () => sent());
  }

  /** Resolves when it has done all it can, when `hurry` does, or after so long; whatever it is at then is cut off. */
  async finish(patienceMs: number, hurry: Promise<void>): Promise<void> {
    this.send(Say.finish);
    if (!this.#done && !this.#dead) {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((done) => {
        this.#onOver = done;
        timer = setTimeout(done, patienceMs);
      });
      await Promise.race([over, hurry]);
      clearTimeout(timer);
    }
    this.#onOver = () => {};
    this.#done = true;
    this.#child.kill('SIGKILL');
  }

  /** It still has something that only it can store: it ends by itself when it has. */
  leave(): void {
    this.#done = true;
    // What was not sent as a whole is left out.
    this.#link.destroy();
    try {
      // Too busy so far to say so itself.
      if (!this.#holding) addWriter(this.#options.dir, this.#child.pid!);
    } catch {
      // Then a reader may come too early, and find less.
    }
  }

  #hear(report: Report): void {
    if (report.is === 'done') {
      this.#done = true;
      this.#onOver();
    }
    if (report.is === 'holding') this.#holding = true;
    this.#options.onReport(report);
  }

  #die(reason: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#onOver();
    if (!this.#done) this.#options.onDeath(reason);
  }
}

/** NODE_OPTIONS and the like are the agent's affair. What the system needs to start Node at all stays. */
function withoutNodeSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('NODE_')));
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // Not allowed here, or gone already.
  }
}
