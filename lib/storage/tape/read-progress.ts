/** How much of a long file is read, for a progress display. Only the program uses it, never the library. */

/** Bytes. A shorter file is read at once. */
const LARGE_FILE_BYTES = 4 << 20;

type ReadWatcher = (done: number, all: number) => void;
let watcher: ReadWatcher | null = null;

/** From now on, of all files. */
export function watchReading(watch: ReadWatcher): void {
  watcher = watch;
}

export function reportRead(done: number, all: number): void {
  if (watcher !== null && all >= LARGE_FILE_BYTES) watcher(done, all);
}
