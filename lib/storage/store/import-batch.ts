/**
 * Many imports, put on the disk together: to sync each of hundreds of small tapes by itself takes longer than all the rest.
 * The journals of a batch are removed when its tapes are synced.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import type { ImportSource } from '../tape/import/source.ts';
import type { SourceSurvey } from '../tape/import/survey.ts';
import { sessionsDir } from './home.ts';
import { type ImportedSession, type ImportOptions, importSession } from './import-session.ts';

/** Journals take as much room as tapes, and a session with one looks as if it were running. */
const MAX_SESSIONS = 500;
const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

/** How tapes get to the disk. */
export interface DiskSync {
  /** All that was written to the file system of this folder; false if that cannot be done here. */
  syncAll(folder: string): boolean;
  syncFile(path: string): void;
}

export class ImportBatch {
  readonly #options: Omit<ImportOptions, 'names'>;
  readonly #disk: DiskSync;
  #waiting: ImportedSession[] = [];
  #bytes = 0;

  constructor(options: Omit<ImportOptions, 'names'>, disk: DiskSync = SYSTEM_DISK) {
    this.#options = options;
    this.#disk = disk;
  }

  /** The id of the new session. */
  add(source: ImportSource, survey: SourceSurvey, names: ImportOptions['names']): string {
    const imported = importSession(source, survey, { ...this.#options, names });
    this.#waiting.push(imported);
    this.#bytes += statSync(imported.journal).size;
    if (this.#waiting.length >= MAX_SESSIONS || this.#bytes >= MAX_JOURNAL_BYTES) this.settle();
    return imported.id;
  }

  /** To be called at the end, whatever happened. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    const isDone = waiting.length > 1 && this.#disk.syncAll(sessionsDir(this.#options.home));
    for (const { tape, journal } of waiting) {
      if (!isDone) this.#disk.syncFile(tape);
      rmSync(journal, { force: true });
    }
  }
}

const SYSTEM_DISK: DiskSync = {
  /** Node has no syncfs(2). Only where the program knows `-f` does it wait for the disk. */
  syncAll: (folder) =>
    process.platform === 'linux' && spawnSync('sync', ['-f', folder], { stdio: 'ignore' }).status === 0,
  syncFile(path) {
    const fd = openSync(path, 'r+');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
};
