import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Finds an executable by the rules of execvp; null if there is none. */
export function resolveExecutable(file: string, path = process.env.PATH ?? ''): string | null {
  const candidates = file.includes('/') ? [file] : path.split(delimiter).map((dir) => resolve(dir || '.', file));
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return resolve(candidate);
    } catch {
      // Try the next directory.
    }
  }
  return null;
}
