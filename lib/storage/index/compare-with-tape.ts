/** Compares the rows of a session with its whole tape. */
import { bytesOf, type Seal } from '../../model/frame.ts';
import { tapeOf } from '../store/sessions.ts';
import { otherTapeIn } from '../store/tape-owner.ts';
import { readTape } from '../tape/read.ts';
import { type SessionRow, summaryOf } from './session-rows.ts';
import type { Database } from './sqlite.ts';

/** Describes the differences. `row` is settled, and the folder has not changed since. */
export function differencesFromTape(db: Database, row: SessionRow, dir: string): string[] {
  // Its tape is gone: `verify` says so. The rows are all that is left of it.
  if (otherTapeIn(dir) !== null) return [];
  const tape = measureTape(tapeOf(dir));
  const { bytes, digest } = summaryOf(row);
  const count = db.prepare('SELECT count(*) FROM frames WHERE session = ?').pluck();
  const rows = count.get(row.key) as number;
  const found: string[] = [];
  // If frame numbers repeat there are fewer rows than frames, and the rows are not searched.
  if (row.in_order === 1 && rows !== tape.frames) found.push(`${rows} of its ${tape.frames} frames have a row`);
  if (bytes !== tape.bytes) found.push(`its row says ${bytes} bytes, its tape has ${tape.bytes}`);
  if (digest !== tape.digest) found.push('the digest in its row is not that of its tape');
  return found;
}

function measureTape(path: string): { frames: number; bytes: number; digest: string | null } {
  let frames = 0;
  let bytes = 0;
  let seal: Seal | null = null;
  for (const entry of readTape(path)) {
    if (entry.is === 'seal') seal = entry.seal;
    if (entry.is !== 'frame') continue;
    const { frame } = entry;
    frames++;
    if (frame.form !== 'event') bytes += bytesOf(frame);
    seal = null;
  }
  return { frames, bytes, digest: seal?.final ? seal.sha256 : null };
}
