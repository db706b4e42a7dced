/**
 * Any file of JSON lines, such as one side of a conversation saved with `tee`. The lines are kept verbatim. Such a file does
 * not contain speakers or times, and the notes say so.
 */
import { readLines } from '../read.ts';
import type { ImportEntry, ImportFindings, ImportFormat } from './source.ts';

const CR = 0x0d;

export const jsonl: ImportFormat = {
  name: 'jsonl',
  recognise: (first) => first.length > 0,
  open: (path) => ({ format: 'jsonl', path, rebuilt: false, read: (findings) => read(path, findings) }),
};

function* read(path: string, findings: ImportFindings): Generator<ImportEntry> {
  findings.notes.add('the file does not say who spoke: every line is taken for the agent');
  for (const { line, long, whole } of readLines(path)) {
    const crlf = whole && (long ? long.last(1) : line).at(-1) === CR;
    const end = (long?.length ?? line.length) - (crlf ? 1 : 0);
    const raw = long ? { length: end, blocks: () => long.blocks(0, end) } : Buffer.from(line.subarray(0, end));
    yield { is: 'line', at: null, begunAt: null, from: 'agent', raw, eol: !whole ? '' : crlf ? '\r\n' : '\n' };
  }
}
