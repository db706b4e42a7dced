/**
 * Memory while a long tape is read. What is live hardly grows, but V8 lets the garbage beside it grow to several times as
 * much, and returns little of that. To collect sooner takes no noticeable time, because there is little to mark.
 */
import { statSync } from 'node:fs';
import { isPage } from './page.ts';

/** Reading less makes little garbage. */
const LARGE_TAPE_BYTES = 1 << 24;
/** The tape in a page or an archive is about so many times as long. */
const MAX_COMPRESSION = 16;
/** Later versions of V8 may not know the flag, and would say so on stderr. */
const MAX_V8_VERSION = 13;

/** Changes the whole process, so only a command may call it: the library must not. `tapes` may name other things. */
export function collectGarbageSooner(tapes: Iterable<string>): void {
  if (Number.parseInt(process.versions.v8, 10) > MAX_V8_VERSION) return;
  for (const path of tapes) {
    const size = sizeOf(path);
    if (size < LARGE_TAPE_BYTES / MAX_COMPRESSION || (size < LARGE_TAPE_BYTES && !isPage(path))) continue;
    // Loaded here because it takes a few milliseconds.
    process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=20');
    return;
  }
}

/** 0 if there is no such file, or its name cannot be one. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
