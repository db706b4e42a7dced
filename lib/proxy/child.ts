/**
 * Starts the agent: in a process group of its own, with pipes for all three streams (never terminals), and with the
 * argv, directory and environment it would have had without us.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { findLauncher, orderAgent, type Start } from './launcher.ts';
import { closePipe, pipesLikeOurs } from './pipes.ts';

export interface Agent {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Lets its streams flow; before that they keep what comes, even when it has ended. */
  release(): void;
  /** How it ended, when it has. */
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** 126 where the agent is there but cannot be executed, 127 where it is not there: as every shell has it. */
export class SpawnFailure extends Error {
  readonly exitCode: 126 | 127;
  readonly errno: string;

  constructor(command: string, errno: string) {
    const missing = errno === 'ENOENT';
    super(missing ? `agent not found: ${command}` : `cannot execute ${command} (${errno})`);
    this.name = 'SpawnFailure';
    this.exitCode = missing ? 127 : 126;
    this.errno = errno;
  }
}

export interface StartOptions {
  env: NodeJS.ProcessEnv;
  /** How we were started ourselves. */
  start: Start;
  /** Told the number of its process, and so of its group, before it does anything (or, without launcher, at once). */
  onBirth: (pid: number) => void;
}

/** Resolves when the agent runs. The process may be gone again a moment later: that is the agent's own affair. */
export async function startAgent(command: readonly string[], options: StartOptions): Promise<Agent> {
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
    // Arguments that no process can be given (a NUL byte, a list too long) are refused without a number.
    throw new SpawnFailure(file!, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}

interface Started extends Pick<Agent, 'exit' | 'release'> {
  process: ChildProcess;
}

async function spawnAgent(
  command: readonly string[],
  streams: readonly (number | 'pipe')[],
  { env, start, onBirth }: StartOptions,
): Promise<Started> {
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
  const exit: Agent['exit'] = new Promise((done) => process.once('exit', (code, signal) => done({ code, signal })));
  const release = holdBack(process);
  if (process.pid === undefined) await failure(process);
  onBirth(process.pid!);
  if (launcher) await orderAgent(process.stdio[gate] as Duplex, command, env, start);
  return { process, exit, release };
}

/** When a child has ended, Node lets streams that nobody listens to run dry; one that is read by hand it leaves alone. */
function holdBack({ stdout, stderr }: ChildProcess): () => void {
  const nothing = (): void => {};
  stdout?.on('readable', nothing);
  stderr?.on('readable', nothing);
  return () => {
    stdout?.off('readable', nothing);
    stderr?.off('readable', nothing);
  };
}

/** `spawn` knows at once that there is no process, and says why a moment later. */
function failure(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => child.once('error', reject));
}

function openPipe(fd: number, theirs: number): Socket {
  return new Socket({ fd, readable: theirs !== 0, writable: theirs === 0 });
}
