/**
 * Descriptors 0 to 2 as streams. They are opened without side effects on other processes that share them, and really
 * closed when the other side closes: a Node stream never closes them by itself.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readlinkSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { isatty, ReadStream as TtyReadStream, WriteStream as TtyWriteStream } from 'node:tty';
import { DescriptorWriter } from '../../storage/files/descriptor-writer.ts';

/**
 * Destroying a socket makes Node read `process.stderr`, which opens a second handle on descriptor 2 and makes it
 * non-blocking for every process that shares it. A writer that opens nothing takes its place.
 */
export function keepStderrClosed(): void {
  Object.defineProperty(process, 'stderr', { configurable: true, value: new DescriptorWriter(2) });
}

/** Writes a message of wiretape to descriptor 2. It is dropped if it cannot be written at once. */
export function writeToStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // The pipe is full or closed.
  }
}

export function openStdin(): Readable {
  const stat = fstatSync(0);
  // Not reopened as below: a pipe that is opened after its last writer has gone never reports EOF.
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  if (isatty(0)) return new TtyReadStream(0);
  return createReadStream('', { fd: 0, autoClose: false });
}

export function openStdout(): Writable {
  const stat = fstatSync(1);
  const writable = { readable: false, writable: true };
  if (stat.isFIFO()) return new Socket({ fd: openAgain(1) ?? 1, ...writable });
  if (stat.isSocket()) return new Socket({ fd: 1, ...writable });
  if (isatty(1)) return new TtyWriteStream(1);
  return new DescriptorWriter(1);
}

/**
 * Stderr is often shared with the client, and must not become non-blocking for it. If it cannot be reopened and is not
 * ours alone, the thread pool writes to it, where a write may block.
 */
export function openStderr(): Writable {
  const stat = fstatSync(2);
  const fd = stat.isFIFO() ? openAgain(2) : stat.isSocket() && !isParents(2) ? 2 : null;
  return fd === null ? new DescriptorWriter(2) : new Socket({ fd, readable: false, writable: true });
}

/** Reopens a FIFO, so that the flags that Node sets do not affect processes that share the original description. */
function openAgain(fd: 1 | 2): number | null {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // There is no /proc, or the pipe belongs to another user.
    return null;
  }
}

/** Whether our parent has the same file open; true if that cannot be determined. */
function isParents(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === readlinkSync(`/proc/${process.ppid}/fd/${fd}`);
  } catch {
    return true;
  }
}

/** Whether stdout and stderr are the same file. */
export function areMerged(): boolean {
  const out = fstatSync(1);
  const err = fstatSync(2);
  return out.dev === err.dev && out.ino === err.ino && !isNull(out);
}

function isNull(stat: Stats): boolean {
  return stat.isCharacterDevice() && !isatty(1);
}

/** Makes a descriptor blocking again, for other processes that share it. */
export function makeBlocking(stream: Readable | Writable): void {
  const { _handle } = stream as unknown as { _handle?: { setBlocking?(on: boolean): number } | null };
  _handle?.setBlocking?.(true);
}

/** Closes a descriptor, so that the other side notices, and opens /dev/null in its place. */
export function closeDescriptor(fd: 0 | 1 | 2): void {
  try {
    closeSync(fd);
    openSync('/dev/null', fd === 0 ? 'r' : 'w');
  } catch {
    // It was already closed.
  }
}
