/** Rebuilds the tape from the journal of a dead recorder. */
import { readFileSync, statSync } from 'node:fs';
import { parseRecords } from './journal.ts';
import { JournalReader } from './journal-reader.ts';
import { TapeSink } from './sink.ts';
import { TapeBuilder, type TapeLimits } from './write.ts';

/** Returns the digest of the final seal, or null if the journal cannot be used. */
export function rebuildTape(journal: string, fd: number, limits?: Partial<TapeLimits>): string | null {
  const reader = new JournalReader(journal);
  try {
    const sink = new TapeSink(fd);
    const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into), limits);
    while (reader.readBlock(builder.take)) {}
    reader.readRemains(builder.take);
    reader.readKeptAside(builder.take);
    const rest = readRest(`${journal}.rest`);
    if (rest) parseRecords(rest, rest.length, 0, builder.take);
    // If there is a rest file, the recorder was not killed: its disk did not take the last records.
    builder.endAsLost(rest ? 'unwritable' : null);
    sink.flush();
    return builder.digest;
  } finally {
    reader.close();
  }
}

/** A recorder leaves only a few records there. */
const MAX_REST_BYTES = 1 << 20;

/** Reads the records in the rest file, which belong after all others. */
export function readRest(path: string): Buffer | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_REST_BYTES ? readFileSync(path) : null;
}
