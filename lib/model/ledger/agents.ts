/** Agents: the main one of each turn, and subagents, each with the calls of its current step. */
import type { Event } from '../event.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Ask, Call, TurnRecord } from './records.ts';

/** How an agent ended: normally, without reporting it, or because the client cancelled its turn. */
export type AgentEnd = 'done' | 'cut' | 'cancelled';

export class Agent {
  /** The id of the call that started it, if known, and the call itself. */
  parent: string | null = null;
  started: Call | null = null;
  /** It continues after the turn that started it. */
  background = false;
  /** Its latest call. */
  call: Call | null = null;
  /** Its request while the arguments of its latest call were incomplete, if it has sent nothing since. */
  held: Ask | null = null;
  /** Its place in the timeline, for the timeline only: a field is read in a fraction of the time of a weak map. */
  track: unknown = null;
  /** The calls of the step that it is in; null between steps. */
  #step: Call[] | null = null;

  /** The next step begins: calls without a result were silently abandoned. A late result corrects that. */
  beginStep(): void {
    for (const call of this.#step ?? []) if (call.state === 'running') call.state = 'abandoned';
    this.#step = [];
  }

  endStep(): void {
    this.#step = null;
  }

  addCall(call: Call): void {
    this.call = call;
    this.#step?.push(call);
  }

  /** The step is retried: its calls no longer count. */
  discardStep(): void {
    for (const call of this.#step ?? []) if (call.state === 'running') call.state = 'discarded';
    this.call = null;
  }

  end(): void {
    this.endStep();
    this.call = null;
  }
}

export class Agents {
  readonly #agents: LimitedMap<string, Agent>;
  readonly #ended: (agent: Agent, how: AgentEnd) => void;

  /** `ended` is called for every agent that ends. */
  constructor(limit: number, ended: (agent: Agent, how: AgentEnd) => void) {
    this.#agents = new LimitedMap(limit);
    this.#ended = ended;
  }

  /** One call may start several agents. If another call starts the same agent again, it starts over. */
  agentOf({ subagent, parent }: Event): Agent {
    const key = subagent ?? parent ?? '';
    const known = this.#agents.get(key);
    if (known && (parent === undefined || known.parent === null || known.parent === parent)) {
      known.parent ??= parent ?? null;
      return known;
    }
    if (known) this.end(known, 'done');
    const agent = new Agent();
    agent.parent = parent ?? null;
    this.#agents.set(key, agent);
    return agent;
  }

  end(agent: Agent, how: AgentEnd): void {
    agent.end();
    this.#ended(agent, how);
  }

  /** A turn ends, and with it all agents that it started, except those in the background. */
  endTurn(turn: TurnRecord, how: AgentEnd): void {
    for (const [key, agent] of this.#agents.entries()) {
      if (key === '' || agent.background || (agent.started && agent.started.turn !== turn)) continue;
      this.end(agent, how);
      this.#agents.delete(key);
    }
  }

  get retained(): number {
    return this.#agents.size;
  }
}
