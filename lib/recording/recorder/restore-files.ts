/** Restores the files of a session that were deleted during recording, from the open descriptors. */
import { constants, copyFileSync, existsSync, fstatSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { META, makeFolder, TAPE } from '../../storage/store/home.ts';
import { hasNames, writeNames } from '../../storage/store/names.ts';
import type { WriterInput } from './writer-process.ts';
import { TAPE_FD } from './writer-protocol.ts';

/** Whether the path still leads to the open file. */
export function isFileAt(path: string, fd: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return there?.ino === open.ino && there.dev === open.dev;
}

/**
 * Puts a copy of the complete tape back in its place, and creates the folder if necessary. If that place is outside the
 * store and has another file now, which may be another session's tape, the copy goes to the session's folder.
 */
export function restoreFiles({ dir, tape, names }: WriterInput): void {
  for (const folder of [dir, dirname(tape)]) makeFolder(folder);
  if (hasNames(names) && !existsSync(join(dir, META))) writeNames(dir, names);
  const own = join(dir, TAPE);
  const isTaken = tape !== own && lstatSync(tape, { throwIfNoEntry: false }) !== undefined;
  copyTo(isTaken ? own : tape);
}

function copyTo(tape: string): void {
  const draft = `${tape}.${process.pid}.tmp`;
  try {
    copyFileSync(`/proc/self/fd/${TAPE_FD}`, draft, constants.COPYFILE_EXCL);
    renameSync(draft, tape);
  } finally {
    rmSync(draft, { force: true });
  }
}
