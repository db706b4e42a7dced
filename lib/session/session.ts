/** A session, however it is stored: what it is called and where its frames come from. Commands and exporters take this. */
import type { Frame, Metadata } from '../model/frame.ts';
import { dialectIn, type Source } from './source.ts';

/** What people call a session. */
export interface SessionNames {
  name: string | null;
  tags: Record<string, string>;
}

export const NO_NAMES: SessionNames = { name: null, tags: {} };

export interface Session extends Source {
  /** Its id in the store; the file name of a tape that is in no store. */
  readonly id: string;
  /** Its folder in a store, or null. */
  readonly dir: string | null;
  /** The path of its tape; empty if it has none. */
  readonly tape: string;
  readonly running: boolean;
  readonly metadata: Metadata;
  readonly names: SessionNames;
}

/** The id that rows and JSON name a session by. */
export function idOf({ dir, id, metadata }: Pick<Session, 'dir' | 'id' | 'metadata'>): string {
  return dir === null ? metadata.session : id;
}

/** A session that is held in memory: filtered, redacted, or made by a program. */
export function sessionInMemory(metadata: Metadata, frames: readonly Frame[]): Session {
  return {
    ...{ id: metadata.session, dir: null, tape: '', running: false, metadata, names: NO_NAMES },
    ...{ command: metadata.command, dialect: dialectIn(metadata), frames: () => frames },
  };
}

/** The same session, read as another dialect. */
export function readAs(session: Session, dialect: string): Session {
  const { id, dir, tape, running, metadata, names, command } = session;
  return { id, dir, tape, running, metadata, names, command, dialect, frames: (others) => session.frames(others) };
}
