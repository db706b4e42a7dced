/**
 * Tells at once when the agent closes its stdin. A Node stream that is only written to learns of it at the next write,
 * so we ask its handle to watch for the end of a direction that never carries data. Where a Node version has no such
 * handle, the next write tells.
 */
import type { Writable } from 'node:stream';

interface Handle {
  onread?: (data?: ArrayBuffer) => void;
  readStart?: () => number;
}

export function onPeerClose(stream: Writable, callback: () => void): void {
  const handle = (stream as unknown as { _handle?: Handle | null })._handle;
  if (typeof handle?.readStart !== 'function') return;
  handle.onread = (data) => {
    if (data === undefined) callback();
  };
  handle.readStart();
}
