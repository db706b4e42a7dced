/** The blocks of a page in the order in which they were added, compressed by other threads while the session is read on. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** So many wait to be compressed or written; more would only take memory. */
const MOST = 16;
/** The byte of a gzip header that names the operating system: unknown, so that pages are the same everywhere. */
const SYSTEM = 9;
const UNKNOWN = 255;

/** Most blocks fit, so that a thread is asked once for each. */
const OUTPUT = 1 << 17;

export class Blocks {
  readonly #waiting: Promise<Uint8Array>[] = [];

  add(id: string, content: string | Uint8Array): void {
    this.#waiting.push(blockOf(id, content));
  }

  get isFull(): boolean {
    return this.#waiting.length >= MOST;
  }

  /** Those that must be written before more are added. */
  async *ready(): AsyncGenerator<Uint8Array> {
    while (this.#waiting.length > MOST / 2) yield await this.#waiting.shift()!;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    while (this.#waiting.length > 0) yield await this.#waiting.shift()!;
  }
}

async function blockOf(id: string, content: string | Uint8Array): Promise<Uint8Array> {
  const packed = await compress(content, { level: 6, chunkSize: OUTPUT });
  packed[SYSTEM] = UNKNOWN;
  return Buffer.from(
    `<script type="application/octet-stream" id="${id}">${packed.toString('base64')}</script>\n`,
    'latin1',
  );
}
