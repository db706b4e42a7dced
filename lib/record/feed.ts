/**
 * The way into the journal. While its disk is quick, records are appended at once, by the forwarding thread itself: one
 * write, and even a kill -9 loses nothing. A write that stalls would stall the traffic, so after the first slow one
 * records go to the writer process instead, which may wait for the disk as long as it likes. What it cannot take in time
 * is counted and becomes a `gap`; when the disk is quick again we are back to writing ourselves.
 */
import { STREAMS, type Stream } from '../core/frame.ts';
import { encode, type Journal, Kind } from '../tape/journal.ts';
import { Say, SLOW_MS } from './link.ts';
import type { WriterProcess } from './writer-process.ts';

/** One slow write may be a busy machine's doing. */
const SLOW_WRITES = 2;
/** So much may wait for a slow disk. */
const MOST_WAITING = 16 << 20;
/** So much goes to the writer process at once. */
const MESSAGE = 256 << 10;
/** How soon we ask whether the disk has recovered. */
const RECOVER_MS = 2000;

interface Waiting {
  kind: Kind;
  t: number;
  payload: Buffer;
}

export class Feed {
  readonly #journal: Journal;
  #writer: WriterProcess | null = null;
  /** The writer process does the appending. */
  #isRelayed = false;
  /** How many messages of records it was sent, since it took over. */
  #sent = 0;
  #queue: Waiting[] = [];
  #waiting = 0;
  #sending: Waiting[] = [];
  #missing = new Map<Stream, number>();
  /** How many writes in a row were slow. */
  #slow = 0;
  #onChange: () => void = () => {};

  /** `isSlow`: the first writes have shown it already. */
  constructor(journal: Journal, isSlow: boolean) {
    this.#journal = journal;
    this.#slow = isSlow ? SLOW_WRITES : 0;
  }

  attach(writer: WriterProcess): void {
    this.#writer = writer;
    this.#relayIfSlow();
  }

  /** Whether the writer process should be there from the first byte on. */
  get isSlow(): boolean {
    return this.#slow >= SLOW_WRITES;
  }

  append(kind: Kind, t: number, payload: Uint8Array): void {
    if (this.#isRelayed) this.#enqueue(kind, t, payload);
    else this.#write(kind, t, payload);
  }

  /** The writer process has stored so many messages, and the journal is of this size; null: the disk is still slow. */
  answered(messages: number, size: number | null): void {
    if (!this.#isRelayed) return;
    // Only if nothing is on its way to it is the journal's end known.
    if (size !== null && messages === this.#sent && this.#isDrained) this.takeBack(size);
    else this.#askLater();
    this.#onChange();
  }

  /** The journal is ours again: it ends here, or (null) the writer process has died over it. */
  takeBack(size: number | null): void {
    if (!this.#isRelayed) return;
    this.#isRelayed = false;
    this.#journal.resume(size);
    // What it had not got as a whole it cannot have stored.
    if (size === null) this.#queue.unshift(...this.#sending);
    this.#tellMissing(this.#queue.at(-1)?.t ?? 0);
    this.#waiting = 0;
    this.#sending = [];
    for (const { kind, t, payload } of this.#queue.splice(0)) this.append(kind, t, payload);
    this.#onChange();
  }

  /**
   * True when everything is in the journal, which is ours again. A slow disk gets so long to take what it was given; what
   * was not even sent by then is left out and counted: `takeRest` has that.
   */
  async settle(patienceMs: number): Promise<boolean> {
    const until = performance.now() + patienceMs;
    if (!this.#isRelayed) return true;
    await this.#until(() => this.#isDrained, until - patienceMs / 2);
    this.#leaveOut();
    await this.#until(() => this.#isDrained, until);
    if (this.#isDrained) this.#ask(true);
    await this.#until(() => !this.#isRelayed, until);
    return !this.#isRelayed;
  }

  /** The records that will not reach the writer process any more, without what may be left out; null if there are none. */
  takeRest(): Buffer | null {
    if (this.#isDrained) return null;
    // Of a message that is not sent as a whole, nothing counts.
    this.#queue.unshift(...this.#sending);
    this.#leaveOut();
    return Buffer.concat(this.#queue.splice(0).map(({ kind, t, payload }) => encode(kind, t, payload)));
  }

  get #isDrained(): boolean {
    return !this.#isRelayed || (this.#queue.length === 0 && this.#sending.length === 0);
  }

  /** Until it is so, or that time. */
  async #until(holds: () => boolean, time: number): Promise<void> {
    while (!holds() && performance.now() < time) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.max(1, time - performance.now()));
        this.#onChange = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  /** What still waits with us is counted, except for what must be told. */
  #leaveOut(): void {
    const kept = this.#queue.filter(({ kind, payload }) => !this.#miss(kind, payload.length));
    this.#queue = [];
    this.#tellMissing(kept.at(-1)?.t ?? 0);
    this.#queue.push(...kept);
    this.#waiting = [...this.#sending, ...kept].reduce((sum, { payload }) => sum + payload.length, 0);
    this.#pump();
  }

  #write(kind: Kind, t: number, payload: Uint8Array): void {
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
    this.#writer.send(Say.takeOver, size);
    this.#askLater();
  }

  #askLater(): void {
    setTimeout(() => this.#isRelayed && this.#ask(false), RECOVER_MS).unref();
  }

  /** For the journal, if writing to it is quick again, or whatever it is. */
  #ask(anyway: boolean): void {
    this.#writer!.send(Say.handBack, Buffer.from([anyway ? 1 : 0]));
  }

  #enqueue(kind: Kind, t: number, payload: Uint8Array): void {
    if (this.#waiting + payload.length > MOST_WAITING && this.#miss(kind, payload.length)) return;
    this.#tellMissing(t);
    this.#queue.push({ kind, t, payload: Buffer.from(payload) });
    this.#waiting += payload.length;
    this.#pump();
  }

  /** Counts what cannot be kept; false if it is of a kind that must be. */
  #miss(kind: Kind, length: number): boolean {
    const stream = STREAMS.find((name) => Kind[name] === kind);
    if (stream) this.#missing.set(stream, (this.#missing.get(stream) ?? 0) + length);
    return stream !== undefined || kind === Kind.clock;
  }

  #tellMissing(t: number): void {
    for (const [stream, missing] of this.#missing) {
      this.#queue.push({ kind: Kind.gap, t, payload: Buffer.from(JSON.stringify({ stream, missing })) });
    }
    this.#missing.clear();
  }

  /** One message at a time: what waits with us can still be counted as missing, what is sent cannot. */
  #pump(): void {
    if (this.#sending.length > 0 || !this.#isRelayed) return;
    if (this.#queue.length === 0) return this.#onChange();
    for (let size = 0; this.#queue.length > 0 && size < MESSAGE; ) {
      const next = this.#queue.shift()!;
      this.#sending.push(next);
      size += next.payload.length;
    }
    const records = this.#sending.map(({ kind, t, payload }) => encode(kind, t, payload));
    this.#sent++;
    this.#writer!.send(Say.records, Buffer.concat(records), () => {
      for (const { payload } of this.#sending.splice(0)) this.#waiting -= payload.length;
      this.#pump();
    });
  }
}
