/** The tape of a session in a page. It is packed while its frames are read, at the same pace. */
import { statSync } from 'node:fs';
import { type Frame, sizeOf } from '../core/frame.ts';
import { CHUNK, type ChunkMap } from '../page/blocks.ts';
import type { Blocks } from './html-blocks.ts';
import type { Packed } from './packer.ts';

/** So much is packed at a time. */
const STEP = 4 * CHUNK;
/** About how many bytes of a line of a tape are not of its frame. */
const AROUND = 50;

export class PackedTape {
  readonly size: number;
  /** Known once everything is packed. */
  readonly map: ChunkMap = { bytes: [], first: [] };
  sha256 = '';
  readonly #blocks: Blocks;
  readonly #session: number;
  readonly #path: string;
  #read = 0;
  #until = 0;

  constructor(blocks: Blocks, session: number, path: string) {
    this.#blocks = blocks;
    this.#session = session;
    this.#path = path;
    this.size = statSync(path).size;
    blocks.expect(this.size);
  }

  /** How many bytes were read, about. */
  get read(): number {
    return Math.min(this.#read, this.size);
  }

  take(frame: Frame): void {
    this.#read += sizeOf(frame) + AROUND;
  }

  /** No sooner than its frames are read: at first, V8 needs the other threads to compile what reads them. */
  addRead(): void {
    while (this.#until + STEP <= this.read && this.#blocks.hasRoom) this.addNext();
  }

  /** False if everything was added. */
  addNext(): boolean {
    if (this.#until > this.size) return false;
    this.#until += STEP;
    const task = { session: this.#session, tape: this.#path, until: this.#until };
    this.#blocks.add(task, (packed) => this.#note(packed));
    return true;
  }

  #note({ chunks, sha256 }: Packed): void {
    this.map.bytes.push(...chunks.bytes);
    this.map.first.push(...chunks.first);
    this.sha256 = sha256 ?? this.sha256;
  }
}
