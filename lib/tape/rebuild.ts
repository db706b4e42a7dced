/** The whole tape of a journal whose recorder is gone, into an open file. */
import { JournalReader } from './journal.ts';
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
    builder.endAsLost();
    sink.flush();
  } finally {
    reader.close();
  }
}
