/**
 * A tape that stays as it is while it is read: the session's own, or a copy of one that still grows or that is no file.
 */
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../model/failure.ts';
import type { Frame } from '../../model/frame.ts';
import type { Session } from '../../session/session.ts';
import { temporaryFolder } from '../../storage/files/temporary-folder.ts';
import { tapeLines } from '../../storage/tape/tape-lines.ts';
import { TapeSource } from '../../storage/tape/tape-source.ts';

export interface TapeFile {
  /** Reads the same frames as the file has. */
  session: Session;
  path: string;
  close(): void;
}

/** `frames`: only these, as a tape of their own. */
export function tapeFileOf(session: Session, frames: Iterable<Frame> | null = null): TapeFile {
  const { tape, running } = session;
  if (frames === null && tape !== '' && !running) return { session, path: tape, close: () => {} };
  const folder = temporaryFolder('wiretape-export-');
  const path = join(folder.path, 'wire.jsonl');
  const close = () => folder.remove();
  try {
    if (frames === null && tape !== '') copyFileSync(tape, path);
    else writeTape(path, session, frames ?? session.frames());
  } catch (error) {
    close();
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== 'write' && syscall !== 'copyfile') throw error;
    throw new Failure(
      `cannot write a copy of the tape: ${message}`,
      'make room there, or set TMPDIR to another folder',
    );
  }
  return { session: readFrom(session, path), path, close };
}

function writeTape(path: string, { metadata }: Session, frames: Iterable<Frame>): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const piece of tapeLines(metadata, frames))
      for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
  } finally {
    closeSync(fd);
  }
}

function readFrom({ id, dir, running, metadata, names, command, dialect = null }: Session, tape: string): Session {
  const source = new TapeSource(tape);
  return {
    ...{ id, dir, tape, running, metadata, names, command, dialect },
    frames: (others) => source.frames(others),
  };
}
