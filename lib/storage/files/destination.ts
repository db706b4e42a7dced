/**
 * What is at a path that the user names for output. A regular file is replaced; a device, a pipe or an open descriptor is
 * written to; a link is followed only if it is the user's own, because in a shared folder anybody can put one under a name
 * that is easy to guess. Everything else is refused.
 */
import { fstatSync, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { codeOf, writeFailure } from './write-failure.ts';

export type Destination = FileDestination | StreamDestination;

/** A regular file, or a name that is free. */
export interface FileDestination {
  is: 'file';
  /** As the user wrote it. */
  name: string;
  /** Where it is, behind all links. */
  path: string;
  /** The file that is replaced. */
  before: Stats | null;
}

export interface StreamDestination {
  is: 'stream';
  name: string;
  path: string;
  kind: 'pipe' | 'device';
  /** An open descriptor of this program, such as /dev/stdout. */
  fd: number | null;
}

const MAX_LINKS = 40;

/** Throws a `Failure` if nothing can be written there. A regular file is only replaced with `force`. */
export function destinationOf(name: string, force: boolean): Destination {
  let path = resolve(name);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const fd = descriptorNumber(path);
    if (fd !== null) return descriptorDestination(name, path, fd);
    const stat = statOf(name, path);
    if (!stat?.isSymbolicLink()) return destinationAt(name, path, stat, { force, isLed: links > 0 });
    path = linkTarget(name, path, stat);
  }
  throw new Failure(`cannot write ${name}: its symbolic links form a loop`, 'name the file itself');
}

/** The same where only a regular file will do. */
export function fileAt(name: string, force: boolean): FileDestination {
  const place = destinationOf(name, force);
  if (place.is === 'file') return place;
  throw new Failure(`${name} is a ${place.kind}, not a file`, 'give the path of a file');
}

export function existsFailure(path: string): Failure {
  return new Failure(`${path} already exists`, 'choose another name, or use --force');
}

function statOf(name: string, path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw writeFailure(name, error);
  }
}

function destinationAt(
  name: string,
  path: string,
  stat: Stats | null,
  { force, isLed }: { force: boolean; isLed: boolean },
): Destination {
  if (stat === null && isLed) throw new Failure(`${name} is a broken link to ${path}`, 'name the file itself');
  if (stat === null) return { is: 'file', name, path, before: null };
  if (stat.isDirectory()) throw new Failure(`${name} is a folder`, 'give the path of a file');
  if (stat.isFIFO()) return { is: 'stream', name, path, kind: 'pipe', fd: null };
  if (stat.isCharacterDevice()) return { is: 'stream', name, path, kind: 'device', fd: null };
  // What is on a disk would be lost.
  if (stat.isBlockDevice() && !force)
    throw new Failure(`${name} is a block device`, 'choose another name, or use --force to overwrite it');
  if (stat.isBlockDevice()) return { is: 'stream', name, path, kind: 'device', fd: null };
  if (!stat.isFile()) throw new Failure(`${name} is a socket`, 'give the path of a file');
  if (!force) throw existsFailure(name);
  return { is: 'file', name, path, before: stat };
}

// Links

const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

function linkTarget(name: string, link: string, stat: Stats): string {
  const folder = dirname(link);
  const target = resolve(folder, readlinkSync(link));
  const refusal = linkRefusal(stat, statSync(folder));
  if (refusal === null) return target;
  throw new Failure(`${name} is a link ${refusal}`, `name the file itself, if you trust it: ${target}`);
}

/** The kernel's own rule (fs.protected_symlinks), and stricter: the link must be the user's. */
function linkRefusal(link: Stats, folder: Stats): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null;
  if (link.uid !== user) return 'of another user';
  const isShared = (folder.mode & OTHERS_MAY_WRITE) !== 0 && (folder.mode & STICKY) === 0;
  return isShared ? 'in a folder where anybody may replace it' : null;
}

// Descriptors

const NAMED_DESCRIPTORS: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 };

function descriptorNumber(path: string): number | null {
  const [, number] = /^\/(?:dev|proc\/(?:self|thread-self))\/fd\/(\d{1,9})$/.exec(path) ?? [];
  if (number !== undefined) return Number(number);
  return Object.hasOwn(NAMED_DESCRIPTORS, path) ? NAMED_DESCRIPTORS[path]! : null;
}

function descriptorDestination(name: string, path: string, fd: number): StreamDestination {
  try {
    const stat = fstatSync(fd);
    if (stat.isDirectory()) throw new Failure(`${name} is a folder`, 'give the path of a file');
    return { is: 'stream', name, path, kind: stat.isFIFO() ? 'pipe' : 'device', fd };
  } catch (error) {
    if (codeOf(error) !== 'EBADF') throw error;
    throw new Failure(`${name} is not open`, `redirect it, as in: wiretape … ${fd}>FILE`);
  }
}
