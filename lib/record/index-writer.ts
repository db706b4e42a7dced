/**
 * The recorder's side of the index: rows for its own session, in small steps, only when the tape is caught up. Whatever
 * goes wrong here is said once and costs nothing but rows, which the next reader makes.
 */
import { existsSync } from 'node:fs';
import { fileOf, openIndex, replaceDamaged } from '../store/index-file.ts';
import { Displaced, type IndexSource, inTransaction, SessionIndexer, TooLong } from '../store/indexer.ts';
import { sessionKey } from '../store/key.ts';
import { isCurrent, readRow } from '../store/rows.ts';
import { type Database, isBusy, isDamage, unavailable } from '../store/sqlite.ts';
import { Misunderstood } from '../store/understanding.ts';

export interface IndexWriterOptions {
  home: string;
  source: IndexSource;
  /** There will be no rows from us. */
  failing(message: string): void;
  notice(message: string): void;
  /** A session with a longer line gets no more rows from us: the next reader, who may take more memory, makes them. */
  longestLine?: number;
}

/** Others may write for so long before we try again later: the traffic's exit must not wait for them. */
const PATIENCE_MS = 40;
/** Tape bytes a step: about 50 ms. */
const STEP = 2 << 20;

export class IndexWriter {
  readonly #options: IndexWriterOptions;
  #indexer: SessionIndexer | null = null;
  #givenUp = false;

  constructor(options: IndexWriterOptions) {
    this.#options = options;
  }

  /**
   * Rows for some of what the tape has more by now. True when there is nothing left to do. The index is open no longer
   * than that: SQLite maps a part of it into memory, and a file cut short under a mapping kills the process.
   */
  step(running: boolean): boolean {
    if (this.#givenUp) return true;
    const { home, source, notice } = this.#options;
    let db: Database | null = null;
    try {
      db = openIndex(home, { patienceMs: PATIENCE_MS, notice });
      // A reader was faster, and has made all rows.
      if (!running && this.#isDone(db)) return true;
      this.#indexer ??= new SessionIndexer(source, this.#options.longestLine);
      return inTransaction(db, () => this.#indexer!.advance(db!, STEP, running));
    } catch (error) {
      return this.#handle(error, db ? fileOf(db) : 0);
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
    // Nothing was read yet: the next step goes on from here.
    if (isBusy(error)) return false;
    const { home, failing, notice } = this.#options;
    try {
      this.close();
      if (error instanceof TooLong) {
        this.#givenUp = true;
        return true;
      }
      if (error instanceof Displaced || error instanceof Misunderstood) return false;
      if (isDamage(error)) {
        replaceDamaged(home, file, { patienceMs: PATIENCE_MS, notice });
        return false;
      }
    } catch (further) {
      // Somebody else is at it: we find what they made of it.
      if (isBusy(further)) return false;
    }
    this.#givenUp = true;
    // The session was removed: its tape has more to say about that.
    if (!existsSync(this.#options.source.dir)) return true;
    const { message, hint } = unavailable(error);
    failing(hint ? `${message}; ${hint}` : message);
    return true;
  }
}
