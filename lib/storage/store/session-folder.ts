/**
 * Creates a session's folder. It gets its name in the store only when it has its owner and a journal with the metadata, so
 * that readers never see a partial session.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SessionNames } from '../../session/session.ts';
import { Journal } from '../tape/journal.ts';
import { JOURNAL, makeFolder, newSessionId, OWNER, sessionsDir, TAPE } from './home.ts';
import { hasNames, writeNames } from './names.ts';
import { thisProcess } from './owner.ts';

export interface NewSession {
  id: string;
  dir: string;
  /** The tape itself, not a link to it. */
  tape: string;
  journal: Journal;
}

export interface NewSessionOptions {
  home: string;
  startedAt: Date;
  names: SessionNames;
  /** The file created for the tape, if it is outside the session's folder. */
  tape: string | null;
  onError: (error: Error) => void;
  /** Writes the first records, before other processes can see the journal. */
  begin: (id: string, journal: Journal) => void;
}

export function createSession(options: NewSessionOptions): NewSession {
  const parent = sessionsDir(options.home);
  makeFolder(parent);
  for (let attempt = 0; ; attempt++) {
    const id = newSessionId(options.startedAt);
    const dir = join(parent, id);
    const draft = join(parent, `.${id}`);
    if (existsSync(dir)) continue;
    try {
      mkdirSync(draft, { mode: 0o700 });
      writeFileSync(join(draft, OWNER), `${JSON.stringify(thisProcess())}\n`, { mode: 0o600 });
      if (hasNames(options.names)) writeNames(draft, options.names);
      const journal = Journal.create(join(draft, JOURNAL), options.onError);
      options.begin(id, journal);
      const tape = placeTape(draft, dir, options.tape);
      renameSync(draft, dir);
      return { id, dir, tape, journal };
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 20) throw error;
    }
  }
}

/** Creates an empty tape in the folder, or a link to the file that was created elsewhere. */
function placeTape(draft: string, dir: string, claimed: string | null): string {
  if (claimed === null) {
    closeSync(openSync(join(draft, TAPE), 'wx', 0o600));
    return join(dir, TAPE);
  }
  symlinkSync(claimed, join(draft, TAPE));
  return claimed;
}

/** Creates the empty file for a tape; throws if it exists. */
export function claimTape(path: string): string {
  const tape = resolve(path);
  closeSync(openSync(tape, 'wx', 0o600));
  return tape;
}
