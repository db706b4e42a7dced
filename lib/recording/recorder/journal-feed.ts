/**
 * Appends records to the journal. While the disk is fast, the forwarding thread writes each record itself, before it reads
 * anything else, so that kill -9 loses at most one chunk. A slow write would delay the traffic, so after slow writes the records go to the writer process,
 * which can wait for the disk. Data that it cannot take in time is counted and becomes a `gap`. When the disk is fast
 * again, the forwarding thread writes again.
 */
import { STREAMS, type Stream } from '../../model/frame.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import { encodeRecord, type Journal, RecordKind } from '../../storage/tape/journal.ts';
import type { WriterProcess } from './writer-process.ts';
import { SLOW_MS, WriterMessage } from './writer-protocol.ts';

/** A single slow write may only mean that the machine is busy. */
const MAX_SLOW_WRITES = 2;
/** Bytes that may wait for a slow disk. */
const MAX_WAITING_BYTES = 16 << 20;
/** Bytes in one message to the writer process. */
const MESSAGE_BYTES = 256 << 10;
/** How often to ask whether the disk is fast again. */
const RECOVER_MS = 2000;

interface WaitingRecord {
  kind: RecordKind;
  t: number;
  payload: Buffer;
}

export class JournalFeed {
  readonly #journal: Journal;
  #writer: WriterProcess | null = null;
  /** Whether the writer process appends. */
  #isRelayed = false;
  /** Messages with records sent since the writer process took over. */
  #sent = 0;
  #queue: WaitingRecord[] = [];
  #waiting = 0;
  #sending: WaitingRecord[] = [];
  #missing = new Map<Stream, number>();
  /** Slow writes in a row. */
  #slow = 0;
  readonly #change = new Wakeup();

  /** `isSlow`: the first writes were slow. */
  constructor(journal: Journal, isSlow: boolean) {
    this.#journal = journal;
    this.#slow = isSlow ? MAX_SLOW_WRITES : 0;
  }

  attach(writer: WriterProcess): void {
    this.#writer = writer;
    this.#relayIfSlow();
  }

  /** Whether the writer process is needed from the first byte on. */
  get isSlow(): boolean {
    return this.#slow >= MAX_SLOW_WRITES;
  }

  append(kind: RecordKind, t: number, payload: Uint8Array): void {
    if (this.#isRelayed) this.#enqueue(kind, t, payload);
    else this.#write(kind, t, payload);
  }

  /** The writer process reports the messages it has stored and the size of the journal, or null if the disk is still slow. */
  onStored(messages: number, size: number | null): void {
    if (!this.#isRelayed) return;
    // While a message is on its way, the end of the journal is not known.
    if (size !== null && messages === this.#sent && this.#isDrained) this.takeBack(size);
    else this.#requestJournalLater();
    this.#change.wake();
  }

  /** Takes the journal back. `size` is null if the writer process has died. */
  takeBack(size: number | null): void {
    if (!this.#isRelayed) return;
    this.#isRelayed = false;
    this.#journal.resume(size);
    // It cannot have stored a message that it did not receive completely.
    if (size === null) this.#queue.unshift(...this.#sending);
    this.#addGaps(this.#queue.at(-1)?.t ?? 0);
    this.#waiting = 0;
    this.#sending = [];
    for (const { kind, t, payload } of this.#queue.splice(0)) this.append(kind, t, payload);
    this.#change.wake();
  }

  /**
   * Resolves to true when everything is in the journal and the forwarding thread has it back. Waits for a slow disk up to
   * `patienceMs`. Data that was not sent by then is dropped and counted; see `takeRest`.
   */
  async settle(patienceMs: number): Promise<boolean> {
    const until = performance.now() + patienceMs;
    if (!this.#isRelayed) return true;
    await this.#until(() => this.#isDrained, until - patienceMs / 2);
    this.#dropWaitingData();
    await this.#until(() => this.#isDrained, until);
    if (this.#isDrained) this.#requestJournal(true);
    await this.#until(() => !this.#isRelayed, until);
    return !this.#isRelayed;
  }

  /** The records that were not sent, without the data that may be dropped; null if there are none. */
  takeRest(): Buffer | null {
    if (this.#isDrained) return null;
    // A message that is sent in part is ignored.
    this.#queue.unshift(...this.#sending);
    this.#dropWaitingData();
    return Buffer.concat(this.#queue.splice(0).map(({ kind, t, payload }) => encodeRecord(kind, t, payload)));
  }

  get #isDrained(): boolean {
    return !this.#isRelayed || (this.#queue.length === 0 && this.#sending.length === 0);
  }

  /** Waits for a condition, at most until `time`. */
  async #until(holds: () => boolean, time: number): Promise<void> {
    while (!holds() && performance.now() < time) await this.#change.wait((time - performance.now()) / 1000);
  }

  /** Drops and counts the waiting data. Records that must be kept stay. */
  #dropWaitingData(): void {
    const kept = this.#queue.filter(({ kind, payload }) => !this.#countDropped(kind, payload.length));
    this.#queue = [];
    this.#addGaps(kept.at(-1)?.t ?? 0);
    this.#queue.push(...kept);
    this.#waiting = [...this.#sending, ...kept].reduce((sum, { payload }) => sum + payload.length, 0);
    this.#pump();
  }

  #write(kind: RecordKind, t: number, payload: Uint8Array): void {
    const before = performance.now();
    this.#journal.append(kind, t, payload);
    this.#slow = performance.now() - before < SLOW_MS ? 0 : this.#slow + 1;
    if (this.#slow > 0) this.#relayIfSlow();
  }

  #relayIfSlow(): void {
    if (!this.isSlow || this.#isRelayed) return;
    if (!this.#writer?.alive || this.#journal.failing) return;
    this.#slow = 0;
    this.#isRelayed = true;
    this.#sent = 0;
    const size = Buffer.alloc(8);
    size.writeDoubleLE(this.#journal.size);
    this.#writer.send(WriterMessage.takeOver, size);
    this.#requestJournalLater();
  }

  #requestJournalLater(): void {
    setTimeout(() => this.#isRelayed && this.#requestJournal(false), RECOVER_MS).unref();
  }

  /** Asks for the journal, if writing to it is fast again or (`anyway`) in any case. */
  #requestJournal(anyway: boolean): void {
    this.#writer!.send(WriterMessage.handBack, Buffer.from([anyway ? 1 : 0]));
  }

  #enqueue(kind: RecordKind, t: number, payload: Uint8Array): void {
    if (this.#waiting + payload.length > MAX_WAITING_BYTES && this.#countDropped(kind, payload.length)) return;
    this.#addGaps(t);
    this.#queue.push({ kind, t, payload: Buffer.from(payload) });
    this.#waiting += payload.length;
    this.#pump();
  }

  /** Counts a record that is dropped; false if its kind must be kept. */
  #countDropped(kind: RecordKind, length: number): boolean {
    const stream = STREAMS.find((name) => RecordKind[name] === kind);
    if (stream) this.#missing.set(stream, (this.#missing.get(stream) ?? 0) + length);
    return stream !== undefined || kind === RecordKind.clock;
  }

  #addGaps(t: number): void {
    for (const [stream, missing] of this.#missing) {
      this.#queue.push({ kind: RecordKind.gap, t, payload: Buffer.from(JSON.stringify({ stream, missing })) });
    }
    this.#missing.clear();
  }

  /** Sends one message at a time: only data that was not sent can still be dropped. */
  #pump(): void {
    if (this.#sending.length > 0 || !this.#isRelayed) return;
    if (this.#queue.length === 0) return this.#change.wake();
    for (let size = 0; this.#queue.length > 0 && size < MESSAGE_BYTES; ) {
      const next = this.#queue.shift()!;
      this.#sending.push(next);
      size += next.payload.length;
    }
    const records = this.#sending.map(({ kind, t, payload }) => encodeRecord(kind, t, payload));
    this.#sent++;
    this.#writer!.send(WriterMessage.records, Buffer.concat(records), () => {
      for (const { payload } of this.#sending.splice(0)) this.#waiting -= payload.length;
      this.#pump();
    });
  }
}
