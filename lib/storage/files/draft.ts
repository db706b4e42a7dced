/** A regular file that comes into being as a whole, or not at all: it is written beside its place and then renamed. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { existsFailure, type FileDestination } from './destination.ts';
import { isTemporary, keepAtSignal, removeAtSignal } from './temporary-folder.ts';
import { codeOf, TMPDIR_HINT, writeFailure } from './write-failure.ts';

/** Recordings are private. */
export const PRIVATE_MODE = 0o600;

/** So many characters of a name leave room for what is added, in any alphabet. */
const MAX_NAME_LENGTH = 40;

export class DraftFile {
  size = 0;
  /** Where it lies until it is kept. */
  readonly path: string;
  readonly #place: FileDestination;
  readonly #mode: number;
  readonly #fd: number;

  constructor(place: FileDestination, mode = PRIVATE_MODE) {
    this.#place = place;
    this.#mode = mode;
    const name = `.${basename(place.path).slice(0, MAX_NAME_LENGTH)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    this.path = join(dirname(place.path), name);
    this.#fd = this.#attempt(() => openSync(this.path, 'wx', PRIVATE_MODE));
    removeAtSignal(this.path);
  }

  add(piece: string | Uint8Array): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.#attempt(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    });
    this.size += bytes.length;
  }

  /** It gets its name. If this fails, the file that was there before is still there. */
  keep(): void {
    const { before } = this.#place;
    try {
      this.#attempt(() => {
        if (before && before.uid !== process.geteuid?.()) changeOwner(this.#fd, before);
        fchmodSync(this.#fd, this.#mode);
        syncToDisk(this.#fd);
        if (before) this.#renameInPlace();
        else this.#linkInPlace();
      });
    } finally {
      this.drop();
    }
  }

  /** Removes it, if it was not kept. */
  drop(): void {
    closeSync(this.#fd);
    rmSync(this.path, { force: true });
    keepAtSignal(this.path);
  }

  /** What took its place meanwhile may be anything. */
  #renameInPlace(): void {
    const { path, name } = this.#place;
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw existsFailure(name);
    renameSync(this.path, path);
  }

  /** A file that has come into being meanwhile stays. */
  #linkInPlace(): void {
    const { path, name } = this.#place;
    try {
      linkSync(this.path, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST' || lstatSync(path, { throwIfNoEntry: false })) throw existsFailure(name);
      // There are no hard links here.
      renameSync(this.path, path);
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw writeFailure(this.#place.name, error, isTemporary(this.path) ? TMPDIR_HINT : undefined);
    }
  }
}

/** Some file systems, such as those of other machines, cannot do it, and lose nothing by it that they would keep. */
function syncToDisk(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error))) throw error;
  }
}

/** An administrator who replaces a user's file leaves it to that user. */
function changeOwner(fd: number, { uid, gid }: { uid: number; gid: number }): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only the administrator may do that.
  }
}
