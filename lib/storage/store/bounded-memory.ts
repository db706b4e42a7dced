/**
 * A limit on what reading a session may leave in memory. A file from elsewhere may be small although its tape has millions
 * of frames, and a tree of them has no bound of its own.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Failure } from '../../model/failure.ts';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { humanBytes } from '../../model/text/text.ts';

/** With the program itself, and garbage, a process stays below 512 MB. */
const MAX_BYTES_IN_USE = 300e6;
/** It is looked at after so many frames, or so many bytes. */
const CHECK_EVERY_FRAMES = 1 << 12;
const CHECK_EVERY_BYTES = 1 << 22;

/** The same frames. Fails if memory in use has grown by more than `maxBytes` bytes since its minimum. */
export function* withinMemory(frames: Iterable<Frame>, id: string, maxBytes = MAX_BYTES_IN_USE): Generator<Frame> {
  // There may be garbage at the start, which goes meanwhile.
  let least = bytesInUse();
  let [count, bytes] = [0, 0];
  for (const frame of frames) {
    yield frame;
    bytes += sizeOf(frame);
    if (++count < CHECK_EVERY_FRAMES && bytes < CHECK_EVERY_BYTES) continue;
    [count, bytes] = [0, 0];
    least = Math.min(least, bytesInUse());
    if (bytesInUse() - least > maxBytes && bytesAfterCollection() - least > maxBytes) throw tooMuchMemory(id, maxBytes);
  }
}

function bytesInUse(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** Most of what is in use may be garbage. */
function bytesAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
  return bytesInUse();
}

function tooMuchMemory(id: string, maxBytes: number): Failure {
  return new Failure(
    `${id}: this needs more than ${humanBytes(maxBytes)} of memory, too much for a file from elsewhere`,
    'if you trust it, import it first: wiretape import FILE',
  );
}
