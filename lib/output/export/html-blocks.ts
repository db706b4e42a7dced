/**
 * The blocks of a page in the order in which they were added. Those of a long session are packed in a thread, which all others
 * go before: a busy machine may have no time for it. Then it is not waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startThread, type Thread } from '../../storage/system/thread.ts';
import { type ContentTask, type Packed, Packer, type Task } from './packer.ts';

/** So many wait to be packed or written; more would only take memory. */
const MOST = 32;
/** More are not packed by the time that one more is. */
const ENOUGH = 2;
/** Milliseconds. A thread that takes longer has no processor. */
const PATIENCE = 1000;
/** Bytes. A shorter tape has been packed before a thread has started. */
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

  /** A tape of so many bytes will be added. */
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

  /** The same for whoever has little else to do: packs it at once if the thread has enough to do already. */
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

  /** Null: not the thread. If it takes too long it is not asked again; it answers in order, so it owes all that follow too. */
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
