/**
 * Imports a file as a session of the store. Like a recording, it becomes a journal first and then a tape. The folder
 * appears when the journal is complete, so that an import that is killed leaves no partial session. The journal stays
 * until the tape is on the disk, which is the business of its batch: should the import be killed before, the next reader
 * finishes it as it would a recording.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT, isoMicros, type Metadata } from '../../model/frame.ts';
import type { SessionNames } from '../../session/session.ts';
import { VERSION } from '../system/installation.ts';
import type { ImportSource } from '../tape/import/source.ts';
import { type SourceSurvey, type TimedEntry, timedEntries } from '../tape/import/survey.ts';
import { encodeImportedLine } from '../tape/imported-line.ts';
import { type Journal, RecordKind } from '../tape/journal.ts';
import type { BlockedLine } from '../tape/partial-line.ts';
import { rebuildTape } from '../tape/rebuild.ts';
import { rememberFirstSeal } from './first-seal.ts';
import { JOURNAL } from './home.ts';
import { createSession } from './session-folder.ts';

export interface ImportOptions {
  home: string;
  names: SessionNames;
  /** If the user named the dialect. */
  dialect: string | null;
}

/** Seals are a second apart, as in recordings. */
const CLOCK_EVERY_MICROS = 1_000_000;

/** A session whose tape is complete, but may not be on the disk yet. */
export interface ImportedSession {
  id: string;
  tape: string;
  journal: string;
}

export function importSession(source: ImportSource, survey: SourceSurvey, options: ImportOptions): ImportedSession {
  const { home, names } = options;
  let failure: Error | null = null;
  const { id, dir, tape } = createSession({
    home,
    startedAt: new Date(survey.startedAt / 1000),
    names,
    tape: null,
    onError: (error) => {
      failure ??= error;
    },
    begin: (session, fresh) => {
      const metadata = importMetadata(session, source, survey, options);
      try {
        fresh.append(RecordKind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
        const frames = writeFrames(fresh, source, survey.startedAt);
        if (failure) throw failure;
        if (frames !== survey.frames) throw new Error('it changed while it was being read');
      } finally {
        fresh.close();
      }
    },
  });
  const journal = join(dir, JOURNAL);
  const fd = openSync(tape, 'r+');
  try {
    rememberFirstSeal(dir, rebuildTape(journal, fd));
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  return { id, tape, journal };
}

function importMetadata(
  session: string,
  source: ImportSource,
  survey: SourceSurvey,
  { dialect }: ImportOptions,
): Metadata {
  const { findings, startedAt, notes } = survey;
  const known = dialect ?? findings.dialect;
  return {
    type: 'metadata',
    wiretape: FORMAT,
    session,
    started_at: isoMicros(startedAt),
    command: findings.command,
    cwd: findings.cwd,
    ...findings.metadata,
    recorder: `wiretape ${VERSION}`,
    source: 'import',
    source_path: source.path,
    source_format: source.format,
    imported_at: isoMicros(Date.now() * 1000),
    rebuilt: source.rebuilt || findings.metadata.rebuilt === true,
    notes,
    ...(known ? { dialect: known } : {}),
  };
}

/** Appends all frames and the end, and returns the number of frames. */
function writeFrames(journal: Journal, source: ImportSource, startedAt: number): number {
  const clock = (kind: RecordKind, t: number) => {
    const wall = Buffer.alloc(8);
    wall.writeDoubleLE(startedAt + t);
    journal.append(kind, t, wall);
  };
  let frames = 0;
  let last = 0;
  let lastClock = 0;
  clock(RecordKind.clock, 0);
  for (const entry of timedEntries(source, startedAt)) {
    frames++;
    last = entry.t;
    appendEntry(journal, entry, startedAt);
    if (last - lastClock < CLOCK_EVERY_MICROS) continue;
    lastClock = last;
    clock(RecordKind.clock, last);
  }
  clock(RecordKind.end, last);
  return frames;
}

function appendEntry(journal: Journal, entry: TimedEntry, startedAt: number): void {
  const { t, from } = entry;
  if (entry.is === 'event') {
    const { event, detail } = entry;
    journal.append(RecordKind.event, t, Buffer.from(JSON.stringify({ from, event, ...detail })));
  } else {
    const t0 = entry.begunAt === null ? null : Math.max(0, entry.begunAt - startedAt);
    const { raw, eol, head = null } = entry;
    const isShort = raw instanceof Uint8Array && raw.length <= PART_BYTES;
    if (!isShort) for (const part of partsOf(raw)) journal.append(RecordKind.part, t, part);
    journal.append(RecordKind.line, t, encodeImportedLine({ from, eol, t0, head }, isShort ? raw : NO_BYTES));
  }
}

/** A longer line is stored in several records, so that a reader need not hold all of it. */
const PART_BYTES = 1 << 18;
const NO_BYTES = new Uint8Array(0);

function* partsOf(raw: Uint8Array | BlockedLine): Generator<Uint8Array> {
  if (!(raw instanceof Uint8Array)) return yield* raw.blocks();
  for (let i = 0; i < raw.length; i += PART_BYTES) yield raw.subarray(i, i + PART_BYTES);
}
