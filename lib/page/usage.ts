/** When tokens and the context were reported, and when the context was made smaller. */
import type { Event, Usage } from '../core/event.ts';
import { minusUsage, noUsage } from '../core/timeline/shape.ts';
import type { ReadFrame } from '../session/read.ts';
import type { UsagePoint } from './page.ts';

type Told = Event & { kind: 'usage' | 'compaction' };

export class UsagePoints {
  readonly points: UsagePoint[] = [];
  #total = noUsage();

  take(read: ReadFrame): void {
    for (const event of read.events) if (event.kind === 'usage' || event.kind === 'compaction') this.#add(read, event);
  }

  #add({ frame: { f, t }, where: { turn, step } }: ReadFrame, event: Told): void {
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

  /** What this report adds. A total is what it has grown by. */
  #used(event: Event & { kind: 'usage' }): Usage | null {
    const { usage, total, ofTurn } = event;
    if (!usage || event.restates) return null;
    if (!total) return usage;
    const more = ofTurn ?? minusUsage(usage, this.#total);
    this.#total = usage;
    return more;
  }
}
