/** When tokens and the context were reported, and when the context was made smaller. */
import type { Event, Usage } from '../core/event.ts';
import { minusUsage, noUsage } from '../core/timeline/shape.ts';
import type { ReadFrame } from '../session/read.ts';
import type { UsagePoint } from './page.ts';

export class UsagePoints {
  readonly points: UsagePoint[] = [];
  #total = noUsage();

  take({ frame: { f, t }, events, where: { turn, step } }: ReadFrame): void {
    for (const event of events) {
      if (event.flags?.includes('replayed')) continue;
      const isCompaction = event.kind === 'compaction';
      if (event.kind !== 'usage' && !isCompaction) continue;
      const usage = event.kind === 'usage' ? this.#used(event) : null;
      const context = event.kind === 'usage' && event.subagent === undefined ? event.context : null;
      if (!usage && !context && !isCompaction) continue;
      this.points.push({
        ...{ f, t, turn, step },
        input: usage?.input ?? null,
        cache_read: usage?.cache_read ?? null,
        cache_write: usage?.cache_write ?? null,
        output: usage?.output ?? null,
        used: context?.used ?? null,
        size: context?.size ?? null,
        share: context?.share ?? null,
        compaction: isCompaction,
      });
    }
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
