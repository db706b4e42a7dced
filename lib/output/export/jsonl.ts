/**
 * The tape itself, byte for byte, including its seals. An incomplete last line is left out. A session without a tape is
 * written as one.
 */
import type { Session } from '../../session/session.ts';
import { parseMetadata, readLines } from '../../storage/tape/read.ts';
import { tapeLines } from '../../storage/tape/tape-lines.ts';
import type { ExportEvents, ExportFormat } from './index.ts';

export const jsonl = {
  name: 'jsonl',
  exact: true,
  summary: 'the tape itself, not redacted; verify, show and import read it',
  write(session: Session, { note }: Pick<ExportEvents, 'note'>): Generator<string | Uint8Array> {
    const { tape, metadata } = session;
    return tape === '' ? tapeLines(metadata, session.frames()) : copyOf(tape, note);
  },
} satisfies ExportFormat;

const LF = Buffer.from('\n');

function* copyOf(tape: string, note: (message: string) => void): Generator<Uint8Array> {
  let first = true;
  for (const { line, long, whole } of readLines(tape)) {
    if (first) parseMetadata(line);
    first = false;
    if (!whole) note('left out the incomplete last line of the tape');
    else if (!long) yield Buffer.concat([line, LF]);
    else {
      for (const block of long.blocks()) yield Buffer.from(block);
      yield LF;
    }
  }
}
