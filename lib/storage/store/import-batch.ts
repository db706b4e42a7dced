/**
 * Many imports, put on the disk together: to sync each of hundreds of small tapes by itself takes longer than all the rest.
 * The journals of a batch are removed when its tapes are synced.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import type { Source } from '../tape/import/source.ts';
import type { Survey } from '../tape/import/survey.ts';
import { sessionsDir } from './home.ts';
import { type Imported, type ImportOptions, importSession } from './import-session.ts';

/** Journals take as much room as tapes, and a session with one looks as if it were running. */
const MOST_SESSIONS = 500;
const MOST_BYTES = 256 * 1024 * 1024;

/** How tapes get to the disk. */
export interface Disk {
  /** All that was written to the file system of this folder; false if that cannot be done here. */
  syncAll(folder: string): boolean;
  syncFile(path: string): void;
}

export class ImportBatch {
  readonly #options: Omit<ImportOptions, 'names'>;
  readonly #disk: Disk;
  #waiting: Imported[] = [];
  #bytes = 0;

  constructor(options: Omit<ImportOptions, 'names'>, disk: Disk = DISK) {
    this.#options = options;
    this.#disk = disk;
  }

  /** The id of the new session. */
  add(source: Source, survey: Survey, names: ImportOptions['names']): string {
    const imported = importSession(source, survey, { ...this.#options, names });
    this.#waiting.push(imported);
    this.#bytes += statSync(imported.journal).size;
    if (this.#waiting.length >= MOST_SESSIONS || this.#bytes >= MOST_BYTES) this.settle();
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

const DISK: Disk = {
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
