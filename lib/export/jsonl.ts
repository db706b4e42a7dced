/**
 * The tape itself, byte for byte, seals included: what `verify`, `show` and `import` take anywhere. A last line that its
 * recorder has not finished writing is left out.
 */
import { parseMetadata, readLines } from '../tape/read.ts';
import type { ExportFormat } from './index.ts';

export const jsonl: ExportFormat = {
  name: 'jsonl',
  summary: 'the tape itself, for verify, show and import elsewhere',
  *write(tape, note) {
    let first = true;
    for (const { line, long, whole } of readLines(tape)) {
      if (first) parseMetadata(line);
      first = false;
      if (!whole) note('the tape ends within a line, which is left out');
      else if (!long) yield Buffer.concat([line, LF]);
      else {
        for (const block of long.blocks()) yield Buffer.from(block);
        yield LF;
      }
    }
  },
};

const LF = Buffer.from('\n');
