/** The last activity of the model in each turn: its step, its output, and how often it failed since then. */
import type { Event } from '../../model/event.ts';
import type { Place } from '../../model/ledger/records.ts';
import { Recent } from '../../model/recent.ts';
import { shortened } from '../../model/text/mask.ts';

export interface Heard {
  step: (Place & { n: number | null }) | null;
  /** The last output: text, thinking, a tool call. */
  output: Place | null;
  /** How often the model failed since then, and what the agent said about the last time. */
  retries: (Place & { count: number; text: string }) | null;
}

/** Beyond this many turns, the oldest are dropped. */
const MOST = 1000;
const GLANCE = 300;
const OUTPUT = new Set<Event['kind']>(['text', 'thinking', 'tool-call', 'tool-args']);

export class Model {
  /** By the frames of their prompts, where events say which turn they belong to. */
  readonly #byPrompt = new Recent<number, Heard>(MOST);
  readonly #other: Heard = { step: null, output: null, retries: null };

  of(prompt: number): Heard {
    return this.#byPrompt.get(prompt) ?? this.#other;
  }

  /** What failed before has been forgiven. */
  takesUp(prompt: number): void {
    this.of(prompt).retries = null;
  }

  step({ f, t }: Place, event: Event): void {
    this.#within(event).step = { f, t, n: 'n' in event ? event.n : null };
  }

  take(place: Place, event: Event): void {
    if (OUTPUT.has(event.kind)) {
      const heard = this.#within(event);
      heard.output = place;
      heard.retries = null;
    } else if (event.kind === 'notice' && event.retry) {
      const heard = this.#within(event);
      const { f, t } = place;
      heard.retries = { f, t, count: (heard.retries?.count ?? 0) + 1, text: shortened(event.text ?? '', GLANCE, '') };
    }
  }

  #within({ within }: Event): Heard {
    if (within === undefined) return this.#other;
    const known = this.#byPrompt.get(within);
    if (known) return known;
    const heard: Heard = { step: null, output: null, retries: null };
    this.#byPrompt.set(within, heard);
    return heard;
  }
}
