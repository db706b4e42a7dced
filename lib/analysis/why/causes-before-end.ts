/**
 * The causes just before the session ended: when the client closed stdin, sent a signal, or the agent exited. The end of a
 * session explains little; the moment before it does.
 */
import type { Frame } from '../../model/frame.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import type { SessionMoment } from '../../model/moment.ts';
import { type Cause, firstCause } from './cause.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';
import { STATE_RULES } from './state.ts';

export interface CauseBeforeEnd {
  cause: Cause;
  /** What happened next. */
  cut: FramePosition & { event: 'eof' | 'signal' | 'exit' };
}

const END_EVENTS: readonly (string | null)[] = ['eof', 'signal', 'exit'] satisfies CauseBeforeEnd['cut']['event'][];

export class CausesBeforeEnd {
  readonly #watch: SessionWatch;
  readonly #by = new Map<number, CauseBeforeEnd>();
  /** After a signal that ended nothing, the conversation goes on. */
  #continued = false;

  constructor(watch: SessionWatch) {
    this.#watch = watch;
  }

  of({ f }: UnansweredRequest): CauseBeforeEnd | null {
    return this.#by.get(f) ?? null;
  }

  takeEvent({ f, t, event }: Frame): void {
    const { clientEof } = this.#watch.process;
    const isLeaving = clientEof?.f === f && !this.#watch.traits.stdinIsPrompt;
    if (!END_EVENTS.includes(event) || (event === 'eof' && !isLeaving)) return;
    if (this.#continued) for (const [key, { cut }] of this.#by) if (cut.event === 'signal') this.#by.delete(key);
    this.#continued = false;
    const moment = pastMoment(t);
    for (const open of this.#watch.open) {
      const cause = this.#by.has(open.f) ? null : firstCause(STATE_RULES, open, this.#watch, moment);
      if (cause) this.#by.set(open.f, { cause, cut: { f, t, event: event as CauseBeforeEnd['cut']['event'] } });
    }
  }

  takeLine(): void {
    this.#continued = true;
  }
}

export function pastMoment(t: number): SessionMoment {
  return { t, running: false, process: null, unfinished: [] };
}
