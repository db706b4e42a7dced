/** The formats of `export`. A new format is a file here and a line in the list. */
import type { Session } from '../../session/session.ts';
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
  /** The very bytes that were recorded: nothing is redacted. */
  exact?: true;
  /** How names of files end, if not with the name of the format. */
  ending?: string;
  /** The file in pieces, each valid until the next is requested. */
  write(session: Session, events: ExportEvents): ExportPieces;
  /** The same for two sessions in one file, if the format can compare them. */
  compare?(a: Session, b: Session, events: ExportEvents): ExportPieces;
}

export type ExportPieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** What an export reports while it is written. */
export interface ExportEvents {
  /** What was left out. */
  note(message: string): void;
  /** In bytes of the tapes. */
  progress(done: number, all: number): void;
  /** How many frames a page has, when it is complete. */
  frames?(count: number): void;
  /** How many values of each kind were replaced in a session, once it was read. */
  replaced?(session: Session): Record<string, number>;
}

export const FORMATS: readonly ExportFormat[] = [
  ...[html, md, json, csv, mermaid, perfetto, otlp, asciicast],
  ...[jsonl, kimi],
];
