/** How far a long file is read, for somebody who waits. Only the program asks for that: the library tells nobody. */

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
