/** Token sums of steps, turns and the session (rules U1-U4). */
import type { Event } from '../event.ts';
import { addUsage, minusUsage, noUsage, type Step, type Timeline, type Turn } from './shape.ts';

type Told = Event & { kind: 'usage' };

export class UsageSums {
  readonly #timeline: Timeline;
  /** The total that the process reported last. */
  #total = noUsage();
  /** A step of a main agent has reported its usage. */
  #hasSteps = false;
  /** The sum of the main agent's steps in each turn. */
  readonly #steps = new WeakMap<Turn, ReturnType<typeof noUsage>>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** `ofMain`: the main agent of the turn reports it. */
  add(event: Told, step: Step | null, turn: Turn | null, ofMain: boolean): void {
    const { usage, context } = event;
    if (context) this.#level(context);
    // Intermediate counts of a stream are reported again as a whole.
    if (!usage || event.restates) return;
    if (step) addUsage(step.usage, usage);
    addUsage(this.#timeline.usage, usage);
    if (!turn) return;
    addUsage(turn.usage, usage);
    if (ofMain) this.#ofSteps(turn, usage);
  }

  /** The process total so far. Unless the agent reports the usage of a turn, it is what the total has grown by (rule U3). */
  total({ usage, ofTurn }: Told, turn: Turn | null): void {
    // A failed answer may report zeros.
    if (!usage || usage.input + usage.cache_read + usage.cache_write + usage.output === 0) return;
    if (turn && ofTurn !== null) {
      turn.usage = ofTurn ?? minusUsage(usage, this.#total);
      // If steps never report their usage, the hidden part is unknown.
      turn.hidden = this.#hasSteps ? minusUsage(turn.usage, this.#steps.get(turn) ?? noUsage()) : null;
    }
    this.#total = usage;
    this.#timeline.usage = { ...usage };
  }

  #ofSteps(turn: Turn, usage: Step['usage']): void {
    const known = this.#steps.get(turn);
    this.#hasSteps = true;
    if (known) addUsage(known, usage);
    else this.#steps.set(turn, { ...usage });
  }

  /** Null means no change. */
  #level(told: NonNullable<Told['context']>): void {
    const before = this.#timeline.context;
    this.#timeline.context = {
      used: told.used ?? before?.used ?? null,
      size: told.size ?? before?.size ?? null,
      share: told.share ?? before?.share ?? null,
    };
  }
}
