/**
 * The blocks of a page in the order in which they were added. The blocks of a long session are packed in a thread. If a
 * busy machine gives it no time, they are packed here instead.
 */
import { Timer } from '../../storage/system/wakeup.ts';
import { startWorkerThread, type WorkerThread } from '../../storage/system/worker-thread.ts';
import { type ContentTask, type Packed, Packer, type PackTask } from './packer.ts';

/** The most blocks that wait to be packed or written; more would only take memory. */
const MAX_QUEUED_BLOCKS = 32;
/** With more tasks than this, the thread is slower than packing here. */
const MAX_THREAD_TASKS = 2;
/** A thread that takes longer gets no processor time. */
const THREAD_TIMEOUT_MS = 1000;
/** A shorter tape is packed before a thread has started. */
const MIN_TAPE_BYTES = 1 << 20;
const WORKER = new URL('./packer-worker.js', import.meta.url);

interface QueuedBlock {
  task: PackTask;
  /** Null: it is packed when its turn comes, because chunks of a tape are packed in order. */
  packed: Packed | Promise<Packed> | null;
  onPacked: (packed: Packed) => void;
}

export class PageBlockQueue {
  readonly #start: () => WorkerThread<PackTask, Packed> | null;
  readonly #timeoutMs: number;
  readonly #packer = new Packer();
  readonly #queue: QueuedBlock[] = [];
  #thread: WorkerThread<PackTask, Packed> | null = null;
  #isThreadLate = false;

  constructor(
    start: () => WorkerThread<PackTask, Packed> | null = () => startWorkerThread(WORKER),
    timeoutMs = THREAD_TIMEOUT_MS,
  ) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /** Announces a tape of this size, so that the thread can start. */
  expect(bytes: number): void {
    if (bytes >= MIN_TAPE_BYTES) this.#thread ??= this.#start();
  }

  /** Whether more may be added before some are written. */
  get hasRoom(): boolean {
    return this.#queue.length <= MAX_QUEUED_BLOCKS;
  }

  /** `onPacked`: called when it is packed. */
  add(task: PackTask, onPacked: (packed: Packed) => void = () => {}): void {
    this.#queue.push({ task, packed: this.#isThreadLate ? null : (this.#thread?.ask(task) ?? null), onPacked });
  }

  /** The same, but packs it at once if the thread has enough to do. */
  addOrPack(task: ContentTask): void {
    if ((this.#thread?.unanswered ?? 0) < MAX_THREAD_TASKS) this.add(task);
    else this.#queue.push({ task, packed: this.#packer.pack(task), onPacked: () => {} });
  }

  /** Those that must be written before more are added. */
  ready(): AsyncGenerator<Uint8Array> {
    return this.#written(MAX_QUEUED_BLOCKS);
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
    while (this.#queue.length > kept) {
      const { task, packed, onPacked } = this.#queue.shift()!;
      const block = (await this.#awaitPacked(packed)) ?? this.#packer.pack(task);
      onPacked(block);
      yield block.blocks;
    }
  }

  /**
   * Null if the thread did not pack it in time. It is not asked again: it answers in order, so everything after it is
   * late too.
   */
  async #awaitPacked(packed: QueuedBlock['packed']): Promise<Packed | null> {
    if (!(packed instanceof Promise)) return packed;
    if (this.#isThreadLate) return null;
    const answer = await new Promise<Packed | null>((done, fail) => {
      const timer = new Timer(() => done(null));
      timer.set(this.#timeoutMs / 1000);
      packed.then(done, fail).finally(() => timer.clear());
    });
    this.#isThreadLate = answer === null;
    return answer;
  }
}
