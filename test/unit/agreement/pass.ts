/** A session, read once; every part of the program looks on, and all their books are compared at the end. */

import { DialectDetector } from '../../../lib/dialects/detect.ts';
import type { Dialect } from '../../../lib/dialects/dialect.ts';
import { dialectNamed } from '../../../lib/dialects/index.ts';
import type { Event } from '../../../lib/model/event.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { TimelineBuilder } from '../../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../../lib/session/reader.ts';
import { recognise } from '../../../lib/storage/tape/import/index.ts';
import { surveySource, timedEntries } from '../../../lib/storage/tape/import/survey.ts';
import { Audited } from './audit.ts';
import { type Book, disagreements } from './book.ts';
import { Checked } from './check.ts';
import { Factual } from './facts.ts';
import type { Witness } from './source.ts';
import { Counted } from './stats.ts';
import { Sums, treeBook } from './timeline.ts';
import { Watched } from './why.ts';

export interface SessionToRead {
  command: string[];
  frames: readonly Frame[];
  source: 'record' | 'import';
  /** Where the file itself says it. */
  dialect?: string | null;
}

/** What the parts of the program disagree on. */
export const disagreementsIn = (session: SessionToRead): string[] => disagreements(booksOf(session));

export function booksOf(session: SessionToRead): Book[] {
  const { command, frames, source } = session;
  const dialect = dialectOf(session);
  const reader = new SessionReader(dialect, { command });
  const builder = new TimelineBuilder();
  const about = { command, source, dialect: dialect.name };
  const witnesses: Witness[] = [
    ...[new Sums(), new Audited(about), new Watched(about), new Checked(about)],
    ...[new Factual(about), new Counted()],
  ];
  for (const frame of frames) {
    const reading = reader.read(frame);
    const read = { ...reading, where: builder.take(reading), ledger: builder.ledger };
    for (const witness of witnesses) witness.take(read);
  }
  const { timeline } = builder;
  return [treeBook(timeline), ...witnesses.flatMap((witness) => witness.end(timeline))];
}

/** The events of each of the first frames. */
export function eventsIn(session: SessionToRead, count: number): Event[][] {
  const reader = new SessionReader(dialectOf(session), { command: session.command });
  return session.frames.slice(0, count).map((frame) => reader.read(frame).events);
}

export function dialectOf({ dialect, command, frames }: SessionToRead): Dialect {
  return (dialect && dialectNamed(dialect)) || detected(command, frames);
}

function detected(command: string[], frames: readonly Frame[]) {
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  return detector.best.dialect;
}

/** A file that `import` takes, as frames. */
export function readImport(path: string): SessionToRead {
  const known = recognise(path);
  if (known.is === 'unknown') throw new Error(`${path}: ${known.why}`);
  const source = known.format.open(path);
  const { findings, startedAt } = surveySource(source);
  const frames: Frame[] = [];
  for (const entry of timedEntries(source, startedAt)) {
    const head = { f: frames.length + 1, t: entry.t / 1e6, t0: null, from: entry.from };
    if (entry.is === 'event') {
      const { event, detail } = entry;
      frames.push({ ...head, form: 'event', raw: Buffer.alloc(0), eol: '\n', event, detail });
    } else {
      frames.push({ ...head, form: 'message', raw: entry.raw as Uint8Array, eol: entry.eol, event: null, detail: {} });
    }
  }
  const { command, dialect } = findings;
  return { command, frames, source: 'import', dialect };
}
