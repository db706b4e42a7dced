/**
 * The spans of a session that still runs, each when it has ended: a collector shows turns and calls as they
 * finish. The span of the session itself comes last.
 */
import type { Timeline } from '../../model/timeline/entries.ts';
import { spansOf, type TraceSpan } from '../../model/timeline/trace-spans.ts';

/** The last entries are checked again, because late frames may belong to them. At the end all are. */
const RECENT_ENTRIES = 64;

export class SpanFeed {
  readonly #sent = new Set<string>();

  /** Spans that have ended since the last call. `isOver`: all that are left, ended or not. */
  due({ entries }: Pick<Timeline, 'entries'>, end: number, isOver: boolean): TraceSpan[] {
    const found: TraceSpan[] = [];
    let held: TraceSpan | null = null;
    const take = (span: TraceSpan) => {
      if (this.#sent.has(span.key) || (!isOver && !isSettled(span))) return;
      this.#sent.add(span.key);
      found.push(span);
    };
    for (const span of spansOf({ entries: isOver ? entries : entries.slice(-RECENT_ENTRIES) }, end)) {
      if (held) take(held);
      held = span;
    }
    // The last one may still grow.
    if (held && isOver) take(held);
    return found;
  }
}

/** Nothing more can happen to it. */
function isSettled(span: TraceSpan): boolean {
  if (span.is === 'step') return span.step.state !== 'running';
  if (span.is === 'tool') return span.item.call!.result !== null || span.item.call!.state !== 'running';
  if (span.is === 'wait') return span.ask.wait !== null || span.ask.settled !== null;
  return span.is !== 'turn' || span.turn.status !== null;
}
