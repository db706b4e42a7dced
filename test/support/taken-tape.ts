/** Tapes taken out of pages and archives, in a temporary folder that nobody else uses. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeTape } from '../../lib/storage/tape/page.ts';
import type { Place } from './store.ts';

/** The bytes of the tape. Whether it is taken or refused, nothing stays behind. */
export function takenTape({ dir }: Place, page: string, nth: number | null = null): Buffer {
  const folder = join(dir, 'temporary');
  mkdirSync(folder, { recursive: true });
  const outcome = tried(folder, () => {
    const taken = takeTape(page, nth);
    const bytes = readFileSync(taken.path);
    rmSync(taken.folder, { recursive: true });
    return bytes;
  });
  const left = readdirSync(folder);
  if (left.length > 0) throw new Error(`it left ${left.join(', ')} behind`);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function tried<T>(folder: string, work: () => T): { value: T } | { error: unknown } {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
