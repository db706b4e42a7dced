/**
 * Whose tape is at a session's path? With `--tape` a path can be used again after its file was removed, and then the link of
 * the first session leads to the tape of the second. A tape names its session in its first line. One that names the right
 * session may still be another: edited, or made anew, and sealed again. The session's folder has the digest of the first.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { visible } from '../../model/text/text.ts';
import { finalSeal } from '../tape/final-seal.ts';
import { readMetadata } from '../tape/read.ts';
import { firstSealOf } from './first-seal.ts';
import { attempt, JOURNAL, SESSION_ID, TAPE } from './home.ts';
import { placeOf, readIdsIn, tapeOf } from './sessions.ts';

/** A tape in the place of a session's own. */
export type OtherTape =
  | { is: 'of another session'; session: string }
  /** It names this session, but its final seal is not the first one. */
  | { is: 'sealed again'; digest: string; first: string };

/** The tape is not in the session's folder. */
export const isElsewhere = (dir: string): boolean => tapeOf(dir) !== join(dir, TAPE);

/** The tape that is in the place of this session's; null too if that cannot be told. */
export function otherTapeIn(dir: string): OtherTape | null {
  const tape = tapeOf(dir);
  if (!statSync(tape, { throwIfNoEntry: false })?.isFile()) return null;
  // One in the folder may be a copy of another, or have a new name.
  const session = isElsewhere(dir) ? otherSessionAt(tape, basename(dir)) : null;
  return session === null ? resealedTape(dir, finalSeal(tape)?.sha256 ?? null) : { is: 'of another session', session };
}

function otherSessionAt(tape: string, id: string): string | null {
  if (!SESSION_ID.test(id)) return null;
  const session: unknown = attempt(() => readMetadata(tape).session, id);
  return typeof session === 'string' && session !== id ? session : null;
}

/** Whether a tape with this final seal is another than that of the session. One without a final seal was changed or is running. */
export function resealedTape(dir: string, digest: string | null): OtherTape | null {
  const first = digest === null ? null : firstSealOf(dir);
  return digest === null || first === null || first === digest ? null : { is: 'sealed again', digest, first };
}

/** Whose tape it is, as a sentence about the tape at that path ends. */
export function whoseTape(other: OtherTape): string {
  return other.is === 'of another session'
    ? `the tape of ${visible(other.session)}`
    : 'another tape that names this session';
}

/** What is wrong with a session that has rows in the index, if its lines cannot be read any more. */
export function missingTapeFailure(
  home: string,
  { session: id, tape }: { session: string; tape: string },
): Failure | null {
  const { dir } = placeOf(home, id);
  if (!existsSync(tape)) return basename(dirname(tape)) === id ? null : goneTapeFailure(tape, id);
  const other = otherTapeIn(dir);
  return other === null ? null : otherTapeFailure(tape, id, other);
}

export function goneTapeFailure(tape: string, id: string): Failure {
  return new Failure(`the tape of session ${id} is gone`, `it was at ${visible(tape)}`);
}

/** `isRunning`: its recorder puts the tape into the store in the end. */
export function otherTapeFailure(tape: string, id: string, other: OtherTape, isRunning = false): Failure {
  const message = `the tape of session ${id} is gone: ${visible(tape)} is now ${whoseTape(other)}`;
  const removal = `wiretape rm ${id} removes this session`;
  if (isRunning) return new Failure(message, 'it is still being recorded: when it ends, its tape will be in the store');
  if (other.is === 'of another session') {
    const reader = `wiretape show ${visible(other.session)} reads the tape that is there now`;
    return new Failure(message, `the path was used twice: ${reader}, ${removal}`);
  }
  const digests = `its final digest is ${other.digest}, that of the session was ${other.first}`;
  return new Failure(message, `${digests}; a copy at another path can be read, ${removal}`);
}

/** Whether another recorder, which has written nothing yet, has its tape there too. An empty file names no session. */
export function isAwaitedByAnother(dir: string, tape: string): boolean {
  const store = dirname(dir);
  return readIdsIn(store)
    .map((id) => join(store, id))
    .some((one) => one !== dir && existsSync(join(one, JOURNAL)) && tapeOf(one) === tape);
}
