/** Incomplete lines, which are in the journal but not on the tape yet. */
import type { Stream } from '../core/frame.ts';
import type { UnfinishedLine } from '../core/moment.ts';
import { STREAM_OF } from './journal.ts';
import { JournalReader } from './journal-reader.ts';

const LF = 0x0a;
/** So many bytes of a line are shown. */
const HEAD = 200;

/** The incomplete lines of a session that is being recorded. Reads the whole journal. */
export function unfinishedLines(journal: string): UnfinishedLine[] {
  const reader = new JournalReader(journal);
  const open = new Map<Stream, UnfinishedLine>();
  try {
    let more = true;
    while (more) {
      more = reader.readBlock((kind, t, buf, start, end) => {
        const from = STREAM_OF[kind];
        if (from) add(open, from, t / 1e6, buf.subarray(start, end));
      });
    }
  } finally {
    reader.close();
  }
  return [...open.values()];
}

function add(open: Map<Stream, UnfinishedLine>, from: Stream, t: number, chunk: Buffer): void {
  const behind = chunk.length - 1 - chunk.lastIndexOf(LF);
  const known = behind === chunk.length ? open.get(from) : undefined;
  const rest = chunk.subarray(chunk.length - behind);
  if (known) {
    if (known.bytes < HEAD) known.head += textOf(rest, HEAD - known.bytes);
    known.bytes += behind;
  } else if (behind > 0) open.set(from, { from, bytes: behind, head: textOf(rest, HEAD), t });
  else open.delete(from);
}

/** A character that is cut off, or no UTF-8, is shown as U+FFFD. */
function textOf(bytes: Buffer, most: number): string {
  return bytes.subarray(0, most).toString('utf8');
}
