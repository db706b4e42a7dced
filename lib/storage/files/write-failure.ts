/** What the system says about a file that cannot be written, for people. */
import { Failure } from '../../model/failure.ts';

const WRITE_HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist: make it first, or choose another place',
  ENOTDIR: 'a part of the path is a file: choose another place',
  EACCES: 'choose a place where you may write',
  EPERM: 'choose a place where you may write',
  EROFS: 'choose a place where you may write',
  EBUSY: 'something is mounted there: choose another name',
  ENOSPC: 'free some space there, or choose another place',
  EDQUOT: 'free some space there, or choose another place',
  EFBIG: 'the limit of file sizes is too low: see ulimit -f',
  ENAMETOOLONG: 'choose a shorter name',
  ELOOP: 'its symbolic links form a loop: choose another place',
  EMFILE: 'the limit of open files is too low: see ulimit -n',
};

/** There is no place for temporary files. */
export function temporaryFolderFailure(folder: string, error: unknown): Failure {
  return new Failure(`cannot make a temporary folder in ${folder}: ${reasonOf(error)}`, TMPDIR_HINT);
}

export const TMPDIR_HINT = 'set TMPDIR to a folder where you may write and where there is room';

export function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}

/** `ENOSPC: no space left on device, write` is `no space left on device`. */
export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
}

export function writeFailure(path: string, error: unknown, hint?: string): Failure {
  if (error instanceof Failure) return error;
  return new Failure(
    `cannot write ${path}: ${reasonOf(error)}`,
    hint ?? WRITE_HINTS[codeOf(error)] ?? 'choose another place',
  );
}
