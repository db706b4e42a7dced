/** The tape of a session in a page. It is packed while its frames are read. */
import { statSync } from 'node:fs';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { CHUNK, type ChunkMap } from '../page/blocks.ts';
import type { PageBlockQueue } from './html-blocks.ts';
import type { Packed } from './packer.ts';

/** Bytes that are packed at a time. */
const STEP_BYTES = 4 * CHUNK;
/** Bytes that may be packed before their frames are read, to have less to do at the end. */
const MAX_AHEAD_BYTES = 16 * STEP_BYTES;
/** About how many bytes of a line of a tape are not of its frame. */
const LINE_OVERHEAD_BYTES = 50;

export class TapePacking {
  readonly size: number;
  /** Known once everything is packed. */
  readonly map: ChunkMap = { bytes: [], first: [] };
  sha256 = '';
  readonly #blocks: PageBlockQueue;
  readonly #session: number;
  readonly #path: string;
  #read = 0;
  #until = 0;

  constructor(blocks: PageBlockQueue, session: number, path: string) {
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
    this.#read += sizeOf(frame) + LINE_OVERHEAD_BYTES;
  }

  /** How far it is ahead depends on nothing but the frames, so that pages are the same every time. */
  addSome(): void {
    while (this.#until + STEP_BYTES <= this.read + MAX_AHEAD_BYTES && this.#blocks.hasRoom) if (!this.addNext()) break;
  }

  /** False if everything was added. */
  addNext(): boolean {
    if (this.#until > this.size) return false;
    const from = this.#until;
    this.#until += STEP_BYTES;
    const task = { session: this.#session, tape: this.#path, from, until: this.#until };
    this.#blocks.add(task, (packed) => this.#onPacked(packed));
    return true;
  }

  #onPacked({ chunks, sha256 }: Packed): void {
    this.map.bytes.push(...chunks.bytes);
    this.map.first.push(...chunks.first);
    this.sha256 = sha256 ?? this.sha256;
  }
}
