/**
 * Whose tape is at a session's path? With `--tape` a path can be used again after its file was removed, and then the link of
 * the first session leads to the tape of the second. A tape names its session in its first line.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { visible } from '../../model/text/text.ts';
import { readMetadata } from '../tape/read.ts';
import { attempt, JOURNAL, SESSION_ID, TAPE } from './home.ts';
import { readIdsIn, tapeOf } from './sessions.ts';

/** The tape is not in the session's folder. */
export const isElsewhere = (dir: string): boolean => tapeOf(dir) !== join(dir, TAPE);

/**
 * The session that the tape belongs to, if that is another than the one in this folder. Null too if it cannot be read, and if
 * it is in the folder: that may be a copy of another, or have a new name.
 */
export function otherSessionIn(dir: string): string | null {
  return isElsewhere(dir) ? otherSessionAt(tapeOf(dir), basename(dir)) : null;
}

function otherSessionAt(tape: string, id: string): string | null {
  if (!SESSION_ID.test(id) || !statSync(tape, { throwIfNoEntry: false })?.isFile()) return null;
  const session: unknown = attempt(() => readMetadata(tape).session, id);
  return typeof session === 'string' && session !== id ? session : null;
}

/** What is wrong if the tape of a session is outside the store and not there any more; null if it is there. */
export function missingTapeFailure({ session: id, tape }: { session: string; tape: string }): Failure | null {
  if (basename(dirname(tape)) === id) return null;
  if (!existsSync(tape)) return goneTapeFailure(tape, id);
  const other = otherSessionAt(tape, id);
  return other === null ? null : otherTapeFailure(tape, id, other);
}

export function goneTapeFailure(tape: string, id: string): Failure {
  return new Failure(`the tape of session ${id} is gone`, `it was at ${visible(tape)}`);
}

/** `isRunning`: its recorder puts the tape into the store in the end. */
export function otherTapeFailure(tape: string, id: string, other: string, isRunning = false): Failure {
  const hint = isRunning
    ? 'it is still being recorded: when it ends, its tape will be in the store'
    : `the path was used twice: wiretape show ${visible(other)} reads the tape that is there now, wiretape rm ${id} removes this session`;
  return new Failure(`the tape of session ${id} is gone: ${visible(tape)} is now the tape of ${visible(other)}`, hint);
}

/** Whether another recorder, which has written nothing yet, has its tape there too. An empty file names no session. */
export function isAwaitedByAnother(dir: string, tape: string): boolean {
  const store = dirname(dir);
  return readIdsIn(store)
    .map((id) => join(store, id))
    .some((one) => one !== dir && existsSync(join(one, JOURNAL)) && tapeOf(one) === tape);
}
