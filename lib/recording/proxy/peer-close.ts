/**
 * Detects that the agent has closed its stdin, even while nothing is written to it. A Node stream that is only written to
 * would notice at the next write.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';

interface Handle {
  fd?: number;
  onread?: (data?: ArrayBuffer) => void;
  readStart?: () => number;
}

const POLL_MS = 250;

export function onPeerClose(stream: Writable, callback: () => void): void {
  const handle = (stream as unknown as { _handle?: Handle | null })._handle;
  if (!handle) return;
  if (handle.fd !== undefined && handle.fd >= 0 && fstatSync(handle.fd).isFIFO()) {
    watchPipe(stream, handle.fd, callback);
  } else if (typeof handle.readStart === 'function') {
    // A socket reports EOF on its read side, which carries no data.
    handle.onread = (data) => {
      if (data === undefined) callback();
    };
    handle.readStart();
  }
}

/** Polls whether the pipe can still be opened for writing, which fails without a reader. Needs /proc. */
function watchPipe(stream: Writable, fd: number, callback: () => void): void {
  const timer = setInterval(() => {
    if (stream.destroyed || stream.writableEnded) return clearInterval(timer);
    try {
      closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch (error) {
      clearInterval(timer);
      if ((error as NodeJS.ErrnoException).code === 'ENXIO') callback();
    }
  }, POLL_MS);
  timer.unref();
}
