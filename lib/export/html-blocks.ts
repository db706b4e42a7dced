/** The blocks of a page in the order in which they were added. Those of a long session are packed in a thread. */
import { startThread, type Thread } from '../thread.ts';
import { type ContentTask, type Packed, Packer, type Task } from './packer.ts';

/** So many wait to be packed or written; more would only take memory. */
const MOST = 32;
/** More are not packed by the time that one more is. */
const ENOUGH = 4;
/** Bytes. A shorter tape has been packed before a thread has started. */
const LONG = 1 << 20;
const PROGRAM = new URL('./packer-worker.js', import.meta.url);

interface Waiting {
  packed: Packed | Promise<Packed>;
  told: (packed: Packed) => void;
}

export class Blocks {
  readonly #packer = new Packer();
  readonly #waiting: Waiting[] = [];
  #thread: Thread<Task, Packed> | null = null;

  /** A tape of so many bytes will be added. */
  expect(bytes: number): void {
    if (!this.#thread && bytes >= LONG) this.#thread = startThread(PROGRAM);
  }

  /** Whether more may be added before some are written. */
  get hasRoom(): boolean {
    return this.#waiting.length < MOST;
  }

  /** `told`: is told when it is packed. */
  add(task: Task, told: (packed: Packed) => void = () => {}): void {
    this.#waiting.push({ packed: this.#thread ? this.#thread.ask(task) : this.#packer.pack(task), told });
  }

  /** The same for whoever has little else to do: packs it at once if the thread has enough to do already. */
  addOrPack(task: ContentTask): void {
    const isBusy = this.#waiting.length >= ENOUGH;
    if (isBusy) this.#waiting.push({ packed: this.#packer.pack(task), told: () => {} });
    else this.add(task);
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
      const { packed, told } = this.#waiting.shift()!;
      const block = await packed;
      told(block);
      yield block.blocks;
    }
  }
}
