/**
 * Starts the agent in its own process group, with pipes (never terminals) for all three streams, and with the argv,
 * directory and environment that it would have without wiretape.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { findLauncher, orderAgent, type StartState } from './launcher.ts';
import { closePipe, pipesLikeOurs } from './pipes.ts';

export interface RunningAgent {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Starts the flow of its output. Until then the streams buffer it, even if the agent has exited. */
  release(): void;
  /** Resolves when the agent has exited. */
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const START_HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'check the name, or give the path of the program',
  EMFILE: 'the limit of open files is too low: see ulimit -n',
  ENFILE: 'this machine has too many open files',
  EAGAIN: 'the limit of processes is too low: see ulimit -u',
  ENOMEM: 'there is not enough memory',
};

/** Exit code 126 if the agent cannot be executed and 127 if it was not found, as in a shell. */
export class SpawnFailure extends Error {
  readonly exitCode: 126 | 127;
  readonly errno: string;
  readonly hint: string;

  constructor(command: string, errno: string) {
    const missing = errno === 'ENOENT';
    super(missing ? `agent not found: ${command}` : `cannot execute ${command} (${errno})`);
    this.name = 'SpawnFailure';
    this.exitCode = missing ? 127 : 126;
    this.errno = errno;
    this.hint = START_HINTS[errno] ?? 'give a program that may be executed';
  }
}

export interface StartOptions {
  env: NodeJS.ProcessEnv;
  start: StartState;
  /** Called with the pid, which is also the process group, before the agent does anything (without a launcher: at once). */
  onBirth: (pid: number) => void;
}

/** Resolves when the agent is running. It may exit right after that. */
export async function startAgent(command: readonly string[], options: StartOptions): Promise<RunningAgent> {
  const [file] = command;
  if (file === '') throw new SpawnFailure("''", 'ENOENT');
  const pipes = pipesLikeOurs();
  try {
    const streams = pipes.map((pipe) => pipe?.theirs ?? ('pipe' as const));
    const child = await spawnAgent(command, streams, options);
    for (const pipe of pipes) if (pipe) closeSync(pipe.theirs);
    const [stdin, stdout, stderr] = pipes.map((pipe, fd) => pipe && openPipe(pipe.ours, fd));
    return {
      pid: child.process.pid!,
      stdin: stdin ?? child.process.stdin!,
      stdout: stdout ?? child.process.stdout!,
      stderr: stderr ?? child.process.stderr!,
      exit: child.exit,
      release: child.release,
    };
  } catch (error) {
    for (const pipe of pipes) if (pipe) closePipe(pipe);
    // Arguments that the system cannot pass on (a NUL byte, a list that is too long) fail without an errno.
    throw new SpawnFailure(file!, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}

interface SpawnedAgent extends Pick<RunningAgent, 'exit' | 'release'> {
  process: ChildProcess;
}

async function spawnAgent(
  command: readonly string[],
  streams: readonly (number | 'pipe')[],
  { env, start, onBirth }: StartOptions,
): Promise<SpawnedAgent> {
  const stdio: (number | 'pipe' | 'ignore')[] = [...streams];
  for (const fd of start.descriptors) stdio[fd] = fd;
  const launcher = findLauncher();
  let gate = 3;
  while (stdio[gate] !== undefined) gate++;
  if (launcher) stdio[gate] = 'pipe';
  for (let fd = 3; fd < stdio.length; fd++) stdio[fd] ??= 'ignore';
  if (command.some((word) => word.includes('\0'))) throw new Error('a NUL byte in its arguments');
  const [file, ...args] = launcher ? [launcher, '--agent', String(gate)] : command;
  const process = spawn(file!, args, { stdio, detached: true, env: launcher ? {} : env });
  const exit: RunningAgent['exit'] = new Promise((done) =>
    process.once('exit', (code, signal) => done({ code, signal })),
  );
  const release = holdBack(process);
  if (process.pid === undefined) await failure(process);
  onBirth(process.pid!);
  if (launcher) await orderAgent(process.stdio[gate] as Duplex, command, env, start);
  return { process, exit, release };
}

/** When a child exits, Node drains streams without listeners; a `readable` listener prevents that. */
function holdBack({ stdout, stderr }: ChildProcess): () => void {
  const nothing = (): void => {};
  stdout?.on('readable', nothing);
  stderr?.on('readable', nothing);
  return () => {
    stdout?.off('readable', nothing);
    stderr?.off('readable', nothing);
  };
}

/** `spawn` reports the reason for a failure in a later event. */
function failure(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => child.once('error', reject));
}

function openPipe(fd: number, theirs: number): Socket {
  return new Socket({ fd, readable: theirs !== 0, writable: theirs === 0 });
}
