/**
 * Tries smaller sessions: writes each as a tape into a folder of its own and runs the test on it. Several may run at once;
 * the answers are the same as if they ran one after the other.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rangesOf } from './ranges.ts';
import { runTest, type TestResult } from './run-test.ts';
import { KEY_LENGTH, type TrialVerdict, type VerdictFile } from './verdict-file.ts';

export interface TrialOptions {
  test: string;
  jobs: number;
  /** In seconds; null for no limit. */
  timeout: number | null;
  env: NodeJS.ProcessEnv;
  /** Where each trial has its folder. */
  folder: string;
  memory: VerdictFile;
  stop: AbortSignal;
  /** Writes the session with only these frames as a tape. */
  write(frames: readonly number[], path: string): void;
  /** Another one was tried. */
  tried(): void;
}

/** The search was stopped before it was over. */
export class Stopped extends Error {}

/** As in `git bisect run`: the exit code of a test that cannot tell. */
const CANNOT_TELL = 125;
const NOT_RUN = [126, 127];

export class Trials {
  /** How many were run. */
  count = 0;
  readonly #options: TrialOptions;
  /** The whole session did not end in time either, so that is what is looked for. */
  #isLate = false;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** Runs the test without looking at what is known. The first time, on the whole session. */
  async run(frames: readonly number[], stop = this.#options.stop): Promise<TestResult> {
    const { folder, test, timeout, env, write } = this.#options;
    const own = join(folder, String(++this.count));
    mkdirSync(own, { mode: 0o700 });
    try {
      const tape = join(own, 'tape.jsonl');
      write(frames, tape);
      const outcome = await runTest({ test, tape, folder: own, env, timeout, stop });
      if (this.count === 1) this.#isLate = outcome.isLate;
      return outcome;
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }

  verdictOf({ code, isLate }: TestResult): TrialVerdict {
    if (isLate) return this.#isLate ? 'fails' : 'unknown';
    if (this.#isLate) return 'passes';
    if (code === 0) return 'passes';
    return code === CANNOT_TELL || NOT_RUN.includes(code ?? 0) ? 'unknown' : 'fails';
  }

  /** The first of these sets of frames for which the test fails, or -1. */
  async firstFailing(count: number, candidate: (n: number) => readonly number[]): Promise<number> {
    const running = new Map<number, AbortController>();
    let next = 0;
    let found = count;
    const worker = async () => {
      while (next < found) {
        const n = next++;
        const cancel = new AbortController();
        running.set(n, cancel);
        const verdict = await this.#judge(candidate(n), cancel.signal);
        running.delete(n);
        if (verdict !== 'fails' || n > found) continue;
        found = n;
        // Whatever comes after it does not count.
        for (const [later, one] of running) if (later > n) one.abort();
      }
    };
    // None may still run when its folder goes.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(this.#options.jobs, count) }, worker));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return found === count ? -1 : found;
  }

  /** Null if it was cancelled. */
  async #judge(frames: readonly number[], cancelled: AbortSignal): Promise<TrialVerdict | null> {
    const { memory, stop, tried } = this.#options;
    const key = createHash('sha256').update(rangesOf(frames)).digest('hex').slice(0, KEY_LENGTH);
    const known = memory.get(key);
    if (known !== undefined) return known;
    if (stop.aborted) throw new Stopped();
    const outcome = await this.run(frames, AbortSignal.any([cancelled, stop]));
    if (stop.aborted) throw new Stopped();
    if (cancelled.aborted) return null;
    const verdict = this.verdictOf(outcome);
    memory.set(key, verdict);
    tried();
    return verdict;
  }
}
