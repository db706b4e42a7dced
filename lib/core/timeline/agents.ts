/** Where each agent is: its steps, the turns inside its turn, the text it is in the middle of. */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import { reach } from './item.ts';
import { type Entry, type Item, noUsage, type Step } from './shape.ts';

type Place = Pick<Frame, 'f' | 't'>;

export class Agent {
  step: Step | null = null;
  /** The latest text, as long as more of it may come. */
  open: Item | null = null;
  /** The latest call. */
  call: Item | null = null;
  /** Text that came in deltas and was not restated as a whole yet. */
  streamed: Item[] = [];
  #steps = 0;
  #turns: Item[] = [];

  entries(home: Entry[]): Entry[] {
    return this.step?.entries ?? this.#turns.at(-1)?.entries ?? home;
  }

  beginStep(frame: Frame, n: number | null, home: Entry[]): void {
    if (this.step) abandon(this.step.entries);
    this.endStep(frame, 'done');
    const step: Step = {
      is: 'step',
      n: ++this.#steps,
      shown: n,
      state: 'running',
      entries: [],
      usage: noUsage(),
      f: frame.f,
      f_end: frame.f,
      t: frame.t,
      t_end: frame.t,
    };
    this.entries(home).push(step);
    this.step = step;
  }

  endStep(at: Place, state: 'done' | 'interrupted'): void {
    if (!this.step) return;
    if (this.step.state === 'running') this.step.state = state;
    if (state === 'interrupted') reach(this.step, at);
    this.step = null;
    this.open = null;
    this.streamed = [];
  }

  /** The model is asked again: what came since is out of the text, but stays to be seen. */
  discardStep(): void {
    for (const entry of this.step?.entries ?? []) {
      if (entry.is !== 'item' || entry.flags.includes('discarded')) continue;
      entry.flags = [...entry.flags, 'discarded'];
      if (entry.call?.state === 'running') entry.call.state = 'discarded';
    }
    this.open = null;
    this.streamed = [];
  }

  beginTurn(item: Item): void {
    this.endStep(item, 'done');
    this.#turns.push(item);
  }

  endTurn(frame: Frame): void {
    this.endStep(frame, 'done');
    const turn = this.#turns.pop();
    if (turn) reach(turn, frame);
  }

  restate(kind: Item['kind'], frame: Frame): void {
    const at = this.streamed.findIndex((item) => item.kind === kind);
    if (at < 0) return;
    const [item] = this.streamed.splice(at, 1);
    reach(item!, frame);
    if (this.open === item) this.open = null;
  }

  reach(frame: Frame): void {
    if (this.step) reach(this.step, frame);
    for (const turn of this.#turns) reach(turn, frame);
  }

  end(at: Place): void {
    this.endStep(at, 'done');
    this.#turns = [];
    this.call = null;
  }
}

/** The next step has begun: a call that has no result by now was given up, silently. A late result mends that. */
function abandon(entries: Entry[]): void {
  for (const entry of entries) {
    if (entry.is === 'item' && entry.call?.state === 'running') entry.call.state = 'abandoned';
  }
}

export class Agents {
  #agents = new Map<string, Agent>();

  of({ subagent, parent }: Event): Agent {
    const key = parent ?? subagent ?? '';
    const known = this.#agents.get(key);
    if (known) return known;
    const agent = new Agent();
    this.#agents.set(key, agent);
    return agent;
  }

  /** A new turn: the main agent counts its steps anew. */
  reset(): void {
    this.#agents.delete('');
  }

  endAll(at: Place): void {
    for (const agent of this.#agents.values()) agent.end(at);
  }
}
