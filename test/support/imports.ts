/** Foreign files of real programs, and what becomes of a file that is imported. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Metadata } from '../../lib/model/frame.ts';
import { makeFolder, sessionsDir } from '../../lib/storage/store/home.ts';
import { ImportBatch } from '../../lib/storage/store/import-batch.ts';
import { findSources } from '../../lib/storage/tape/import/find-sources.ts';
import { surveySource } from '../../lib/storage/tape/import/survey.ts';
import { readTape } from '../../lib/storage/tape/read.ts';
import { type Verification, verifyTape } from '../../lib/storage/tape/verify.ts';
import type { Place } from './store.ts';

export const IMPORTS = fileURLToPath(new URL('../fixtures/imports/', import.meta.url));

/** The file of a fixture whose path ends like this. */
export function fileIn(fixture: string, end: string): string {
  const folder = join(IMPORTS, fixture);
  const names = readdirSync(folder, { recursive: true }) as string[];
  return join(folder, names.find((name) => name.endsWith(end) && !name.includes('subagents'))!);
}

export interface ImportedSession {
  tape: string;
  metadata: Metadata;
  frames: Frame[];
  notes: string[];
  skipped: number;
  verdict: Verification['verdict'];
}

/** Imports what is found at a path, which must be one session. */
export function importOne(place: Place, path: string): ImportedSession {
  const found = findSources([path], () => false);
  const [one] = found;
  if (one?.is !== 'source' || found.length > 1) throw new Error(`one session expected: ${JSON.stringify(found)}`);
  const seen = surveySource(one.source);
  const batch = new ImportBatch({ home: place.home, dialect: null });
  const id = batch.add(one.source, seen, { name: null, tags: {} });
  batch.settle();
  const tape = join(sessionsDir(place.home), id, 'wire.jsonl');
  const { metadata, frames } = readWhole(tape);
  const { verdict } = verifyTape(tape);
  return { tape, metadata, frames, notes: seen.notes, skipped: seen.findings.unread, verdict };
}

/** A tape whole, with copies of its lines. */
export function readWhole(tape: string): { metadata: Metadata; frames: Frame[] } {
  const frames: Frame[] = [];
  let metadata: Metadata | null = null;
  for (const entry of readTape(tape)) {
    if (entry.is === 'metadata') metadata = entry.metadata;
    if (entry.is === 'frame') frames.push({ ...entry.frame, raw: Buffer.from(entry.frame.raw) });
    if (entry.is === 'damaged' || entry.is === 'torn') throw new Error(`a line that cannot be read in ${tape}`);
  }
  return { metadata: metadata!, frames };
}

/** A file in the test's own folder. */
export function writeIn(place: Place, name: string, content: string | Uint8Array): string {
  const path = join(place.dir, name);
  makeFolder(dirname(path));
  writeFileSync(path, content);
  return path;
}

export const textOfFrame = ({ raw }: Frame): string => Buffer.from(raw).toString();
