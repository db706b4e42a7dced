/** Incomplete lines and bodies, which are in the journal but not on the tape yet. */
import type { Stream } from '../../model/frame.ts';
import type { UnfinishedLine } from '../../model/moment.ts';
import { STREAM_OF } from './journal.ts';
import { JournalReader } from './journal-reader.ts';
import { type SplitterOutput, StreamSplitter } from './splitter.ts';

const LF = 0x0a;
/** So many bytes of a line are shown. */
const MAX_HEAD_LENGTH = 200;

/** The incomplete lines of a session that is being recorded. Reads the whole journal. */
export function unfinishedLines(journal: string): UnfinishedLine[] {
  const reader = new JournalReader(journal);
  const streams = new Map<Stream, UnfinishedStream>();
  try {
    let more = true;
    while (more) {
      more = reader.readBlock((kind, t, buf, start, end) => {
        const from = STREAM_OF[kind];
        if (!from) return;
        if (!streams.has(from)) streams.set(from, new UnfinishedStream(from));
        streams.get(from)!.take(t, buf, start, end);
      });
    }
  } finally {
    reader.close();
  }
  return [...streams.values()].flatMap((stream) => stream.unfinished ?? []);
}

class UnfinishedStream implements SplitterOutput {
  readonly #from: Stream;
  /** Null for a stream of plain lines. */
  #splitter: StreamSplitter | null;
  #bytes = 0;
  #head = '';
  #t = 0;

  constructor(from: Stream) {
    this.#from = from;
    this.#splitter = from === 'stderr' ? null : new StreamSplitter();
  }

  take(t: number, buf: Buffer, start: number, end: number): void {
    const at = this.#splitter?.feed(t, buf, start, end, 0, this) ?? start;
    if (this.#splitter?.isPlain) this.#splitter = null;
    if (at === end) return;
    const after = buf.subarray(at, end).lastIndexOf(LF) + 1;
    if (after > 0) this.line();
    this.part(t, buf, at + after, end);
  }

  get unfinished(): UnfinishedLine | null {
    const header = this.#splitter?.header ?? '';
    const missing = this.#splitter?.missing ?? null;
    const of = missing === null ? null : this.#bytes + missing;
    const t = (header === '' ? this.#t : this.#splitter!.headerAt) / 1e6;
    const bytes = missing === null ? this.#bytes + header.length : this.#bytes;
    // A body that has not begun is shown by its header.
    const head = this.#bytes > 0 ? this.#head : header.trimEnd();
    return bytes > 0 || missing !== null ? { from: this.#from, bytes, of, head, t } : null;
  }

  part(t: number, buf: Buffer, start: number, end: number): void {
    if (start === end) return;
    if (this.#bytes === 0) this.#t = t;
    // A character that is cut off, or no UTF-8, is shown as U+FFFD.
    if (this.#bytes < MAX_HEAD_LENGTH)
      this.#head += buf.toString('utf8', start, Math.min(end, start + MAX_HEAD_LENGTH - this.#bytes));
    this.#bytes += end - start;
  }

  line(): void {
    this.#bytes = 0;
    this.#head = '';
  }

  body(): void {
    this.line();
  }

  lost(): void {}
}
