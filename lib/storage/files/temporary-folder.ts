/** Temporary files and folders. They must not outlive the program: a signal that ends it removes them first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolderFailure } from './write-failure.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const temporaryPaths = new Set<string>();

function removeAllAndEnd(signal: NodeJS.Signals): void {
  for (const path of temporaryPaths) rmSync(path, { recursive: true, force: true });
  temporaryPaths.clear();
  for (const one of SIGNALS) process.off(one, removeAllAndEnd);
  // There is no handler now, so the signal ends the program.
  process.kill(process.pid, signal);
}

export function removeAtSignal(path: string): void {
  if (temporaryPaths.size === 0) for (const signal of SIGNALS) process.on(signal, removeAllAndEnd);
  temporaryPaths.add(path);
}

/** It is complete, or gone. */
export function keepAtSignal(path: string): void {
  if (temporaryPaths.delete(path) && temporaryPaths.size === 0)
    for (const signal of SIGNALS) process.off(signal, removeAllAndEnd);
}

/** Whether the path is in a temporary folder. */
export function isTemporary(path: string): boolean {
  for (const folder of temporaryPaths) if (path.startsWith(`${folder}/`)) return true;
  return false;
}

/** A folder among the temporary files. */
export interface TemporaryFolder {
  path: string;
  remove(): void;
}

/** `parent`: another place than that of temporary files, which is chosen because what is made there stays there. */
export function temporaryFolder(prefix: string, parent = tmpdir()): TemporaryFolder {
  const path = makeTemporaryFolder(prefix, parent);
  removeAtSignal(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
      keepAtSignal(path);
    },
  };
}

/** The same for those who remove it themselves. Throws a `Failure`. */
export function makeTemporaryFolder(prefix: string, parent = tmpdir()): string {
  try {
    return mkdtempSync(join(parent, prefix));
  } catch (error) {
    throw temporaryFolderFailure(parent, error);
  }
}
