/** Files that somebody deleted under a recorder: what is still open is not lost yet. */
import { constants, copyFileSync, existsSync, fstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { META, makeFolder } from '../store/home.ts';
import { hasNames, writeNames } from '../store/names.ts';
import { TAPE_FD } from './link.ts';
import type { WriterInput } from './writer-process.ts';

/** Whether this very file, open here, still lies there. */
export function isFileAt(path: string, fd: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return there?.ino === open.ino && there.dev === open.dev;
}

/** Puts a copy of the complete tape where it was, in its folder, which is made again if it is gone. */
export function putBack({ dir, tape, names }: WriterInput): void {
  for (const folder of [dir, dirname(tape)]) makeFolder(folder);
  if (hasNames(names) && !existsSync(join(dir, META))) writeNames(dir, names);
  const draft = `${tape}.${process.pid}.tmp`;
  try {
    copyFileSync(`/proc/self/fd/${TAPE_FD}`, draft, constants.COPYFILE_EXCL);
    renameSync(draft, tape);
  } finally {
    rmSync(draft, { force: true });
  }
}
