/**
 * Writes index rows for the session that is being recorded, in small steps, when the tape is up to date. Failures are
 * reported once. The next reader adds the missing rows.
 */
import { existsSync } from 'node:fs';
import { DialectChanged } from '../../session/growing-pass.ts';
import { inodeOf, openIndex, replaceDamaged } from '../../storage/index/file.ts';
import {
  type IndexSource,
  inTransaction,
  LineTooLong,
  RowsReplaced,
  SessionIndexer,
} from '../../storage/index/indexer.ts';
import { sessionKey } from '../../storage/index/session-key.ts';
import { isCurrent, readRow } from '../../storage/index/session-rows.ts';
import { type Database, isBusy, isDamage, unavailable } from '../../storage/index/sqlite.ts';

export interface IndexWriterOptions {
  home: string;
  source: IndexSource;
  /** This writer has given up. */
  failing(message: string): void;
  notice(message: string): void;
  /** This writer gives up at a longer line. The next reader, which may use more memory, adds the rows. */
  longestLine?: number;
}

/** How long to wait for other writers: the recorder's exit must not wait for them. */
const PATIENCE_MS = 40;
/** Bytes of tape in one step: about 50 ms. */
const STEP_BYTES = 2 << 20;

export class IndexWriter {
  readonly #options: IndexWriterOptions;
  #indexer: SessionIndexer | null = null;
  #givenUp = false;

  constructor(options: IndexWriterOptions) {
    this.#options = options;
  }

  /**
   * Adds rows for some of the new frames; true when there is nothing left to do. The index is open only during a step:
   * SQLite maps a part of it into memory, and truncating a mapped file kills the process.
   */
  step(running: boolean): boolean {
    if (this.#givenUp) return true;
    const { home, source, notice } = this.#options;
    let db: Database | null = null;
    try {
      db = openIndex(home, { patienceMs: PATIENCE_MS, notice });
      // A reader has already added all rows.
      if (!running && this.#isDone(db)) return true;
      this.#indexer ??= new SessionIndexer(source, this.#options.longestLine);
      return inTransaction(db, () => this.#indexer!.advance(db!, STEP_BYTES, running));
    } catch (error) {
      return this.#handle(error, db ? inodeOf(db) : 0);
    } finally {
      db?.close();
    }
  }

  close(): void {
    this.#indexer?.close();
    this.#indexer = null;
  }

  #isDone(db: Database): boolean {
    const { home, source } = this.#options;
    const row = readRow(db, home, sessionKey(source.id));
    return row !== undefined && isCurrent(row, source.dir);
  }

  #handle(error: unknown, file: number): boolean {
    // Nothing was read yet: the next step tries again.
    if (isBusy(error)) return false;
    const { home, failing, notice } = this.#options;
    try {
      this.close();
      if (error instanceof LineTooLong) {
        this.#givenUp = true;
        return true;
      }
      if (error instanceof RowsReplaced || error instanceof DialectChanged) return false;
      if (isDamage(error)) {
        replaceDamaged(home, file, { patienceMs: PATIENCE_MS, notice });
        return false;
      }
    } catch (further) {
      // Another process is replacing it.
      if (isBusy(further)) return false;
    }
    this.#givenUp = true;
    // The session was removed, which is reported for its tape.
    if (!existsSync(this.#options.source.dir)) return true;
    const { message, hint } = unavailable(error);
    failing(hint ? `${message}; ${hint}` : message);
    return true;
  }
}
