/**
 * What there is of a session by now. One that has just begun has no line on its tape yet: it is empty so far, which is
 * no fault of it, and what its journal says of it is all there is.
 */
import { join } from 'node:path';
import type { Metadata } from '../core/frame.ts';
import { JOURNAL } from '../store/home.ts';
import { readNames } from '../store/names.ts';
import { type Summary, summarise, toSummary } from '../store/summary.ts';
import { Tally } from '../store/tally.ts';
import { Kind } from '../tape/journal.ts';
import { JournalReader } from '../tape/journal-reader.ts';
import { parseMetadata } from '../tape/read.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import type { OpenSession } from './open.ts';

export interface SoFar {
  summary: Summary;
  /** Nothing is on its tape yet. */
  begun: boolean;
}

export function soFar(session: OpenSession): SoFar {
  try {
    return { summary: summarise(session), begun: false };
  } catch (error) {
    if (!session.running || session.dir === null || !(error instanceof UnreadableTape)) throw error;
    return { summary: beginningOf(session, session.dir), begun: true };
  }
}

const NOTHING_KNOWN = {
  ...{ dialect: null, protocol: null, client: null, agent: null, agent_version: null },
  ...{ turns: null, tools: null, approvals: null, errors: null },
};

function beginningOf(session: OpenSession, dir: string): Summary {
  return toSummary(session, metadataIn(join(dir, JOURNAL)), new Tally(), NOTHING_KNOWN, readNames(dir));
}

/** A journal has it in its first record before anybody can see it. */
function metadataIn(journal: string): Metadata {
  const reader = new JournalReader(journal);
  try {
    let metadata: Metadata | null = null;
    reader.readBlock((kind, _, buffer, start, end) => {
      if (kind === Kind.metadata) metadata ??= parseMetadata(buffer.subarray(start, end));
    });
    if (metadata === null) throw new UnreadableTape('nothing says what it is');
    return metadata;
  } finally {
    reader.close();
  }
}
