/**
 * Makes a session's folder. It appears in the store under its own name only when it is complete, with its owner and a
 * journal that has the metadata in it, so that no reader ever meets half a session.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JOURNAL, makeFolder, newSessionId, OWNER, sessionsDir, TAPE } from '../store/home.ts';
import { hasNames, type SessionNames, writeNames } from '../store/names.ts';
import { thisProcess } from '../store/owner.ts';
import { Journal } from '../tape/journal.ts';

export interface NewSession {
  id: string;
  dir: string;
  /** Where the tape itself lies. */
  tape: string;
  journal: Journal;
}

export interface NewSessionOptions {
  home: string;
  startedAt: Date;
  names: SessionNames;
  /** The file claimed for the tape, if it is not to lie in the session's folder. */
  tape: string | null;
  onError: (error: Error) => void;
  /** Writes the first records, before anybody else can see the journal. */
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

/** The tape of a session: an empty file in its folder, or a link to the empty file that was claimed elsewhere. */
function placeTape(draft: string, dir: string, claimed: string | null): string {
  if (claimed === null) {
    closeSync(openSync(join(draft, TAPE), 'wx', 0o600));
    return join(dir, TAPE);
  }
  symlinkSync(claimed, join(draft, TAPE));
  return claimed;
}

/** Makes the empty file that a tape will be written to; throws if there is one already. */
export function claimTape(path: string): string {
  const tape = resolve(path);
  closeSync(openSync(tape, 'wx', 0o600));
  return tape;
}
