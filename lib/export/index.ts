/** The formats of `export`: a new one is a file here and a line in the list. */
import { jsonl } from './jsonl.ts';
import { kimi } from './kimi.ts';

export interface ExportFormat {
  name: string;
  summary: string;
  /** The file, piece by piece; a piece is valid until the next is asked for. `note` hears what was left out, and why. */
  write(tape: string, note: (message: string) => void): Generator<string | Uint8Array>;
}

export const FORMATS: readonly ExportFormat[] = [jsonl, kimi];
