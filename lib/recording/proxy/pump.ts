/**
 * Moves the data of one stream: forwards a chunk, then informs the tap. Pauses the source while the reader falls behind,
 * and records a `stalled` event if that takes longer than a second.
 */
import type { Readable } from 'node:stream';
import type { Stream } from '../../model/frame.ts';
import { Timer } from '../../storage/system/wakeup.ts';
import type { Outlet } from './outlet.ts';

/**
 * Is informed about everything after it was forwarded, in the same step: `data` returns when the chunk is recorded, and no
 * stream is read before. A killed recorder therefore loses one chunk at most.
 */
export interface Tap {
  data(stream: Stream, chunk: Uint8Array): void;
  event(from: Stream | 'proc', event: string, detail?: Record<string, unknown>): void;
}

const STALL_SECONDS = 1;

export interface PumpOptions {
  stream: Stream;
  source: Readable;
  outlet: Outlet;
  /** Who reads the stream: named in the event if it stalls. */
  reader: 'client' | 'agent';
  tap: Tap;
  /** Writes a chunk; by default to the outlet. */
  forward?: (chunk: Uint8Array) => void;
  onEnd: () => void;
}

export class Pump {
  readonly #options: PumpOptions;
  #ended = false;
  readonly #stall = new Timer(() => this.#stalled(), false);
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

  /** The reader fell behind, so nothing is read: not even the end of the stream would be noticed. */
  get isHeld(): boolean {
    return this.#options.source.isPaused();
  }

  /** The stream has ended by itself, or one side (`by`) closed it. */
  end(by?: 'client' | 'agent'): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stall.clear();
    const { stream, tap, onEnd } = this.#options;
    tap.event(stream, 'eof', by ? { by } : undefined);
    onEnd();
  }

  /** Stops reading a stream that did not end, without an `eof` event. */
  abandon(): void {
    this.#ended = true;
    this.#stall.clear();
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
    const { source, outlet } = this.#options;
    source.pause();
    this.#stall.set(STALL_SECONDS);
    void outlet.whenEmpty().then(() => {
      this.#stall.clear();
      source.resume();
    });
  }

  #stalled(): void {
    const { tap, reader, stream } = this.#options;
    tap.event('proc', 'stalled', { stream, whose: reader });
  }
}
