/**
 * Our own three descriptors as streams, each opened in the way that leaves its other users alone, and closed for real
 * when the other side closes: a Node stream never closes descriptors 0 to 2 by itself.
 */
import { closeSync, constants, createReadStream, fstatSync, openSync, type Stats, write } from 'node:fs';
import { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { isatty, ReadStream as TtyReadStream, WriteStream as TtyWriteStream } from 'node:tty';

export function openStdin(): Readable {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  if (isatty(0)) return new TtyReadStream(0);
  return createReadStream('', { fd: 0, autoClose: false });
}

export function openStdout(): Writable {
  const stat = fstatSync(1);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: 1, readable: false, writable: true });
  if (isatty(1)) return new TtyWriteStream(1);
  return new DescriptorWriter(1);
}

/**
 * Stderr is often shared with the client itself, and a shared pipe must not become non-blocking under the others'
 * hands. A FIFO can be opened once more, privately; anything else is written by the thread pool, where it may block.
 */
export function openStderr(): Writable {
  if (fstatSync(2).isFIFO()) {
    try {
      const fd = openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch {
      // No /proc here.
    }
  }
  return new DescriptorWriter(2);
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
      if (error?.code === 'EAGAIN') {
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
