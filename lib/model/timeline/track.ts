/** The position of an agent in the timeline: its step, its nested turns, and the text that it is streaming. */
import type { AgentEnd } from '../ledger/agents.ts';
import type { FramePosition } from '../ledger/records.ts';
import { type Item, noUsage, type Step } from './entries.ts';
import { addFlag, CONTAINER } from './item.ts';

/** How many streamed texts are kept until they are repeated as a whole. */
const MAX_STREAMED_TEXTS = 1000;
/** What a retried step discards. */
const RETRIED_KINDS = new Set<Item['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);

export class AgentTrack {
  step: Step | null = null;
  /** The latest text, while more of it may come. */
  open: Item | null = null;
  #streamed: Item[] = [];
  #repeated: Item | null = null;
  #steps = 0;
  #last: Step | null = null;
  #turns: Item[] = [];

  /** The nested turn that it is in. */
  get nested(): Item | null {
    return this.#turns.at(-1) ?? null;
  }

  beginStep({ f, t }: FramePosition, shown: number | null): Step {
    this.endStep('done');
    const step: Step = {
      is: 'step',
      n: ++this.#steps,
      shown,
      state: 'running',
      entries: [],
      usage: noUsage(),
      f,
      f_end: f,
      t,
      t_end: t,
      [CONTAINER]: null,
    };
    this.step = step;
    this.#last = step;
    return step;
  }

  endStep(state: 'done' | 'interrupted'): Step | null {
    const { step } = this;
    if (step?.state === 'running') step.state = state;
    this.step = null;
    this.open = null;
    this.#repeated = null;
    if (this.#streamed.length > 0) this.#streamed = [];
    return step;
  }

  /** The step is retried: its text no longer counts, but stays visible. */
  discardStep(): void {
    for (const entry of this.step?.entries ?? []) {
      if (entry.is === 'item' && RETRIED_KINDS.has(entry.kind)) addFlag(entry, 'discarded');
    }
    this.open = null;
    this.#streamed = [];
  }

  beginTurn(item: Item): void {
    this.endStep('done');
    this.#turns.push(item);
  }

  /** The nested turn that ends here, or else the step. */
  endTurn(): Item | Step | null {
    const step = this.endStep('done');
    return this.#turns.pop() ?? step;
  }

  addStreamed(item: Item): void {
    this.open = item;
    this.#streamed.push(item);
    if (this.#streamed.length > MAX_STREAMED_TEXTS) this.#streamed.shift();
  }

  /** The streamed text that this frame repeats as a whole: the one that began in the frame `of`, else the oldest (rule S4). */
  takeRestated(kind: Item['kind'], of: number | undefined): Item | null {
    const at = this.#streamed.findIndex((item) => item.kind === kind && (of === undefined || item.f === of));
    const [item] = at < 0 ? [] : this.#streamed.splice(at, 1);
    if (item && this.open === item) this.open = null;
    this.#repeated = item ?? null;
    return this.#repeated;
  }

  /** The text that was repeated last, if its stream ends only now. */
  lastRepeated(kind: Item['kind']): Item | null {
    return this.#repeated?.kind === kind ? this.#repeated : null;
  }

  end(how: AgentEnd): void {
    this.endStep(how === 'done' || (how === 'cut' && this.step && isComplete(this.step)) ? 'done' : 'interrupted');
    // Agents also mark the end of a step that is cancelled.
    if (how === 'cancelled' && this.#last) this.#last.state = 'interrupted';
    this.#turns = [];
  }
}

/** All of its calls have results. */
function isComplete({ entries }: Step): boolean {
  const calls = entries.flatMap((entry) => (entry.is === 'item' && entry.call ? [entry.call] : []));
  return calls.length > 0 && calls.every(({ result }) => result !== null);
}
