/** The summary of a session so far. If its tape is still empty, the metadata come from its journal. */
import { join } from 'node:path';
import type { Metadata } from '../../model/frame.ts';
import { type Summary, summarise, toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { RecordKind } from '../tape/journal.ts';
import { JournalReader } from '../tape/journal-reader.ts';
import { parseMetadata } from '../tape/read.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { JOURNAL } from './home.ts';
import { clockOf } from './moment.ts';
import type { OpenSession } from './open.ts';

export interface CurrentSummary {
  summary: Summary;
  /** Its tape is still empty. */
  begun: boolean;
}

export function currentSummary(session: OpenSession): CurrentSummary {
  try {
    return { summary: withCurrentDuration(session, summarise(session)), begun: false };
  } catch (error) {
    if (!session.running || session.dir === null || !(error instanceof UnreadableTape)) throw error;
    return { summary: withCurrentDuration(session, summaryFromJournal(session, session.dir)), begun: true };
  }
}

/** A running session has lasted until now, not until its last frame. */
export function withCurrentDuration({ running }: Pick<OpenSession, 'running'>, summary: Summary): Summary {
  return running
    ? { ...summary, duration: clockOf({ running, started: summary.started }, summary.duration ?? 0) }
    : summary;
}

function summaryFromJournal({ id, tape, running, names }: OpenSession, dir: string): Summary {
  const metadata = metadataIn(join(dir, JOURNAL));
  return toSummary({ id, dir, tape, running, names, metadata }, new SessionTally(), null);
}

/** The first record of a journal, which is there from the start. */
function metadataIn(journal: string): Metadata {
  const reader = new JournalReader(journal);
  try {
    let metadata: Metadata | null = null;
    reader.readBlock((kind, _, buffer, start, end) => {
      if (kind === RecordKind.metadata) metadata ??= parseMetadata(buffer.subarray(start, end));
    });
    if (metadata === null) throw new UnreadableTape('the journal has no metadata');
    return metadata;
  } finally {
    reader.close();
  }
}
