/** What an agent asks its client, the answers, and cancellations. */
import type { Event } from '../event.ts';
import type { Reading } from '../ledger/reading.ts';
import type { Asking } from '../ledger/records.ts';
import { Hooks } from './hooks.ts';
import { flagged, itemOf, shows } from './item.ts';
import type { Of, Placer } from './placer.ts';

/** Flags of answers that do not apply to the request, or that it shows in another way. */
const OF_FRAMES = new Set(['dup', 'client-error']);

export class Requests {
  readonly #placer: Placer;
  readonly #hooks: Hooks;

  constructor(placer: Placer, limit: number) {
    this.#placer = placer;
    this.#hooks = new Hooks(limit);
  }

  get retained(): number {
    return this.#hooks.retained;
  }

  ask(read: Reading, event: Asking): void {
    const { frame, pairing } = read;
    const placer = this.#placer;
    const { ask, call, isNew } = placer.note;
    if (!isNew) {
      const again = itemOf(ask!)!;
      again.parts++;
      flagged(again, 'resent');
      return placer.touch(again, frame);
    }
    const item = call && itemOf(call) ? placer.beside(call, read, event) : placer.place(read, event);
    item.ask = ask;
    shows(ask!, item);
    if (pairing?.role === 'asks') placer.requests.set(frame.f, item);
  }

  answer(read: Reading, event: Event): void {
    const { ask, late } = this.#placer.note;
    const item = ask && itemOf(ask);
    if (!item) return this.#placer.refers(read, event, null);
    for (const flag of event.flags ?? []) if (!OF_FRAMES.has(flag)) flagged(item, flag);
    if (late !== null) flagged(item, late);
    const counts = late === null || late === 'answered-again' || item.answer === null;
    this.#placer.answer(item, read, event, counts);
  }

  resolved(read: Reading, event: Event): void {
    const { ask } = this.#placer.note;
    this.#placer.refers(read, event, ask && itemOf(ask));
  }

  /** A request to the client, or a report of a hook that the agent runs itself. */
  hook(read: Reading, event: Of<'hook'>): void {
    if (read.pairing) this.ask(read, event);
    else this.#hooks.triggered(this.#placer.place(read, event), event);
  }

  hookResolved(read: Reading, event: Of<'hook-answer' | 'hook-resolved'>): void {
    this.#placer.refers(read, event, this.#hooks.resolved(event, read.frame));
  }

  cancel(read: Reading, event: Of<'cancel'>): void {
    const placer = this.#placer;
    const { ask, call } = placer.note;
    const withdrawn = ask && itemOf(ask);
    if (withdrawn) return placer.touch(withdrawn, read.frame);
    const item = call && itemOf(call);
    if (!item) return placer.plain(read, event);
    flagged(item, 'cancelled');
    placer.beside(call, read, event);
  }
}
