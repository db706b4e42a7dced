/** The live agent, as a client sees it: lines come, lines go, and at some time it is gone. */
import type { Readable, Writable } from 'node:stream';
import { MessageReader, type StreamMessage } from '../message-reader.ts';

export interface Peer {
  /** False: wait for `drained` before the next line. */
  write(...parts: (string | Uint8Array)[]): boolean;
  /** Closes its stdin. */
  end(): void;
  signal(signal: NodeJS.Signals): void;
}

export interface PeerEvents {
  message(message: StreamMessage): void;
  drained(): void;
  /** Its output has ended. */
  closed(): void;
  /** A line of it does not end. */
  endless(): void;
}

/** Bytes that wait for an agent which asks without reading the answers. */
const MAX_UNREAD_BYTES = 32 << 20;

/** An agent at the other end of two streams. */
export class StreamPeer implements Peer {
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #reader: MessageReader;
  readonly #signal: (signal: NodeJS.Signals) => void;
  readonly #onData = (chunk: Buffer) => {
    this.#reader.add(chunk);
    if (this.#input.writableLength > MAX_UNREAD_BYTES && !this.#isBroken) this.#output.pause();
  };
  #isBroken = false;
  #isClosed = false;

  /** `input`: what the agent reads. `output`: what it writes. */
  constructor(input: Writable, output: Readable, events: PeerEvents, signal: (signal: NodeJS.Signals) => void) {
    this.#input = input;
    this.#output = output;
    this.#signal = signal;
    this.#reader = new MessageReader(
      (message) => events.message(message),
      () => events.endless(),
    );
    input.on('drain', () => {
      output.resume();
      events.drained();
    });
    input.on('error', () => {
      this.#isBroken = true;
      events.drained();
    });
    output.on('data', this.#onData);
    output.on('error', () => {});
    const close = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      this.#reader.end();
      events.closed();
    };
    // A stream that is also written to, or that its owner keeps open, ends without closing.
    output.on('end', close);
    output.on('close', close);
  }

  write(...parts: (string | Uint8Array)[]): boolean {
    if (this.#isBroken || this.#input.writableEnded) return true;
    let goesOn = true;
    this.#input.cork();
    for (const part of parts) if (part.length > 0) goesOn = this.#input.write(part);
    this.#input.uncork();
    return goesOn;
  }

  end(): void {
    if (!this.#input.writableEnded) this.#input.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#signal(signal);
  }

  /** Connects another client from now on. Nothing is lost in between. */
  handOver(client: { input: Readable; output: Writable }): void {
    this.#output.off('data', this.#onData);
    const rest = this.#reader.rest();
    if (rest.length > 0) client.output.write(rest);
    this.#output.pipe(client.output, { end: false });
    client.input.pipe(this.#input);
  }
}
