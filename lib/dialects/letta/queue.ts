/** The client's prompts, and which of them a turn takes up: letta puts them into a queue and takes several at once. */

export class PromptQueue {
  /** Frames of prompts that are not in the agent's queue yet, oldest first. */
  #sent: number[] = [];
  /** What is in the queue, by item; null if the client did not send it. */
  readonly #items = new Map<string, number | null>();
  /** The frame of the prompt of the open turn; 0 is the command line, null: no turn is open. */
  open: number | null = null;
  /** The open turn is one that the agent began itself. */
  isOwn = false;

  sent(f: number): void {
    if (this.#sent.length < MAX_ITEMS) this.#sent.push(f);
  }

  enqueued(item: string, byClient: boolean): void {
    if (this.#items.size < MAX_ITEMS) this.#items.set(item, byClient ? (this.#sent.shift() ?? null) : null);
  }

  /** A turn begins with these items. Returns the prompts in it. */
  dequeued(items: readonly string[]): number[] {
    const taken = items.map((item) => this.#items.get(item) ?? null).filter((f) => f !== null);
    for (const item of items) this.#items.delete(item);
    this.begin(taken[0] ?? null);
    return taken;
  }

  /** The agent speaks without having reported its queue: it has taken up the oldest prompt. Null if none waits. */
  oldest(): number | null {
    if (this.open !== null || this.isOwn) return null;
    const first = this.#sent.shift();
    if (first !== undefined) this.begin(first);
    return first ?? null;
  }

  begin(prompt: number | null): void {
    this.open = prompt;
    this.isOwn = prompt === null;
  }

  end(): void {
    this.open = null;
    this.isOwn = false;
  }
}

/** More are not remembered. */
const MAX_ITEMS = 10_000;
