/** The formats of `export`. A new format is a file here and a line in the list. */
import type { Session } from '../session/session.ts';
import { asciicast } from './asciicast.ts';
import { csv } from './csv.ts';
import { json } from './json.ts';
import { jsonl } from './jsonl.ts';
import { kimi } from './kimi.ts';
import { md } from './md.ts';
import { mermaid } from './mermaid.ts';
import { otlp } from './otlp.ts';
import { perfetto } from './perfetto.ts';

export interface ExportFormat {
  name: string;
  summary: string;
  /** The file in pieces, each valid until the next is requested. `note` receives a message about what was left out. */
  write(session: Session, note: (message: string) => void): Generator<string | Uint8Array>;
}

export const FORMATS: readonly ExportFormat[] = [jsonl, kimi, json, csv, md, mermaid, perfetto, otlp, asciicast];
