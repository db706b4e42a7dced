/** The whole tape of a journal whose recorder is gone, into an open file. */
import { JournalReader } from './journal.ts';
import { TapeSink } from './sink.ts';
import { TapeBuilder } from './write.ts';

export function rebuildTape(journal: string, fd: number, longestText?: number): void {
  const reader = new JournalReader(journal);
  try {
    const sink = new TapeSink(fd);
    const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into), longestText);
    while (reader.readBlock(builder.take)) {}
    reader.readRemains(builder.take);
    reader.readKeptAside(builder.take);
    builder.endAsLost();
    sink.flush();
  } finally {
    reader.close();
  }
}
