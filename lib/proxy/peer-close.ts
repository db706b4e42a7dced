/**
 * Tells when the agent closes its stdin, though nothing is written to it at that moment: a Node stream that is only
 * written to learns of it at the next write.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';

interface Handle {
  fd?: number;
  onread?: (data?: ArrayBuffer) => void;
  readStart?: () => number;
}

const LOOK_EVERY_MS = 250;

export function onPeerClose(stream: Writable, callback: () => void): void {
  const handle = (stream as unknown as { _handle?: Handle | null })._handle;
  if (!handle) return;
  if (handle.fd !== undefined && handle.fd >= 0 && fstatSync(handle.fd).isFIFO()) {
    watchPipe(stream, handle.fd, callback);
  } else if (typeof handle.readStart === 'function') {
    // A socket ends in the direction that never carries data.
    handle.onread = (data) => {
      if (data === undefined) callback();
    };
    handle.readStart();
  }
}

/** A pipe without a reader cannot be opened for writing: asked now and then, where /proc can be asked. */
function watchPipe(stream: Writable, fd: number, callback: () => void): void {
  const timer = setInterval(() => {
    if (stream.destroyed || stream.writableEnded) return clearInterval(timer);
    try {
      closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      clearInterval(timer);
      if ((error as NodeJS.ErrnoException).code === 'ENXIO') callback();
    }
  }, LOOK_EVERY_MS);
  timer.unref();
}
