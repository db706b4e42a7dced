/**
 * The recorder's side of the index: rows for its own session, in small steps, only when the tape is caught up. Whatever
 * goes wrong here is said once and costs nothing but rows, which the next reader makes.
 */
import { existsSync } from 'node:fs';
import {
  type Database,
  fileAt,
  fileOf,
  indexPath,
  isBusy,
  isDamage,
  openIndex,
  replaceDamaged,
  unavailable,
} from '../store/index-file.ts';
import { Displaced, type IndexSource, inTransaction, SessionIndexer } from '../store/indexer.ts';

export interface IndexWriterOptions {
  home: string;
  source: IndexSource;
  /** There will be no rows from us. */
  failing(message: string): void;
  notice(message: string): void;
}

/** Others may write for so long before we try again later: the traffic's exit must not wait for them. */
const PATIENCE_MS = 40;
/** Tape bytes a step: about 50 ms. */
const STEP = 2 << 20;

export class IndexWriter {
  readonly #options: IndexWriterOptions;
  #db: Database | null = null;
  #indexer: SessionIndexer | null = null;
  #given_up = false;

  constructor(options: IndexWriterOptions) {
    this.#options = options;
  }

  /** Rows for some of what the tape has more by now. True when there is nothing left to do. */
  step(running: boolean): boolean {
    if (this.#given_up) return true;
    try {
      const indexer = this.#open();
      return inTransaction(this.#db!, () => indexer.advance(STEP, running));
    } catch (error) {
      return this.#handle(error);
    }
  }

  close(): void {
    this.#indexer?.close();
    this.#indexer = null;
    this.#db?.close();
    this.#db = null;
  }

  #open(): SessionIndexer {
    const { home, source, notice } = this.#options;
    // Deleted or set aside by somebody: what we would write now, nobody would ever see.
    if (this.#db && fileAt(indexPath(home)) !== fileOf(this.#db)) this.close();
    this.#db ??= openIndex(home, { patienceMs: PATIENCE_MS, notice });
    this.#indexer ??= new SessionIndexer(this.#db, source);
    return this.#indexer;
  }

  #handle(error: unknown): boolean {
    // Nothing was read yet: the next step goes on from here.
    if (isBusy(error)) return false;
    const { home, failing, notice } = this.#options;
    const file = this.#db ? fileOf(this.#db) : 0;
    try {
      this.close();
      if (error instanceof Displaced) return false;
      if (isDamage(error)) {
        replaceDamaged(home, file, { patienceMs: PATIENCE_MS, notice });
        return false;
      }
    } catch (further) {
      // Somebody else is at it: we find what they made of it.
      if (isBusy(further)) return false;
    }
    this.#given_up = true;
    // The session was removed: its tape has more to say about that.
    if (!existsSync(this.#options.source.dir)) return true;
    const { message, hint } = unavailable(error);
    failing(hint ? `${message}; ${hint}` : message);
    return true;
  }
}
