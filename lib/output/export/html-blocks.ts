/**
 * The blocks of a page in the order in which they were added. The blocks of a long session are packed in a thread. If a
 * busy machine gives it no time, they are packed here instead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startThread, type Thread } from '../../storage/system/thread.ts';
import { type ContentTask, type Packed, Packer, type Task } from './packer.ts';

/** The most blocks that wait to be packed or written; more would only take memory. */
const MOST = 32;
/** With more tasks than this, the thread is slower than packing here. */
const ENOUGH = 2;
/** A thread that takes longer gets no processor time. */
const PATIENCE = 1000;
/** A shorter tape is packed before a thread has started. */
const LONG = 1 << 20;
const PROGRAM = new URL('./packer-worker.js', import.meta.url);

interface Waiting {
  task: Task;
  /** Null: it is packed when its turn comes, because chunks of a tape are packed in order. */
  packed: Packed | Promise<Packed> | null;
  onPacked: (packed: Packed) => void;
}

export class Blocks {
  readonly #start: () => Thread<Task, Packed> | null;
  readonly #patience: number;
  readonly #packer = new Packer();
  readonly #waiting: Waiting[] = [];
  #thread: Thread<Task, Packed> | null = null;
  #isLate = false;

  constructor(start: () => Thread<Task, Packed> | null = () => startThread(PROGRAM), patience = PATIENCE) {
    this.#start = start;
    this.#patience = patience;
  }

  /** Announces a tape of this size, so that the thread can start. */
  expect(bytes: number): void {
    if (bytes >= LONG) this.#thread ??= this.#start();
  }

  /** Whether more may be added before some are written. */
  get hasRoom(): boolean {
    return this.#waiting.length <= MOST;
  }

  /** `onPacked`: called when it is packed. */
  add(task: Task, onPacked: (packed: Packed) => void = () => {}): void {
    this.#waiting.push({ task, packed: this.#isLate ? null : (this.#thread?.ask(task) ?? null), onPacked });
  }

  /** The same, but packs it at once if the thread has enough to do. */
  addOrPack(task: ContentTask): void {
    if ((this.#thread?.unanswered ?? 0) < ENOUGH) this.add(task);
    else this.#waiting.push({ task, packed: this.#packer.pack(task), onPacked: () => {} });
  }

  /** Those that must be written before more are added. */
  ready(): AsyncGenerator<Uint8Array> {
    return this.#written(MOST);
  }

  rest(): AsyncGenerator<Uint8Array> {
    return this.#written(0);
  }

  /** To be called in any case. */
  async stop(): Promise<void> {
    this.#packer.close();
    await this.#thread?.stop();
  }

  /** All but the last ones. */
  async *#written(kept: number): AsyncGenerator<Uint8Array> {
    while (this.#waiting.length > kept) {
      const { task, packed, onPacked } = this.#waiting.shift()!;
      const block = (await this.#inTime(packed)) ?? this.#packer.pack(task);
      onPacked(block);
      yield block.blocks;
    }
  }

  /**
   * Null if the thread did not pack it in time. It is not asked again: it answers in order, so everything after it is
   * late too.
   */
  async #inTime(packed: Waiting['packed']): Promise<Packed | null> {
    if (!(packed instanceof Promise)) return packed;
    if (this.#isLate) return null;
    const answered = new AbortController();
    try {
      const late = sleep(this.#patience, null, { signal: answered.signal }).catch(() => null);
      const answer = await Promise.race([packed, late]);
      this.#isLate = answer === null;
      return answer;
    } finally {
      answered.abort();
    }
  }
}
