/** The last activity of the model in each turn: its step, its output, and how often it failed since then. */
import type { Event } from '../../model/event.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { maskAndShorten } from '../../model/text/mask.ts';

export interface ModelActivity {
  step: (FramePosition & { n: number | null }) | null;
  /** The last output: text, thinking, a tool call. */
  output: FramePosition | null;
  /** How often the model failed since then, and what the agent said about the last time. */
  retries: (FramePosition & { count: number; text: string }) | null;
}

/** Beyond this many turns, the oldest are dropped. */
const MAX_TURNS = 1000;
const MAX_TEXT_CHARS = 300;
const OUTPUT_KINDS = new Set<Event['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);

export class ModelActivities {
  /** By the frames of their prompts, where events say which turn they belong to. */
  readonly #byPrompt = new LimitedMap<number, ModelActivity>(MAX_TURNS);
  readonly #other: ModelActivity = { step: null, output: null, retries: null };

  of(prompt: number): ModelActivity {
    return this.#byPrompt.get(prompt) ?? this.#other;
  }

  /** What failed before has been forgiven. */
  takeUpPrompt(prompt: number): void {
    this.of(prompt).retries = null;
  }

  step({ f, t }: FramePosition, event: Event): void {
    this.#activityOf(event).step = { f, t, n: 'n' in event ? event.n : null };
  }

  take(place: FramePosition, event: Event): void {
    if (OUTPUT_KINDS.has(event.kind)) {
      const activity = this.#activityOf(event);
      activity.output = place;
      activity.retries = null;
    } else if (event.kind === 'notice' && event.retry) {
      const activity = this.#activityOf(event);
      const { f, t } = place;
      activity.retries = {
        f,
        t,
        count: (activity.retries?.count ?? 0) + 1,
        text: maskAndShorten(event.text ?? '', MAX_TEXT_CHARS, ''),
      };
    }
  }

  #activityOf({ within }: Event): ModelActivity {
    if (within === undefined) return this.#other;
    const known = this.#byPrompt.get(within);
    if (known) return known;
    const activity: ModelActivity = { step: null, output: null, retries: null };
    this.#byPrompt.set(within, activity);
    return activity;
  }
}
