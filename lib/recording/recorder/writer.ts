/**
 * The writer process: follows the journal, writes the tape, and then rows for the index. It has both files open from the
 * start, so that it can continue when they are moved or deleted. If the tape cannot be written, it reports that once and
 * starts over later: the tape depends only on the journal. When the tape is complete, it is synced and the journal is
 * removed. This process may be killed at any time.
 */
import { existsSync, fstatSync, fsyncSync, ftruncateSync, futimesSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rememberFirstSeal } from '../../storage/store/first-seal.ts';
import { JOURNAL, JOURNAL_REST } from '../../storage/store/home.ts';
import { parseRecords } from '../../storage/tape/journal.ts';
import { JournalReader } from '../../storage/tape/journal-reader.ts';
import { readRest } from '../../storage/tape/rebuild.ts';
import { TapeSink } from '../../storage/tape/sink.ts';
import { TapeBuilder } from '../../storage/tape/write.ts';
import { applyBudget } from './apply-budget.ts';
import type { IndexWriter } from './index-writer.ts';
import { isFileAt, restoreFiles } from './restore-files.ts';
import { WriterInbox } from './writer-inbox.ts';
import type { WriterInput } from './writer-process.ts';
import { JOURNAL_FD, TAPE_FD } from './writer-protocol.ts';

const RETRY_MS = 1000;
/** If the journal grows by this much while one block is read, the tape waits: on few cores it would slow the traffic. */
const FLOOD_BYTES = 256 << 10;
const STAND_BACK_MS = 20;
/** Syncing a larger tape would delay the recorder's exit. The next reader does it. */
const MAX_SYNCED_BYTES = 64 << 20;
/** How often rows are written. */
const INDEX_EVERY_MS = 250;

const input = JSON.parse(process.argv[2]!) as WriterInput;
const journal = join(input.dir, JOURNAL);
const rest = join(input.dir, JOURNAL_REST);
const inbox = new WriterInbox(input.dir, (error) =>
  reportOnce('journal', `the journal cannot be written (${error.message})`),
);
const sendReport = inbox.sendReport;

const reported = new Set<string>();
/** Reports each problem once. */
function reportOnce(about: string, message: string): void {
  if (!reported.has(about)) sendReport({ is: 'failing', message });
  reported.add(about);
}

/** Parsing a longer line of many small objects would exceed the recorder's limit of 150 MB. */
const MAX_INDEXED_LINE_BYTES = 1 << 20;

/** Without visible processes, files that were not modified for a day count as abandoned. */
const SIGN_OF_LIFE_MS = 3_600_000;
setInterval(() => futimesSync(JOURNAL_FD, new Date(), new Date()), SIGN_OF_LIFE_MS).unref();

/** Loaded when the first rows are due: it would take most of the start-up time, and short sessions end before. */
let index = null as IndexWriter | null;
async function openRows(): Promise<IndexWriter> {
  const { IndexWriter } = await import('./index-writer.ts');
  return new IndexWriter({
    home: input.home,
    source: { id: input.id, dir: input.dir, tape: input.tape, running: true },
    longestLine: MAX_INDEXED_LINE_BYTES,
    failing: (message) => sendReport({ is: 'index-failing', message }),
    notice: (message) => sendReport({ is: 'notice', message }),
  });
}

/** Writes the tape from the start. Returns the digest of its final seal; null if the end was not reached. */
async function follow(): Promise<string | null> {
  const reader = new JournalReader(JOURNAL_FD);
  ftruncateSync(TAPE_FD, 0);
  const sink = new TapeSink(TAPE_FD);
  const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into));
  let rowsAt = performance.now();
  for (;;) {
    const { finishing, gone } = inbox;
    const seen = inbox.messageCount;
    const { size } = fstatSync(JOURNAL_FD);
    await readAll(reader, builder);
    if (finishing) reader.readKeptAside(builder.take);
    if (gone) takeRest(builder);
    sink.flush();
    if (builder.ended) return builder.digest;
    if (finishing || gone) return null;
    applyBudgetOnce();
    // The traffic comes first, then the tape, then the index.
    let rowsDone = false;
    const isQuiet = inbox.messageCount === seen && fstatSync(JOURNAL_FD).size === size;
    if (isQuiet && performance.now() - rowsAt >= INDEX_EVERY_MS) {
      rowsDone = await writeRows();
      rowsAt = performance.now();
    }
    if (inbox.messageCount === seen && !inbox.gone)
      await inbox.wait(rowsDone ? Number.POSITIVE_INFINITY : INDEX_EVERY_MS);
  }
}

/** Writes some rows; true when there is nothing left to do. */
async function writeRows(): Promise<boolean> {
  index ??= await openRows();
  return !areFilesInPlace() || index.step(true);
}

let isBudgetApplied = false;
/** Keeps the store within its budget, once per recording, after the first lines. */
function applyBudgetOnce(): void {
  if (isBudgetApplied) return;
  isBudgetApplied = true;
  applyBudget(input.home, process.env, (message) => sendReport({ is: 'notice', message }));
}

/** Reads all that is there, but waits while there is much traffic. The next reader finishes what is left at the end. */
async function readAll(reader: JournalReader, builder: TapeBuilder): Promise<void> {
  await inbox.storeRelayed();
  for (let before = fstatSync(JOURNAL_FD).size; reader.readBlock(builder.take); ) {
    const { size } = fstatSync(JOURNAL_FD);
    await pause(size - before > FLOOD_BYTES && !inbox.finishing ? STAND_BACK_MS : 0);
    before = size;
    await inbox.storeRelayed();
  }
}

/** The last records of a recorder that could not wait for its disk. */
function takeRest(builder: TapeBuilder): void {
  const records = readRest(rest);
  if (records) parseRecords(records, records.length, 0, builder.take);
}

/** Whether the session's files are still in place; reports it if not. */
function areFilesInPlace(): boolean {
  const missing = missingFile();
  if (missing) reportOnce('files', `the session's ${missing} was removed during recording`);
  return missing === null;
}

function missingFile(): string | null {
  if (!existsSync(input.dir)) return 'folder';
  if (!isFileAt(journal, JOURNAL_FD)) return 'journal';
  return isFileAt(input.tape, TAPE_FD) ? null : 'tape';
}

/** The tape is complete. */
function complete(digest: string): void {
  areFilesInPlace();
  const isForUs = fstatSync(TAPE_FD).size <= MAX_SYNCED_BYTES || !isFileAt(journal, JOURNAL_FD);
  if (isForUs && !isFileAt(input.tape, TAPE_FD)) restoreFiles(input);
  rememberFirstSeal(input.dir, digest);
  if (isForUs) {
    fsyncSync(TAPE_FD);
    for (const path of [journal, rest]) rmSync(path, { force: true });
  }
  // The next reader does what cannot be done in time. It also adds the rows if there are none yet: loading SQLite takes
  // longer than the client should wait.
  while (index && !existsSync(journal) && !index.step(false)) {}
}

async function work(): Promise<void> {
  for (;;) {
    try {
      const digest = await follow();
      if (digest !== null) complete(digest);
      break;
    } catch (error) {
      // The tape starts over, so its rows are invalid.
      index?.close();
      reportOnce('tape', `the tape cannot be written (${(error as Error).message})`);
      if (inbox.finishing || inbox.gone) break;
      await pause(RETRY_MS);
    }
  }
  index?.close();
  sendReport({ is: 'done' });
  inbox.close();
}

void work();
