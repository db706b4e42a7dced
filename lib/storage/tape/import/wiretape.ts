/**
 * A wiretape tape from another store or another machine. Its frames are kept with their times, line ends and events. The
 * first line is new, because this is a new session; it names the original session and the result of `verify`.
 */
import { type Frame, type Metadata, microsOf, sizeOf } from '../../../model/frame.ts';
import { readMetadata, readTape } from '../read.ts';
import { UnreadableTape } from '../unreadable.ts';
import { type Verification, verifyTape } from '../verify.ts';
import { unreadEvent } from './json-lines.ts';
import { REJOINED_NOTE } from './rejoin-entries.ts';
import {
  type ForeignRecord,
  type ImportEntry,
  type ImportFindings,
  type ImportFormat,
  type ImportSource,
  MAX_START_MICROS,
} from './source.ts';

export const wiretape: ImportFormat = {
  name: 'wiretape',
  recognise: ([first]) => first?.type === 'metadata' && typeof first.wiretape === 'number',
  open: (path) => {
    let verification: Verification | null = null;
    const verify = () => {
      // What has no metadata is refused at its first line.
      verification ??= readMetadata(path) && verifyTape(path);
      return verification;
    };
    return { format: 'wiretape', path, rebuilt: false, read: (findings) => read(path, verify(), findings) };
  },
};

/**
 * A tape that was made of a session just now, as a source: its metadata already name the original. `named`: what the new
 * session says that it comes from.
 */
export function madeTape(path: string, named: string): ImportSource {
  return { format: 'wiretape', path: named, rebuilt: false, read: (findings) => read(path, null, findings) };
}

function* read(path: string, verification: Verification | null, findings: ImportFindings): Generator<ImportEntry> {
  let startedAt = 0;
  let number = 0;
  let f = 0;
  for (const entry of readTape(path)) {
    number++;
    if (entry.is === 'metadata') {
      startedAt = describe(entry.metadata, verification, findings);
    } else if (entry.is === 'frame') {
      if (entry.frame.f !== ++f) findings.notes.add('frames were missing or out of order: they have new numbers here');
      f = entry.frame.f;
      if (entry.joined) findings.notes.add(REJOINED_NOTE);
      yield entryOf(entry.frame, startedAt);
    } else if (entry.is !== 'seal') {
      const value = entry.is === 'unknown' ? {} : null;
      const length = entry.is === 'unknown' ? entry.line.length : entry.length;
      yield unreadEvent(findings, { number, line: entry.line, length, value, whole: entry.is !== 'torn' });
    }
  }
}

function describe(metadata: Metadata, verification: Verification | null, findings: ImportFindings): number {
  const { type: _type, wiretape: _format, session, started_at, command, cwd, dialect, ...rest } = metadata;
  const { source = 'record', source_path, source_format, imported_at, notes, original, ...about } = rest;
  const startedAt = microsOf(started_at);
  if (startedAt > MAX_START_MICROS) throw new UnreadableTape('the start time of the session is out of range');
  findings.command = command;
  findings.cwd = cwd;
  findings.dialect = typeof dialect === 'string' ? dialect : null;
  findings.startedAt = startedAt;
  // The notes about the session still apply.
  if (Array.isArray(notes)) findings.remarks = notes.map(String);
  findings.metadata = { ...about, ...(original === undefined ? {} : { original }) };
  if (verification === null) return startedAt;
  const { verdict, digest } = verification;
  const before: ForeignRecord = { session, recorder: metadata.recorder, source, verdict, digest };
  if (source === 'import') Object.assign(before, { source_path, source_format, imported_at });
  if (original !== undefined) before.original = original;
  findings.metadata.original = before;
  if (verdict === 'altered') findings.notes.add('the tape had been altered before it was imported');
  if (verdict === 'unfinished') findings.notes.add('the tape was not finished');
  return startedAt;
}

function entryOf(frame: Frame, startedAt: number): ImportEntry {
  const at = startedAt + Math.round(frame.t * 1e6);
  const { from, eol, event, detail, head = null } = frame;
  if (frame.form === 'event') return { is: 'event', at, from, event: event!, detail };
  const begunAt = frame.t0 === null ? null : startedAt + Math.round(frame.t0 * 1e6);
  const { cut } = frame;
  const raw = cut ? { length: sizeOf(frame), blocks: () => cut.whole() } : Buffer.from(frame.raw);
  return { is: 'line', at, begunAt, from, raw, eol, head };
}
