/**
 * What the recorder says to its writer process. While the journal's disk is slow that includes the journal's records: then
 * they are appended here, and nobody but us can store them.
 */
import { Socket } from 'node:net';
import { addWriter } from '../store/owner.ts';
import { Journal } from '../tape/journal.ts';
import { JOURNAL_FD, LINK_FD, MessageReader, type Report, Say, SLOW_MS } from './link.ts';

/** Messages of relayed records, 256 kB each at most. */
const GATHER = 64;

export class Inbox {
  /** Counts what was said. */
  news = 0;
  /** Nothing more will come. */
  finishing = false;
  /** The recorder has gone, or was killed. */
  gone = false;
  readonly #link = new Socket({ fd: LINK_FD, readable: true, writable: true });
  readonly #dir: string;
  readonly #messages = new MessageReader();
  /** Ours while the disk is too slow for the recorder. */
  #journal: Journal | null = null;
  #relayed: Buffer[] = [];
  /** Messages of records, since we took over. */
  #stored = 0;
  #asked: 'if-quick' | 'anyway' | null = null;
  #isHeld = false;
  #onNews: () => void = () => {};
  #failed: (error: Error) => void;

  /** `dir` is the session's folder; `failed` hears why the journal cannot be written. */
  constructor(dir: string, failed: (error: Error) => void) {
    this.#dir = dir;
    this.#failed = failed;
    this.#link.on('data', (chunk: Buffer) => this.#messages.take(chunk, this.#hear));
    this.#link.on('error', () => {});
    this.#link.on('close', () => {
      this.gone = true;
      this.#onNews();
    });
  }

  readonly tell = (report: Report): void => void this.#link.write(`${JSON.stringify(report)}\n`);

  close(): void {
    this.#link.end();
  }

  /** Resolves when the recorder says something, or after so long. */
  wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = Number.isFinite(ms) ? setTimeout(done, ms) : undefined;
      this.#onNews = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** Appends what the recorder could not wait for, and tells how far that is, once it is quick again. */
  async storeRelayed(): Promise<void> {
    if (!this.#journal) return;
    await this.#gather();
    const before = performance.now();
    const records = this.#relayed.splice(0);
    this.#stored += records.length;
    if (records.length > 0) this.#journal.appendEncoded(Buffer.concat(records));
    if (!this.#asked) return;
    if (this.#asked === 'if-quick') this.#journal.touch();
    const isQuick = performance.now() - before < SLOW_MS;
    // What could not be written so far is counted here, and nowhere else.
    const isOver = !this.#journal.failing && (this.#asked === 'anyway' || isQuick);
    this.#asked = null;
    // If the recorder takes it back, we hear nothing of it: nothing more is sent to us.
    this.tell({ is: 'stored', messages: this.#stored, size: isOver ? this.#journal.size : null });
  }

  /** A slow disk takes much at once as quickly as little: all that is on its way is taken in first. */
  async #gather(): Promise<void> {
    for (let before = -1; this.#relayed.length > before && this.#relayed.length < GATHER; ) {
      before = this.#relayed.length;
      await tick();
      await tick();
    }
  }

  readonly #hear = (kind: Say, content: Buffer): void => {
    this.news++;
    if (kind === Say.takeOver) this.#takeOver(content.readDoubleLE(0));
    if (kind === Say.records) this.#relayed.push(Buffer.from(content));
    if (kind === Say.handBack) this.#asked = content[0] === 1 ? 'anyway' : 'if-quick';
    if (kind === Say.finish) this.finishing = true;
    this.#onNews();
  };

  #takeOver(size: number): void {
    this.#journal = new Journal(JOURNAL_FD, size, this.#failed);
    this.#stored = 0;
    if (this.#isHeld) return;
    this.#isHeld = true;
    try {
      // No reader may finish the session while we have something to store.
      addWriter(this.#dir, process.pid);
      this.tell({ is: 'holding' });
    } catch {
      // The recorder itself is an owner, as long as it lives.
    }
  }
}

function tick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
