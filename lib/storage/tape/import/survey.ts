/** The first pass over a source: its start, its size and its findings. And the second pass, with relative times. */
import { statSync } from 'node:fs';
import { type ImportEntry, ImportFindings, type ImportSource } from './source.ts';

export interface SourceSurvey {
  findings: ImportFindings;
  /** Microseconds since the epoch. */
  startedAt: number;
  frames: number;
  /** Remarks first, then notes. */
  notes: string[];
}

export function surveySource(source: ImportSource): SourceSurvey {
  const findings = new ImportFindings();
  let frames = 0;
  let first: number | null = null;
  let latest = Number.NEGATIVE_INFINITY;
  let backwards = 0;
  for (const { at } of source.read(findings)) {
    frames++;
    if (at === null) continue;
    first ??= at;
    if (at < latest) backwards++;
    latest = Math.max(latest, at);
  }
  const { notes, unread } = findings;
  if (backwards > 0) notes.add(`${count(backwards, 'frame')} out of order in time, kept in the order of the file`);
  if (unread > 0) notes.add(`${count(unread, 'line')} could not be read, kept as events`);
  let startedAt = findings.startedAt ?? first;
  if (startedAt === null) {
    notes.add('the file has no times: the session and all its frames get the time when the file was last changed');
    startedAt = Math.max(0, Math.round(statSync(source.path).mtimeMs * 1000));
  }
  return { findings, startedAt, frames, notes: [...findings.remarks, ...notes] };
}

export type TimedEntry = ImportEntry & { t: number };

/** The frames with microseconds since the start, which never decrease. */
export function* timedEntries(source: ImportSource, startedAt: number): Generator<TimedEntry> {
  let t = 0;
  for (const entry of source.read(new ImportFindings())) {
    if (entry.at !== null) t = Math.max(t, entry.at - startedAt);
    yield { ...entry, t };
  }
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
