/**
 * Starts the agent: in a process group of its own, with pipes for all three streams (never terminals), and with the
 * argv, directory and environment it would have had without us.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export type Agent = ChildProcessByStdio<Writable, Readable, Readable>;

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
export async function startAgent(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Agent> {
  const [file, ...args] = command;
  if (file === '') throw new SpawnFailure("''", 'ENOENT');
  let child: Agent;
  try {
    child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env });
  } catch (error) {
    // Arguments that no process can be given (a NUL byte, a list too long) are refused at once.
    throw new SpawnFailure(file!, (error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
  if (child.pid !== undefined) return child;
  return new Promise((_, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(new SpawnFailure(file!, error.code ?? error.message)));
  });
}

/** Where the agent's executable lies, by the rules of execvp; null if it is nowhere. */
export function resolveExecutable(file: string, path = process.env.PATH ?? ''): string | null {
  const candidates = file.includes('/') ? [file] : path.split(delimiter).map((dir) => resolve(dir || '.', file));
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return resolve(candidate);
    } catch {
      // Not this one.
    }
  }
  return null;
}
