/** What an agent asks its client, the answers, and cancellations. */
import type { Event } from '../event.ts';
import type { PairedFrame } from '../ledger/paired-frame.ts';
import type { AskEvent } from '../ledger/records.ts';
import { HookPairs } from './hook-pairs.ts';
import { addFlag, itemOf, setItem } from './item.ts';
import type { Placer, TimelineEvent } from './placer.ts';

/** Flags of answers that do not apply to the request, or that it shows in another way. */
const FRAME_FLAGS = new Set(['dup', 'client-error']);

export class RequestPlacer {
  readonly #placer: Placer;
  readonly #hooks: HookPairs;

  constructor(placer: Placer, limit: number) {
    this.#placer = placer;
    this.#hooks = new HookPairs(limit);
  }

  get retained(): number {
    return this.#hooks.retained;
  }

  placeAsk(read: PairedFrame, event: AskEvent): void {
    const { frame, pairing } = read;
    const placer = this.#placer;
    const { ask, call, isNew } = placer.note;
    if (!isNew) {
      const again = itemOf(ask!)!;
      again.parts++;
      addFlag(again, 'resent');
      return placer.extendItem(again, frame);
    }
    const item = call && itemOf(call) ? placer.placeBeside(call, read, event) : placer.place(read, event);
    item.ask = ask;
    setItem(ask!, item);
    if (pairing?.role === 'asks') placer.requests.set(frame.f, item);
  }

  placeAnswer(read: PairedFrame, event: Event): void {
    const { ask, late } = this.#placer.note;
    const item = ask && itemOf(ask);
    if (!item) return this.#placer.extendOrPlace(read, event, null);
    for (const flag of event.flags ?? []) if (!FRAME_FLAGS.has(flag)) addFlag(item, flag);
    if (late !== null) addFlag(item, late);
    const counts = late === null || late === 'answered-again' || item.answer === null;
    this.#placer.addAnswer(item, read, event, counts);
  }

  placeResolution(read: PairedFrame, event: Event): void {
    const { ask } = this.#placer.note;
    this.#placer.extendOrPlace(read, event, ask && itemOf(ask));
  }

  /** A request to the client, or a report of a hook that the agent runs itself. */
  placeHook(read: PairedFrame, event: TimelineEvent<'hook'>): void {
    if (read.pairing) this.placeAsk(read, event);
    else this.#hooks.addTriggered(this.#placer.place(read, event), event);
  }

  placeHookResolution(read: PairedFrame, event: TimelineEvent<'hook-answer' | 'hook-resolved'>): void {
    this.#placer.extendOrPlace(read, event, this.#hooks.takeResolved(event, read.frame));
  }

  placeCancel(read: PairedFrame, event: TimelineEvent<'cancel'>): void {
    const placer = this.#placer;
    const { ask, call } = placer.note;
    const withdrawn = ask && itemOf(ask);
    if (withdrawn) return placer.extendItem(withdrawn, read.frame);
    const item = call && itemOf(call);
    if (!item) return placer.placePlain(read, event);
    addFlag(item, 'cancelled');
    placer.placeBeside(call, read, event);
  }
}
