/** Joins Content-Length frames that a file has as lines, as readers of tapes do. */
import { type Frame, NO_DETAIL } from '../../../model/frame.ts';
import { Rejoiner } from '../rejoin.ts';
import type { ImportEntry, ImportFindings } from './source.ts';

/** Lines are in memory, and have their own times. */
export function* rejoinEntries(entries: Iterable<ImportEntry>, findings: ImportFindings): Generator<ImportEntry> {
  const rejoiner = new Rejoiner();
  for (const entry of entries) {
    const frame = frameOf(entry);
    if (frame && rejoiner.wants(frame)) for (const made of rejoiner.take(frame)) yield entryOf(made);
    else yield entry;
  }
  yield* [...rejoiner.end()].map(entryOf);
  if (rejoiner.isActive) findings.notes.add(REJOINED_NOTE);
}

export const REJOINED_NOTE =
  'its Content-Length frames had been recorded as lines: they were joined, and have new numbers';

/** Null for a line without a time, whose place is not known. */
function frameOf(entry: ImportEntry): Frame | null {
  const { at, from } = entry;
  if (at === null) return null;
  const about = { f: 1, t: at, t0: null, from };
  if (entry.is === 'event')
    return { ...about, form: 'event', raw: new Uint8Array(0), eol: '\n', event: entry.event, detail: entry.detail };
  const { raw, eol, head } = entry;
  if (!(raw instanceof Uint8Array)) return null;
  return { ...about, form: 'text', raw, eol, head: head ?? undefined, event: null, detail: NO_DETAIL };
}

function entryOf({ t, t0, from, form, raw, eol, head, event, detail }: Frame): ImportEntry {
  if (form === 'event') return { is: 'event', at: t, from, event: event!, detail };
  return { is: 'line', at: t, begunAt: t0, from, raw, eol, head: head ?? null };
}
