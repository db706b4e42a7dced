/** The whole tape of a journal whose recorder is gone, into an open file. */
import { readFileSync, statSync } from 'node:fs';
import { parse } from './journal.ts';
import { JournalReader } from './journal-reader.ts';
import { TapeSink } from './sink.ts';
import { TapeBuilder, type WriterLimits } from './write.ts';

export function rebuildTape(journal: string, fd: number, limits?: Partial<WriterLimits>): void {
  const reader = new JournalReader(journal);
  try {
    const sink = new TapeSink(fd);
    const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into), limits);
    while (reader.readBlock(builder.take)) {}
    reader.readRemains(builder.take);
    reader.readKeptAside(builder.take);
    const rest = readRest(`${journal}.rest`);
    if (rest) parse(rest, rest.length, 0, builder.take);
    // A recorder that came to its own end was not killed, though its disk may have taken none of it.
    builder.endAsLost(rest ? 'unwritable' : null);
    sink.flush();
  } finally {
    reader.close();
  }
}

/** More than the few records that a recorder leaves there was not made by one. */
const LONGEST_REST = 1 << 20;

/** Records that belong behind all others, and stand in a file of their own. */
export function readRest(path: string): Buffer | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= LONGEST_REST ? readFileSync(path) : null;
}
