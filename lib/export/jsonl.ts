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
    for (const { line, whole } of readLines(tape)) {
      if (first) parseMetadata(line);
      first = false;
      if (whole) yield Buffer.concat([line, LF]);
      else note('the tape ends within a line, which is left out');
    }
  },
};

const LF = Buffer.from('\n');
