/** Token sums of steps, turns and the session (rules U1-U4). */
import type { Event } from '../event.ts';
import { addUsage, noUsage, type Step, subtractUsage, type Timeline, type Turn } from './entries.ts';

type UsageEvent = Event & { kind: 'usage' };

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
  add(event: UsageEvent, step: Step | null, turn: Turn | null, ofMain: boolean): void {
    const { usage, context } = event;
    if (context) this.#updateContext(context);
    // Intermediate counts of a stream are reported again as a whole.
    if (!usage || event.restates) return;
    if (step) addUsage(step.usage, usage);
    addUsage(this.#timeline.usage, usage);
    if (!turn) return;
    addUsage(turn.usage, usage);
    if (ofMain) this.#addToSteps(turn, usage);
  }

  /** The process total so far. Unless the agent reports the usage of a turn, it is what the total has grown by (rule U3). */
  total({ usage, ofTurn }: UsageEvent, turn: Turn | null): void {
    // A failed answer may report zeros.
    if (!usage || usage.input + usage.cache_read + usage.cache_write + usage.output === 0) return;
    if (turn && ofTurn !== null) {
      turn.usage = ofTurn ?? subtractUsage(usage, this.#total);
      // If steps never report their usage, the hidden part is unknown.
      turn.hidden = this.#hasSteps ? subtractUsage(turn.usage, this.#steps.get(turn) ?? noUsage()) : null;
    }
    this.#total = usage;
    this.#timeline.usage = { ...usage };
  }

  #addToSteps(turn: Turn, usage: Step['usage']): void {
    const known = this.#steps.get(turn);
    this.#hasSteps = true;
    if (known) addUsage(known, usage);
    else this.#steps.set(turn, { ...usage });
  }

  /** Null means no change. */
  #updateContext(context: NonNullable<UsageEvent['context']>): void {
    const before = this.#timeline.context;
    this.#timeline.context = {
      used: context.used ?? before?.used ?? null,
      size: context.size ?? before?.size ?? null,
      share: context.share ?? before?.share ?? null,
    };
  }
}
