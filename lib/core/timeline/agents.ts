/** Where each agent is: its steps, the turns inside its turn, the text it is in the middle of. */
import type { Event } from '../event.ts';
import { flagged, INSIDE, type Place } from './item.ts';
import { Recent } from './recent.ts';
import { type Item, noUsage, type Step } from './shape.ts';

/** So much text that nobody restates is remembered for somebody who does. */
const STREAMED = 1000;
/** What a step that is tried again takes back. */
const SAID = new Set<Item['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);

/** How a turn is over for its agents: as they say, without a word, or because the client cancelled it. */
export type End = 'done' | 'cut' | 'cancelled';

export class Agent {
  step: Step | null = null;
  /** The latest text, as long as more of it may come. */
  open: Item | null = null;
  /** The latest call. */
  call: Item | null = null;
  /** What it asked while the arguments of its latest call were not known to be complete, if it said nothing since. */
  held: Item | null = null;
  /** The id of the call that started it, if that is known, and the call. */
  parent: string | null = null;
  started: Item | null = null;
  /** It goes on when the turn that started it is over. */
  background = false;
  #streamed: Item[] = [];
  #steps = 0;
  #last: Step | null = null;
  #turns: Item[] = [];

  /** What its next item is part of; null: of what it is part of itself. */
  get inside(): Step | Item | null {
    return this.step ?? this.nested;
  }

  get nested(): Item | null {
    return this.#turns.at(-1) ?? null;
  }

  beginStep({ f, t }: Place, shown: number | null): Step {
    if (this.step) abandon(this.step);
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
      [INSIDE]: null,
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
    if (this.#streamed.length > 0) this.#streamed = [];
    return step;
  }

  /** The model is asked again: what came since is out of the text, but stays to be seen. */
  discardStep(): void {
    for (const entry of this.step?.entries ?? []) {
      if (entry.is !== 'item' || !SAID.has(entry.kind)) continue;
      flagged(entry, 'discarded');
      if (entry.call?.state === 'running') entry.call.state = 'discarded';
    }
    this.open = null;
    this.call = null;
    this.#streamed = [];
  }

  beginTurn(item: Item): void {
    this.endStep('done');
    this.#turns.push(item);
  }

  /** The turn inside the turn that ends here, else the step. */
  endTurn(): Item | Step | null {
    const step = this.endStep('done');
    return this.#turns.pop() ?? step;
  }

  streams(item: Item): void {
    this.open = item;
    this.#streamed.push(item);
    if (this.#streamed.length > STREAMED) this.#streamed.shift();
  }

  /** The oldest of what came in deltas and was not said as a whole yet, which is said as a whole now (rule S4). */
  restated(kind: Item['kind']): Item | null {
    const at = this.#streamed.findIndex((item) => item.kind === kind);
    const [item] = at < 0 ? [] : this.#streamed.splice(at, 1);
    if (item && this.open === item) this.open = null;
    return item ?? null;
  }

  end(how: End): void {
    this.endStep(how === 'done' || (how === 'cut' && this.step && isComplete(this.step)) ? 'done' : 'interrupted');
    // Agents close their brackets when they are cancelled, too.
    if (how === 'cancelled' && this.#last) this.#last.state = 'interrupted';
    this.#turns = [];
    this.call = null;
  }
}

/** All that it called has a result. */
function isComplete({ entries }: Step): boolean {
  const calls = entries.flatMap((entry) => (entry.is === 'item' && entry.call ? [entry.call] : []));
  return calls.length > 0 && calls.every(({ result }) => result !== null);
}

/** The next step has begun: a call that has no result by now was given up, silently. A late result mends that. */
function abandon(step: Step): void {
  for (const entry of step.entries) {
    if (entry.is === 'item' && entry.call?.state === 'running') entry.call.state = 'abandoned';
  }
}

/** The agents that an agent started, and the main one between turns. */
export class Agents {
  readonly #agents: Recent<string, Agent>;

  constructor(limit: number) {
    this.#agents = new Recent(limit);
  }

  /** One call may start several agents, and one agent may be started again by another call: then it begins anew. */
  of({ subagent, parent }: Event): Agent {
    const key = subagent ?? parent ?? '';
    const known = this.#agents.get(key);
    if (known && (parent === undefined || known.parent === null || known.parent === parent)) {
      known.parent ??= parent ?? null;
      return known;
    }
    known?.end('done');
    const agent = new Agent();
    agent.parent = parent ?? null;
    this.#agents.set(key, agent);
    return agent;
  }

  /** A turn is over, and with it all agents that it started, but for those in the background. */
  endTurn(turn: number, how: End): void {
    for (const [key, agent] of this.#agents.entries()) {
      if (key === '' || agent.background || (agent.started && agent.started.turn !== turn)) continue;
      agent.end(how);
      this.#agents.delete(key);
    }
  }

  get retained(): number {
    return this.#agents.size;
  }
}
