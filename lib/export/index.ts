/** The formats of `export`. A new format is a file here and a line in the list. */
import type { Session } from '../session/session.ts';
import { asciicast } from './asciicast.ts';
import { csv } from './csv.ts';
import { html } from './html-format.ts';
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
  /** The file in pieces, each valid until the next is requested. */
  write(session: Session, telling: Telling): Pieces;
}

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Whom an export tells about itself. */
export interface Telling {
  /** What was left out. */
  note(message: string): void;
  progress(done: number, all: number): void;
}

export const FORMATS: readonly ExportFormat[] = [
  ...[html, md, json, csv, mermaid, perfetto, otlp, asciicast],
  ...[jsonl, kimi],
];
