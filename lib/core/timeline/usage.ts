/** Tokens: of steps, of turns, of the session (rules U1-U4). */
import type { Event } from '../event.ts';
import type { Agent } from './agents.ts';
import { addUsage, minusUsage, noUsage, type Step, type Timeline, type Turn } from './shape.ts';
import type { Live } from './turns.ts';

type Told = Event & { kind: 'usage' };

export class UsageSums {
  readonly #timeline: Timeline;
  /** What the process has used, as it said last. */
  #total = noUsage();
  /** What the main agent's steps of each turn have told. */
  readonly #steps = new WeakMap<Turn, ReturnType<typeof noUsage>>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  add(event: Told, agent: Agent, live: Live | null): void {
    const { usage, context } = event;
    if (context) this.#level(context);
    // What a stream told in between is told again as a whole.
    if (!usage || event.restates) return;
    if (agent.step) addUsage(agent.step.usage, usage);
    addUsage(this.#timeline.usage, usage);
    if (!live) return;
    addUsage(live.turn.usage, usage);
    if (agent === live.main) this.#ofSteps(live.turn, usage);
  }

  /** The sum so far of the process: a turn is what it has grown by since the last (rule U3). */
  total({ usage }: Told, turn: Turn | null): void {
    // An answer that failed may tell nothing, as zeros.
    if (!usage || usage.input + usage.cache_read + usage.cache_write + usage.output === 0) return;
    if (turn) {
      turn.usage = minusUsage(usage, this.#total);
      turn.hidden = minusUsage(turn.usage, this.#steps.get(turn) ?? noUsage());
    }
    this.#total = usage;
    this.#timeline.usage = { ...usage };
  }

  #ofSteps(turn: Turn, usage: Step['usage']): void {
    const known = this.#steps.get(turn);
    if (known) addUsage(known, usage);
    else this.#steps.set(turn, { ...usage });
  }

  /** Null is no change. */
  #level(told: NonNullable<Told['context']>): void {
    const before = this.#timeline.context;
    this.#timeline.context = {
      used: told.used ?? before?.used ?? null,
      size: told.size ?? before?.size ?? null,
      share: told.share ?? before?.share ?? null,
    };
  }
}
