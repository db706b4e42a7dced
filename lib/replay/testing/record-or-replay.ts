/** A program that records the real agent once, and replays it from then on. */
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../model/failure.ts';
import { quote } from '../../model/text/shell.ts';
import { fileAt } from '../../storage/files/destination.ts';
import { readTape } from '../../storage/tape/read.ts';
import { verifyTape } from '../../storage/tape/verify.ts';
import type { ProgramRun } from '../program-runs.ts';
import type { ReplayOptions } from './replay-agent.ts';
import { programOf, ReplayProgram, wiretape } from './replay-program.ts';

export interface RecordOrReplayOptions extends ReplayOptions {
  /** Record again although the tape exists. Default: whether `$WIRETAPE_UPDATE` is set. */
  update?: boolean;
}

const RECORD_AGAIN_HINT = 'record it again: set WIRETAPE_UPDATE=1, or the option update';
/** Milliseconds that an agent has to end after its client has ended, before it gets SIGTERM. */
const GRACE_MS = 5000;
/** Milliseconds in which the tape is written after the end of the agent. */
const TAPE_WAIT_MS = 10_000;

/**
 * A program that records the agent to `tape` if that file does not exist, and replays it if it does: a test that runs
 * against the real agent once and from the tape from then on.
 */
export function recordOrReplay(
  tape: string,
  agent: readonly string[],
  { update = isSet(process.env.WIRETAPE_UPDATE), ...options }: RecordOrReplayOptions = {},
): ReplayProgram {
  // A device or a pipe is no tape of an earlier run.
  if (update && fileAt(tape, true).before) rmSync(tape);
  if (existsSync(tape)) return programOf(tape, options, { accept: RECORD_AGAIN_HINT });
  const path = resolve(tape);
  const terminated = new Set<number>();
  return new ReplayProgram({
    mode: 'record',
    command: wiretape(options.home, ['record', '--tape', path, '--', ...agent]),
    options: () => '',
    onLate({ pid }, ms) {
      if (ms < GRACE_MS || terminated.has(pid)) return;
      terminated.add(pid);
      terminate(pid);
    },
    outcome: (runs) => recorded(path, runs),
  });
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

/** Nothing is compared, but there must be a tape to replay the next time. */
async function recorded(tape: string, runs: readonly ProgramRun[]): Promise<null> {
  if (runs.length === 0)
    throw new Failure('the client never started the program', `nothing was recorded to ${tape}: start program.path`);
  const began = performance.now();
  while (!isComplete(tape) && performance.now() - began < TAPE_WAIT_MS) await sleep(20);
  if (!isComplete(tape)) throw new Failure(`${quote(tape)} is not complete`, 'remove it and record again');
  if (hasNoAgent(tape)) {
    rmSync(tape, { force: true });
    throw new Failure('the agent could not be started', 'nothing was recorded: check the command of the agent');
  }
  if (runs.length > 1)
    throw new Failure(
      `the client started the program ${runs.length} times, but a tape holds one run`,
      'the tape has the first run; give each start a program of its own',
    );
  return null;
}

function isComplete(tape: string): boolean {
  return existsSync(tape) && ['intact', 'recovered'].includes(verifyTape(tape).verdict);
}

function hasNoAgent(tape: string): boolean {
  for (const line of readTape(tape)) if (line.is === 'frame' && line.frame.event === 'spawn-failed') return true;
  return false;
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}
