/** How much of a long file is read, for a progress display. Only the program uses it, never the library. */

/** Bytes. A shorter file is read at once. */
const LONG = 4 << 20;

type Watcher = (done: number, all: number) => void;
let watcher: Watcher | null = null;

/** From now on, of all files. */
export function watchReading(watch: Watcher): void {
  watcher = watch;
}

export function noteRead(done: number, all: number): void {
  if (watcher !== null && all >= LONG) watcher(done, all);
}
