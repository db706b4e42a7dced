/**
 * Starts the agent: in a process group of its own, with pipes for all three streams (never terminals), and with the
 * argv, directory and environment it would have had without us.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { closePipe, pipesLikeOurs } from './pipes.ts';

export interface Agent {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
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

/** Resolves when the agent runs. The process may be gone again a moment later: that is the agent's own affair. */
export async function startAgent(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  onBirth: (pid: number) => void,
): Promise<Agent> {
  const [file, ...args] = command;
  if (file === '') throw new SpawnFailure("''", 'ENOENT');
  const pipes = pipesLikeOurs();
  try {
    const stdio = pipes.map((pipe) => pipe?.theirs ?? ('pipe' as const));
    const spawned = spawn(file!, args, { stdio, detached: true, env });
    if (spawned.pid !== undefined) onBirth(spawned.pid);
    const child = await started(spawned);
    for (const pipe of pipes) if (pipe) closeSync(pipe.theirs);
    const [stdin, stdout, stderr] = pipes.map((pipe, fd) => pipe && openPipe(pipe.ours, fd));
    return {
      pid: child.pid!,
      stdin: stdin ?? child.stdin!,
      stdout: stdout ?? child.stdout!,
      stderr: stderr ?? child.stderr!,
      exit: new Promise((done) => child.once('exit', (code, signal) => done({ code, signal }))),
    };
  } catch (error) {
    for (const pipe of pipes) if (pipe) closePipe(pipe);
    // Arguments that no process can be given (a NUL byte, a list too long) are refused without a number.
    throw new SpawnFailure(file!, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
}

function openPipe(fd: number, theirs: number): Socket {
  return new Socket({ fd, readable: theirs !== 0, writable: theirs === 0 });
}

/** The process, if there is one: `spawn` knows at once, and says why not a moment later. */
function started(child: ChildProcess): Promise<ChildProcess> | ChildProcess {
  if (child.pid !== undefined) return child;
  return new Promise((_, reject) => child.once('error', reject));
}
