/** The tape of a session in a page. It is packed while its frames are read. */
import { statSync } from 'node:fs';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { CHUNK, type ChunkMap } from '../page/blocks.ts';
import type { Blocks } from './html-blocks.ts';
import type { Packed } from './packer.ts';

/** Bytes that are packed at a time. */
const STEP = 4 * CHUNK;
/** Bytes that may be packed before their frames are read, to have less to do at the end. */
const AHEAD = 16 * STEP;
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

  /** How far it is ahead depends on nothing but the frames, so that pages are the same every time. */
  addSome(): void {
    while (this.#until + STEP <= this.read + AHEAD && this.#blocks.hasRoom) if (!this.addNext()) break;
  }

  /** False if everything was added. */
  addNext(): boolean {
    if (this.#until > this.size) return false;
    const from = this.#until;
    this.#until += STEP;
    const task = { session: this.#session, tape: this.#path, from, until: this.#until };
    this.#blocks.add(task, (packed) => this.#note(packed));
    return true;
  }

  #note({ chunks, sha256 }: Packed): void {
    this.map.bytes.push(...chunks.bytes);
    this.map.first.push(...chunks.first);
    this.sha256 = sha256 ?? this.sha256;
  }
}
