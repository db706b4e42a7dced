/**
 * The recorder's second thread: follows the journal and writes the tape, behind the traffic, and rows for the index,
 * behind the tape. If the tape cannot be written it says so once and tries again later, from the start: the tape is a
 * pure function of the journal. When the tape is complete it is synced, and the journal goes.
 */
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { JOURNAL } from '../store/home.ts';
import { JournalReader } from '../tape/journal.ts';
import { TapeSink } from '../tape/sink.ts';
import { TapeBuilder } from '../tape/write.ts';
import { IndexWriter } from './index-writer.ts';
import { Progress } from './shared.ts';

export interface WorkerInput {
  home: string;
  id: string;
  dir: string;
  tape: string;
  memory: SharedArrayBuffer;
}

export type WorkerMessage =
  | { is: 'started' }
  | { is: 'complete' }
  | { is: 'failing'; message: string }
  | { is: 'index-failing'; message: string }
  | { is: 'notice'; message: string };

const RETRY_MS = 1000;
/** So many chunks while one block was read are a flood. */
const FLOOD = 4;
const YIELD_MS = 20;
/** Syncing more than this would keep the client waiting for our exit; the next reader does it. */
const SYNC_AT_MOST = 64 * 1024 * 1024;

/** So often rows are written, if there is something to write. */
const INDEX_EVERY_MS = 250;
/** So long the last rows may keep our exit waiting. */
const LAST_ROWS_MS = 150;

const input = workerData as WorkerInput;
const journal = join(input.dir, JOURNAL);
const progress = new Progress(input.memory);
const tell = (message: WorkerMessage) => parentPort?.postMessage(message);

try {
  // On Linux this is the priority of the calling thread alone: traffic comes first.
  if (process.platform === 'linux') setPriority(10);
} catch {
  // Not allowed here.
}

const index = new IndexWriter({
  home: input.home,
  source: { id: input.id, dir: input.dir, tape: input.tape, running: true },
  failing: (message) => tell({ is: 'index-failing', message }),
  notice: (message) => tell({ is: 'notice', message }),
});

/** Writes the tape from its start to its end. */
function follow(): void {
  const reader = new JournalReader(journal);
  const fd = openSync(input.tape, 'r+');
  try {
    ftruncateSync(fd, 0);
    tell({ is: 'started' });
    const sink = new TapeSink(fd);
    const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into));
    let rowsAt = performance.now();
    for (;;) {
      const seen = progress.count;
      const finishing = progress.finishing;
      readAll(reader, builder);
      if (finishing) reader.readKeptAside(builder.take);
      sink.flush();
      if (builder.ended) break;
      if (finishing) return;
      // Traffic first, then the tape, then the index.
      let rowsDone = false;
      if (progress.count === seen && performance.now() - rowsAt >= INDEX_EVERY_MS) {
        rowsDone = indexStep(true);
        rowsAt = performance.now();
      }
      progress.sleep(seen, rowsDone ? undefined : INDEX_EVERY_MS);
    }
    if (fstatSync(fd).size > SYNC_AT_MOST) return;
    fsyncSync(fd);
    unlinkSync(journal);
  } finally {
    closeSync(fd);
    reader.close();
  }
}

/** Traffic first: while it comes in floods, the tape waits. What is left at the end is made by the next reader. */
function readAll(reader: JournalReader, builder: TapeBuilder): void {
  for (let before = progress.count; reader.readBlock(builder.take); before = progress.count) {
    if (progress.count - before > FLOOD) progress.pause(YIELD_MS);
  }
}

/** The process may end while we do this, and SQLite's binding, cut off within a call, takes it down with an abort. */
function indexStep(running: boolean): boolean {
  return progress.engage(() => index.step(running)) ?? true;
}

/** The tape is as it will stay; what cannot be written in time is left to the next reader. */
function finishRows(): void {
  const until = performance.now() + LAST_ROWS_MS;
  while (!existsSync(journal) && !indexStep(false) && performance.now() < until) {}
  progress.engage(() => index.close());
}

let said = false;
for (;;) {
  try {
    follow();
    tell({ is: 'complete' });
    finishRows();
    break;
  } catch (error) {
    // Its rows were of a tape that is begun again.
    progress.engage(() => index.close());
    if (!said) tell({ is: 'failing', message: (error as Error).message });
    said = true;
    if (progress.finishing) break;
    progress.pause(RETRY_MS);
  }
}
