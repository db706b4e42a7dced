/** Temporary files and folders. They must not outlive the program: a signal that ends it removes them first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchFailure } from './trouble.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const passing = new Set<string>();

function leave(signal: NodeJS.Signals): void {
  for (const path of passing) rmSync(path, { recursive: true, force: true });
  passing.clear();
  for (const one of SIGNALS) process.off(one, leave);
  // There is no handler now, so the signal ends the program.
  process.kill(process.pid, signal);
}

export function removeAtSignal(path: string): void {
  if (passing.size === 0) for (const signal of SIGNALS) process.on(signal, leave);
  passing.add(path);
}

/** It is complete, or gone. */
export function keepAtSignal(path: string): void {
  if (passing.delete(path) && passing.size === 0) for (const signal of SIGNALS) process.off(signal, leave);
}

/** Whether the path is in a temporary folder. */
export function isScratch(path: string): boolean {
  for (const folder of passing) if (path.startsWith(`${folder}/`)) return true;
  return false;
}

/** A folder among the temporary files. */
export interface Scratch {
  path: string;
  remove(): void;
}

/** `parent`: another place than that of temporary files, which is chosen because what is made there stays there. */
export function scratchFolder(prefix: string, parent = tmpdir()): Scratch {
  const path = made(parent, prefix);
  removeAtSignal(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      keepAtSignal(path);
    },
  };
}

function made(parent: string, prefix: string): string {
  try {
    return mkdtempSync(join(parent, prefix));
  } catch (error) {
    throw scratchFailure(parent, error);
  }
}
