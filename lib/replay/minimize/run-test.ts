/** Runs the test command once, in its own process group, and ends everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../../model/text/shell.ts';
import { Timer } from '../../storage/system/wakeup.ts';
import { LongLine } from '../../storage/tape/long-line.ts';

export interface TestRun {
  /** For the shell. `{}` stands for the path of the tape. */
  test: string;
  tape: string;
  /** A folder of this run's own. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** In seconds; null for no limit. */
  timeout: number | null;
  stop: AbortSignal;
}

export interface TestResult {
  code: number | null;
  signal: string | null;
  isLate: boolean;
  /** The last lines that it printed. */
  lastLines: string[];
}

/** Between being asked to end and being killed. */
const GRACE_SECONDS = 1;
const MAX_OUTPUT_LINES = 5;
const MAX_OUTPUT_BYTES = 64 * 1024;

export async function runTest({ test, tape, folder, env, timeout, stop }: TestRun): Promise<TestResult> {
  const output = join(folder, 'output');
  const fd = openSync(output, 'a', 0o600);
  const command = test.replaceAll('{}', quote(tape));
  const options = { detached: true, env: { ...env, WIRETAPE_TAPE: tape }, stdio: ['ignore', fd, fd] as const };
  const child = spawn('/bin/sh', ['-c', command], { ...options, stdio: [...options.stdio] });
  closeSync(fd);
  let isLate = false;
  const end = () => endGroup(child);
  const timer = new Timer(() => {
    isLate = true;
    end();
  });
  timer.set(timeout ?? Number.POSITIVE_INFINITY);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  try {
    const { code, signal } = await exitOf(child);
    return { code, signal, isLate, lastLines: lastLines(output) };
  } finally {
    timer.clear();
    stop.removeEventListener('abort', end);
    // What it started and left behind.
    signalGroup(child, 'SIGKILL');
  }
}

function exitOf(child: ChildProcess): Promise<Pick<TestResult, 'code' | 'signal'>> {
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code, signal) => done({ code, signal }));
  });
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = new Timer(() => signalGroup(child, 'SIGKILL'));
  timer.set(GRACE_SECONDS);
  child.once('exit', () => timer.clear());
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of them are gone.
  }
}

function lastLines(path: string): string[] {
  const { size } = statSync(path);
  const text = new LongLine(path, 0, size).last(MAX_OUTPUT_BYTES).toString('utf8');
  return text.trimEnd().split('\n').slice(-MAX_OUTPUT_LINES);
}
