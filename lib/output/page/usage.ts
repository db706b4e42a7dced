/** When tokens and the context were reported, and when the context was made smaller. */
import type { Event, Usage } from '../../model/event.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { addUsage, noUsage, subtractUsage } from '../../model/timeline/entries.ts';
import type { UsagePoint } from './page.ts';

type UsageOrCompaction = Event & { kind: 'usage' | 'compaction' };

export class UsagePoints {
  readonly points: UsagePoint[] = [];
  /** The total reported last, and what was reported since. */
  #total = noUsage();
  #since = noUsage();

  take(read: ReadFrame): void {
    for (const event of read.events) if (event.kind === 'usage' || event.kind === 'compaction') this.#add(read, event);
  }

  #add({ frame: { f, t }, where: { turn, step } }: ReadFrame, event: UsageOrCompaction): void {
    if (event.flags?.includes('replayed')) return;
    const isCompaction = event.kind === 'compaction';
    const usage = isCompaction ? null : this.#used(event);
    const context = isCompaction || event.subagent !== undefined ? null : event.context;
    if (!usage && !context && !isCompaction) return;
    const { input = null, cache_read = null, cache_write = null, output = null } = usage ?? {};
    const { used = null, size = null, share = null } = context ?? {};
    this.points.push({
      ...{ f, t, turn, step, input, cache_read, cache_write, output, used, size, share },
      compaction: isCompaction,
    });
  }

  /** What this report adds. A total adds what was not reported before. */
  #used(event: Event & { kind: 'usage' }): Usage | null {
    const { usage, total } = event;
    if (!usage || event.restates) return null;
    if (!total) {
      addUsage(this.#since, usage);
      return usage;
    }
    const more = subtractUsage(subtractUsage(usage, this.#total), this.#since);
    this.#total = usage;
    this.#since = noUsage();
    return Object.values(more).some((n) => n > 0) ? more : null;
  }
}
