/**
 * The causes just before the session ended: when the client closed stdin, sent a signal, or the agent exited. The end of a
 * session explains little; the moment before it does.
 */
import type { Frame } from '../../model/frame.ts';
import type { Place } from '../../model/ledger/records.ts';
import type { Moment } from '../../model/moment.ts';
import { type Cause, firstOf } from './cause.ts';
import { STATE } from './state.ts';
import type { Open, Watch } from './watch.ts';

export interface Then {
  cause: Cause;
  /** What happened next. */
  cut: Place & { event: 'eof' | 'signal' | 'exit' };
}

const CUTS: readonly (string | null)[] = ['eof', 'signal', 'exit'] satisfies Then['cut']['event'][];

export class Before {
  readonly #watch: Watch;
  readonly #by = new Map<number, Then>();
  /** After a signal that ended nothing, the conversation goes on. */
  #goesOn = false;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  of({ f }: Open): Then | null {
    return this.#by.get(f) ?? null;
  }

  happens({ f, t, event }: Frame): void {
    const { clientEof } = this.#watch.process;
    const isLeaving = clientEof?.f === f && !this.#watch.traits.stdinIsPrompt;
    if (!CUTS.includes(event) || (event === 'eof' && !isLeaving)) return;
    if (this.#goesOn) for (const [key, { cut }] of this.#by) if (cut.event === 'signal') this.#by.delete(key);
    this.#goesOn = false;
    const moment = past(t);
    for (const open of this.#watch.open) {
      const cause = this.#by.has(open.f) ? null : firstOf(STATE, open, this.#watch, moment);
      if (cause) this.#by.set(open.f, { cause, cut: { f, t, event: event as Then['cut']['event'] } });
    }
  }

  speaks(): void {
    this.#goesOn = true;
  }
}

export function past(t: number): Moment {
  return { t, running: false, process: null, unfinished: [] };
}
