/**
 * Moves one stream: forward first, tell the tap after. Holds the source back while the other side does not take what
 * it was given, and says so when that lasts over a second.
 */
import type { Readable } from 'node:stream';
import type { Stream } from '../core/frame.ts';
import type { Outlet } from './outlet.ts';

/** What the recorder hears. Everything has been forwarded before it is told. */
export interface Tap {
  data(stream: Stream, chunk: Uint8Array): void;
  event(from: Stream | 'proc', event: string, detail?: Record<string, unknown>): void;
}

const STALL_MS = 1000;

export interface PumpOptions {
  stream: Stream;
  source: Readable;
  outlet: Outlet;
  /** Who is to blame when it stalls. */
  reader: 'client' | 'agent';
  tap: Tap;
  /** How a chunk goes out, where that is not just the outlet. */
  forward?: (chunk: Uint8Array) => void;
  onEnd: () => void;
}

export class Pump {
  readonly #options: PumpOptions;
  #ended = false;
  #stall: NodeJS.Timeout | null = null;
  lastByteAt = 0;
  bytes = 0;

  constructor(options: PumpOptions) {
    this.#options = options;
    const { source } = options;
    source.on('data', this.#data);
    source.on('end', () => this.end());
    source.on('error', () => this.end());
    source.on('close', () => this.end());
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The stream is over: at its own end, or because somebody closed it. */
  end(by?: 'client' | 'agent'): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearStall();
    const { stream, tap, onEnd } = this.#options;
    tap.event(stream, 'eof', by ? { by } : undefined);
    onEnd();
  }

  /** Stops listening without a word: the stream did not end, we leave it. */
  abandon(): void {
    this.#ended = true;
    this.#clearStall();
    this.#options.source.destroy();
  }

  readonly #data = (chunk: Buffer): void => {
    if (this.#ended) return;
    const { outlet, forward, tap, stream } = this.#options;
    if (forward) forward(chunk);
    else outlet.write(chunk);
    tap.data(stream, chunk);
    this.bytes += chunk.length;
    this.lastByteAt = performance.now();
    if (outlet.congested) this.#hold();
  };

  #hold(): void {
    const { source, outlet, tap, reader, stream } = this.#options;
    source.pause();
    this.#stall ??= setTimeout(() => tap.event('proc', 'stalled', { stream, whose: reader }), STALL_MS).unref();
    void outlet.whenEmpty().then(() => {
      this.#clearStall();
      source.resume();
    });
  }

  #clearStall(): void {
    if (this.#stall) clearTimeout(this.#stall);
    this.#stall = null;
  }
}
