/**
 * Receives the recorder's messages in the writer process. While the disk is slow they include the records of the journal,
 * which are then appended here.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { addWriter } from '../../storage/store/owner.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import { Journal } from '../../storage/tape/journal.ts';
import {
  JOURNAL_FD,
  LINK_FD,
  SLOW_MS,
  WriterMessage,
  WriterMessageReader,
  type WriterReport,
} from './writer-protocol.ts';

/** Messages with records, of up to 256 kB each, that are stored at once. */
const MAX_GATHERED_MESSAGES = 64;

export class WriterInbox {
  /** Counts the messages. */
  messageCount = 0;
  /** The recorder has sent its last message. */
  finishing = false;
  /** The recorder has exited, or was killed. */
  gone = false;
  readonly #link = new Socket({ fd: LINK_FD, readable: true, writable: true });
  readonly #dir: string;
  readonly #messages = new WriterMessageReader();
  /** Open here while the disk is too slow for the recorder. */
  #journal: Journal | null = null;
  #relayed: Buffer[] = [];
  /** Messages with records stored since the writer process took over. */
  #stored = 0;
  #requestedReturn: 'if-quick' | 'anyway' | null = null;
  #isHeld = false;
  readonly #wakeup = new Wakeup();
  #failed: (error: Error) => void;

  /** `dir` is the session's folder; `failed` is called if the journal cannot be written. */
  constructor(dir: string, failed: (error: Error) => void) {
    this.#dir = dir;
    this.#failed = failed;
    this.#link.on('data', (chunk: Buffer) => this.#messages.take(chunk, this.#receive));
    this.#link.on('error', () => {});
    this.#link.on('close', () => {
      this.gone = true;
      this.#wakeup.wake();
    });
  }

  /** A failed write of a stream would close it, and records that the recorder sent before it left would be lost. */
  readonly sendReport = (report: WriterReport): void => {
    const line = `${JSON.stringify(report)}\n`;
    try {
      writeSync(LINK_FD, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#link.write(line);
    }
  };

  close(): void {
    this.#link.end();
  }

  /** Waits for the next message, at most `ms`. */
  async wait(ms: number): Promise<void> {
    this.#wakeup.reset();
    await this.#wakeup.wait(ms / 1000);
  }

  /** Appends the records that were received, and reports the size of the journal if the recorder asked for it. */
  async storeRelayed(): Promise<void> {
    if (!this.#journal) return;
    await this.#gather();
    const before = performance.now();
    const records = this.#relayed.splice(0);
    this.#stored += records.length;
    if (records.length > 0) this.#journal.appendEncoded(Buffer.concat(records));
    if (!this.#requestedReturn) return;
    if (this.#requestedReturn === 'if-quick') this.#journal.touch();
    const isQuick = performance.now() - before < SLOW_MS;
    // While writes fail, only this process knows what is missing.
    const isOver = !this.#journal.failing && (this.#requestedReturn === 'anyway' || isQuick);
    this.#requestedReturn = null;
    // The recorder does not confirm: it takes the journal back and sends no more records.
    this.sendReport({ is: 'stored', messages: this.#stored, size: isOver ? this.#journal.size : null });
  }

  /** Collects what is on its way: one large write to a slow disk takes no longer than a small one. */
  async #gather(): Promise<void> {
    for (let before = -1; this.#relayed.length > before && this.#relayed.length < MAX_GATHERED_MESSAGES; ) {
      before = this.#relayed.length;
      await tick();
      await tick();
    }
  }

  readonly #receive = (kind: WriterMessage, content: Buffer): void => {
    this.messageCount++;
    if (kind === WriterMessage.takeOver) this.#takeOver(content.readDoubleLE(0));
    if (kind === WriterMessage.records) this.#relayed.push(Buffer.from(content));
    if (kind === WriterMessage.handBack) this.#requestedReturn = content[0] === 1 ? 'anyway' : 'if-quick';
    if (kind === WriterMessage.finish) this.finishing = true;
    this.#wakeup.wake();
  };

  #takeOver(size: number): void {
    this.#journal = new Journal(JOURNAL_FD, size, this.#failed);
    this.#stored = 0;
    if (this.#isHeld) return;
    this.#isHeld = true;
    try {
      // Readers must not finish the session while there are records to store.
      addWriter(this.#dir, process.pid);
      this.sendReport({ is: 'holding' });
    } catch {
      // The recorder is an owner as long as it runs.
    }
  }
}

function tick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
