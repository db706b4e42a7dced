/** The live agent, as a client sees it: lines come, lines go, and at some time it is gone. */
import type { Readable, Writable } from 'node:stream';
import type { Eol } from '../../core/frame.ts';

export interface Peer {
  /** False: wait for `drained` before the next line. */
  write(...parts: (string | Uint8Array)[]): boolean;
  /** Closes its stdin. */
  end(): void;
  signal(signal: NodeJS.Signals): void;
}

export interface PeerEvents {
  line(line: Uint8Array, eol: Eol): void;
  drained(): void;
  /** It says nothing more. */
  closed(): void;
}

const LF = 0x0a;
const CR = 0x0d;

/** Splits what an agent writes into lines, on bytes, so that the rest can be handed over exactly. */
export class LineSplitter {
  #parts: Uint8Array[] = [];
  readonly #onLine: (line: Uint8Array, eol: Eol) => void;

  constructor(onLine: (line: Uint8Array, eol: Eol) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      this.#parts.push(chunk.subarray(from, at));
      from = at + 1;
      const line = this.rest();
      const hasCr = line.at(-1) === CR;
      this.#onLine(hasCr ? line.subarray(0, -1) : line, hasCr ? '\r\n' : '\n');
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
  }

  /** What came after the last line, which is forgotten. */
  rest(): Uint8Array {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    return line;
  }
}

/** An agent at the other end of two streams. */
export class StreamPeer implements Peer {
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #splitter: LineSplitter;
  readonly #signal: (signal: NodeJS.Signals) => void;
  readonly #onData = (chunk: Uint8Array) => this.#splitter.add(chunk);
  #isBroken = false;

  /** `input`: what the agent reads. `output`: what it writes. */
  constructor(input: Writable, output: Readable, events: PeerEvents, signal: (signal: NodeJS.Signals) => void) {
    this.#input = input;
    this.#output = output;
    this.#signal = signal;
    this.#splitter = new LineSplitter((line, eol) => events.line(line, eol));
    input.on('drain', () => events.drained());
    input.on('error', () => {
      this.#isBroken = true;
      events.drained();
    });
    output.on('data', this.#onData);
    output.on('error', () => {});
    output.on('close', () => {
      const rest = this.#splitter.rest();
      if (rest.length > 0) events.line(rest, '');
      events.closed();
    });
  }

  write(...parts: (string | Uint8Array)[]): boolean {
    if (this.#isBroken || this.#input.writableEnded) return true;
    let goesOn = true;
    this.#input.cork();
    for (const part of parts) goesOn = this.#input.write(part);
    this.#input.uncork();
    return goesOn;
  }

  end(): void {
    if (!this.#input.writableEnded) this.#input.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#signal(signal);
  }

  /** Somebody else is the client from now on. Nothing is lost in between. */
  handOver(client: { input: Readable; output: Writable }): void {
    this.#output.off('data', this.#onData);
    const rest = this.#splitter.rest();
    if (rest.length > 0) client.output.write(rest);
    this.#output.pipe(client.output, { end: false });
    client.input.pipe(this.#input);
  }
}
