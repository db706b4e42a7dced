/**
 * The digest of the final seal that a tape got when it was first complete, in a file of the session's folder. It covers the
 * whole tape: whoever edits a tape, or puts another in its place, can compute every seal in the tape again, but not this one.
 * Sessions of older versions have no such file, and are judged by what their tape says of itself.
 */
import { join } from 'node:path';
import { attempt, readObject, replaceFile, SEAL } from './home.ts';

/** To be called before the journal is removed: until then, the tape can be made again. A full disk is no reason to fail. */
export function rememberFirstSeal(dir: string, digest: string | null): void {
  if (digest === null || firstSealOf(dir) === digest) return;
  attempt(() => replaceFile(dir, SEAL, `${JSON.stringify({ sha256: digest })}\n`), undefined);
}

/** Null if it is not known. */
export function firstSealOf(dir: string): string | null {
  const digest: unknown = attempt(() => readObject(join(dir, SEAL)).sha256, null);
  return typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? digest : null;
}
