/**
 * The recorder's handle on its writer process. It is a process and not a thread because its work may take any time: when
 * the agent has exited it gets a moment to finish, and is then killed. The next reader does the rest. It shares no
 * descriptor with the traffic.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { SessionNames } from '../../session/session.ts';
import { attempt } from '../../storage/store/home.ts';
import { addWriter } from '../../storage/store/owner.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import { encodeMessage, WriterMessage, type WriterReport } from './writer-protocol.ts';

export interface WriterInput {
  home: string;
  id: string;
  dir: string;
  tape: string;
  names: SessionNames;
}

/** Wakes the writer at most this often: waking it for every chunk would slow down the traffic. */
const BATCH_MS = 25;
/**
 * The traffic has priority. Where both have one core, a client waits 0.30 s instead of 0.40 s for 750,000 lines of its agent
 * (best of 30 pairs of runs), and 1.3 ms instead of 1.5 ms for the slowest hundredth of its round trips (medians of 12).
 */
export const NICE = 10;

export interface WriterOptions extends WriterInput {
  journalFd: number;
  tapeFd: number;
  env: NodeJS.ProcessEnv;
  onReport: (report: WriterReport) => void;
  /** It has exited unexpectedly. */
  onDeath: (reason: string) => void;
}

export class WriterProcess {
  readonly #child: ChildProcess;
  /** There is none if the process could not be started at all. */
  readonly #link: Duplex | undefined;
  readonly #options: WriterOptions;
  #waking = false;
  #done = false;
  #isRegistered = false;
  #dead = false;
  readonly #end = new Wakeup();

  /** Throws if it cannot be started. */
  constructor(options: WriterOptions) {
    this.#options = options;
    const { home, id, dir, tape, names, journalFd, tapeFd } = options;
    const input: WriterInput = { home, id, dir, tape, names };
    const file = fileURLToPath(new URL('./writer.js', import.meta.url));
    this.#child = spawn(process.execPath, ['--no-warnings', file, JSON.stringify(input)], {
      // Not the agent's directory, which may be removed or unmounted.
      cwd: '/',
      // Ctrl-C in a terminal must not reach it.
      detached: true,
      env: withoutNodeSettings(options.env),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', journalFd, tapeFd],
    });
    this.#child.on('error', (error) => this.#handleExit(error.message));
    this.#child.on('exit', (code, signal) => this.#handleExit(signal ?? `exit code ${code}`));
    this.#link = (this.#child.stdio as ChildProcess['stdio'] | undefined)?.[3] as Duplex | undefined;
    this.#link?.on('error', () => {});
    let text = '';
    this.#link?.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString('utf8')).split('\n');
      text = lines.pop()!;
      for (const line of lines) this.#handleReport(JSON.parse(line) as WriterReport);
    });
    const { pid } = this.#child;
    // It fails if that is not permitted, or the process has exited.
    if (pid !== undefined) attempt(() => setPriority(pid, NICE), undefined);
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
      this.send(WriterMessage.grown);
    }, BATCH_MS).unref();
  }

  /** `sent` is called when the system has taken the message, or cannot take it. */
  send(kind: WriterMessage, content?: Uint8Array, sent: () => void = () => {}): void {
    if (this.#dead || !this.#link || this.#link.destroyed) return sent();
    this.#link.write(encodeMessage(kind, content), () => sent());
  }

  /** Waits until the writer is done, for `hurry`, or for `patienceMs`, and kills it unless no other process can finish. */
  async finish(patienceMs: number, hurry: Promise<void>, isIrreplaceable: boolean): Promise<void> {
    this.send(WriterMessage.finish);
    if (!this.#done && !this.#dead) {
      void hurry.then(() => this.#end.wake());
      await this.#end.wait(patienceMs / 1000);
    }
    if (isIrreplaceable && !this.#done) return this.leave();
    this.#done = true;
    this.#child.kill('SIGKILL');
  }

  /** Lets it run on: it has records that only it can store, and exits when they are stored. */
  leave(): void {
    this.#done = true;
    // A message that was sent in part is ignored.
    this.#link?.destroy();
    // It was too busy to register itself. If this fails, a reader may finish the session too early.
    if (!this.#isRegistered) attempt(() => addWriter(this.#options.dir, this.#child.pid!), undefined);
  }

  #handleReport(report: WriterReport): void {
    if (report.is === 'done') {
      this.#done = true;
      this.#end.wake();
    }
    if (report.is === 'holding') this.#isRegistered = true;
    this.#options.onReport(report);
  }

  #handleExit(reason: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#end.wake();
    if (!this.#done) this.#options.onDeath(reason);
  }
}

/** NODE_OPTIONS and similar variables are meant for the agent. */
export function withoutNodeSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('NODE_')));
}
