/** Hooks that the agent runs itself. It reports when they are triggered and resolved; the two are paired in order. */
import type { Event } from '../event.ts';
import type { FramePosition } from '../ledger/records.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Item } from './entries.ts';

export class HookPairs {
  readonly #triggered: LimitedMap<string, Item[]>;

  constructor(limit: number) {
    this.#triggered = new LimitedMap(limit);
  }

  addTriggered(item: Item, event: Event & { kind: 'hook' }): void {
    item.name = event.target === null ? event.event : `${event.event} ${event.target}`;
    const name = keyOf(event);
    const waiting = this.#triggered.get(name);
    if (!waiting) this.#triggered.set(name, [item]);
    else if (waiting.push(item) > MAX_OPEN_HOOKS) waiting.shift();
  }

  /** Resolves the oldest unresolved hook with that event and target. */
  takeResolved(event: Event & { kind: 'hook-answer' | 'hook-resolved' }, { f, t }: FramePosition): Item | null {
    const item = this.#triggered.get(keyOf(event))?.shift();
    if (!item) return null;
    const { decision, reason, failed } = event;
    item.answer = { f, t, ok: decision !== 'deny' && !failed, code: null, status: decision, text: reason ?? '' };
    return item;
  }

  get retained(): number {
    let count = 0;
    for (const items of this.#triggered.values()) count += items.length;
    return count;
  }
}

/** Real sessions never have more of one kind open. */
const MAX_OPEN_HOOKS = 1000;

const keyOf = ({ event, target }: { event: string | null; target: string | null }) => JSON.stringify([event, target]);
