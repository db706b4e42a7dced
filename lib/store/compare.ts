/** Whether the rows of a session are those of its tape: all of it is read, which is more than any query does. */
import type { Seal } from '../core/frame.ts';
import { readTape } from '../tape/read.ts';
import { type SessionRow, summaryOf } from './rows.ts';
import { tapeOf } from './sessions.ts';
import type { Database } from './sqlite.ts';

/** What differs, in words. `row` is settled, and nothing of the folder has changed since. */
export function differences(db: Database, row: SessionRow, dir: string): string[] {
  const tape = measure(tapeOf(dir));
  const { bytes, digest } = summaryOf(row);
  const count = db.prepare('SELECT count(*) FROM frames WHERE session = ?').pluck();
  const rows = count.get(row.key) as number;
  const found: string[] = [];
  // Where numbers stand twice there are fewer rows than frames, and nobody asks them.
  if (row.in_order === 1 && rows !== tape.frames) found.push(`${rows} of its ${tape.frames} frames have a row`);
  if (bytes !== tape.bytes) found.push(`its row tells of ${bytes} bytes, its tape of ${tape.bytes}`);
  if (digest !== tape.digest) found.push('its row has another digest than its tape');
  return found;
}

function measure(path: string): { frames: number; bytes: number; digest: string | null } {
  let frames = 0;
  let bytes = 0;
  let seal: Seal | null = null;
  for (const entry of readTape(path)) {
    if (entry.is === 'seal') seal = entry.seal;
    if (entry.is !== 'frame') continue;
    const { form, raw, eol } = entry.frame;
    frames++;
    if (form !== 'event') bytes += raw.length + eol.length;
    seal = null;
  }
  return { frames, bytes, digest: seal?.final ? seal.sha256 : null };
}
