/**
 * Our own three descriptors as streams, each opened in the way that leaves its other users alone, and closed for real
 * when the other side closes: a Node stream never closes descriptors 0 to 2 by itself.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readlinkSync,
  type Stats,
  write,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { isatty, ReadStream as TtyReadStream, WriteStream as TtyWriteStream } from 'node:tty';

/**
 * Destroying any socket makes Node look at `process.stderr`, and the look opens it: a second handle on our descriptor,
 * non-blocking for everybody who shares it. So it is given a writer that opens nothing.
 */
export function keepStderrClosed(): void {
  Object.defineProperty(process, 'stderr', { configurable: true, value: new DescriptorWriter(2) });
}

/** A line of our own by a plain write, where nothing else is open. If it does not go out at once, it stays unsaid. */
export function sayPlainly(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Full or closed.
  }
}

export function openStdin(): Readable {
  const stat = fstatSync(0);
  // Not opened again, as below: a pipe opened after its last writer has gone never tells of its end.
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
 * Stderr is often shared with the client itself, and must not become non-blocking under its hands. Where it cannot be
 * opened privately and is not ours alone, it is written by the thread pool, where it may block.
 */
export function openStderr(): Writable {
  const stat = fstatSync(2);
  const fd = stat.isFIFO() ? openAgain(2) : stat.isSocket() && !isParents(2) ? 2 : null;
  return fd === null ? new DescriptorWriter(2) : new Socket({ fd, readable: false, writable: true });
}

/** A FIFO opened once more: what Node sets on this description, others who share the first one do not feel. */
function openAgain(fd: 1 | 2): number | null {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // No /proc here, or somebody else's pipe.
    return null;
  }
}

/** Whether our parent has the same file as its own; yes where that cannot be seen. */
function isParents(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === readlinkSync(`/proc/${process.ppid}/fd/${fd}`);
  } catch {
    return true;
  }
}

/** Whether our stdout and stderr are one file: then a line of one must not be torn by the other. */
export function areMerged(): boolean {
  const out = fstatSync(1);
  const err = fstatSync(2);
  return out.dev === err.dev && out.ino === err.ino && !isNull(out);
}

function isNull(stat: Stats): boolean {
  return stat.isCharacterDevice() && !isatty(1);
}

/** Undoes what Node did to a descriptor that others may share. */
export function makeBlocking(stream: Readable | Writable): void {
  const { _handle } = stream as unknown as { _handle?: { setBlocking?(on: boolean): number } | null };
  _handle?.setBlocking?.(true);
}

/** Closes one of our descriptors, so that the other side sees it, and puts /dev/null in its place. */
export function closeDescriptor(fd: 0 | 1 | 2): void {
  try {
    closeSync(fd);
    openSync('/dev/null', fd === 0 ? 'r' : 'w');
  } catch {
    // Closed already.
  }
}

/** Writes to a descriptor without changing its mode. */
class DescriptorWriter extends Writable {
  readonly #fd: number;

  constructor(fd: number) {
    super({ decodeStrings: true });
    this.#fd = fd;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    write(this.#fd, chunk, 0, chunk.length, null, (error, written) => {
      if (error?.code === 'EAGAIN' && !this.destroyed) {
        setTimeout(() => this._write(chunk, _encoding, done), 5);
      } else if (error) {
        done(error);
      } else if (written < chunk.length) {
        this._write(chunk.subarray(written), _encoding, done);
      } else {
        done();
      }
    });
  }
}
