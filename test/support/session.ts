/** Session folders made without any process: what a recorder would leave behind, and what it never would. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { NO_NAMES, type Session, type SessionNames } from '../../lib/session/session.ts';
import { dialectIn } from '../../lib/session/source.ts';
import type { IndexSource } from '../../lib/storage/index/indexer.ts';
import { JOURNAL, sessionsDir, TAPE } from '../../lib/storage/store/home.ts';
import { readNames, writeNames } from '../../lib/storage/store/names.ts';
import { TapeSource } from '../../lib/storage/tape/tape-source.ts';
import { buildTape, TestJournal } from './journal.ts';

export interface Making {
  id?: string;
  names?: SessionNames;
  about?: Record<string, unknown>;
  /** Where the tape lies, if not in the folder. */
  tape?: string;
}

/** A settled session whose journal was filled by `fill`; it is where an indexer finds its rows. */
export function makeSession(home: string, fill: (journal: TestJournal) => unknown, making: Making = {}): IndexSource {
  const { id = '20261116T022911-k3f9', names, about, tape } = making;
  const dir = join(sessionsDir(home), id);
  mkdirSync(dir, { recursive: true });
  if (names) writeNames(dir, names);
  const journal = new TestJournal(join(dir, JOURNAL), { session: id, ...about });
  fill(journal);
  journal.journal.close();
  if (tape !== undefined) symlinkSync(tape, join(dir, TAPE));
  buildTape(join(dir, JOURNAL), tape ?? join(dir, TAPE));
  rmSync(join(dir, JOURNAL));
  return { id, dir, tape: tape ?? join(dir, TAPE), running: false };
}

/** The session of a tape, wherever it lies. */
export function sessionOn(tape: string, about: Partial<Session> = {}): Session {
  const source = new TapeSource(tape);
  const { metadata } = source;
  const { dir = null, dialect = dialectIn(metadata) } = about;
  return {
    ...{ id: metadata.session, dir, tape, running: false, metadata, command: metadata.command, dialect },
    names: dir === null ? NO_NAMES : readNames(dir),
    frames: (others) => source.frames(others),
    ...about,
  };
}

/** A line as JSON-RPC programs write them. */
export function rpc(message: Record<string, unknown>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** Asked and answered once. */
export function smallTalk(journal: TestJournal): TestJournal {
  return smallTalkSoFar(journal).exit(5000);
}

/** The same, while the agent is still there. */
export function smallTalkSoFar(journal: TestJournal): TestJournal {
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  journal.data('client', 1000, rpc({ id: 1, method: 'prompt', params: {} }));
  return journal.data('agent', 3500, rpc({ id: 1, result: 'ok' }));
}
